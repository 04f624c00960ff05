package http

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/objects"
	"rvtui/ui/words"
)

// longest is the longest body that is shown, in bytes: all of one is laid out whenever it
// is drawn.
const longest = 256 << 10

// requestBody is what was sent. An update is compared with what its actor held when it
// sent it.
func (d *drawing) requestBody(width int) []cells.Line {
	value, lines := d.read(d.e.RequestBody, width)
	if value == nil {
		return lines
	}
	object, ok := value.(map[string]any)
	var held scenarios.Held
	known := false
	if ok && d.e.Method == "PUT" {
		held, known = d.Before.HeldBefore(d.o, d.at, d.request.Name, d.request.RV)
		known = known && same(object, held.Object, "kind", "apiVersion") && (d.request.RV == "" || d.request.RV == held.ResourceVersion)
	}
	mark := unmarked
	if stored := d.stored(); stored != "" {
		mark = func(line string) cells.Span {
			if strings.Trim(strings.TrimPrefix(line, "  resourceVersion: "), `"'`) == d.request.RV {
				return cells.Span{" " + stored + " ", &d.Theme.Stale}
			}
			return cells.Span{}
		}
	}
	if !known {
		return append(d.gap(), d.plain(value, mark, width)...)
	}
	said := d.In("- + against what %s held, rv %s:", cells.Clean(string(d.e.Actor)), cells.Clean(held.ResourceVersion))
	return append(d.gap(), d.compared(object, held.Object, said, mark, width)...)
}

// responseBody is what came back. An object is compared with what a write met in the store,
// or else with the version of it that the same actor held before.
func (d *drawing) responseBody(width int) []cells.Line {
	value, lines := d.read(d.e.ResponseBody, width)
	if value == nil {
		return lines
	}
	object, ok := value.(map[string]any)
	switch {
	case ok && object["kind"] == "Status":
		return append(d.gap(), d.status(object, width)...)
	case ok && d.answer.RV != "" && !d.answer.List:
		metadata, _ := object["metadata"].(map[string]any)
		name, _ := metadata["name"].(string)
		held, known := d.Before.HeldBefore(d.o, d.at, name, "")
		before, said := held.Object, d.In("- + against what %s held before, rv %s:", cells.Clean(string(d.e.Actor)), cells.Clean(held.ResourceVersion))
		// What a write changed is seen against what it met, which its writer need not know.
		if stored, rv := d.overwritten(name); stored != nil && (!known || held.ResourceVersion != rv) {
			before, known, said = stored, true, d.In("- + against what was stored before, rv %s:", cells.Clean(rv))
		}
		was, _ := before["metadata"].(map[string]any)
		if known && same(object, before, "kind", "apiVersion") && same(metadata, was, "uid", "namespace") {
			return append(d.gap(), d.compared(object, before, said, unmarked, width)...)
		}
	}
	return append(d.gap(), d.plain(value, unmarked, width)...)
}

// gap is an empty line, where there is room for one.
func (d *drawing) gap() []cells.Line {
	if d.terse {
		return nil
	}
	return []cells.Line{nil}
}

// unmarked is the note on a line that there is nothing to say of.
func unmarked(string) cells.Span { return cells.Span{} }

// same reports whether two objects do not differ in any of some fields.
func same(a, b map[string]any, fields ...string) bool {
	for _, field := range fields {
		if a[field] != nil && b[field] != nil && !reflect.DeepEqual(a[field], b[field]) {
			return false
		}
	}
	return true
}

// read decodes a body. What is no object and no list is given as lines instead.
func (d *drawing) read(raw json.RawMessage, width int) (any, []cells.Line) {
	switch {
	case len(raw) == 0:
		return nil, nil
	case len(raw) > longest:
		said := d.In("(a body of %d KiB, too long to be shown here; the trace holds it)", len(raw)>>10)
		return nil, append(d.gap(), cells.WrapLines(said, width, &d.Theme.Dim)...)
	}
	value := scenarios.DecodeJSON(raw)
	switch value := value.(type) {
	case nil:
		return nil, nil
	case string: // what was sent was no JSON
		return nil, append(d.gap(), cells.WrapLines(value, width, &d.Theme.Text)...)
	}
	return value, nil
}

