package etcd_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/internal/viewtest"
	"rvtui/ui/view"
	"rvtui/ui/view/etcd"
	"rvtui/ui/words"
)

func draw(index *etcd.Index) func(view.Input) view.Drawn {
	return func(in view.Input) view.Drawn { return etcd.Draw(in, index) }
}

func TestGoldens(t *testing.T) {
	for name, c := range map[string]struct {
		trace string
		step  int
		at    view.State
	}{
		"conflict":       {"two-writers", 4, view.State{}},
		"compacted":      {"exact-compacted", 5, view.State{}},
		"compacted-open": {"exact-compacted", 6, view.State{Open: true}},
		"cache":          {"any-version", 3, view.State{}},
		"deleted":        {"delete-and-recreate", 3, view.State{}},
		"own-looking":    {"two-writers", 6, view.State{Right: 12}},
		"storm":          {"patch-storm", 1, view.State{}},
		"storm-open":     {"patch-storm", 1, view.State{Open: true, Down: 40}},
		"storm-past":     {"patch-storm", 3, view.State{}},
		"setup":          {"two-writers", 0, view.State{}},
	} {
		trace := uitest.Trace(t, c.trace)
		index := etcd.NewIndex(&trace)
		for _, size := range viewtest.Sizes {
			for _, lang := range words.Languages {
				golden := fmt.Sprintf("%s/%s-%dx%d", lang, name, size.Width, size.Height)
				t.Run(golden, func(t *testing.T) {
					d := viewtest.Drawn(t, draw(index), viewtest.Input(&trace, c.step, size, lang, c.at))
					uitest.Golden(t, golden, uitest.Cells(t, cells.Render(d.Lines, size), size.Width, size.Height))
				})
			}
		}
	}
}

// shown is all of the view's lines at a step, as many as there are.
func shown(t *testing.T, trace *scenarios.Trace, step int, open bool) []string {
	t.Helper()
	in := viewtest.Input(trace, step, cells.Size{Width: 240, Height: 3000}, scenarios.English, view.State{Open: open})
	var lines []string
	for _, l := range viewtest.Drawn(t, draw(etcd.NewIndex(trace)), in).Lines {
		lines = append(lines, viewtest.Text(l))
	}
	return lines
}

// columns is what stands in the columns of a line, word by word.
func columns(line string) []string { return strings.Fields(strings.TrimPrefix(line, "▸")) }

func TestEachRevisionAndEachRPCUpToTheCursorIsThereOnceAndNoLaterOne(t *testing.T) {
	for _, name := range uitest.Traces(t) {
		trace := uitest.Trace(t, name)
		for step := range len(trace.Steps) + 1 {
			revisions, rpcs := map[string]int{}, map[string]int{}
			for _, line := range shown(t, &trace, step, true)[2:] {
				for i, f := range columns(line) {
					switch {
					case i > 3:
					case f == "PUT" || f == "DELETE":
						revisions[columns(line)[i-1]]++
					case slices.Contains([]string{"Txn", "Range", "RangeStream", "Compact"}, f) && i < 2:
						rpcs[f]++
					}
				}
			}
			wanted, called := map[string]int{}, map[string]int{}
			for n := range step + 1 {
				o := view.Observation(&trace, n)
				for _, r := range o.Revisions {
					wanted[fmt.Sprint(r.Revision)]++
				}
				for _, r := range o.RPCs {
					called[r.Method]++
				}
			}
			if fmt.Sprint(revisions) != fmt.Sprint(wanted) {
				t.Errorf("%s, step %d: the revisions %v are shown, and there are %v", name, step, revisions, wanted)
			}
			if fmt.Sprint(rpcs) != fmt.Sprint(called) {
				t.Errorf("%s, step %d: the RPCs %v are shown, and there are %v", name, step, rpcs, called)
			}
		}
	}
}

func TestFoldedTheNumbersOfAStormAreExact(t *testing.T) {
	trace := uitest.Trace(t, "patch-storm")
	held, lost := 0, 0
	for _, r := range trace.Steps[0].RPCs {
		switch {
		case r.Succeeded != nil && *r.Succeeded:
			held++
		case r.Succeeded != nil:
			lost++
		}
	}
	lines := strings.Join(shown(t, &trace, 1, false), "\n")
	if want := fmt.Sprintf("%d Txns succeeded, %d Txns lost", held, lost); !strings.Contains(lines, want) {
		t.Errorf("%q is not said:\n%s", want, lines)
	}
	if n := strings.Count(lines, "\n"); n > 30 {
		t.Errorf("folded, it takes %d lines", n)
	}
}

// compactedAt is a trace of ten revisions that others and A wrote by turns, three of each,
// compacted at one of them in the step after.
func compactedAt(revision int64) scenarios.Trace {
	trace := scenarios.Trace{Mode: "embedded", Namespace: "ns", Setup: &scenarios.Observation{}}
	o := scenarios.Observation{Step: 1, Etcd: scenarios.EtcdState{Head: 19}}
	for i := range int64(10) {
		r := scenarios.Revision{Revision: 10 + i, Op: "PUT", Key: "/registry/configmaps/ns/cm1", By: "A", Own: true, Version: i}
		if i/3%2 == 0 {
			r.Key, r.By, r.Own = "/registry/leases/kube-system/a", scenarios.ByUnknown, false
		}
		o.Revisions = append(o.Revisions, r)
	}
	trace.Steps = []scenarios.Observation{o, {Step: 2, Etcd: scenarios.EtcdState{Head: 19, Compacted: revision}}}
	return trace
}

func TestTheRuleStandsRightBeforeTheCompactedRevision(t *testing.T) {
	for revision := int64(9); revision <= 19; revision++ {
		trace := compactedAt(revision)
		for _, open := range []bool{false, true} {
			lines := shown(t, &trace, 2, open)
			at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "── compacted at") })
			if at < 0 {
				t.Fatalf("compacted at %d: no rule:\n%s", revision, strings.Join(lines, "\n"))
			}
			seen := 0
			for i, line := range lines {
				for n := int64(10); n <= 19; n++ {
					from, to := n, n
					f := columns(line)
					switch {
					case slices.Contains(f, "others"):
						which := f[slices.Index(f, "·")+1]
						if _, err := fmt.Sscanf(which, "%d–%d:", &from, &to); err != nil {
							if _, err := fmt.Sscanf(which, "%d:", &from); err != nil {
								t.Fatal(line)
							}
							to = from
						}
					case !slices.Contains(f, "PUT") || f[slices.Index(f, "PUT")-1] != fmt.Sprint(n):
						continue
					}
					if n < from || n > to {
						continue
					}
					seen++
					if above := i < at; above != (n < revision) {
						t.Errorf("compacted at %d, open %v: %d stands on the wrong side:\n%s", revision, open, n, strings.Join(lines, "\n"))
					}
				}
			}
			if seen != 10 {
				t.Errorf("compacted at %d, open %v: %d of 10 revisions are seen:\n%s", revision, open, seen, strings.Join(lines, "\n"))
			}
		}
	}
}

func TestARevisionIsGoneOnlyOnceTheCompactionWasSeen(t *testing.T) {
	trace := uitest.Trace(t, "exact-compacted")
	for step, want := range []int{0, 0, 0, 1, 1} {
		got := 0
		for _, l := range shown(t, &trace, step, true) {
			if strings.HasSuffix(l, "gone") {
				got++
			}
		}
		if got != want {
			t.Errorf("step %d: %d rows are gone, want %d", step, got, want)
		}
	}
}

func TestAnRPCStandsRightBeforeTheRevisionThatItMade(t *testing.T) {
	trace := uitest.Trace(t, "patch-storm")
	lines := shown(t, &trace, 1, true)
	for i, line := range lines {
		if _, made, ok := strings.Cut(line, "→ put ok, rev "); ok {
			made = strings.Fields(made)[0]
			if f := columns(lines[i+1]); !slices.Contains(f[:2], made) {
				t.Errorf("below %q stands %q", line, lines[i+1])
			}
		}
	}
}

