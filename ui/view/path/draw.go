package path

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/view"
	"rvtui/ui/words"
)

// Draw is the path view of the step under the cursor.
func Draw(in view.Input) view.Drawn {
	o, at := in.Step(), in.At
	if o == nil || len(o.Exchanges) == 0 {
		at.Down, at.Right = 0, 0 // or else a search would scroll it for ever
		said := in.In("No request was made in this step, so there is no way through the apiserver to show.")
		return view.Drawn{Lines: cells.Crop(cells.WrapLines(said, in.Size.Width-2, &in.Theme.Dim), in.Size), At: at}
	}
	if at.Chosen < 1 || at.Chosen > len(o.Exchanges) {
		at.Chosen = view.Telling(o) + 1
	}
	chosen := at.Chosen - 1
	p := Of(in.Trace, o, chosen)
	s := &sayer{in: &in, e: gather(in.Trace, o, chosen)}
	s.verb = s.e.request.Verb

	head := s.head(chosen, len(o.Exchanges))
	head = append(head, s.others(o, chosen)...)
	head = append(head, nil)
	body := s.body(&p, false)
	room := in.Size.Height - len(head)
	if with := s.body(&p, true); at.Open || len(with) <= room {
		body = with
	}
	w := cells.Window(body, room, at.Down)
	at.Down = w.Above
	if w.Below > 0 && len(w.Lines) > 1 {
		w.Lines = append(w.Lines[:len(w.Lines)-1:len(w.Lines)-1], cells.TextLine(in.In("  … %d more lines (ctrl+d)", w.Below+1), &in.Theme.Dim))
	}
	return view.Drawn{
		Lines: cells.Crop(slices.Concat(head, w.Lines), in.Size), At: at, Choices: len(o.Exchanges), Copy: plain(slices.Concat(head, body)),
	}
}

// head names the request, and the server that it went through.
func (s *sayer) head(chosen, of int) []cells.Line {
	th, width := s.in.Theme, s.in.Size.Width
	who := cells.Line{{" ", nil}, cells.Text(string(s.e.sent.Actor), s.in.Actor(s.e.sent.Actor)), {" · ", &th.Dim}}
	right := cells.Line{cells.Text(s.in.In("inside kube-apiserver %s", s.in.Trace.Kubernetes)+" ", &th.Dim)}
	if of > 1 {
		right = cells.Line{cells.Text(s.in.In("request %d of %d (j k)", chosen+1, of)+" ", &th.Dim)}
	}
	request := s.e.request.Fit(max(8, width-who.Width()-right.Width()-1))
	return []cells.Line{cells.Spread(append(who, cells.Text(request, &th.Strong)), right, width)}
}

// others are the step's requests around the chosen one, where there are several.
func (s *sayer) others(o *scenarios.Observation, chosen int) []cells.Line {
	const most = 5
	n := len(o.Exchanges)
	if n < 2 || s.in.Size.Height < 16 {
		return nil
	}
	th := s.in.Theme
	from := max(0, min(chosen-most/2, n-most))
	var out []cells.Line
	for i := from; i < min(n, from+most); i++ {
		e := &o.Exchanges[i]
		style, mark := &th.Dim, "   "
		if i == chosen {
			style, mark = &th.Strong, " ▸ "
		}
		answer := words.ReadAnswer(e)
		right := cells.Text(answer.Status+" ", style)
		left := cells.Line{{mark, style}, {fmt.Sprintf("%*d ", len(strconv.Itoa(n)), i+1), style}, cells.Text(string(e.Actor)+" ", s.in.Actor(e.Actor)),
			cells.Text(words.Read(e).Fit(max(8, s.in.Size.Width-12-cells.Width(right.Text))), style)}
		out = append(out, cells.Spread(left, cells.Line{right}, s.in.Size.Width))
	}
	return out
}

// body is the questions, and the proof.
func (s *sayer) body(p *Path, sources bool) []cells.Line {
	in, th := s.in, s.in.Theme
	width := in.Size.Width - 2
	if !p.Known() {
		said := in.In("rvtui knows no decision path for this request.")
		if s.e.status() == 0 {
			said = in.In("No answer came, so nothing is known of the request's way.")
		}
		return cells.WrapLines(said, width, &th.Dim)
	}
	var out []cells.Line
	round := 1
	for _, n := range s.visible(p) {
		if n.Question == gap {
			said := in.In("… rounds %s to %s, each of them lost (o shows them)", n.Sent, number(n.Revision))
			out = append(out, cells.TextLine("   "+said, &th.Dim))
			continue
		}
		if n.Round > round {
			round = n.Round
			out = append(out, cells.TextLine(in.In(" round %d", round), &th.Neutral))
		}
		out = append(out, s.node(n, sources)...)
	}
	out = append(out, nil)
	return append(out, s.proofLines(p, width)...)
}

// gap stands for rounds that are left out.
const gap Question = "…"

// visible leaves out what every round says again, and the rounds between the first and the
// last where there are many.
func (s *sayer) visible(p *Path) []Node {
	const most = 3
	var out []Node
	left := false
	for _, n := range p.Nodes {
		if n.Round > 1 && !n.Ends && n.Reached != NotReached {
			switch n.Question {
			case RVGiven, Admit, Valid, UID:
				continue
			case Change:
				if n.Answer == Yes {
					continue
				}
			}
		}
		if !s.in.At.Open && p.Rounds > most && n.Round > 1 && n.Round < p.Rounds {
			if !left {
				out = append(out, Node{Question: gap, Sent: "2", Revision: int64(p.Rounds - 1)})
				left = true
			}
			continue
		}
		out = append(out, n)
	}
	return out
}

// node is a question in one or two lines: what is asked, what came of it, and where the
// other branches would have led.
func (s *sayer) node(n Node, sources bool) []cells.Line {
	in, th := s.in, s.in.Theme
	width := in.Size.Width - 1
	t := s.say(n)
	asks := min(37, max(21, width*3/10+1)) // with two cells between question and answer
	mark, style := "   ", &th.Text
	said := &th.Strong
	if n.Reached == NotReached || n.Reached == NotObserved {
		mark, style, said = " ┊ ", &th.Dim, &th.Dim
	}
	if n.Reached == Follows {
		mark = " ~ "
	}
	if n.Ends {
		mark = " ▸ "
	}
	answer := t.said
	var end cells.Line
	if n.Ends {
		end = cells.Line{{" ──▶ ", &th.Strong}, cells.Text(s.e.answer.Status, s.endStyle())}
	}
	took := ""
	if n.Ms >= 0 && (n.Reached == Seen || n.Reached == Follows) && width >= 70 {
		took = fmt.Sprintf("%.1f ms", n.Ms)
		if n.Ms >= 100 {
			took = words.Millis(n.Ms)
		}
	}
	question := cells.WrapLines(t.asks, asks-2, style)
	right := cells.Line{}
	if took != "" {
		right = cells.Line{cells.Text(" "+took, &th.Dim)}
	}
	room := max(8, width-3-asks-right.Width())
	var told []cells.Line
	told = append(told, cells.WrapLines(answer, room, said)...)
	if len(told) == 0 {
		told = []cells.Line{nil}
	}
	last := len(told) - 1
	if told[last].Width()+end.Width() > room {
		told = append(told, nil)
		last++
	}
	told[last] = append(told[last], end...)
	if t.otherwise != "" {
		other := "(" + t.otherwise + ")"
		if told[last].Width()+3+cells.Width(other) <= room {
			told[last] = append(told[last], cells.Span{Text: "   "}, cells.Text(other, &th.Dim))
		} else {
			told = append(told, cells.WrapLines(other, room, &th.Dim)...)
		}
	}
	if sources {
		src := sourceOf(n, s.e)
		told = append(told, cells.TextLine(cells.Cut(src.function+", "+src.file, room), &th.Dim))
	}
	var out []cells.Line
	for i := range max(len(question), len(told)) {
		l := cells.Line{{mark, style}}
		mark = cells.Spaces(cells.Width(mark))
		if n.Reached == NotReached {
			mark = " ┊ "
		}
		var q, a cells.Line
		if i < len(question) {
			q = question[i]
		}
		if i < len(told) {
			a = told[i]
		}
		l = append(l, q.Fit(asks)...)
		l = append(l, a...)
		if i == 0 {
			l = cells.Spread(l, right, width)
		}
		out = append(out, l)
	}
	return out
}

func (s *sayer) endStyle() *lipgloss.Style {
	if s.e.succeeded() {
		return &s.in.Theme.Good
	}
	return &s.in.Theme.Bad
}

// proofLines are what the path was derived from.
func (s *sayer) proofLines(p *Path, width int) []cells.Line {
	in := s.in
	var parts []string
	switch {
	case len(p.Spans) > 0:
		parts = append(parts, in.In("spans %s", nested(p.Spans)))
	case s.e.traced():
		parts = append(parts, in.In("no span of a handler, of the watch cache or of the store"))
	default:
		parts = append(parts, in.In("no spans were recorded, so what they alone show is not observed"))
	}
	if events := words.EventsOf(s.e.step, s.e.exchange); len(events) > 0 {
		kind := events[0].Type
		parts = append(parts, in.In("the watch's first event %s", kind))
	}
	txns := 0
	const most = 4
	for i, index := range p.RPCs {
		r := s.e.rpc(index)
		if r.Method == "Txn" {
			txns++
		}
		if i < most {
			parts = append(parts, "RPC "+words.RPC(r, in.Trace.Namespace, in.Lang))
		}
	}
	if extra := len(p.RPCs) - most; extra > 0 {
		parts = append(parts, in.In("%d more RPCs", extra))
	}
	if p.Complete {
		switch {
		case len(p.RPCs) == 0:
			parts = append(parts, in.In("no RPC"))
		case txns == 0 && s.e.request.Writes():
			parts = append(parts, in.In("no Txn"))
		}
	} else if len(p.RPCs) == 0 {
		parts = append(parts, in.In("RPCs are not recorded on this cluster"))
	}
	if slices.ContainsFunc(p.Nodes, func(n Node) bool { return n.Reached == Follows }) {
		parts = append(parts, in.In("~ follows from the answer"))
	}
	if served := in.Trace.Kubernetes; served != "" && served != questionsOf && !strings.HasPrefix(served, questionsOf+".") {
		parts = append(parts, in.In("the questions are those of Kubernetes %s", questionsOf))
	}
	said := in.In("Proof: %s.", strings.Join(parts, "; "))
	var out []cells.Line
	for _, l := range cells.WrapLines(said, width-1, &in.Theme.Text) {
		out = append(out, append(cells.Line{{" ", nil}}, l...))
	}
	return out
}

// nested is spans by name: "a › b" where b lies within a, "a, b" where it comes after.
func nested(spans []*scenarios.Span) string {
	var b strings.Builder
	for i, s := range spans {
		if i > 0 {
			before, sign := spans[i-1], ", "
			if s.StartedMs < before.StartedMs+before.DurationMs {
				sign = " › "
			}
			b.WriteString(sign)
		}
		b.WriteString(s.Name)
	}
	return b.String()
}

// plain is lines as text.
func plain(lines []cells.Line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	return b.String()
}
