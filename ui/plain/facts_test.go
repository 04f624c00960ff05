package plain

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/screen"
	"rvtui/ui/theme"
)

// Each thing that the screen shows is in the plain text. The screen's frame is taken apart
// into pieces, a line of one pane each, and every word and number of a piece must stand
// together in one line of what plain tells of the same step.
func TestEachThingOnTheScreenIsInThePlainText(t *testing.T) {
	for _, name := range uitest.Traces(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			trace := uitest.Trace(t, name)
			s := &screens{t: t, story: screen.NewStory(trace), told: teller{&trace, scenarios.NewHistory(&trace), scenarios.English}}
			for n := range len(trace.Steps) + 1 {
				s.compare(n)
			}
		})
	}
}

// screens are a trace's, and what plain tells of it.
type screens struct {
	t        *testing.T
	story    *screen.Story
	told     teller
	requests [][]map[string]bool
}

// requestsUpTo is, of each request of the steps up to n, its http view with nothing folded.
// Plain folds requests that are alike; each of them is there for who asks by its number.
func (s *screens) requestsUpTo(n int) []map[string]bool {
	for m := len(s.requests); m <= n; m++ {
		count := 1
		if m > 0 {
			count = max(count, len(s.told.trace.Steps[m-1].Exchanges))
		} else if s.told.trace.Setup != nil {
			count = max(count, len(s.told.trace.Setup.Exchanges))
		}
		var step []map[string]bool
		for i := range count {
			step = append(step, set(s.told.look(s.story, "http", m, i+1, true)))
		}
		s.requests = append(s.requests, step)
	}
	return slices.Concat(s.requests[:n+1]...)
}

// compare reports what the screens of step n show and its plain texts do not tell.
func (s *screens) compare(n int) {
	text := s.told.beginning() + s.told.state(n) + s.told.steps(n)
	if n > 0 {
		text += s.told.step(n)
	}
	if n == len(s.told.trace.Plan) {
		text += s.told.end()
	} else {
		text += s.told.next(n)
	}
	// An answer, an event and a warning are of the request that is told before them, and what
	// a writer sent is told right after what it holds.
	text = regexp.MustCompile(`\n(Answer|Event|Warning|Set up|\S+, step \d+, sent)`).ReplaceAllString(text, " $1")
	lines := sets(strings.Split(text, "\n"))
	if strings.Contains(text, "\n… ") { // some revisions are only counted
		lines = append(lines, sets(strings.Split(s.told.look(s.story, "etcd", n, 0, true), "\n"))...)
	}
	actors := s.actors(n)
	rows := frameOf(s.story, screen.State{Cursor: n})
	if lacks := newPiece(rows[0], -1).lacks(set(text)); len(lacks) > 0 {
		s.t.Errorf("step %d: the plain text lacks %q of the header %q", n, lacks, rows[0])
	}
	for _, piece := range pieces(rows[1 : len(rows)-1]) {
		if piece.text == "no request yet" && !slices.Contains(s.told.actors(), scenarios.Actor(strings.ToUpper(actors[piece.pane]))) {
			continue // plain does not speak of who does nothing in the whole scenario
		}
		if strings.HasPrefix(piece.text, "earlier, and ") {
			continue // how many requests a pane leaves out; plain has told of each
		}
		if piece.pane >= 0 { // a fact of a writer's must be told of that writer
			piece.words = append(piece.words, actors[piece.pane])
		}
		hasAll := func(line map[string]bool) bool { return len(piece.lacks(line)) == 0 }
		if !slices.ContainsFunc(lines, hasAll) && !slices.ContainsFunc(s.requestsUpTo(n), hasAll) {
			s.t.Errorf("step %d: no line of the plain text has all of %q", n, piece.text)
		}
	}
	for view, state := range looks {
		state.Cursor, state.Look.Open = n, view == "path"
		open := s.told.look(s.story, view, n, 0, true) + text
		all, both := set(open), false
		rows := frameOf(s.story, state)
		for _, row := range rows[2 : len(rows)-1] { // between the header and the step's title, and the keys
			lacks := newPiece(row, -1).lacks(all)
			if len(lacks) > 0 && !both { // what is folded is counted, and that is told where it is folded
				all, both = set(open+s.told.look(s.story, view, n, 0, false)), true
				lacks = newPiece(row, -1).lacks(all)
			}
			if len(lacks) > 0 {
				s.t.Errorf("step %d, %s: the plain text lacks %q of %q", n, view, lacks, row)
			}
		}
	}
}

// set is the words and numbers of a text.
func set(text string) map[string]bool {
	has := map[string]bool{}
	for _, word := range split(text) {
		has[word] = true
	}
	return has
}

