package ui

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"rvtui/scenarios"
	"rvtui/ui/internal/uitest"
)

// edits is how many traces TestNoTraceThatWasEditedByHandDoesHarm makes.
var edits = flag.Int("edits", 24, "how many recorded traces TestNoTraceThatWasEditedByHandDoesHarm edits at random")

// A saved trace is a file, and may have been edited: whatever it says, as long as it can be
// read, is shown without a panic, within the screen, and without a code that is not the
// program's own.
func TestNoTraceThatWasEditedByHandDoesHarm(t *testing.T) {
	names := slices.DeleteFunc(uitest.Traces(t), func(name string) bool { return name == "patch-storm" || name == "true-race" }) // large
	shown := 0
	for seed := range uint64(*edits) {
		r := rand.New(rand.NewPCG(seed, 7))
		trace, ok := byHand(t, r, uitest.Trace(t, names[r.IntN(len(names))]))
		if !ok {
			continue
		}
		shown++
		synctest.Test(t, func(t *testing.T) { lookAtAll(t, r, trace) })
		if t.Failed() {
			t.Fatalf("it was edit %d", seed)
		}
	}
	if shown < *edits/2 {
		t.Errorf("only %d of %d could be read", shown, *edits)
	}
}

// lookAtAll takes all steps of a trace and opens each view of each.
func lookAtAll(t *testing.T, r *rand.Rand, trace scenarios.Trace) {
	k := newMonkey(t, r, trace)
	defer k.end()
	k.stage.fails = false
	k.take(tea.WindowSizeMsg{Width: 20 + r.IntN(140), Height: 5 + r.IntN(40)})
	for range len(trace.Steps) + 2 {
		k.take(press("right"))
		time.Sleep(2 * time.Second)
		k.settle()
	}
	for range len(trace.Steps) + 1 {
		for _, view := range []string{"x", "d", "t", "w", "L", "1", "3", "4", "5"} {
			k.take(press(view))
			if view <= "9" {
				k.take(press("z"))
			}
			k.settle()
			for _, key := range []string{"", "o", "j", ">", "]", "}", "G", "g"}[:1+r.IntN(8)] {
				if key != "" {
					k.take(press(key))
				}
				k.settle()
				k.look()
				if at := ownCodes.ReplaceAllString(k.m.View().Content, ""); strings.ContainsFunc(at, controls) {
					t.Fatalf("a control character came through in %s: %q", view, at)
				}
			}
			k.take(press("esc"))
			k.settle()
		}
		k.take(press("left"))
		k.settle()
	}
}

// ownCodes are those that the program's own styles and links are made of.
var ownCodes = regexp.MustCompile("\x1b\\[[0-9;:]*m")

func controls(r rune) bool {
	return r != '\n' && (r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069)
}

// byHand is a trace of which a few things were edited, if it can still be read.
func byHand(t *testing.T, r *rand.Rand, trace scenarios.Trace) (scenarios.Trace, bool) {
	t.Helper()
	whole, err := json.Marshal(trace)
	if err != nil {
		t.Fatal(err)
	}
	var document any
	decoder := json.NewDecoder(bytes.NewReader(whole))
	decoder.UseNumber()
	if err := decoder.Decode(&document); err != nil {
		t.Fatal(err)
	}
	for range 1 + r.IntN(40) {
		before, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		steps := document.(map[string]any)["steps"].([]any)
		if len(steps) == 0 || r.IntN(10) == 0 {
			edit(r, document)
		} else {
			edit(r, steps[r.IntN(len(steps))])
		}
		after, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		if readable(after) == nil { // or else it is taken back
			document = nil
			decoder := json.NewDecoder(bytes.NewReader(before))
			decoder.UseNumber()
			if err := decoder.Decode(&document); err != nil {
				t.Fatal(err)
			}
		}
	}
	whole, err = json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	read := readable(whole)
	if read == nil {
		return scenarios.Trace{}, false
	}
	return *read, true
}

func readable(content []byte) *scenarios.Trace {
	saved, err := scenarios.ReadTrace(bytes.NewReader(content))
	if err != nil {
		return nil
	}
	trace, err := saved.All()
	if err != nil {
		return nil
	}
	return &trace
}

// edit changes one thing somewhere below a value.
func edit(r *rand.Rand, at any) {
	for {
		var inside []any
		switch v := at.(type) {
		case map[string]any:
			names := slices.Sorted(maps.Keys(v))
			if len(names) == 0 {
				return
			}
			name := names[r.IntN(len(names))]
			if deep(v[name]) && r.IntN(5) > 0 {
				at = v[name]
				continue
			}
			if r.IntN(5) == 0 {
				delete(v, name)
				return
			}
			v[name] = otherwise(r, v[name])
			return
		case []any:
			inside = v
		default:
			return
		}
		if len(inside) == 0 {
			return
		}
		i := r.IntN(len(inside))
		if deep(inside[i]) && r.IntN(8) > 0 {
			at = inside[i]
			continue
		}
		inside[i] = otherwise(r, inside[i])
		return
	}
}

func deep(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) > 0
	case []any:
		return len(v) > 0
	}
	return false
}

var (
	oddTexts   = []string{"", "\x1b[31m\x1b]0;x\x07\u009b2J\u202e\r\n\t", strings.Repeat("x", 5000), strings.Repeat("宽", 900), "\u0301\u0301é\u200d👩‍👩‍👧", "/", "?watch=1", "%zz", "-1", "9223372036854775808", "null"}
	oddNumbers = []json.Number{"-1", "0", "1", "9223372036854775807", "-9223372036854775808", "1000000", "12345", "1e300", "-1e300", "0.0001"}
)

// otherwise is another value, most often of the same type.
func otherwise(r *rand.Rand, v any) any {
	if r.IntN(6) == 0 {
		return []any{nil, map[string]any{}, []any{}, "", json.Number("0"), true, []any{nil}, map[string]any{"": nil}}[r.IntN(8)]
	}
	switch v := v.(type) {
	case string:
		return oddTexts[r.IntN(len(oddTexts))]
	case json.Number:
		return oddNumbers[r.IntN(len(oddNumbers))]
	case bool:
		return !v
	case []any:
		switch r.IntN(3) {
		case 0:
			return []any{}
		case 1:
			return slices.Concat(v, v)
		}
		return v[:len(v)/2]
	}
	return nil
}