// plain is a body with nothing to compare it with.
func (d *drawing) plain(value any, mark func(string) cells.Span, width int) []cells.Line {
	if !d.At.Open {
		d.foldFields(value, nil)
	}
	var out []cells.Line
	for _, l := range objects.Lines(value) {
		out = append(out, d.yaml(objects.Change{Sign: ' ', Text: l}, false, mark(l), width)...)
	}
	return out
}

// compared is an object with its difference from another one, of which is said what it is.
func (d *drawing) compared(object, before map[string]any, said string, mark func(string) cells.Span, width int) []cells.Line {
	before, _ = words.PlainNumbers(before).(map[string]any) // a copy
	if !d.At.Open {
		d.foldFields(object, before)
	}
	changes := objects.Difference(objects.Lines(before), objects.Lines(object))
	out := cells.WrapLines(said, width, &d.Theme.Dim)
	dropped := 0
	if d.terse {
		all := len(changes)
		changes = essence(changes, mark)
		dropped = all - len(changes)
	}
	for _, c := range d.shortened(changes, mark) {
		if c.unchanged > 0 {
			out = append(out, hanging("  "+d.In("… %d lines unchanged", c.unchanged)+d.In(" (o unfolds)"), "    ", width, &d.Theme.Dim)...)
			continue
		}
		out = append(out, d.yaml(c.Change, true, mark(c.Text), width)...)
	}
	if dropped > 0 {
		out = append(out, cells.WrapLines(d.In("+ %s unchanged (o unfolds)", d.Count(dropped, "line", "lines")), width, &d.Theme.Dim)...)
	}
	return out
}

// shown is a line of a difference, or so many unchanged ones in its place.
type shown struct {
	objects.Change
	unchanged int
}

// shortened has the long unchanged parts of a difference folded, so that the changes of a
// large object are in sight. What the reader looks for in any object is short enough to stay.
func (d *drawing) shortened(changes []objects.Change, mark func(string) cells.Span) []shown {
	const context, foldsAt = 3, 12
	out := make([]shown, 0, len(changes))
	whole := func(changes []objects.Change) {
		for _, c := range changes {
			out = append(out, shown{Change: c})
		}
	}
	plain := func(c objects.Change) bool { return c.Sign == ' ' && mark(c.Text).Text == "" }
	for i := 0; i < len(changes); {
		end := i
		for end < len(changes) && plain(changes[end]) {
			end++
		}
		from, to := i, end // what is folded
		if i > 0 {
			from += context
		}
		if end < len(changes) {
			to -= context
		}
		if d.At.Open || to-from < foldsAt || i == 0 && end == len(changes) {
			from, to = i, i
		}
		whole(changes[i:from])
		if to > from {
			out = append(out, shown{unchanged: to - from})
		}
		next := min(end+1, len(changes)) // behind the change that ends the part
		whole(changes[to:next])
		i = next
	}
	return out
}

