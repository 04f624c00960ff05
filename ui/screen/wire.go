package screen

import (
	"rvtui/ui/cells"
	"rvtui/ui/objects"

	"encoding/json"
	"slices"
	"strings"

	"rvtui/scenarios"
	"rvtui/ui/words"
)

// captioned is text with a name above it.
type captioned struct {
	name, about string
	lines       []cells.Line
}

// wire is the newest exchange of the step under the cursor, as it was sent and answered.
func (f *frame) wire() (request, response captioned) {
	if f.step == nil || len(f.step.Exchanges) == 0 {
		request, response = captioned{name: f.in("request")}, captioned{name: f.in("response")}
		request.lines = []cells.Line{cells.TextLine(f.in("no HTTP request in this step"), &f.th.Dim)}
		response.lines = []cells.Line{cells.TextLine(f.in("and so no answer"), &f.th.Dim)}
		return request, response
	}
	n := len(f.step.Exchanges)
	return f.sides(scenarios.ExchangeRef{Step: f.state.Cursor, Index: n - 1}, f.layout.Request.W-4)
}

// sides are the two sides of an exchange, in lines of so many cells.
func (f *frame) sides(ref scenarios.ExchangeRef, width int) (request, response captioned) {
	request, response = captioned{name: f.in("request")}, captioned{name: f.in("response")}
	e := f.story.exchange(ref)
	request.about = string(e.Actor)
	if n := len(f.story.step(ref.Step).Exchanges); n > 1 {
		request.about = f.in("%s · %d of %d", request.about, ref.Index+1, n)
	}
	path, query, _ := strings.Cut(e.Path, "?")
	if cells.Width(cells.Clean(e.Method+" "+e.Path)) <= width {
		path, query = e.Path, ""
	}
	request.lines = append(request.lines, cells.WrapLines(e.Method+" "+path, width, &f.th.Strong)...)
	if query != "" {
		request.lines = append(request.lines, cells.WrapLines("?"+query, width, &f.th.Strong)...)
	}
	request.lines = append(request.lines, f.headers(e.RequestHeaders)...)
	request.lines = append(request.lines, f.payload(e.RequestBody, width)...)

	a := words.ReadAnswer(e)
	response.about = words.Millis(e.DurationMs)
	status := a.Status
	if status == "" {
		status = f.in("no answer: %s", a.Message)
	}
	response.lines = append(response.lines, cells.TextLine(status, &f.th.Strong))
	response.lines = append(response.lines, f.headers(e.ResponseHeaders)...)
	response.lines = append(response.lines, f.payload(e.ResponseBody, width)...)
	return request, response
}

// onTheWire is an exchange's two sides for a zoomed pane: beside each other where there
// is room, or else below.
func (f *frame) onTheWire(at, width int) []cells.Line {
	column := width
	if width >= 90 {
		column = (width - 3) / 2
	}
	request, response := f.sides(f.story.log[at].ref, column)
	left, right := f.underCaption(request), f.underCaption(response)
	if column == width {
		return slices.Concat(left, []cells.Line{nil}, right)
	}
	var out []cells.Line
	for i := range max(len(left), len(right)) {
		var l cells.Line
		if i < len(left) {
			l = left[i]
		}
		l = append(l.Fit(column), cells.Span{" │ ", &f.th.Border})
		if i < len(right) {
			l = append(l, right[i]...)
		}
		out = append(out, l)
	}
	return out
}

func (f *frame) underCaption(c captioned) []cells.Line {
	return append([]cells.Line{{cells.Text(c.name, &f.th.Neutral), cells.Text("  "+c.about, &f.th.Dim)}}, c.lines...)
}

func (f *frame) headers(headers map[string]string) []cells.Line {
	names := make([]string, 0, len(headers))
	for name := range headers {
		names = append(names, name)
	}
	slices.Sort(names)
	var out []cells.Line
	for _, name := range names {
		out = append(out, cells.Line{cells.Text(name+": ", &f.th.Dim), cells.Text(headers[name], &f.th.Dim)})
	}
	return out
}

// payload is a body as YAML, without managedFields, which would fill the box.
func (f *frame) payload(raw json.RawMessage, width int) []cells.Line {
	var v any
	if len(raw) == 0 || json.Unmarshal(raw, &v) != nil {
		return nil
	}
	out := []cells.Line{nil}
	v = words.PlainNumbers(v) // a copy
	removed := removeManagedFields(v)
	for _, l := range objects.Lines(v) {
		style := &f.th.Text
		if strings.Contains(l, "resourceVersion:") {
			style = &f.th.Strong
		}
		indent := len(l) - len(strings.TrimLeft(l, " ")) + 2
		for i, part := range cells.Wrap(l, max(8, width-indent)) {
			if i == 0 {
				out = append(out, cells.Line{{cells.Spaces(indent - 2), nil}, {part, style}})
			} else {
				out = append(out, cells.Line{{cells.Spaces(indent), nil}, {part, style}})
			}
		}
	}
	if removed {
		out = append(out, cells.TextLine(f.in("(managedFields left out)"), &f.th.Dim))
	}
	return out
}

// removeManagedFields takes managedFields out of a body, wherever they are, and
// reports whether there were any.
func removeManagedFields(v any) (removed bool) {
	switch v := v.(type) {
	case map[string]any:
		if _, removed = v["managedFields"]; removed {
			delete(v, "managedFields")
		}
		for _, inner := range v {
			removed = removeManagedFields(inner) || removed
		}
	case []any:
		for _, inner := range v {
			removed = removeManagedFields(inner) || removed
		}
	}
	return removed
}
