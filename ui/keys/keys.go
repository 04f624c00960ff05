// Package keys is the one key map, and the one list of commands. What a key or a command
// does is said here alone: the program, the hints at the bottom, the help screen and
// README's tables all come from it.
package keys

import (
	"strings"

	"charm.land/bubbles/v2/key"
)

// Map is every key of the program.
type Map struct {
	Step, Back, First, Last, Restart  key.Binding
	NextScenario                      key.Binding
	Autoplay, Faster, Slower, Predict key.Binding
	Presenter                         key.Binding

	NextPane, PreviousPane, Pane, Zoom key.Binding
	HTTP, Diff, Timeline, Path, Log    key.Binding
	Older, Newer, OlderSide, NewerSide key.Binding
	Unfold, Copy, Left, Right          key.Binding
	Down, Up, PageDown, PageUp         key.Binding

	Search, FoundBefore key.Binding

	Open, Filter key.Binding

	Command, Help, Close, Mouse, Quit, Interrupt, Suspend key.Binding
}

// Keys is the map. Bindings are values: a program that changes its copy changes no other.
var Keys = Map{
	Step:         bind("→ l space enter", "one step on; at the live edge, take the next", "right", "l", "space", "enter"),
	Back:         bind("← h", "look one step back", "left", "h"),
	First:        bind("g home", "to the beginning", "g", "home"),
	Last:         bind("G end", "to the live edge; in a saved trace, to its end", "G", "end"),
	Restart:      bind("r", "restart: run the scenario afresh", "r"),
	Autoplay:     bind("a", "autoplay, on and off", "a"),
	Predict:      bind("p", "predict, on and off: each question is asked before its step; 1 to 5, or j k and enter, answer it", "p"),
	Presenter:    bind("P", "presenter's mode, on and off: wide margins, one idea at a time, and each key that is pressed", "P"),
	Faster:       bind("+", "autoplay faster", "+", "="),
	Slower:       bind("-", "autoplay slower", "-", "_"),
	NextScenario: bind("n", "at the end of a scenario, open the next that was not run; while searching, the next place", "n"),

	NextPane:     bind("tab", "next pane", "tab"),
	PreviousPane: bind("shift+tab", "previous pane", "shift+tab"),
	Pane:         bind("1 2 3 4 5", "pane: first writer, second writer, apiserver, etcd; 5 is all that is said of the step", "1", "2", "3", "4", "5"),
	Zoom:         bind("z", "zoom the pane, and back; etcd's shows every RPC as well", "z"),
	Down:         bind("j ↓", "scroll down; in the list, the next scenario; in a view, the next request", "j", "down"),
	Up:           bind("k ↑", "scroll up; in the list, the one before; in a view, the request before", "k", "up"),
	PageDown:     bind("ctrl+d pgdown", "scroll half a page down", "ctrl+d", "pgdown"),
	PageUp:       bind("ctrl+u pgup", "scroll half a page up", "ctrl+u", "pgup"),

	Search:      bind("/", "search in the focused pane or view", "/"),
	FoundBefore: bind("N", "while searching, the place before; n is the next", "N"),

	HTTP:      bind("x", "http: the step's requests and answers, as they were sent", "x"),
	Diff:      bind("d", "diff: an object between two of its revisions", "d"),
	Timeline:  bind("t", "timeline: who asked whom for what, and when", "t"),
	Path:      bind("w", "path: which way the request took inside the apiserver, and why", "w"),
	Log:       bind("L", "log: what servers and clients logged; / filters it", "L"),
	Older:     bind("[", "diff: one revision back, both sides; http, path: the request before with another answer", "["),
	Newer:     bind("]", "diff: one revision on, both sides; http, path: the next request with another answer", "]"),
	OlderSide: bind("{", "diff: the older side alone, one revision back", "{"),
	NewerSide: bind("}", "diff: the older side alone, one revision on", "}"),
	Unfold:    bind("o", "unfold what is folded (managedFields, storms, others' revisions), and back", "o"),
	Copy:      bind("y", "copy what the view shows, by the terminal (OSC 52); of http a curl line, for a shell with $APISERVER, $CACERT and $TOKEN", "y"),
	Left:      bind("<", "to the left, where lines are longer than the screen", "<", "shift+left"),
	Right:     bind(">", "to the right", ">", "shift+right"),

	Open:   bind("enter", "open the scenario", "enter", "right", "l", "space"),
	Filter: bind("/", "filter as you type", "/"),

	Command:   bind(":", "a command, or a step's number: what fits is shown, tab completes, enter does it", ":"),
	Help:      bind("?", "help", "?"),
	Close:     bind("esc", "close what is open; from a scenario, back to the list, from where it starts afresh. Never quits", "esc"),
	Mouse:     bind("m", "mouse on and off (off: the terminal selects text)", "m"),
	Quit:      bind("q", "quit", "q"),
	Interrupt: bind("ctrl+c", "quit at once, whatever is going on", "ctrl+c"),
	Suspend:   bind("ctrl+z", "suspend", "ctrl+z"),
}

