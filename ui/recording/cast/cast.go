// Package cast writes recordings as asciicasts, which asciinema and its players play. Of
// each frame only the rows that changed are in it, in colours of their own, so that it looks
// the same in every terminal. It may import the recording and what that is made of.
package cast

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"rvtui/ui/cells"
	"rvtui/ui/recording"
)

// The versions of the format. What is in use almost everywhere reads 2; asciinema reads 3
// from its own version 3 on.
const (
	V2 = 2
	V3 = 3
)

// Write writes a recording as an asciicast of a version.
func Write(w io.Writer, r *recording.Recording, version int) error {
	if version != V2 && version != V3 {
		return fmt.Errorf("there is no version %d of an asciicast that can be written; there are %d and %d", version, V2, V3)
	}
	buffered := bufio.NewWriter(w)
	lines := json.NewEncoder(buffered)
	lines.SetEscapeHTML(false)
	c := &caster{lines: lines, version: version}
	c.line(header(r, version))
	var now time.Duration
	var before *recording.Grid
	for f := range r.Frames() {
		if f.Label != "" {
			c.event(now, "m", f.Label)
		}
		grid := recording.NewGrid(f.Content, r.Size, r.Colours)
		c.event(now, "o", difference(before, grid))
		if c.err != nil {
			return c.err
		}
		now, before = now+f.Hold, grid
	}
	c.event(now, "o", end(r.Size))
	if c.err != nil {
		return c.err
	}
	return buffered.Flush()
}

// caster writes lines until the first error.
type caster struct {
	lines   *json.Encoder
	version int
	last    int64 // milliseconds, of the event before
	err     error
}

func (c *caster) line(v any) {
	if c.err == nil {
		c.err = c.lines.Encode(v)
	}
}

func (c *caster) event(at time.Duration, code, data string) {
	now := at.Milliseconds()
	since := now
	if c.version == V3 {
		since -= c.last
	}
	c.last = now
	c.line([]any{json.RawMessage(strconv.FormatFloat(float64(since)/1000, 'f', 3, 64)), code, data})
}

type (
	headerV2 struct {
		Version int    `json:"version"`
		Width   int    `json:"width"`
		Height  int    `json:"height"`
		Title   string `json:"title,omitempty"`
		Theme   colors `json:"theme"`
	}
	headerV3 struct {
		Version int    `json:"version"`
		Term    term   `json:"term"`
		Title   string `json:"title,omitempty"`
	}
	term struct {
		Cols  int    `json:"cols"`
		Rows  int    `json:"rows"`
		Theme colors `json:"theme"`
	}
	// colors are what a player fills its own margins with. A theme must have a palette; none
	// of it is in use.
	colors struct {
		Text       string `json:"fg"`
		Background string `json:"bg"`
		Palette    string `json:"palette"`
	}
)

// palette is xterm's.
const palette = "#000000:#cd0000:#00cd00:#cdcd00:#0000ee:#cd00cd:#00cdcd:#e5e5e5:#7f7f7f:#ff0000:#00ff00:#ffff00:#5c5cff:#ff00ff:#00ffff:#ffffff"

// header has no time in it, so that a trace gives the same cast every time.
func header(r *recording.Recording, version int) any {
	text, background := r.Colours.Text, r.Colours.Background
	th := colors{
		Text:       fmt.Sprintf("#%02x%02x%02x", text.R, text.G, text.B),
		Background: fmt.Sprintf("#%02x%02x%02x", background.R, background.G, background.B),
		Palette:    palette,
	}
	title := cells.Clean(r.Title)
	if version == V3 {
		return headerV3{V3, term{r.Size.Width, r.Size.Height, th}, title}
	}
	return headerV2{V2, r.Size.Width, r.Size.Height, title, th}
}

// difference is what makes a terminal that shows one frame show the next; the first one,
// nil, is whatever there was. There is no alternate screen: players do not leave one, and
// after it the last frame would be gone.
func difference(before, now *recording.Grid) string {
	var b strings.Builder
	if before == nil {
		b.WriteString("\x1b[?25l\x1b[0m\x1b[2J")
	}
	for y := range now.Size.Height {
		if before == nil || !slices.Equal(before.Row(y), now.Row(y)) {
			fmt.Fprintf(&b, "\x1b[%d;1H", y+1)
			row(&b, now.Row(y))
		}
	}
	if before == nil || b.Len() > 0 {
		b.WriteString("\x1b[0m")
	}
	return b.String()
}

// end leaves a terminal to the next program: below the last frame where there is room.
func end(size cells.Size) string { return fmt.Sprintf("\x1b[%d;1H\x1b[B\x1b[?25h", size.Height) }

// row writes a whole row, blanks too, since they have the background of the theme.
func row(b *strings.Builder, row []recording.Cell) {
	var pen recording.Cell
	for x, c := range row {
		if x == 0 || c.Bold != pen.Bold || c.Underline != pen.Underline || c.Colours != pen.Colours {
			pen = c
			b.WriteString("\x1b[0")
			if c.Bold {
				b.WriteString(";1")
			}
			if c.Underline {
				b.WriteString(";4")
			}
			text, background := c.Colours.Text, c.Colours.Background
			fmt.Fprintf(b, ";38;2;%d;%d;%d;48;2;%d;%d;%dm", text.R, text.G, text.B, background.R, background.G, background.B)
		}
		b.WriteString(c.Text)
	}
}
