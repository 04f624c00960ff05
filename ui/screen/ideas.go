package screen

import (
	"slices"
	"strconv"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/theme"
	"rvtui/ui/view"
	"rvtui/ui/words"
)

// idea is one thing to be said of a step: what was asked, what came back, what reached
// etcd, why. A presenter shows one after the other.
type idea struct {
	label string
	lines func(width int) []cells.Line
}

// Ideas is how many ideas there are at the cursor, at least one. State.Idea counts from 0.
func Ideas(story *Story, state State, size cells.Size, th *theme.Theme, lang string) int {
	return len(newFrame(story, state, size, th, lang).ideas())
}

// ideas are those of the step under the cursor, in the order in which they are understood.
func (f *frame) ideas() []idea {
	if f.state.Cursor == 0 || f.step == nil {
		return f.firstIdeas()
	}
	var out []idea
	add := func(label string, lines func(width int) []cells.Line) { out = append(out, idea{label, lines}) }
	if len(f.step.Exchanges) > 0 {
		add(f.in("asked"), f.ideaOfRequests)
		add(f.in("answered"), f.ideaOfAnswers)
	} else {
		add(f.in("done"), func(width int) []cells.Line { return cells.WrapLines(f.step.Operation, width, &f.th.Text) })
	}
	t := &f.story.Trace
	if len(words.Evidence(t, f.step, f.lang)) > 0 || len(f.step.Revisions) > 0 || words.Unrecorded(t, f.step, f.lang) != "" {
		add(f.in("in etcd"), f.ideaOfEtcd)
	}
	add(f.in("so"), func(width int) []cells.Line {
		out := slices.Concat(f.author(width), f.hedge(width), f.someone(width))
		verdict := f.verdict(width)
		if f.step.Verdict == scenarios.OK && f.size.Height < 30 { // it is the evidence that a room is to see
			verdict = f.shortVerdict(width)
		}
		return slices.Concat(out, f.foretold(width), verdict)
	})
	if next := f.questionAhead(); next != nil {
		add(f.in("question"), next)
	}
	if f.state.Cursor >= len(t.Plan) && !t.Fix.Empty() {
		add(f.in("instead"), func(width int) []cells.Line {
			return append(cells.WrapLines(t.Fix.In(f.lang), width, &f.th.Text), f.score(width)...)
		})
	}
	return out
}

// questionAhead is what can be asked before the next step, for a room to think about: nil
// where there is nothing, or where the reader is going to be asked.
func (f *frame) questionAhead() func(width int) []cells.Line {
	plan := f.story.Trace.Plan
	if n := f.state.Cursor; n < len(plan) && !f.state.Predict && !plan[n].Ask.Empty() {
		return func(width int) []cells.Line { return cells.WrapLines(plan[n].Ask.In(f.lang), width, &f.th.Strong) }
	}
	return nil
}

// firstIdeas are what there is to know before the first step.
func (f *frame) firstIdeas() []idea {
	t := &f.story.Trace
	out := []idea{{f.in("about"), func(width int) []cells.Line { return cells.WrapLines(t.Summary.In(f.lang), width, &f.th.Text) }}}
	if slices.ContainsFunc(f.objects(), func(o scenarios.Object) bool { return o.Exists }) {
		out = append(out, idea{f.in("set up"), func(width int) []cells.Line {
			var lines []cells.Line
			for _, o := range f.objects() {
				if !o.Exists {
					continue
				}
				lines = append(lines, cells.TextLine(f.in("%s at resourceVersion %s", o.Name, o.ResourceVersion), &f.th.Strong))
				for _, value := range words.Flat(words.Bare(words.Object(o.Object))) {
					lines = append(lines, cells.TextLine("  "+value, &f.th.Text))
				}
			}
			return cells.Crop(lines, cells.Size{Width: width, Height: len(lines)})
		}})
	}
	if next := f.questionAhead(); next != nil {
		out = append(out, idea{f.in("question"), next})
	}
	return out
}

// sameFew is how many exchanges or facts are told one by one; of more, it is told how many
// there were of each kind.
const sameFew = 6

// at are the step's exchanges in the story's log.
func (f *frame) at() (from, n int) {
	return f.story.logUpTo(f.state.Cursor - 1), len(f.step.Exchanges)
}

func (f *frame) ideaOfRequests(width int) []cells.Line {
	from, n := f.at()
	telling := from + view.Telling(f.step)
	out := f.each(width, func(i int) (scenarios.Actor, string, string) {
		entry := f.story.log[from+i]
		line := entry.request.Line("  ")
		return f.step.Exchanges[i].Actor, line, entry.request.Verb + " " + entry.request.Target()
	})
	entry := f.story.log[telling]
	if n > sameFew || !entry.request.Writes() || entry.request.Verb == "DELETE" {
		return out
	}
	actor := f.step.Exchanges[view.Telling(f.step)].Actor
	sent := f.sent(actor, telling, entry.request.Name, nil)
	changes := onlyChanged(sent.object)
	if len(changes) == 0 {
		changes = sent.object
	}
	for _, l := range changes {
		out = append(out, append(cells.Line{{"  ", nil}}, l...).Fit(width))
	}
	return out
}