func bind(shown, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, does))
}

// InTheList is the title of the keys that the list of scenarios has for itself.
const InTheList = "In the list of scenarios"

// Group is keys that belong together.
type Group struct {
	Title    string
	Bindings []key.Binding
}

// Groups lists all keys in the order in which help shows them.
func Groups() []Group {
	k := Keys
	return []Group{
		{"Walk", []key.Binding{k.Step, k.Back, k.First, k.Last, k.Restart, k.NextScenario, k.Predict, k.Presenter, k.Autoplay, k.Faster, k.Slower}},
		{"Look", []key.Binding{k.Pane, k.NextPane, k.PreviousPane, k.Zoom, k.Down, k.Up, k.PageDown, k.PageUp, k.Search, k.FoundBefore}},
		{"Views", []key.Binding{k.HTTP, k.Diff, k.Timeline, k.Path, k.Log, k.Older, k.Newer, k.OlderSide, k.NewerSide, k.Unfold, k.Copy, k.Left, k.Right}},
		{InTheList, []key.Binding{k.Open, k.Filter}},
		{"Always", []key.Binding{k.Command, k.Help, k.Close, k.Mouse, k.Quit, k.Interrupt, k.Suspend}},
	}
}

// Hint is a key and a word for the line at the bottom.
type Hint struct{ Key, Does string }

// Hints are the keys worth a place on the main screen, the most needed first.
func Hints() []Hint {
	return []Hint{
		hint(Keys.Back, "back"), hint(Keys.Step, "step"), hint(Keys.Help, "help"), hint(Keys.Quit, "quit"),
		hint(Keys.HTTP, "http"), hint(Keys.Diff, "diff"), hint(Keys.Timeline, "timeline"), hint(Keys.Path, "path"), hint(Keys.Zoom, "zoom"), hint(Keys.Predict, "predict"), hint(Keys.Autoplay, "play"), hint(Keys.Restart, "restart"), hint(Keys.Close, "list"),
		hint(Keys.Pane, "pane"), hint(Keys.Command, "command"),
	}
}

// EndHints are those of the main screen where no step is left.
func EndHints() []Hint {
	return []Hint{
		NextHint(), hint(Keys.Back, "back"), hint(Keys.Restart, "run it again"), hint(Keys.Close, "list"), hint(Keys.Quit, "quit"),
		hint(Keys.Help, "help"), hint(Keys.HTTP, "http"), hint(Keys.Diff, "diff"), hint(Keys.Timeline, "timeline"),
		hint(Keys.Path, "path"), hint(Keys.Zoom, "zoom"), hint(Keys.First, "beginning"),
	}
}

