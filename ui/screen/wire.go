package screen

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"rvtui/ui/words"
)

// captioned is text with a name above it.
type captioned struct {
	name, about string
	lines       []line
}

// wire is the newest exchange of the step under the cursor, as it was sent and answered.
func (f *frame) wire() (request, response captioned) {
	request, response = captioned{name: "request"}, captioned{name: "response"}
	if f.step == nil || len(f.step.Exchanges) == 0 {
		request.lines = []line{textLine("no HTTP request in this step", &f.th.Dim)}
		response.lines = []line{textLine("and so no answer", &f.th.Dim)}
		return request, response
	}
	width := f.layout.Request.W - 4
	n := len(f.step.Exchanges)
	e := &f.step.Exchanges[n-1]
	request.about = string(e.Actor)
	if n > 1 {
		request.about += fmt.Sprintf(" · %d of %d", n, n)
	}
	request.lines = append(request.lines, textLine(e.Method+" "+e.Path, &f.th.Strong))
	request.lines = append(request.lines, f.headers(e.RequestHeaders)...)
	request.lines = append(request.lines, f.payload(e.RequestBody, width)...)

	a := words.ReadAnswer(e)
	response.about = words.Millis(e.DurationMs)
	status := a.Status
	if status == "" {
		status = "no answer: " + a.Message
	}
	response.lines = append(response.lines, textLine(status, &f.th.Strong))
	response.lines = append(response.lines, f.headers(e.ResponseHeaders)...)
	response.lines = append(response.lines, f.payload(e.ResponseBody, width)...)
	return request, response
}

func (f *frame) headers(headers map[string]string) []line {
	names := make([]string, 0, len(headers))
	for name := range headers {
		names = append(names, name)
	}
	slices.Sort(names)
	var out []line
	for _, name := range names {
		out = append(out, line{text(name+": ", &f.th.Dim), text(headers[name], &f.th.Dim)})
	}
	return out
}

// payload is a body as YAML, without managedFields, which would fill the box.
func (f *frame) payload(raw json.RawMessage, width int) []line {
	var v any
	if len(raw) == 0 || json.Unmarshal(raw, &v) != nil {
		return nil
	}
	out := []line{nil}
	v = words.PlainNumbers(v) // a copy
	removed := removeManagedFields(v)
	for _, l := range yamlLines(v) {
		style := &f.th.Text
		if strings.Contains(l, "resourceVersion:") {
			style = &f.th.Strong
		}
		indent := len(l) - len(strings.TrimLeft(l, " ")) + 2
		for i, part := range wrap(l, max(8, width-indent)) {
			if i == 0 {
				out = append(out, line{{spaces(indent - 2), nil}, {part, style}})
			} else {
				out = append(out, line{{spaces(indent), nil}, {part, style}})
			}
		}
	}
	if removed {
		out = append(out, textLine("(managedFields left out)", &f.th.Dim))
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
