package svg

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/recordtest"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/recording"
	"rvtui/ui/recording/glyphs"
	"rvtui/ui/screen"
)

func written(t testing.TB, r *recording.Recording) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// group is a row as it stands in a file.
type group struct {
	class string
	y     int
	at    []int // the cells with something in them, from left to right
}

// parsed walks through a file, to its end: the styles, and the rows.
func parsed(t *testing.T, svg []byte) (style string, groups []group) {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	ids := map[string]bool{}
	var path []string
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return style, groups
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			attributes := map[string]string{}
			for _, a := range token.Attr {
				attributes[a.Name.Local] = a.Value
				if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" && !strings.HasPrefix(a.Value, "#") {
					t.Errorf("<%s %s=%q> asks for more than an image may", name, a.Name.Local, a.Value)
				}
			}
			switch {
			case name == "script" || name == "image" || name == "foreignObject":
				t.Errorf("there is a <%s>", name)
			case name == "g" && len(path) == 1:
				var y int
				if _, err := fmt.Sscanf(attributes["transform"], "translate(0 %d)", &y); err != nil {
					t.Fatal(err)
				}
				groups = append(groups, group{class: attributes["class"], y: y / glyphs.Height})
			case name == "use":
				if !ids[strings.TrimPrefix(attributes["href"], "#")] {
					t.Errorf("nothing is called %s", attributes["href"])
				}
				x, err := strconv.Atoi(attributes["x"])
				if err != nil {
					t.Fatal(err)
				}
				last := &groups[len(groups)-1]
				last.at = append(last.at, x/glyphs.Width)
			}
			if id := attributes["id"]; id != "" {
				if ids[id] {
					t.Errorf("two things are called %s", id)
				}
				ids[id] = true
			}
			path = append(path, name)
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.CharData:
			if slices.Equal(path, []string{"svg", "style"}) {
				style += string(token)
			}
		}
	}
}

var (
	rule  = regexp.MustCompile(`\.(\w+)\{visibility:(\w+);animation:(\w+) ([\d.]+)s step-end infinite\}@keyframes (\w+)\{((?:[\d.]+%\{visibility:\w+\})+)\}`)
	stand = regexp.MustCompile(`([\d.]+)%\{visibility:(\w+)\}`)
)

// seen is what is visible of a file's classes at a time, or where nothing is animated.
func seen(t *testing.T, style string, at time.Duration, animated bool) map[string]bool {
	t.Helper()
	visible := map[string]bool{"": true}
	for _, m := range rule.FindAllStringSubmatch(style, -1) {
		if m[1] != m[3] || m[1] != m[5] {
			t.Fatalf("the class %s has the keyframes %s", m[1], m[5])
		}
		so := m[2]
		whole, _ := strconv.ParseFloat(m[4], 64)
		for _, s := range stand.FindAllStringSubmatch(m[6], -1) {
			from, _ := strconv.ParseFloat(s[1], 64)
			if animated && from/100*whole <= at.Seconds() {
				so = s[2]
			}
		}
		visible[m[1]] = so == "visible"
	}
	return visible
}

func TestAtEveryTimeAnSVGShowsTheRowsOfItsFrame(t *testing.T) {
	for name, options := range map[string]recording.Options{
		"two-writers":    {Lang: scenarios.English, Keys: true},
		"field-conflict": {Lang: scenarios.Chinese, Theme: "light", Views: []screen.View{screen.Panes, screen.HTTP}},
		"too-large":      {Lang: scenarios.English, Predict: true, Size: cells.Size{Width: 80, Height: 24}},
	} {
		r := recordtest.Fixture(t, name, options)
		style, groups := parsed(t, written(t, r))
		check := func(f recording.Frame, visible map[string]bool) {
			t.Helper()
			grid := recording.NewGrid(f.Content, r.Size, r.Colours)
			rows := make([][]int, r.Size.Height)
			for _, g := range groups {
				if !visible[g.class] {
					continue
				}
				if rows[g.y] != nil {
					t.Fatalf("%s: two rows are at %d", name, g.y)
				}
				slices.Sort(g.at)
				rows[g.y] = append([]int{}, g.at...)
			}
			for y := range rows {
				var want []int
				for x, c := range grid.Row(y) {
					if outline, _ := glyphs.Outline(c.Text, c.Width, c.Bold); len(outline) > 0 {
						want = append(want, x)
					}
				}
				if !slices.Equal(rows[y], want) {
					t.Fatalf("%s, step %d: row %d has something at %d, and should at %d: %s", name, f.Step, y, rows[y], want, grid.Text(y))
				}
			}
		}
		var now time.Duration
		var last recording.Frame
		for f := range r.Frames() {
			check(f, seen(t, style, now+time.Millisecond, true))
			check(f, seen(t, style, now+f.Hold-time.Millisecond, true))
			now, last = now+f.Hold, f
		}
		check(last, seen(t, style, 0, false))
		if !strings.Contains(style, "prefers-reduced-motion") {
			t.Error("it moves for those who do not want it")
		}
	}
}

func TestTwoSVGsOfATraceAreTheSame(t *testing.T) {
	options := recording.Options{Lang: scenarios.Chinese, Keys: true}
	if !bytes.Equal(written(t, recordtest.Fixture(t, "two-writers", options)), written(t, recordtest.Fixture(t, "two-writers", options))) {
		t.Error("two SVGs differ")
	}
}

func TestATitleIsNoMarkup(t *testing.T) {
	trace := uitest.TwoWriters(t)
	trace.Title = scenarios.Text{scenarios.English: "a </title><script>&\x1b\x00"}
	parsed(t, written(t, recordtest.Record(t, trace, recording.Options{Lang: scenarios.English, Size: cells.Size{Width: 80, Height: 24}})))
}

func TestAnSVGIsSmall(t *testing.T) {
	for lang, limit := range map[string]int{scenarios.English: 60 << 10, scenarios.Chinese: 70 << 10} {
		svg := written(t, recordtest.Fixture(t, "two-writers", recording.Options{Lang: lang}))
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, _ = w.Write(svg)
		_ = w.Close()
		t.Logf("%s: %d bytes, %d gzipped", lang, len(svg), packed.Len())
		if len(svg) > 350<<10 || packed.Len() > limit {
			t.Errorf("%s: %d bytes, and %d gzipped", lang, len(svg), packed.Len())
		}
	}
}

func BenchmarkSVG(b *testing.B) {
	r := recordtest.Fixture(b, "two-writers", recording.Options{Lang: scenarios.English})
	for b.Loop() {
		if err := Write(io.Discard, r); err != nil {
			b.Fatal(err)
		}
	}
}