// UnsetHints are those of a scenario that could not be set up; final says that to try again
// would not help.
func UnsetHints(final bool) []Hint {
	list := []Hint{hint(Keys.Restart, "try again"), hint(Keys.Close, "list"), hint(Keys.Help, "help"), hint(Keys.Quit, "quit"), hint(Keys.Command, "command")}
	if final {
		return list[1:]
	}
	return list
}

// NextHint is the one that leads from the end of a scenario to the next.
func NextHint() Hint { return hint(Keys.NextScenario, "next scenario") }

// ZoomHints are those of a zoomed pane.
func ZoomHints() []Hint {
	return []Hint{
		hint(Keys.Close, "close"), hint(Keys.Down, "down"), hint(Keys.Up, "up"), hint(Keys.Step, "step"),
		hint(Keys.Back, "back"), hint(Keys.Help, "help"), hint(Keys.Quit, "quit"),
	}
}

// SlideHints are those of a presenter's slide.
func SlideHints() []Hint {
	return []Hint{hint(Keys.Step, "next idea"), hint(Keys.Back, "back"), hint(Keys.Autoplay, "play"), hint(Keys.Presenter, "end"), hint(Keys.Help, "help")}
}

// AskHints are those of a question.
func AskHints() []Hint {
	return []Hint{{"1 2 3", "answer"}, {"j k", "choose"}, {"enter", "take it"}, hint(Keys.Close, "not now"), hint(Keys.Help, "help"), hint(Keys.Predict, "no questions"), hint(Keys.Quit, "quit")}
}

// LookHints are those of a view that takes the whole screen; several says that there is more
// than one request to choose among.
func LookHints(name string, several bool) []Hint {
	list := []Hint{hint(Keys.Close, "close"), hint(Keys.Step, "step"), hint(Keys.Help, "help")}
	switch name {
	case "diff":
		list = append(list, Hint{"[ ]", "revision"}, Hint{"{ }", "older side"}, hint(Keys.NextPane, "object"))
	case "timeline", "etcd":
		list = append(list, Hint{"j k", "scroll"})
	case "log":
		list = append(list, Hint{"j k", "scroll"}, hint(Keys.Filter, "filter"))
	case "http", "path":
		if several {
			list = append(list, Hint{"j k", "request"})
		} else {
			list = append(list, Hint{"j k", "scroll"})
		}
	}
	return append(list, hint(Keys.Back, "back"), hint(Keys.Unfold, "unfold"), hint(Keys.Copy, "copy"), hint(Keys.Quit, "quit"))
}

// PickerHints are those of the list of scenarios.
func PickerHints() []Hint {
	return []Hint{hint(Keys.Open, "open"), hint(Keys.Filter, "filter"), hint(Keys.Help, "help"), hint(Keys.Quit, "quit"), hint(Keys.Predict, "predict"), hint(Keys.Command, "command")}
}

// PaletteHints are those of a command that is being typed.
func PaletteHints() []Hint {
	return []Hint{{"tab", "complete"}, {"↑ ↓", "choose"}, {"enter", "do it"}, {"esc", "close"}}
}

func hint(b key.Binding, does string) Hint {
	first, _, _ := strings.Cut(b.Help().Key, " ")
	if b.Help().Key == Keys.Pane.Help().Key {
		first = "1–5"
	}
	return Hint{first, does}
}

// Markdown is the key map as README's table with a heading, in the language that in translates to.
func Markdown(heading string, in func(english string) string) string {
	var b strings.Builder
	b.WriteString("| " + heading + " | |\n|---|---|\n")
	for _, group := range Groups() {
		for _, binding := range group.Bindings {
			help := binding.Help()
			b.WriteString("| " + code(help.Key) + " | " + in(help.Desc) + " |\n")
		}
	}
	return b.String()
}

func code(names string) string {
	parts := strings.Fields(names)
	for i, name := range parts {
		parts[i] = "`" + name + "`"
	}
	return strings.Join(parts, " ")
}
