package svg

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"rvtui/scenarios"
	"rvtui/ui/internal/recordtest"
	"rvtui/ui/recording"
	"rvtui/ui/recording/raster"
)

// shot is what Chromium shows of a file.
func shot(t *testing.T, program string, svg []byte, size image.Point, flags ...string) image.Image {
	t.Helper()
	directory := t.TempDir()
	page, picture := filepath.Join(directory, "x.svg"), filepath.Join(directory, "x.png")
	if err := os.WriteFile(page, svg, 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), program, append(flags, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
		"--disable-background-networking", "--hide-scrollbars", "--user-data-dir="+filepath.Join(directory, "profile"),
		fmt.Sprintf("--window-size=%d,%d", size.X, size.Y), "--screenshot="+picture, "file://"+page)...)
	command.WaitDelay = time.Second // its children may keep what it writes to
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	content, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	shown, err := png.Decode(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	return shown
}

// apart is how much two pictures differ, as the mean over all pixels of how far the brightness
// is, of 255, and how many pixels have nothing to do with each other.
func apart(t *testing.T, a, b image.Image) (mean float64, strange int) {
	t.Helper()
	if a.Bounds() != b.Bounds() {
		t.Fatalf("one is %s, the other %s", a.Bounds(), b.Bounds())
	}
	total := 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			worst := 0
			for _, pair := range [][2]uint32{{r1, r2}, {g1, g2}, {b1, b2}} {
				worst = max(worst, int(pair[0]>>8)-int(pair[1]>>8), int(pair[1]>>8)-int(pair[0]>>8))
			}
			if total += worst; worst > 96 {
				strange++
			}
		}
	}
	return float64(total) / float64(a.Bounds().Dx()*a.Bounds().Dy()), strange
}

func TestChromiumShowsWhatThePicturesShow(t *testing.T) {
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	for _, options := range []recording.Options{
		{Lang: scenarios.English},
		{Lang: scenarios.Chinese, Theme: "light", Keys: true},
	} {
		r := recordtest.Fixture(t, "two-writers", options)
		svg := written(t, r)
		picture := raster.New(r).Picture()
		var now time.Duration
		n := 0
		compare := func(what string, svg []byte, flags ...string) {
			t.Helper()
			mean, strange := apart(t, shot(t, program, svg, picture.Image.Rect.Size(), flags...), picture.Image)
			t.Logf("%s %s: %.3f of 255 apart, %d pixels by more than 96", options.Lang, what, mean, strange)
			if mean > 1 || strange > 50 {
				t.Errorf("%s %s: %.3f of 255 apart, %d pixels by more than 96", options.Lang, what, mean, strange)
			}
		}
		for f := range r.Frames() {
			picture.Show(f)
			if n++; n == 1 || n == 5 {
				stopped := fmt.Sprintf("g{animation-delay:-%gs!important;animation-play-state:paused!important}</style>", (now + f.Hold/2).Seconds())
				compare(fmt.Sprintf("frame %d", n), bytes.Replace(svg, []byte("</style>"), []byte(stopped), 1))
			}
			now += f.Hold
		}
		compare("without motion", svg, "--force-prefers-reduced-motion")
	}
}
