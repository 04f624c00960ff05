package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/screen"
	"rvtui/ui/view"
)

// atStorm is a driver whose open view has more lines than the screen.
func atStorm(t *testing.T) *driver {
	d := drive(t, newStage(t), 0)
	d.at(0, 0)
	d.m.size = cells.Size{Width: 120, Height: 36}
	d.m.story = screen.NewStory(uitest.Trace(t, "true-race"))
	d.m.look(2)
	d.press("t", "o")
	return d
}

// place is the line of the place that was gone to, as it stands on the screen.
func (d *driver) place() string {
	d.t.Helper()
	lines := d.m.searched()
	places := screen.Places(lines, d.m.state.Search.Text)
	at := d.m.state.Search.At
	if at < 1 || at > len(places) {
		d.t.Fatalf("place %d of %d is gone to in\n%s", at, len(places), d.m.frame())
	}
	return lines[places[at-1]].String()
}

func TestASearchGoesToThePlacesOfATextInTheOpenView(t *testing.T) {
	d := atStorm(t)
	d.press("/")
	d.typed("409")
	d.shows("/409_")
	first := d.place()
	d.press("enter")
	if d.m.state.Search.Typing || !strings.Contains(first, "409") {
		t.Fatalf("it stands at %q", first)
	}
	d.press("n")
	if d.m.state.Search.At == 1 && d.place() == first {
		t.Error("n stays at the first place")
	}
	d.press("N")
	if got := d.place(); got != first {
		t.Errorf("n and N end at %q, and began at %q", got, first)
	}
	d.press("esc")
	if d.m.state.Search.Text != "" || d.m.state.View != screen.Timeline {
		t.Error("esc does not end the search alone")
	}
}

// Every place is come by, each once, until the search goes on from the other end.
func TestNGoesThroughEveryPlaceOfALongView(t *testing.T) {
	for _, by := range []string{"n", "N"} {
		d := atStorm(t)
		whole := d.m.size
		d.m.size.Height = 4000
		want := len(screen.Places(d.m.searched(), "lost"))
		d.m.size = whole
		d.m.change(func(at *view.State) { at.Down = -far })
		if want < 20 {
			t.Fatalf("the view holds the text %d times", want)
		}
		d.press("/")
		d.typed("lost")
		d.press("enter")
		if by == "N" {
			d.press("N") // from the first to the last
		}
		for n := 1; n <= want; n++ {
			d.place()
			d.press(by)
			if wrapped := d.m.state.Note != ""; wrapped != (n == want) {
				t.Fatalf("%s, place %d of %d: %q", by, n, want, d.m.state.Note)
			}
		}
	}
}

func TestASearchForWhatIsNowhereStaysWhereItIsAndSaysSo(t *testing.T) {
	d := atStorm(t)
	d.press("j", "j", "/")
	before := d.m.state.Look
	d.typed("zebra")
	d.shows("not here")
	if d.m.state.Look != before {
		t.Error("the view moved")
	}
	d.press("enter")
	d.shows(`"zebra" is not here`)
	d.press("/")
	d.typed("4")
	d.press("backspace", "backspace")
	if d.m.state.Search != (screen.Search{}) {
		t.Error("backspace does not leave the prompt")
	}
}

func TestTheFocusedPaneIsSearchedAndItsPlaceSeen(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.press(":", "4", "enter")
	d.at(4, 4)
	d.press("2", "/")
	d.typed("MODIFIED")
	d.press("enter")
	if got := d.place(); !strings.Contains(got, "modified") {
		t.Errorf("it stands at %q", got)
	}
	d.shows("/MODIFIED   n next")
	if !strings.Contains(d.m.frame(), "\x1b") || ansi.Strip(d.m.frame()) == d.m.frame() {
		t.Error("the place is not marked")
	}
}

func TestASearchGoesOnInTheViewsNextRequest(t *testing.T) {
	d := manyRequests(t)
	d.press("x")
	refused := d.m.drawn().At.Chosen
	loser, winner := "rvtui-A", "rvtui-B" // who of the two it is, is chance
	if exchange := d.m.story.Trace.Steps[1].Exchanges[refused-1]; exchange.Actor == scenarios.B {
		loser, winner = winner, loser
	}
	d.press("/")
	d.typed(winner)
	d.press("enter")
	if got := d.m.drawn().At.Chosen; got == refused {
		t.Errorf("request %d was refused, and is shown still", got)
	}
	if got := d.place(); !strings.Contains(got, winner) {
		t.Errorf("it stands at %q", got)
	}
	d.press("/")
	d.typed("fieldManager=" + loser)
	d.press("enter")
	if got := d.m.drawn().At.Chosen; got != refused {
		t.Errorf("back from the other end it is request %d", got)
	}
}

func TestASearchIsOverBeforeAnythingElseIs(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.press(":", "2", "enter")
	d.at(2, 2)
	d.press("3", "/")
	d.typed("cm1")
	d.press("enter", "p", "l")
	d.until("the question", func() bool { return d.m.state.Asking != nil })
	d.shows("1 2 3 answer")
	d.press("esc") // the search
	if d.m.state.Search.Text != "" || d.m.state.Asking == nil {
		t.Error("esc does not end the search first")
	}
	d.press("esc") // the question
	if d.m.state.Asking != nil {
		t.Error("esc does not put off the question then")
	}
	d.press("/")
	d.typed("cm1")
	d.press("enter", "P")
	if d.m.state.Search.Text != "" {
		t.Error("a search goes on beneath a slide")
	}
}

func TestAStepThatArrivesWhileASearchIsTypedIsSearched(t *testing.T) {
	stage := newStage(t)
	d := drive(t, stage, 0)
	d.at(0, 0)
	d.press("3")
	d.press("l", "/")
	d.typed("cm1")
	d.at(1, 1)
	d.press("enter")
	if d.m.state.Search.At != 1 {
		t.Errorf("it stands at place %d: %s", d.m.state.Search.At, d.m.state.Note)
	}
}

func TestNOpensNothingFromAViewOrAfterASearchInVain(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.press(":", "6", "enter")
	d.at(6, 6)
	d.press("/")
	d.typed("zebra")
	d.press("enter", "n")
	d.shows(`"zebra" is not in this pane   tab goes to the next`)
	d.press("esc", "x", "n")
	d.shows("esc closes the view; then n opens the next scenario")
	if d.m.open.Name != "two-writers" {
		t.Errorf("%s is open", d.m.open.Name)
	}
}

func TestASearchEndsWhereAViewHasNothingToShow(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.at(0, 0)
	d.command("6") // etcd is read, and no request made
	d.at(6, 6)
	for _, v := range []string{"x", "d", "t", "w"} { // in the log, / filters
		d.press(v, "/", "§")
		d.shows("§")
		d.press("esc", "esc")
	}
}
