package screen

import (
	"strconv"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/theme"
	"rvtui/ui/view"
	"rvtui/ui/view/diff"
	"rvtui/ui/view/etcd"
	"rvtui/ui/view/http"
	"rvtui/ui/view/log"
	"rvtui/ui/view/path"
	"rvtui/ui/view/timeline"
)

// IsLook reports whether a view takes the whole screen: it proves what the panes tell.
func (v View) IsLook() bool { return v > Zoomed }

// Looks reports whether a view has the keyboard: one that takes the whole screen, or etcd
// in depth, which is its pane zoomed.
func (s State) Looks() bool { return s.View.IsLook() || s.View == Zoomed && s.Focus == PaneEtcd }

// Name is what a view is called, "" for the panes.
func (v View) Name() string {
	return [...]string{Panes: "", Zoomed: "", HTTP: "http", Diff: "diff", Timeline: "timeline", Path: "path", Log: "log"}[v]
}

// Key is the key that opens a view, "" for the panes.
func (v View) Key() string {
	return [...]string{Panes: "", Zoomed: "z", HTTP: "x", Diff: "d", Timeline: "t", Path: "w", Log: "L"}[v]
}

// Look draws the view that a state has open, as far as the frame has room for it: what it
// gives back beside the lines is for the keys.
func Look(story *Story, state State, size cells.Size, th *theme.Theme, lang string) view.Drawn {
	f := newFrame(story, state, size, th, lang)
	r := f.layout.Look
	if state.View == Zoomed {
		r = inside(f.layout.Panes[PaneEtcd])
	}
	return f.look(r)
}

// look draws the open view.
func (f *frame) look(r Rect) view.Drawn {
	in := view.Input{
		Trace: &f.story.Trace, Cursor: f.state.Cursor, Now: f.now, Before: f.now,
		Size: cells.Size{Width: r.W, Height: r.H}, Theme: f.th, Lang: f.lang, At: f.state.Look,
	}
	if f.state.Cursor > 0 {
		in.Before = f.story.history.At(f.state.Cursor - 1)
	} else {
		in.Before = scenarios.State{}
	}
	if r.H <= 0 || r.W <= 0 {
		return view.Drawn{At: in.At}
	}
	switch f.state.View {
	case HTTP:
		return http.Draw(in)
	case Log:
		return log.Draw(in, f.story.logged)
	case Diff:
		return diff.Draw(in, f.story.versions)
	case Timeline:
		return timeline.Draw(in, f.story.timeline)
	case Path:
		return path.Draw(in)
	case Zoomed:
		return etcd.Draw(in, f.story.store)
	}
	return view.Drawn{At: in.At}
}

// looking is the screen of a view: what it is of, the step, the view, the keys.
func (f *frame) looking() (step cells.Line) {
	if f.state.Running != nil && f.state.Running.shown() && f.live() {
		below := f.in("below: the setup")
		if f.state.Cursor > 0 {
			below = f.in("below: step %d", f.state.Cursor)
		}
		return cells.Spread(f.running(f.size.Width - 4 - cells.Width(below))[0], cells.TextLine("   "+below, &f.th.Dim), f.size.Width-1)
	}
	return f.stepLine()
}

// stepLine is the step under the cursor in one line.
func (f *frame) stepLine() cells.Line {
	if f.state.Cursor == 0 || f.step == nil {
		return cells.Line{{"0  ", &f.th.Strong}, cells.Text(f.in("the setup: what was there before the first step"), &f.th.Text)}
	}
	return cells.Line{{strconv.Itoa(f.state.Cursor) + "  ", &f.th.Strong}, cells.Text(f.step.Title.In(f.lang), &f.th.Strong)}
}
