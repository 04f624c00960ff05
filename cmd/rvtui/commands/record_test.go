package commands

import (
	"bytes"
	"image/gif"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/plain"
)

// recorded runs rvtui record on a trace of two-writers, in which no control plane may start,
// and reads what it wrote.
func recorded(t *testing.T, name string, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	args = append([]string{"record", traceFile(t, recordedTrace(t, "two-writers")), "-o", path}, args...)
	if o := tryAlone(t, "", args...); o.code != 0 || o.out != "" || o.errors != "" {
		t.Fatalf("%q: exit %d, %q, %q", args, o.code, o.out, o.errors)
	}
	return read(t, path)
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestATraceIsRecordedWithNoControlPlane(t *testing.T) {
	var document bytes.Buffer
	trace := recordedTrace(t, "two-writers")
	if err := plain.Markdown(&document, &trace, scenarios.English); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		args []string
		says []string
	}{
		"a.txt":  {nil, []string{"\n4  " + trace.Steps[3].Title.In(scenarios.English) + "\n───", "LIVE 6/6"}},
		"b.txt":  {[]string{"--size", "80x24", "--lang", "zh", "--step", "4"}, []string{"最新 4/6"}},
		"c.txt":  {[]string{"--view", "http,path", "--step", "4"}, []string{"two-writers › http", "two-writers › path"}},
		"d.txt":  {[]string{"--predict", "--step", "4"}, []string{"QUESTION 4/6"}},
		"e.txt":  {[]string{"--normalise", "--step", "4"}, []string{"4  B replaces cm1 with the resourceVersion that it read (1)", "head 2 "}},
		"a.cast": {nil, []string{`{"version":2,"width":120,"height":36,`, `"m","4  B replaces`}},
		"b.cast": {[]string{"--cast-version", "3", "--hold", "1s"}, []string{`{"version":3,`, "\n[1.000,\"m\",\"4  B"}},
		"a.svg":  {[]string{"--theme", "light"}, []string{`<svg xmlns="http://www.w3.org/2000/svg" width="1112" height="680"`, `<path fill="#ffffff"`}},
		"a.md":   {nil, []string{document.String()}},
		"a.tape": {nil, []string{"\nOutput \"a.gif\"\n", "Type \"rvtui play ", "/trace.json --size 120x36 --theme dark --lang en\"\n"}},
	} {
		got := recorded(t, name, test.args...)
		for _, want := range test.says {
			if !strings.Contains(got, want) {
				t.Errorf("%s %q has no %q", name, test.args, want)
			}
		}
	}
}

func TestPicturesAreDecodedAsWhatTheyAre(t *testing.T) {
	if _, err := png.Decode(strings.NewReader(recorded(t, "a.png", "--step", "4"))); err != nil {
		t.Error(err)
	}
	animation, err := gif.DecodeAll(strings.NewReader(recorded(t, "a.gif", "--size", "40x10", "--hold", "1s")))
	if err != nil || len(animation.Image) != 7 {
		t.Errorf("there are %d frames, %v", len(animation.Image), err)
	}
}

