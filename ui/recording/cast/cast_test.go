package cast

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"image/color"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/recordtest"
	"rvtui/ui/recording"
	"rvtui/ui/screen"
)

func written(t testing.TB, r *recording.Recording, version int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r, version); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// terminal is an emulator that nobody answers.
type terminal struct {
	*vt.Emulator
	drained chan struct{}
}

func newTerminal(t *testing.T, size cells.Size) *terminal {
	e := &terminal{vt.NewEmulator(size.Width, size.Height), make(chan struct{})}
	go func() {
		_, _ = io.Copy(io.Discard, e)
		close(e.drained)
	}()
	t.Cleanup(func() {
		_ = e.InputPipe().(io.Closer).Close() // the emulator's own Close races with its Read
		<-e.drained
	})
	return e
}

// wantFrame compares what the terminal shows with a frame, cell by cell.
func (e *terminal) wantFrame(t *testing.T, grid *recording.Grid) {
	t.Helper()
	for y := range grid.Size.Height {
		for x := range grid.Size.Width {
			want, got := grid.At(x, y), e.CellAt(x, y)
			if got == nil {
				t.Fatalf("there is no cell %d, %d", x, y)
			}
			if want.Width == 0 {
				if !got.IsZero() {
					t.Fatalf("cell %d, %d is %q, and should be a character's second one", x, y, got.Content)
				}
				continue
			}
			so := recording.Cell{
				Text: got.Content, Width: got.Width, Bold: got.Style.Attrs&uv.AttrBold != 0, Underline: got.Style.Underline != 0,
				Colours: recording.Colours{Text: rgb(got.Style.Fg), Background: rgb(got.Style.Bg)},
			}
			if so != *want {
				t.Fatalf("cell %d, %d is %+v, and should be %+v", x, y, so, *want)
			}
		}
	}
}

func rgb(c color.Color) color.RGBA {
	if c == nil {
		return color.RGBA{}
	}
	return color.RGBAModel.Convert(c).(color.RGBA)
}

func TestACastPlaysEachFrameAtItsTime(t *testing.T) {
	for _, test := range []struct {
		name    string
		options recording.Options
	}{
		{"two-writers", recording.Options{Lang: scenarios.English}},
		{"two-writers", recording.Options{Lang: scenarios.Chinese, Theme: "light", Keys: true, Views: []screen.View{screen.Panes, screen.Diff}}},
		{"too-large", recording.Options{Lang: scenarios.English, Predict: true, Hold: 1234 * time.Millisecond}},
	} {
		for _, version := range []int{V2, V3} {
			t.Run(fmt.Sprintf("%s %s v%d", test.name, test.options.Lang, version), func(t *testing.T) {
				r := recordtest.Fixture(t, test.name, test.options)
				lines := bufio.NewScanner(bytes.NewReader(written(t, r, version)))
				lines.Buffer(nil, 1<<20)
				lines.Scan() // the header
				e := newTerminal(t, r.Size)
				var now time.Duration
				next := func() (code, data string) {
					t.Helper()
					var at float64
					if !lines.Scan() {
						t.Fatal("the cast ends too soon")
					}
					if err := json.Unmarshal(lines.Bytes(), &[]any{&at, &code, &data}); err != nil {
						t.Fatal(err)
					}
					so := time.Duration(at*1000+0.5) * time.Millisecond
					if version == V3 {
						so += now
					}
					now = so
					return code, data
				}
				var due time.Duration
				for f := range r.Frames() {
					code, data := next()
					if f.Label != "" {
						if code != "m" || data != f.Label || now != due {
							t.Fatalf("at %s there is %q %q, and should be the marker %q at %s", now, code, data, f.Label, due)
						}
						code, data = next()
					}
					if code != "o" || now != due {
						t.Fatalf("at %s there is %q, and should be a frame at %s", now, code, due)
					}
					if _, err := e.WriteString(data); err != nil {
						t.Fatal(err)
					}
					grid := recording.NewGrid(f.Content, r.Size, r.Colours)
					e.wantFrame(t, grid)
					if due += f.Hold; due > time.Hour {
						t.Fatal("it takes too long")
					}
				}
				code, data := next()
				if code != "o" || now != due || !strings.HasSuffix(data, "\x1b[?25h") || lines.Scan() {
					t.Errorf("it ends at %s with %q %q, and should at %s", now, code, data, due)
				}
			})
		}
	}
}

func TestTwoCastsOfATraceAreTheSame(t *testing.T) {
	options := recording.Options{Lang: scenarios.Chinese, Keys: true}
	for _, version := range []int{V2, V3} {
		if !bytes.Equal(written(t, recordtest.Fixture(t, "two-writers", options), version), written(t, recordtest.Fixture(t, "two-writers", options), version)) {
			t.Errorf("two casts of version %d differ", version)
		}
	}
}

func TestACastsHeaderHasItsSizeAndNoTime(t *testing.T) {
	for version, want := range map[int]string{
		V2: `{"version":2,"width":120,"height":36,"title":"Whoever writes second conflicts","theme":{"fg":"#`,
		V3: `{"version":3,"term":{"cols":120,"rows":36,"theme":{"fg":"#`,
	} {
		head, _, _ := strings.Cut(string(written(t, recordtest.Fixture(t, "two-writers", recording.Options{Lang: scenarios.English}), version)), "\n")
		if !strings.HasPrefix(head, want) || strings.Contains(head, "timestamp") {
			t.Errorf("the header is %s", head)
		}
	}
}

func TestThereIsNoOtherVersion(t *testing.T) {
	if err := Write(io.Discard, recordtest.Fixture(t, "two-writers", recording.Options{}), 1); err == nil {
		t.Error("version 1 is written")
	}
}

func TestAsciinemaReadsACast(t *testing.T) {
	program, err := exec.LookPath("asciinema")
	if err != nil {
		t.Skip("asciinema is not installed")
	}
	r := recordtest.Fixture(t, "two-writers", recording.Options{Lang: scenarios.English})
	path := filepath.Join(t.TempDir(), "two-writers.cast")
	if err := os.WriteFile(path, written(t, r, V2), 0o600); err != nil {
		t.Fatal(err)
	}
	// It reads keys from its controlling terminal, and without one it writes nothing.
	command := exec.CommandContext(t.Context(), program, "cat", path)
	command.Env = append(os.Environ(), "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "TERM=xterm-256color", "HOME="+t.TempDir())
	master, err := pty.StartWithSize(command, &pty.Winsize{Cols: 120, Rows: 36})
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	e := newTerminal(t, r.Size)
	_, _ = io.Copy(e, master) // ends with an error where the terminal is gone
	if err := command.Wait(); err != nil {
		t.Fatal(err)
	}
	var last recording.Frame
	for last = range r.Frames() {
	}
	e.wantFrame(t, recording.NewGrid(last.Content, r.Size, r.Colours))
}

func BenchmarkCast(b *testing.B) {
	r := recordtest.Fixture(b, "two-writers", recording.Options{Lang: scenarios.English})
	for b.Loop() {
		if err := Write(io.Discard, r, V2); err != nil {
			b.Fatal(err)
		}
	}
}
