package gif_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	stdgif "image/gif"
	stdpng "image/png"
	"io"
	"testing"
	"time"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/recordtest"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/recording"
	"rvtui/ui/recording/gif"
	"rvtui/ui/recording/png"
	"rvtui/ui/screen"
	"rvtui/ui/theme"
)

var (
	usual = cells.Size{Width: 120, Height: 36}
	small = cells.Size{Width: 80, Height: 24}
	least = cells.Size{Width: 40, Height: 10}
)

func write(t testing.TB, r *recording.Recording) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := gif.Write(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestAGIFShowsThePicturesThatThePNGsAre(t *testing.T) {
	type options struct {
		trace string
		recording.Options
	}
	all := []options{
		{"two-writers", recording.Options{Size: usual, Lang: scenarios.English, Steps: []int{0, 4, 6}}},
		{"two-writers", recording.Options{Size: small, Lang: scenarios.English, Predict: true, Keys: true}},
		{"two-writers", recording.Options{Size: small, Lang: scenarios.Chinese, Present: true}},
		{"true-race", recording.Options{Size: small, Lang: scenarios.English, Views: []screen.View{screen.Panes, screen.Timeline}}},
		{"too-large", recording.Options{Size: small, Lang: scenarios.Chinese, Steps: []int{1}}},
	}
	for _, name := range theme.Names {
		all = append(all, options{"two-writers", recording.Options{Size: small, Theme: name, Steps: []int{3, 4}}})
	}
	for _, o := range all {
		t.Run(fmt.Sprintf("%s-%s-%s-%d", o.trace, o.Lang, o.Theme, o.Size.Width), func(t *testing.T) {
			r := recordtest.Fixture(t, o.trace, o.Options)
			decoded, err := stdgif.DecodeAll(bytes.NewReader(write(t, r)))
			if err != nil {
				t.Fatal(err)
			}
			if decoded.LoopCount != 0 {
				t.Errorf("it plays %d times", decoded.LoopCount)
			}
			var before *recording.Frame
			shown := 0
			sheet := image.NewRGBA(image.Rect(0, 0, decoded.Config.Width, decoded.Config.Height))
			pictures(t, r, func(f recording.Frame, picture *image.Paletted) {
				if before != nil && before.Content == f.Content {
					return // the one that stands there stays
				}
				before = &f
				if shown == len(decoded.Image) {
					t.Fatalf("the GIF has %d pictures alone", shown)
				}
				if decoded.Disposal[shown] != stdgif.DisposalNone {
					t.Fatalf("picture %d does not stay", shown)
				}
				lay(sheet, decoded.Image[shown])
				want := image.NewRGBA(picture.Rect)
				lay(want, picture)
				if sheet.Rect != want.Rect || !bytes.Equal(sheet.Pix, want.Pix) {
					t.Fatalf("picture %d, which is %v, is another than the PNG, which is %v", shown, sheet.Rect, want.Rect)
				}
				shown++
			})
			if shown != len(decoded.Image) {
				t.Errorf("the GIF has %d pictures, and %d are different", len(decoded.Image), shown)
			}
		})
	}
}

// lay puts a picture on what is there already. It is image/draw's Draw for these two kinds
// of image, which takes long where races are looked for.
func lay(sheet *image.RGBA, picture *image.Paletted) {
	var colours [256][4]byte
	for i, c := range picture.Palette {
		r, g, b, a := c.RGBA()
		colours[i] = [4]byte{byte(r >> 8), byte(g >> 8), byte(b >> 8), byte(a >> 8)}
	}
	for y := picture.Rect.Min.Y; y < picture.Rect.Max.Y; y++ {
		to := sheet.Pix[sheet.PixOffset(picture.Rect.Min.X, y):]
		for i, index := range picture.Pix[(y-picture.Rect.Min.Y)*picture.Stride:][:picture.Rect.Dx()] {
			if c := colours[index]; c[3] != 0 {
				copy(to[4*i:], c[:])
			}
		}
	}
}

// pictures gives each PNG of a recording, decoded.
func pictures(t *testing.T, r *recording.Recording, each func(recording.Frame, *image.Paletted)) {
	t.Helper()
	err := png.Write(r, func(_ int, f recording.Frame) (io.WriteCloser, error) {
		return &file{closed: func(data []byte) {
			picture, err := stdpng.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			each(f, picture.(*image.Paletted))
		}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

type file struct {
	bytes.Buffer
	closed func([]byte)
}

func (f *file) Close() error {
	f.closed(f.Bytes())
	return nil
}

func TestDelaysAreTheFramesHolds(t *testing.T) {
	for _, hold := range []time.Duration{0, 1, 45 * time.Millisecond, 155 * time.Millisecond, 700 * time.Second} {
		r := recordtest.Record(t, uitest.TwoWriters(t), recording.Options{Size: least, Hold: hold})
		decoded, err := stdgif.DecodeAll(bytes.NewReader(write(t, r)))
		if err != nil {
			t.Fatal(err)
		}
		var want, got time.Duration
		for f := range r.Frames() {
			want += f.Hold
		}
		for i, delay := range decoded.Delay {
			if delay < 4 {
				t.Errorf("hold %s: picture %d stays for %d hundredths", hold, i, delay)
			}
			got += time.Duration(delay) * 10 * time.Millisecond
		}
		got -= 2 * time.Second
		if hold > 40*time.Millisecond && hold < time.Minute && (got-want).Abs() > 5*time.Millisecond {
			t.Errorf("hold %s: it takes %s, and should take %s", hold, got, want)
		}
		if n := len(decoded.Delay); hold > 0 && hold < time.Minute && decoded.Delay[n-1] < decoded.Delay[n-2]+150 {
			t.Errorf("hold %s: the last picture stays for %d hundredths", hold, decoded.Delay[n-1])
		}
	}
}

func TestTwoRunsAreTheSameBytes(t *testing.T) {
	for _, lang := range []string{scenarios.English, scenarios.Chinese} {
		options := recording.Options{Size: small, Lang: lang, Predict: true, Keys: true}
		if !bytes.Equal(write(t, recordtest.Record(t, uitest.TwoWriters(t), options)), write(t, recordtest.Record(t, uitest.TwoWriters(t), options))) {
			t.Errorf("%s: they differ", lang)
		}
	}
}

// A README and a slide load it at once.
func TestAGIFOfTwoWritersIsSmall(t *testing.T) {
	for _, lang := range []string{scenarios.English, scenarios.Chinese} {
		if n := len(write(t, recordtest.Record(t, uitest.TwoWriters(t), recording.Options{Size: usual, Lang: lang}))); n > 300_000 {
			t.Errorf("%s: it has %d bytes", lang, n)
		}
	}
}

func TestAWritersErrorIsReported(t *testing.T) {
	r := recordtest.Record(t, uitest.TwoWriters(t), recording.Options{Size: least})
	full := errors.New("no room")
	if err := gif.Write(broken{full}, r); !errors.Is(err, full) {
		t.Errorf("the error is %v", err)
	}
	if err := gif.Write(io.Discard, recordtest.Record(t, uitest.TwoWriters(t), recording.Options{Size: least, Steps: []int{}})); err == nil {
		t.Error("a GIF without frames is written")
	}
}

type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }
