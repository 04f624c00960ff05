package path

import (
	"strings"

	"rvtui/scenarios"
)

// Of derives the way of one of a step's exchanges. Where rvtui knows no way for a request,
// and where no answer came, the path has no nodes.
func Of(t *scenarios.Trace, o *scenarios.Observation, exchange int) Path {
	var p Path
	if o == nil || exchange < 0 || exchange >= len(o.Exchanges) {
		return p
	}
	e := gather(t, o, exchange)
	if e.status() == 0 || e.request.Resource == "" {
		return p
	}
	if e.sent.Method == "GET" && e.elsewhere() {
		return p
	}
	switch e.request.Verb {
	case "PUT", "PATCH":
		p = e.update()
	case "POST":
		if !strings.Contains(e.request.Resource, "/") { // what subresources do is each one's own affair
			p = e.create()
		}
	case "DELETE":
		if e.request.Name != "" {
			p = e.remove()
		}
	case "GET":
		p = e.get()
	case "LIST":
		p = e.list()
	case "WATCH":
		p = e.watch()
	}
	if p.Known() {
		e.proof(&p)
	}
	return p
}

// way collects nodes. Once the answer is decided, what follows is not reached.
type way struct {
	nodes []Node
	ended bool
}

func (w *way) add(n Node) {
	if w.ended {
		n = Node{Question: n.Question, Reached: NotReached, Sent: n.Sent, Revision: n.Revision, Writes: n.Writes, Ms: unknown}
	}
	w.nodes = append(w.nodes, n)
	w.ended = w.ended || n.Ends
}

// asked adds questions that would come now, where nothing shows what came of them.
func (w *way) asked(round int, sent string, questions ...Question) {
	for _, q := range questions {
		w.add(Node{Question: q, Reached: NotObserved, Round: round, Sent: sent, Ms: unknown})
	}
}