func TestOfSeveralFramesThereAreSeveralPictures(t *testing.T) {
	trace, directory := traceFile(t, recordedTrace(t, "two-writers")), t.TempDir()
	args := []string{"record", trace, "--size", "40x10", "--step", "2,4", "--view", "panes,http", "--keys", "-o", filepath.Join(directory, "a.png")}
	if o := tryAlone(t, "", args...); o.code != 0 || o.errors != "" {
		t.Fatalf("exit %d, %q", o.code, o.errors)
	}
	files, err := filepath.Glob(filepath.Join(directory, "*"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range files {
		names = append(names, filepath.Base(file))
		if _, err := png.Decode(strings.NewReader(read(t, file))); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	if got := strings.Join(names, " "); got != "a-02-2.png a-02.png a-04-2.png a-04.png" {
		t.Errorf("the files are %s", got)
	}
	if o := tryAlone(t, "", "record", trace, "-o", "-", "--format", "png"); o.code != 2 || !strings.Contains(o.errors, "--step says which") || o.out != "" {
		t.Errorf("several to stdout: exit %d, %q", o.code, o.errors)
	}
}

func TestCheckComparesWhatIsSeenOfPictures(t *testing.T) {
	trace, directory := traceFile(t, recordedTrace(t, "two-writers")), t.TempDir()
	still, film := filepath.Join(directory, "a.png"), filepath.Join(directory, "a.gif")
	args := []string{"record", trace, "--size", "40x10", "--step", "4", "-o", still, "-o", film}
	if o := tryAlone(t, "", args...); o.code != 0 {
		t.Fatalf("exit %d, %q", o.code, o.errors)
	}
	// The same picture, as another encoder writes it.
	shown, err := png.Decode(strings.NewReader(read(t, still)))
	if err != nil {
		t.Fatal(err)
	}
	var other bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(&other, shown); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(still, other.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if o := tryAlone(t, "", append(args, "--check")...); o.code != 0 || o.errors != "" {
		t.Errorf("they are the same: exit %d, %q", o.code, o.errors)
	}
	o := tryAlone(t, "", append(args, "--check", "--theme", "light")...)
	if o.code != 1 || strings.Count(o.errors, " is not what would be recorded now: ") != 2 || !strings.Contains(o.errors, " pixels differ\n") {
		t.Errorf("they differ: exit %d, %q", o.code, o.errors)
	}
	if o := tryAlone(t, "", append(args, "--check", "--size", "41x10")...); o.code != 1 || !strings.Contains(o.errors, "it is (392,212) pixels large, and would be (401,212)") {
		t.Errorf("they are smaller: exit %d, %q", o.code, o.errors)
	}
}

func TestAScenarioIsRunAndThenRecorded(t *testing.T) {
	scenario := scenarioFile(t, "cm1")
	path := filepath.Join(t.TempDir(), "mine.txt")
	o := try(t, "record", scenario, "-o", path, "-o", "-", "--format", "tape")
	if o.code != 0 || !o.closed || !o.inside || o.errors != "" {
		t.Errorf("exit %d, %q, closed %t, inside %t", o.code, o.errors, o.closed, o.inside)
	}
	if got := read(t, path); !strings.Contains(got, "LIVE 1/1") {
		t.Errorf("the text is %s", got)
	}
	if want := "Type \"rvtui " + scenario + " --size 120x36"; !strings.Contains(o.out, want) || !strings.Contains(o.out, "Output \"mine.gif\"") {
		t.Errorf("there is no %q in %s", want, o.out)
	}
}

func TestARecordingOfWhatFailedIsWrittenAndExits1(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.txt")
	o := try(t, "record", scenarioFile(t, "cm1", "code: 200", "code: 409"), "-o", path)
	if o.code != 1 || !strings.Contains(o.errors, "an expectation of ") || !strings.Contains(read(t, path), "LIVE 1/1") {
		t.Errorf("exit %d, %q", o.code, o.errors)
	}
}

func TestWhatCannotBeRecordedIsOneLineAndExit2(t *testing.T) {
	trace, directory := traceFile(t, recordedTrace(t, "two-writers")), t.TempDir()
	if err := os.Mkdir(filepath.Join(directory, "d.txt"), 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(directory, "a.txt")
	for says, args := range map[string][]string{
		"takes one scenario or one trace's file, but got 0":      {},
		"takes the file to write, such as -o two-writers.gif":    {trace},
		"a file that can be written ends with .gif, .png, .cast": {trace, "-o", "a.webm"},
		"is there twice":                                            {trace, "-o", file, "-o", file},
		"-o - takes --format as well":                               {trace, "-o", "-"},
		"--format is \"mp4\"; it takes gif, png, cast":              {trace, "-o", "-", "--format", "mp4"},
		"--format is for -o - alone":                                {trace, "-o", file, "--format", "txt"},
		"d.txt: it is there, and no file":                           {trace, "-o", filepath.Join(directory, "d.txt")},
		"there is no directory " + filepath.Join(directory, "none"): {trace, "-o", filepath.Join(directory, "none", "a.txt")},
		"--view is \"html\"; it takes panes, http":                  {trace, "-o", file, "--view", "html"},
		"--cast-version is 4":                                       {trace, "-o", file, "--cast-version", "4"},
		"it takes columns and rows, such as 120x36":                 {trace, "-o", file, "--size", "120"},
		"a recording is at least 40×10":                             {trace, "-o", file, "--size", "39x36"},
		"--hold is 0s; it takes 40ms to 10m0s":                      {trace, "-o", file, "--hold", "0s"},
		"there is no step 7; the trace has 6 steps":                 {trace, "-o", file, "--step", "7"},
		"--step is 9; two-writers has steps 1 to 6":                 {"two-writers", "-o", file, "--step", "9"},
		"--check compares files":                                    {trace, "-o", "-", "--format", "txt", "--check"},
		"cannot read the trace ./none.json: no such file":           {"./none.json", "-o", file},
		"what came through a pipe is in none":                       {"-", "-o", filepath.Join(directory, "a.tape")},
		"no scenario is called \"two-writer\"":                      {"two-writer", "-o", file},
	} {
		o := tryAlone(t, read(t, trace), append([]string{"record"}, args...)...)
		if o.code != 2 || !strings.Contains(o.errors, says) || strings.Count(o.errors, "\n") != 1 || o.out != "" {
			t.Errorf("%q: exit %d, %q; want exit 2 and one line with %q", args, o.code, o.errors, says)
		}
	}
	if entries, err := os.ReadDir(directory); err != nil || len(entries) != 1 {
		t.Errorf("something is left: %v, %v", entries, err)
	}
}

func TestAFileIsWrittenOverOnceTheNewOneIsWhole(t *testing.T) {
	trace, directory := traceFile(t, recordedTrace(t, "two-writers")), t.TempDir()
	path, link := filepath.Join(directory, "a.txt"), filepath.Join(directory, "link.txt")
	if err := os.WriteFile(path, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	before, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer before.Close()
	if o := tryAlone(t, "", "record", trace, "-o", link); o.code != 0 {
		t.Fatalf("exit %d, %q", o.code, o.errors)
	}
	if !strings.Contains(read(t, path), "LIVE 6/6") {
		t.Error("what the link leads to is not written")
	}
	if content, err := io.ReadAll(before); err != nil || string(content) != "before" {
		t.Errorf("who reads the file before reads %q, %v", content, err)
	}
	if entries, err := os.ReadDir(directory); err != nil || len(entries) != 2 {
		t.Errorf("something is left: %v, %v", entries, err)
	}
}

func TestCheckComparesFilesWithWhatWouldBeWritten(t *testing.T) {
	trace, directory := traceFile(t, recordedTrace(t, "two-writers")), t.TempDir()
	args := []string{"record", trace}
	for _, name := range []string{"a.txt", "a.svg", "a.cast"} {
		args = append(args, "-o", filepath.Join(directory, name))
	}
	check := append(args, "--check")
	if o := tryAlone(t, "", check...); o.code != 1 || strings.Count(o.errors, " is not there\n") != 3 {
		t.Errorf("nothing is there: exit %d, %q", o.code, o.errors)
	}
	if o := tryAlone(t, "", args...); o.code != 0 {
		t.Fatalf("exit %d, %q", o.code, o.errors)
	}
	if o := tryAlone(t, "", check...); o.code != 0 || o.errors != "" {
		t.Errorf("all is as it was: exit %d, %q", o.code, o.errors)
	}
	path := filepath.Join(directory, "a.txt")
	if err := os.WriteFile(path, []byte(strings.Replace(read(t, path), "409", "410", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	o := tryAlone(t, "", check...)
	if o.code != 1 || !strings.Contains(o.errors, "a.txt is not what would be recorded now: they differ from line ") || strings.Count(o.errors, "\n") != 1 {
		t.Errorf("one differs: exit %d, %q", o.code, o.errors)
	}
}

func TestARecordingIsReadByNobodyWhoCouldNotReadTheOldOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if o := tryAlone(t, "", "record", traceFile(t, recordedTrace(t, "two-writers")), "-o", path); o.code != 0 {
		t.Fatalf("exit %d, %s", o.code, o.errors)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
}

func TestATraceThatIsNamedLikeAFlagIsNoneInATape(t *testing.T) {
	f := &recordFlags{size: sizeFlag{cells.Size{Width: 120, Height: 36}}}
	if got := f.command("play", "-x.json"); !strings.HasPrefix(got, "rvtui play ./-x.json ") {
		t.Errorf("the command is %s", got)
	}
}