func TestScrollingEndsAtTheFirstAndTheLastRow(t *testing.T) {
	trace := uitest.Trace(t, "patch-storm")
	index := etcd.NewIndex(&trace)
	size := cells.Size{Width: 100, Height: 20}
	all := shown(t, &trace, 3, true)
	for _, c := range []struct {
		down int
		want string // at which end of the view
	}{{-1 << 62, all[3]}, {1 << 62, all[len(all)-1]}} {
		d := viewtest.Drawn(t, draw(index), viewtest.Input(&trace, 3, size, scenarios.English, view.State{Open: true, Down: c.down}))
		line := d.Lines[3]
		if c.down > 0 {
			line = d.Lines[len(d.Lines)-1]
		}
		if got, want := columns(viewtest.Text(line)), columns(c.want); fmt.Sprint(got[:2]) != fmt.Sprint(want[:2]) {
			t.Errorf("scrolled by %d, %q is at the end, and %q should be", c.down, got, want)
		}
		if d.At.Down == c.down {
			t.Errorf("scrolled by %d", d.At.Down)
		}
	}
}

func TestTheCursorsStepIsInSight(t *testing.T) {
	for _, name := range uitest.Traces(t) {
		trace := uitest.Trace(t, name)
		index := etcd.NewIndex(&trace)
		for step := range len(trace.Steps) + 1 {
			for _, open := range []bool{false, true} {
				d := viewtest.Drawn(t, draw(index), viewtest.Input(&trace, step, cells.Size{Width: 76, Height: 12}, scenarios.English, view.State{Open: open}))
				if !slices.ContainsFunc(d.Lines, func(l cells.Line) bool { return strings.HasPrefix(viewtest.Text(l), "▸") }) {
					t.Errorf("%s: step %d is not in sight", name, step)
				}
			}
		}
	}
}

func TestWhatIsCopiedIsTheTableAsText(t *testing.T) {
	trace := uitest.TwoWriters(t)
	d := etcd.Draw(viewtest.Input(&trace, 6, cells.Size{Width: 60, Height: 18}, scenarios.English, view.State{}), etcd.NewIndex(&trace))
	uitest.Golden(t, "copy", d.Copy)
}

func TestNoSizeIsTooSmall(t *testing.T) {
	for _, name := range []string{"exact-compacted", "patch-storm"} {
		trace := uitest.Trace(t, name)
		index := etcd.NewIndex(&trace)
		for step := range len(trace.Steps) + 1 {
			in := viewtest.Input(&trace, step, cells.Size{}, scenarios.English, view.State{})
			for in.Size.Width = step; in.Size.Width <= 210; in.Size.Width += 11 {
				for in.Size.Height = range 14 {
					for _, in.Lang = range words.Languages {
						in.At = view.State{Open: in.Size.Height&1 == 1, Right: in.Size.Width % 9, Down: in.Size.Height - 7}
						viewtest.Drawn(t, draw(index), in)
					}
				}
			}
		}
	}
}

// FuzzDraw draws any trace, at any cursor, in any size.
func FuzzDraw(f *testing.F) {
	for _, name := range []string{"two-writers", "exact-compacted"} {
		raw, err := json.Marshal(uitest.Trace(f, name))
		if err != nil {
			f.Fatal(err)
		}
		all := string(raw)
		for _, trace := range []string{
			all, strings.ReplaceAll(all, `"compacted":0`, `"compacted":20`), strings.ReplaceAll(all, `"exchange":0`, `"exchange":-9`),
			strings.ReplaceAll(all, "cm1", strings.Repeat("没有人\x1b[31m", 9)), strings.ReplaceAll(all, `"revision":`, `"revision":-`),
			strings.ReplaceAll(all, `"by":"A"`, `"by":"\u200d"`), strings.ReplaceAll(all, `"head":`, `"head":9999999999`),
		} {
			f.Add([]byte(trace), uint16(120), uint16(34), 5, -3, 2, true)
			f.Add([]byte(trace), uint16(61), uint16(9), 3, 4, 0, false)
		}
	}
	f.Add([]byte(`{"steps":[{},{"exchanges":[{}],"rpcs":[{}],"revisions":[{}]},{"rpcs":[{}],"revisions":[{"own":true}],"etcd":{"head":1,"compacted":9}}]}`), uint16(100), uint16(30), 3, 0, 0, false)
	f.Fuzz(func(t *testing.T, raw []byte, w, h uint16, cursor, down, right int, open bool) {
		var trace scenarios.Trace
		if json.Unmarshal(raw, &trace) != nil {
			t.Skip("no trace")
		}
		index := etcd.NewIndex(&trace)
		for _, lang := range words.Languages {
			viewtest.Drawn(t, draw(index), viewtest.Input(&trace, cursor, cells.Size{Width: int(w % 300), Height: int(h % 100)}, lang, view.State{Down: down, Right: right, Open: open}))
		}
	})
}

// BenchmarkDraw: a frame of 200×60. The budget is 5 ms, and neither the trace's length nor
// a step's must show.
func BenchmarkDraw(b *testing.B) {
	bench := func(name string, trace scenarios.Trace, cursor int, open bool) {
		b.Run(name, func(b *testing.B) {
			index := etcd.NewIndex(&trace)
			size := cells.Size{Width: 200, Height: 60}
			in := viewtest.Input(&trace, cursor, size, scenarios.English, view.State{Open: open})
			b.ReportAllocs()
			for b.Loop() {
				cells.Render(etcd.Draw(in, index).Lines, size)
			}
		})
	}
	for _, steps := range []int{6, 1000} {
		bench(fmt.Sprintf("%d-steps", steps), uitest.Long(uitest.TwoWriters(b), steps), steps, false)
	}
	compacted := uitest.Long(uitest.Trace(b, "exact-compacted"), 1000)
	bench("1000-steps-compacted", compacted, 1000, false)
	storm := uitest.Trace(b, "patch-storm")
	bench("storm", storm, 1, false)
	bench("storm-open", storm, 1, true)
}

// BenchmarkAppend: what it costs once to add the step with 50 requests and 854 RPCs.
func BenchmarkAppend(b *testing.B) {
	storm := uitest.Trace(b, "patch-storm")
	b.ReportAllocs()
	for b.Loop() {
		etcd.NewIndex(&scenarios.Trace{Mode: storm.Mode, Namespace: storm.Namespace}).Append(&storm.Steps[0])
	}
}

// Kine answers a read at a revision that is compacted as it can: what etcd would do is not said of it.
func TestOfKineIsNotSaidWhatEtcdDoes(t *testing.T) {
	trace := uitest.Trace(t, "exact-compacted")
	in := func() view.Input {
		return viewtest.Input(&trace, 6, cells.Size{Width: 120, Height: 34}, scenarios.English, view.State{})
	}
	const refuses = "etcd refuses"
	if said := text(etcd.Draw(in(), etcd.NewIndex(&trace))); !strings.Contains(said, refuses) {
		t.Fatalf("of etcd it is not said:\n%s", said)
	}
	trace.Etcd = "kine (etcd API 3.6.11)"
	if said := text(etcd.Draw(in(), etcd.NewIndex(&trace))); strings.Contains(said, refuses) || !strings.Contains(said, "is gone.") {
		t.Errorf("of kine it is said:\n%s", said)
	}
}

// Where etcd was not read, no key of it is shown, however much room there is.
func TestNoKeyOfEtcdIsShownWhereItWasNotRead(t *testing.T) {
	for _, c := range []struct {
		can  []string
		seen bool
	}{{nil, false}, {[]string{scenarios.CapabilityEtcdRead}, true}} {
		trace := uitest.Less(t, "two-writers", c.can...)
		in := viewtest.Input(&trace, 4, cells.Size{Width: 200, Height: 58}, scenarios.English, view.State{})
		if said := text(etcd.Draw(in, etcd.NewIndex(&trace))); strings.Contains(said, "/registry/") != c.seen {
			t.Errorf("can %v:\n%s", c.can, said)
		}
	}
}

func text(d view.Drawn) string { return strings.Join(cells.Plain(d.Lines), "\n") }
