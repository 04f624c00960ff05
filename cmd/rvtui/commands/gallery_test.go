package commands

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rvtui/scenarios"
)

var freshTraces = flag.String("traces", "", "take the gallery's traces from this file, which `rvtui run -o json` wrote, into docs/traces")

// galleryPicture is a line of docs/gallery/pictures.txt.
type galleryPicture struct {
	file, trace string
	flags       []string
}

var docs = filepath.Join("..", "..", "..", "docs")

func galleryPictures(t *testing.T) []galleryPicture {
	t.Helper()
	var pictures []galleryPicture
	for line := range strings.Lines(read(t, filepath.Join(docs, "gallery", "pictures.txt"))) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		if len(words) < 2 {
			t.Fatalf("pictures.txt: %q is no file and trace", line)
		}
		pictures = append(pictures, galleryPicture{
			filepath.Join(docs, "gallery", words[0]), filepath.Join(docs, "traces", words[1]), words[2:]})
	}
	return pictures
}

func TestTheGallerysPicturesAreWhatWouldBeRecorded(t *testing.T) {
	for _, p := range galleryPictures(t) {
		args := append([]string{"record", p.trace, "-o", p.file, "--check"}, p.flags...)
		if o := tryAlone(t, "", args...); o.code != 0 {
			t.Errorf("%s`.ci/gallery` draws it anew", o.errors)
		}
	}
}

// What is in docs/gallery and docs/traces is there for a picture, and each picture is shown.
func TestNothingLiesAboutInTheGallery(t *testing.T) {
	pictures := galleryPictures(t)
	shown := read(t, filepath.Join(docs, "gallery.md")) + read(t, filepath.Join(docs, "README.zh.md")) + read(t, filepath.Join(docs, "..", "README.md"))
	for _, p := range pictures {
		if !strings.Contains(shown, "gallery/"+filepath.Base(p.file)+")") {
			t.Errorf("%s is shown nowhere", p.file)
		}
	}
	for pattern, of := range map[string]func(galleryPicture) string{
		filepath.Join(docs, "gallery", "*.svg"): func(p galleryPicture) string { return p.file },
		filepath.Join(docs, "traces", "*"):      func(p galleryPicture) string { return p.trace },
	} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if !slices.ContainsFunc(pictures, func(p galleryPicture) bool { return of(p) == file }) {
				t.Errorf("%s is in no line of pictures.txt", file)
			}
		}
	}
}

func TestTheGalleryHasAPictureOfEachChapter(t *testing.T) {
	page := read(t, filepath.Join(docs, "gallery.md"))
	catalogue, err := scenarios.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]bool{}
	for _, s := range catalogue {
		if strings.Contains(page, "\n## "+s.Title.In(scenarios.English)+"\n") && strings.Contains(page, "](gallery/"+s.Name+".svg)") {
			has[s.Chapter] = true
		}
	}
	for _, s := range catalogue {
		if !has[s.Chapter] {
			has[s.Chapter] = true
			t.Errorf("docs/gallery.md has no picture of the chapter %s, below the title of its scenario", s.Chapter)
		}
	}
}

// A trace that is recorded anew changes as little as can be, and its expectations hold.
func TestTheGallerysTracesAreNormalised(t *testing.T) {
	if *freshTraces != "" {
		takeTraces(t, *freshTraces)
	}
	for _, p := range galleryPictures(t) {
		saved, err := scenarios.ReadTrace(strings.NewReader(read(t, p.trace)))
		if err != nil {
			t.Fatalf("%s: %v", p.trace, err)
		}
		trace, err := saved.All()
		if err != nil {
			t.Fatalf("%s: %v", p.trace, err)
		}
		if !bytes.Equal(encoded(t, trace), encoded(t, scenarios.Normalise(trace))) {
			t.Errorf("%s is not normalised; `.ci/gallery --traces` records it anew", p.trace)
		}
		if o := tryAlone(t, "", "check", p.trace); o.code != 0 {
			t.Errorf("%s: %s%s", p.trace, o.out, o.errors)
		}
	}
}

// takeTraces writes those of a file's traces that the gallery has pictures of, normalised.
func takeTraces(t *testing.T, file string) {
	t.Helper()
	traces := json.NewDecoder(strings.NewReader(read(t, file)))
	for {
		var trace scenarios.Trace
		if err := traces.Decode(&trace); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(docs, "traces", trace.Scenario+".json.gz")
		if !slices.ContainsFunc(galleryPictures(t), func(p galleryPicture) bool { return p.trace == path }) {
			continue
		}
		var packed bytes.Buffer
		w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write(encoded(t, scenarios.Normalise(trace)))
		_ = w.Close()
		if err := os.WriteFile(path, packed.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func encoded(t *testing.T, trace scenarios.Trace) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := trace.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