// essence is what of a difference has to be seen: the changed lines, the object's
// resourceVersion, and what they are part of.
func essence(changes []objects.Change, mark func(string) cells.Span) []objects.Change {
	keep := make([]bool, len(changes))
	for i, c := range changes {
		if c.Sign == ' ' && mark(c.Text).Text == "" && !strings.HasPrefix(c.Text, "  resourceVersion: ") {
			continue
		}
		keep[i] = true
		depth := indent(c.Text)
		for j := i - 1; j >= 0 && depth > 0; j-- {
			if n := indent(changes[j].Text); n < depth {
				keep[j], depth = true, n
			}
		}
	}
	var out []objects.Change
	for i, c := range changes {
		if keep[i] {
			out = append(out, c)
		}
	}
	return out
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// foldFields puts a line in the place of managedFields, wherever they are in a body. Where
// an object is compared with another one, the line says whether they differ, and stands in
// both.
func (d *drawing) foldFields(value any, before map[string]any) {
	switch value := value.(type) {
	case []any:
		for _, inner := range value {
			d.foldFields(inner, nil)
		}
	case map[string]any:
		metadata, _ := value["metadata"].(map[string]any)
		was, _ := before["metadata"].(map[string]any)
		now, _ := metadata["managedFields"].([]any)
		then, _ := was["managedFields"].([]any)
		entries := d.Count(len(now), "entry", "entries")
		said := d.In("(%s, o unfolds)", entries)
		if now != nil && then != nil {
			if !reflect.DeepEqual(words.PlainNumbers(now), words.PlainNumbers(then)) {
				said = d.In("(%s, changed, o unfolds)", entries)
			}
		}
		if now != nil {
			metadata["managedFields"] = said
		}
		if then != nil {
			if now == nil {
				said = d.In("(%s, o unfolds)", d.Count(len(then), "entry", "entries"))
			}
			was["managedFields"] = said
		}
		items, _ := value["items"].([]any)
		d.foldFields(items, nil)
	}
}

// yaml is a line of YAML, with its sign where it is one of a difference, and a note at
// its end.
func (d *drawing) yaml(c objects.Change, signed bool, note cells.Span, width int) []cells.Line {
	style, text := &d.Theme.Text, c.Text
	switch {
	case c.Sign == '-':
		style = &d.Theme.Removed
	case c.Sign == '+':
		style = &d.Theme.Added
	case strings.Contains(text, "resourceVersion: "):
		style = &d.Theme.Strong
	case strings.HasPrefix(strings.TrimLeft(text, " "), "managedFields: "): // folded
		style = &d.Theme.Dim
	}
	lead := ""
	if signed {
		lead = string(c.Sign) + " "
	}
	depth := indent(text)
	hang := min(len(lead)+depth+2, max(0, width-8))
	var out []cells.Line
	for i, part := range cells.Wrap(text, max(1, width-hang)) {
		switch {
		case i > 0:
			lead = cells.Spaces(hang)
		default:
			lead += cells.Spaces(min(depth, max(0, hang-2)))
		}
		out = append(out, cells.Line{{lead + part, style}})
	}
	if note.Text != "" && len(out) > 0 {
		last := len(out) - 1
		if out[last].Width()+3+cells.Width(note.Text) <= width {
			out[last] = append(out[last], cells.Span{"   ", nil}, note)
		} else {
			out = append(out, cells.Line{{cells.Spaces(min(hang, max(0, width-cells.Width(note.Text)))), nil}, note})
		}
	}
	return out
}

// status is a Status of k8s.io/apimachinery/pkg/apis/meta/v1, what it says first.
func (d *drawing) status(object map[string]any, width int) []cells.Line {
	var out []cells.Line
	shown := []string{"kind"} // the caption says it
	for _, key := range []string{"status", "reason", "message", "code", "details"} {
		value, ok := object[key]
		if !ok {
			continue
		}
		shown = append(shown, key)
		text, isText := value.(string)
		switch {
		case isText && (key == "reason" || key == "message"): // as it is, not in YAML's quotes
			out = append(out, hanging(key+": "+text, "  ", width, &d.Theme.Strong)...)
			continue
		case key == "status" && value == "Failure" && !d.At.Open, key == "code" && d.terse: // the line above says it
			continue
		case key == "details":
			if line, ok := inline(value); ok && cells.Width(line)+len("details: ") <= width {
				out = append(out, cells.Line{{"details: " + line, &d.Theme.Text}})
				continue
			}
		}
		for _, l := range objects.Lines(map[string]any{key: value}) {
			out = append(out, d.yaml(objects.Change{Sign: ' ', Text: l}, false, cells.Span{}, width)...)
		}
	}
	rest := map[string]any{}
	for key, value := range object {
		if !slices.Contains(shown, key) && (d.At.Open || key != "apiVersion" && !empty(value)) {
			rest[key] = value
		}
	}
	for _, l := range objects.Lines(rest) {
		out = append(out, d.yaml(objects.Change{Sign: ' ', Text: l}, false, cells.Span{}, width)...)
	}
	return out
}

// inline is a map of plain values in one line; false for any other value.
func inline(value any) (string, bool) {
	m, ok := value.(map[string]any)
	if !ok {
		return "", false
	}
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		switch m[key].(type) {
		case map[string]any, []any:
			return "", false
		}
		lines := objects.Lines(map[string]any{key: m[key]})
		if len(lines) != 1 {
			return "", false
		}
		parts = append(parts, cells.Clean(lines[0]))
	}
	return "{" + strings.Join(parts, ", ") + "}", true
}

func empty(value any) bool {
	m, ok := value.(map[string]any)
	return value == nil || ok && len(m) == 0
}