func (f *frame) ideaOfAnswers(width int) []cells.Line {
	from, n := f.at()
	out := f.each(width, func(i int) (scenarios.Actor, string, string) {
		entry := f.story.log[from+i]
		return f.step.Exchanges[i].Actor, entry.answer.Line(f.lang), entry.answer.Status
	})
	telling := view.Telling(f.step)
	out = append(out, f.messages(f.story.log[from+telling].answer, width)...)
	out = append(out, f.given(&f.step.Exchanges[telling], width)...)
	for i := range n {
		out = append(out, f.events(scenarios.ExchangeRef{Step: f.state.Cursor, Index: i}, width)...)
	}
	return out
}

// given is the object that a read was answered with, as far as a room can take it in.
func (f *frame) given(e *scenarios.Exchange, width int) []cells.Line {
	object := words.Object(e.ResponseBody)
	if e.Method != "GET" || e.Status != 200 || object == nil {
		return nil
	}
	values := words.Flat(words.Bare(object))
	var out []cells.Line
	for i, value := range values {
		if i == sameFew {
			return append(out, cells.TextLine(f.in("  … and %d more", len(values)-i), &f.th.Dim))
		}
		out = append(out, cells.TextLine("  "+value, &f.th.Text).Fit(width))
	}
	return out
}

// each tells something of each of the step's exchanges, or where these are many, how many
// there were of each kind.
func (f *frame) each(width int, tell func(i int) (actor scenarios.Actor, said, kind string)) []cells.Line {
	var all []counted
	for i := range f.step.Exchanges {
		actor, said, kind := tell(i)
		all = append(all, counted{actor: actor, said: said, kind: string(actor) + " " + kind, about: kind})
	}
	return f.counted(all, width)
}

// counted is one of several things that are told one by one or by their number.
type counted struct {
	actor             scenarios.Actor
	said, kind, about string
	strong            bool
}

func (f *frame) counted(all []counted, width int) []cells.Line {
	var out []cells.Line
	line := func(actor scenarios.Actor, said string, strong bool) {
		style := &f.th.Text
		if strong {
			style = &f.th.Strong
		}
		who := string(actor) + "  "
		for i, l := range cells.Wrap(said, max(1, width-cells.Width(who))) {
			if i > 0 {
				who = cells.Spaces(cells.Width(who))
			}
			out = append(out, cells.Line{cells.Text(who, f.actorStyle(actor)), {l, style}})
		}
	}
	if len(all) <= sameFew {
		for _, c := range all {
			line(c.actor, c.said, c.strong)
		}
		return out
	}
	var kinds []string
	number := map[string]int{}
	first := map[string]counted{}
	for _, c := range all {
		if number[c.kind]++; number[c.kind] == 1 {
			kinds, first[c.kind] = append(kinds, c.kind), c
		}
	}
	for _, kind := range kinds {
		c := first[kind]
		if number[kind] == 1 {
			line(c.actor, c.said, c.strong)
			continue
		}
		line(c.actor, strconv.Itoa(number[kind])+" × "+c.about, c.strong)
	}
	return out
}

// ownRevisions are the scenario's own among those of the step.
func (f *frame) ownRevisions() []scenarios.Revision {
	var own []scenarios.Revision
	for _, r := range f.step.Revisions {
		if !r.Others() {
			own = append(own, r)
		}
	}
	return own
}

func (f *frame) ideaOfEtcd(width int) []cells.Line {
	var all []counted
	for _, fact := range words.Evidence(&f.story.Trace, f.step, f.lang) {
		all = append(all, counted{fact.Actor, fact.Text, string(fact.Actor) + " " + fact.Kind, fact.Kind, fact.Wrote || fact.Conclusion})
		if fact.Conclusion {
			all[len(all)-1].about = f.in(fact.Kind)
		}
	}
	out := f.counted(all, width)
	own := f.ownRevisions()
	for i, r := range own {
		if len(own) > sameFew && i == sameFew-1 {
			out = append(out, cells.TextLine(f.in("%s, up to %d", f.count(len(own)-i, "revision more", "revisions more"), own[len(own)-1].Revision), &f.th.Strong))
			break
		}
		said := f.in("revision %d: %s %s, version %s", r.Revision, r.Op, words.ShortKey(r.Key, f.story.Trace.Namespace), words.KeyNumber(&r, r.Version))
		if words.Someone(&r) {
			said = f.in("%s, by %s", said, f.in(scenarios.ByUnknown))
		}
		out = append(out, cells.WrapLines(said, width, &f.th.Strong)...)
	}
	if said := words.Unrecorded(&f.story.Trace, f.step, f.lang); said != "" {
		out = append(out, cells.WrapLines(said, width, &f.th.Dim)...)
	}
	if others := len(f.step.Revisions) - len(own); others > 0 {
		out = append(out, cells.TextLine(f.in("%s by others, of other keys or with other clients", f.count(others, "revision", "revisions")), &f.th.Dim))
	}
	return out
}
