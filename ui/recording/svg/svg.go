// Package svg writes recordings as animated SVGs. They need no script, no font and nothing
// from outside, so that they play within an img under any policy. What does not animate, or
// shall not, shows the last frame. It may import the recording and what that is made of.
package svg

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"rvtui/ui/cells"
	"rvtui/ui/recording"
	"rvtui/ui/recording/glyphs"
)

// Write writes a recording as an SVG. Of rows that stand still, or come back, there is one
// group, which is seen when it is their time.
func Write(w io.Writer, r *recording.Recording) error {
	d := &drawing{
		Recording: r, rows: map[string]*row{}, letters: map[letter]string{},
		last: make([]*row, r.Size.Height),
	}
	for f := range r.Frames() {
		d.add(f)
	}
	b := bufio.NewWriter(w)
	d.write(b)
	return b.Flush()
}

// drawing is what the frames come to.
type drawing struct {
	*recording.Recording
	begins  []time.Duration // of each frame
	whole   time.Duration
	order   []*row
	rows    map[string]*row // by their place and content
	letters map[letter]string
	defs    strings.Builder
	before  *recording.Grid
	last    []*row // the rows of the frame before
}

// row is a row of cells as it is seen in one frame or several.
type row struct {
	y    int
	body string // "" where it is blank
	seen []bool // by frame
}

// letter is what is drawn of a cell, but for its colour.
type letter struct {
	text  string
	width int
	bold  bool
}

func (d *drawing) add(f recording.Frame) {
	grid := recording.NewGrid(f.Content, d.Size, d.Colours)
	n := len(d.begins)
	for y := range d.Size.Height {
		if d.before == nil || !slices.Equal(d.before.Row(y), grid.Row(y)) {
			body := d.draw(grid.Row(y))
			key := strconv.Itoa(y) + body
			if d.rows[key] == nil {
				d.rows[key] = &row{y: y, body: body}
				d.order = append(d.order, d.rows[key])
			}
			d.last[y] = d.rows[key]
		}
		now := d.last[y]
		now.seen = append(append(now.seen, make([]bool, n-len(now.seen))...), true)
	}
	d.begins, d.whole, d.before = append(d.begins, d.whole), d.whole+f.Hold, grid
}

// draw is a row's backgrounds, and then its text by colour.
func (d *drawing) draw(row []recording.Cell) string {
	var b strings.Builder
	runs(row, func(c recording.Cell) color.RGBA { return c.Colours.Background }, func(at, width int, back color.RGBA) {
		if back != d.Colours.Background {
			fmt.Fprintf(&b, `<path fill="%s" d="M%d 0h%dv%dh-%dz"/>`, hex(back), at*glyphs.Width, width*glyphs.Width, glyphs.Height, width*glyphs.Width)
		}
	})
	var colours []color.RGBA
	ink := map[color.RGBA]*strings.Builder{}
	for x, c := range row {
		if c.Width == 0 {
			continue
		}
		drawn := ""
		if id := d.letter(letter{c.Text, c.Width, c.Bold}); id != "" {
			drawn = fmt.Sprintf(`<use href="#%s" x="%d"/>`, id, x*glyphs.Width)
		}
		if c.Underline {
			drawn += fmt.Sprintf(`<path d="M%d %dh%dv1h-%dz"/>`, x*glyphs.Width, glyphs.Underline, c.Width*glyphs.Width, c.Width*glyphs.Width)
		}
		if drawn == "" {
			continue
		}
		if ink[c.Colours.Text] == nil {
			ink[c.Colours.Text] = &strings.Builder{}
			colours = append(colours, c.Colours.Text)
		}
		ink[c.Colours.Text].WriteString(drawn)
	}
	for _, c := range colours {
		if c == d.Colours.Text {
			b.WriteString(ink[c].String())
		} else {
			fmt.Fprintf(&b, `<g fill="%s">%s</g>`, hex(c), ink[c])
		}
	}
	return b.String()
}

