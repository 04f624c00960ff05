package diff

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/view"
	"rvtui/ui/words"
)

// check draws the view: nothing is outside of it, and what it gives back draws the same.
func check(t *testing.T, x *Index, in view.Input) {
	t.Helper()
	d := Draw(in, x)
	if len(d.Lines) > max(0, in.Size.Height) {
		t.Fatalf("%d lines in %d", len(d.Lines), in.Size.Height)
	}
	for i, l := range d.Lines {
		if n := l.Width(); n > in.Size.Width {
			t.Fatalf("line %d has %d cells in %d: %q", i+1, n, in.Size.Width, l)
		}
		for _, span := range l {
			if cells.Clean(span.Text) != span.Text {
				t.Fatalf("line %d is not clean: %q", i+1, span.Text)
			}
		}
	}
	in.At = d.At
	if in.Size.Width%2 == 0 { // made anew it is the same, too
		x.made = nil
	}
	if again := Draw(in, x); !reflect.DeepEqual(again, d) {
		t.Fatalf("with %+v it is\n%s\nand not\n%s\n%+v", d.At, textOf(again), textOf(d), again.At)
	}
}

func FuzzDraw(f *testing.F) {
	f.Add("cm1", "nobody", "A", int64(20), uint16(120), uint16(34), 1, 0, 0)
	f.Add("名字", "谁先\n谁后\n", "\tx: y", int64(-1), uint16(61), uint16(18), 7, 3, 99)
	f.Add("a\x1b[31m", strings.Repeat("长x ", 90)+"a", strings.Repeat("长x ", 90)+"b", int64(1)<<62, uint16(80), uint16(22), 12, -9, 17)
	f.Add("👩‍👩‍👧 é\u0301\u202e", "\x00\xff", "x", int64(0), uint16(200), uint16(58), 31, 1<<40, -1)
	f.Fuzz(func(t *testing.T, name, before, after string, number int64, w, h uint16, shape, n, scroll int) {
		value := func(text string) json.RawMessage {
			raw, err := json.Marshal(map[string]any{
				"kind": name, "data": map[string]any{name: text, "n": number}, text: []any{text, number, map[string]any{name: name}},
				"metadata": map[string]any{"name": name, "managedFields": []any{map[string]any{"manager": text}, "x"}},
			})
			if err != nil {
				return json.RawMessage(text)
			}
			return raw
		}
		revision := func(i int, key string) scenarios.Revision {
			r := scenarios.Revision{Revision: number + int64(i), ModRevision: number, Op: "PUT", Key: key, Own: true, Name: name, By: before, Version: number >> i, CreateRevision: number, Value: value(before)}
			switch uint(shape>>i) % 5 {
			case 1:
				r.Op = "DELETE"
			case 2:
				r.Value = value(after)
			case 3:
				r.Value = nil
			case 4:
				r.Value = json.RawMessage(after)
			}
			return r
		}
		x := &Index{}
		trace := scenarios.Trace{Namespace: name}
		for i := range uint(shape) % 9 {
			o := scenarios.Observation{}
			for j := range uint(shape>>i) % 4 {
				o.Revisions = append(o.Revisions, revision(int(i+j), fmt.Sprint(name, j%2)))
			}
			o.Exchanges = []scenarios.Exchange{{Method: "PUT", Path: "/api/v1/namespaces/ns/configmaps/" + name}}
			o.Objects = []scenarios.Object{{Resource: "configmaps", Name: name, Key: name + "0", Kind: before}}
			x.Append(&o)
		}
		in := view.Input{
			Trace: &trace, Cursor: n, Theme: dark, Size: cells.Size{Width: int(w % 300), Height: int(h % 100)},
			At: view.State{Down: scroll, Right: n, Object: n, Older: scroll, Newer: shape >> 3, Open: shape&1 == 1},
		}
		for _, in.Lang = range words.Languages {
			in.Cursor = n
			check(t, x, in)
			in.Cursor = int(uint(shape>>5) % 9)
			in.At.Right, in.At.Down = 0, n
			check(t, x, in)
		}
	})
}

func TestNoLineIsWiderThanTheViewAtAnySize(t *testing.T) {
	for _, name := range []string{"two-writers", "kubectl-apply", "delete-and-recreate"} {
		trace := recorded(t, name)
		x := indexOf(&trace)
		for w := 0; w <= 210; w += 13 {
			for h := 0; h <= 64; h += 7 {
				for cursor := range len(trace.Steps) + 1 {
					check(t, x, view.Input{
						Trace: &trace, Cursor: cursor, Theme: dark, Lang: words.Languages[(w+h)%2], Size: cells.Size{Width: w, Height: h},
						At: view.State{Open: h%2 == 0, Older: w % 3, Right: h % 2},
					})
				}
			}
		}
	}
}

// BenchmarkDraw: a frame at 200×60 at the end of a short and of a long trace, made anew
// and looked at again. The budget is 5 ms, and the length must not show.
func BenchmarkDraw(b *testing.B) {
	for _, steps := range []int{6, 1000} {
		trace := uitest.Long(uitest.TwoWriters(b), steps)
		x := indexOf(&trace)
		in := view.Input{Trace: &trace, Cursor: steps, Theme: dark, Lang: scenarios.English, Size: cells.Size{Width: 200, Height: 60}}
		for _, again := range []bool{false, true} {
			b.Run(fmt.Sprintf("%d-steps/again-%v", steps, again), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if !again {
						x.made = nil
					}
					Draw(in, x)
				}
			})
		}
	}
}

// BenchmarkDrawLarge: an object as large as etcd takes, all of it unfolded.
func BenchmarkDrawLarge(b *testing.B) {
	value := func(changed string) string {
		data := map[string]any{}
		for i := range 20_000 {
			data[fmt.Sprintf("field-%d", i)] = "a value that is the same, and fills a megabyte"
		}
		data["field-10000"] = changed
		raw, err := json.Marshal(map[string]any{"data": data, "metadata": map[string]any{"name": "cm1"}})
		if err != nil {
			b.Fatal(err)
		}
		return string(raw)
	}
	x := indexed([]scenarios.Revision{stored(1, value("this")), stored(2, value("that"))})
	in := view.Input{Trace: &scenarios.Trace{}, Theme: dark, Size: cells.Size{Width: 200, Height: 60}, At: view.State{Open: true, Down: 9000}}
	for _, again := range []bool{false, true} {
		b.Run(fmt.Sprintf("again-%v", again), func(b *testing.B) {
			for b.Loop() {
				if !again {
					x.made = nil
				}
				Draw(in, x)
			}
		})
	}
}