func sets(lines []string) []map[string]bool {
	out := make([]map[string]bool, len(lines))
	for i, line := range lines {
		out[i] = set(line)
	}
	return out
}

func frameOf(story *screen.Story, state screen.State) []string {
	size := cells.Size{Width: 200, Height: 100} // a path of many rounds is long
	frame := screen.Frame(story, state, size, theme.For("", colorprofile.ASCII, true), scenarios.English)
	return strings.Split(ansi.Strip(frame), "\n")
}

// piece is a line of one pane.
type piece struct {
	text  string
	pane  int // 0 and 1 are writers'; -1 is no writer's
	words []string
}

// signs are drawn, and say what plain says by its order and its own words: borders, lanes,
// arrows, the steps' dots, and the mark of the step under the cursor.
var signs = regexp.MustCompile(`[│╭╮╰╯─┊┠┃┼├┤●◉○▸▶◀→←·✗]+`)

// other is how plain says what the screen says otherwise, and why it does.
var other = map[string]string{
	// Short for want of room; plain has the whole word.
	"rv": "resourceversion", "rev": "revision", "ver": "version", "del": "delete", "obs": "observer", "adm": "admin",
	"at":   "has",     // cm1 at resourceVersion 7: cm1 has resourceVersion 7
	"none": "nothing", // compacted none: nothing is compacted
	"gone": "compaction",
	// Broken in two at the edge of a pane.
	"nnotations": "annotations",
	"cm":         "configmaps",
}

// layout are words that only say where one looks on the screen: titles of panes and
// columns, and what lies outside of them.
var layout = map[string]bool{
	"writer": true, "apiserver": true, "etcd": true, "revisions": true, "earlier": true, "request": true, "response": true,
	"op": true, "key": true, "by": true, "rev": true, "ver": true, "before": true, "above": true, "below": true, "answered": true, "next": true, "rvtui": true,
	"live": true, "past": true, // how many steps are taken, and which one is looked at, is told in numbers
}

// unsaid is what plain has no need to say: which key unfolds something, and how much is
// folded, where it is not folded; that something was left out, which is there; that a Status
// is one; the beginning of a trace id, which is whole in the request's headers; how many
// objects there are, which are told one by one; how much the screen has no room for; that
// without a request there is no answer.
var unsaid = regexp.MustCompile(`\d+ objects|… \d+ (before|more lines)|\d+ (above|below|more)|and so no answer|managedFields: \(?\d+ entr(y|ies)(, changed)?|trace [0-9a-f]+…|o (un)?folds( them)?|\(o shows all\)|\(managedFields left out\)|kind: Status|status: (Failure|Success)`)

func newPiece(text string, pane int) piece {
	p := piece{text: strings.TrimSpace(text), pane: pane}
	text = strings.ReplaceAll(unsaid.ReplaceAllString(text, ""), "%3D", "=")
	for _, field := range strings.Fields(signs.ReplaceAllString(text, " ")) {
		cut := strings.Contains(field, "…")
		words := split(field)
		if cut && len(words) > 0 { // what is cut off cannot be compared as a whole
			words = words[:len(words)-1]
		}
		p.words = append(p.words, words...)
	}
	return p
}

func split(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// lacks is what of a piece is not in a text.
func (p piece) lacks(has map[string]bool) []string {
	var lacks []string
	for _, word := range p.words {
		if !has[word] && !has[other[word]] && !layout[word] {
			lacks = append(lacks, word)
		}
	}
	return lacks
}

// changed is an object's resourceVersion before the step and after it.
var changed = regexp.MustCompile(`^ \S+ +(rv )?\d+ → \d+ *$`)

// pieces takes the frame of the panes apart, without its header and its footer.
func pieces(rows []string) []piece {
	var all []piece
	for _, row := range rows {
		parts := strings.FieldsFunc(row, func(r rune) bool { return strings.ContainsRune("│╭╮╰╯", r) })
		for i, part := range parts {
			pane := -1
			if strings.Count(row, "│") == 8 && i < 2 {
				pane = i
			}
			p := newPiece(part, pane)
			switch { // what signs say here, plain says in a word
			case pane >= 0 && strings.HasPrefix(part, " - "):
				p.words = append(p.words, "instead")
			case changed.MatchString(part):
				p.words = append(p.words, "before")
			}
			if len(p.words) > 0 {
				all = append(all, p)
			}
		}
	}
	return all
}

// actors are those that the first two panes belong to, by their titles.
func (s *screens) actors(n int) [2]string {
	for _, row := range frameOf(s.story, screen.State{Cursor: n}) {
		if strings.HasPrefix(row, "╭") {
			parts := strings.FieldsFunc(row, func(r rune) bool { return r == '╭' || r == '╮' })
			return [2]string{split(parts[0])[0], split(parts[1])[0]}
		}
	}
	return [2]string{}
}