// runs tells each run of cells in which something is the same.
func runs(row []recording.Cell, of func(recording.Cell) color.RGBA, tell func(at, width int, what color.RGBA)) {
	at := 0
	for x := range row {
		if x+1 == len(row) || of(row[x+1]) != of(row[x]) {
			tell(at, x+1-at, of(row[x]))
			at = x + 1
		}
	}
}

// letter is the id of an outline, which is defined once; "" where there is nothing to draw.
func (d *drawing) letter(l letter) string {
	if id, known := d.letters[l]; known {
		return id
	}
	id := ""
	if outline, _ := glyphs.Outline(l.text, l.width, l.bold); len(outline) > 0 {
		id = strconv.FormatInt(int64(len(d.letters)), 36)
		if id[0] <= '9' { // no name begins with a digit
			id = "_" + id
		}
		fmt.Fprintf(&d.defs, `<path id="%s" d="%s"/>`+"\n", id, path(outline))
	}
	d.letters[l] = id
	return id
}

func (d *drawing) write(w *bufio.Writer) {
	const margin = glyphs.Margin
	width, height := d.Size.Width*glyphs.Width+2*margin, d.Size.Height*glyphs.Height+2*margin
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="-%d -%d %d %d" fill="%s">`+"\n", width, height, margin, margin, width, height, hex(d.Colours.Text))
	fmt.Fprint(w, "<title>")
	_ = xml.EscapeText(w, []byte(cells.Clean(d.Title)))
	fmt.Fprint(w, "</title>\n<style>\n")
	classes := d.styles(w)
	fmt.Fprint(w, "</style>\n<defs>\n"+d.defs.String()+"</defs>\n")
	fmt.Fprintf(w, `<path fill="%s" d="M-%d -%dh%dv%dh-%dz"/>`+"\n", hex(d.Colours.Background), margin, margin, width, height, width)
	for i, r := range d.order {
		if r.body == "" {
			continue
		}
		class := ""
		if classes[i] != "" {
			class = ` class="` + classes[i] + `"`
		}
		fmt.Fprintf(w, `<g%s transform="translate(0 %d)">%s</g>`+"\n", class, r.y*glyphs.Height, r.body)
	}
	fmt.Fprint(w, "</svg>\n")
}

// styles writes when what is seen, and gives each row its class. A row that is always seen
// has none.
func (d *drawing) styles(w *bufio.Writer) []string {
	classes := make([]string, len(d.order))
	known := map[string]string{}
	for i, r := range d.order {
		r.seen = append(r.seen, make([]bool, len(d.begins)-len(r.seen))...)
		if r.body == "" || !slices.Contains(r.seen, false) {
			continue
		}
		times := d.times(r.seen)
		if known[times] == "" {
			known[times] = "t" + strconv.Itoa(len(known))
			rest := "hidden" // without animation, the last frame is seen
			if r.seen[len(r.seen)-1] {
				rest = "visible"
			}
			name := known[times]
			fmt.Fprintf(w, ".%s{visibility:%s;animation:%s %gs step-end infinite}@keyframes %s{%s}\n", name, rest, name, d.whole.Seconds(), name, times)
		}
		classes[i] = known[times]
	}
	fmt.Fprint(w, "@media (prefers-reduced-motion:reduce){g{animation:none!important}}\n")
	return classes
}

// times are the keyframes of what is seen in some frames.
func (d *drawing) times(seen []bool) string {
	var b strings.Builder
	for n, is := range seen {
		if n > 0 && is == seen[n-1] {
			continue
		}
		so := "hidden"
		if is {
			so = "visible"
		}
		fmt.Fprintf(&b, "%s%%{visibility:%s}", strconv.FormatFloat(100*d.begins[n].Seconds()/d.whole.Seconds(), 'f', 4, 64), so)
	}
	return b.String()
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
