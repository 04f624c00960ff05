package diff

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/theme"
	"rvtui/ui/view"
	"rvtui/ui/words"
)

var dark = theme.For(theme.Auto, colorprofile.TrueColor, true)

func recorded(t testing.TB, name string) scenarios.Trace {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var trace scenarios.Trace
	if err := json.Unmarshal(raw, &trace); err != nil {
		t.Fatal(err)
	}
	return trace
}

func indexOf(trace *scenarios.Trace) *Index {
	x := &Index{}
	x.Append(trace.Setup)
	for i := range trace.Steps {
		x.Append(&trace.Steps[i])
	}
	return x
}

// drawn is the view's text as it stands in the cells, and the view.
func drawn(t testing.TB, x *Index, cursor int, size cells.Size, lang string, at view.State) (string, view.Drawn) {
	t.Helper()
	d := Draw(view.Input{Trace: &scenarios.Trace{}, Cursor: cursor, Size: size, Theme: dark, Lang: lang, At: at}, x)
	return textOf(d), d
}

func textOf(d view.Drawn) string {
	var lines []string
	for _, l := range d.Lines {
		s := ""
		for _, span := range l {
			s += span.Text
		}
		lines = append(lines, strings.TrimRight(s, " "))
	}
	return strings.Join(lines, "\n")
}

func TestGoldens(t *testing.T) {
	for name, c := range map[string]struct {
		trace  string
		cursor int
		at     view.State
	}{
		"created":   {"two-writers", 0, view.State{}},
		"conflict":  {"two-writers", 4, view.State{}},
		"applied":   {"kubectl-apply", 3, view.State{}},
		"unfolded":  {"kubectl-apply", 2, view.State{Open: true, Down: 12}},
		"deleted":   {"delete-and-recreate", 2, view.State{}},
		"recreated": {"delete-and-recreate", 4, view.State{Older: 1}},
	} {
		trace := recorded(t, c.trace)
		x := indexOf(&trace)
		for _, size := range []cells.Size{{Width: 200, Height: 58}, {Width: 120, Height: 34}, {Width: 80, Height: 22}, {Width: 60, Height: 18}} {
			for _, lang := range words.Languages {
				golden := fmt.Sprintf("%s/%s-%dx%d", lang, name, size.Width, size.Height)
				t.Run(golden, func(t *testing.T) {
					_, d := drawn(t, x, c.cursor, size, lang, c.at)
					uitest.Golden(t, golden, uitest.Cells(t, cells.Render(d.Lines, size), size.Width, size.Height))
				})
			}
		}
	}
}

func TestEachCaseSaysSoInASentence(t *testing.T) {
	with := func(r scenarios.Revision, change func(*scenarios.Revision)) scenarios.Revision {
		change(&r)
		return r
	}
	secret := scenarios.Revision{Revision: 1, Op: "PUT", Key: "/registry/secrets/ns/s", Name: "s", Own: true, ModRevision: 1, Version: 1}
	type revisions = []scenarios.Revision
	one := put(1, cm1, "ConfigMap", "a", 1, 1)
	for name, c := range map[string]struct {
		steps []revisions
		at    view.State
		want  string
	}{
		"none":                  {[]revisions{nil}, view.State{}, "No revision of the scenario's objects is known up to here"},
		"the only one":          {[]revisions{{one}}, view.State{}, "Revision 1 creates cm1. It is the only revision up to here"},
		"the first of several":  {[]revisions{{one, put(2, cm1, "", "b", 1, 2)}}, view.State{Newer: 1}, "Revision 1 creates cm1."},
		"not the key's first":   {[]revisions{{put(7, cm1, "", "a", 1, 3)}}, view.State{}, "Revision 7 is the first of cm1 in the trace"},
		"of an unknown version": {[]revisions{{put(7, cm1, "", "a", 0, 0)}}, view.State{}, "Revision 7 is the first of cm1 in the trace. Whether the key was there before is not known."},
		"a value in cipher": {[]revisions{{with(one, func(r *scenarios.Revision) { r.Value, r.Unreadable = nil, "encrypted by aescbc" })}}, view.State{},
			"What is stored cannot be read, as it is encrypted by aescbc"},
		"no write":           {[]revisions{{one}, nil}, view.State{}, "This step did not write cm1: its resourceVersion is still 1."},
		"still deleted":      {[]revisions{{one, del(2, cm1)}, nil}, view.State{}, "This step did not write cm1, which is still deleted."},
		"many writes":        {[]revisions{{one, put(2, cm1, "", "b", 1, 2)}}, view.State{}, "This step wrote cm1 2 times, and last at revision 2."},
		"deleted":            {[]revisions{{one}, {del(2, cm1)}}, view.State{}, "Revision 2 deletes cm1. Until that is compacted"},
		"first seen deleted": {[]revisions{{del(2, cm1)}}, view.State{}, "Revision 2 deletes cm1. The trace does not hold"},
		"created again":      {[]revisions{{one}, {del(2, cm1)}, {put(3, cm1, "", "a", 3, 1)}}, view.State{}, "cm1 is there again, but it is another object: the one of this name was deleted at revision 2."},
		"two of one name":    {[]revisions{{one}, {del(2, cm1)}, {put(3, cm1, "", "b", 3, 1)}}, view.State{Older: 1}, "two objects of one name: it was deleted and created again in between (create_revision 1 and 3)"},
		"gone at both":       {[]revisions{{one, del(2, cm1), put(3, cm1, "", "a", 3, 1), del(4, cm1)}}, view.State{Older: 1}, "At neither revision is anything stored."},
		"the same":           {[]revisions{{one, put(2, cm1, "ConfigMap", "a", 1, 2)}}, view.State{}, "The object is the same at both revisions."},
		"only managedFields": {[]revisions{{stored(1, `{"metadata":{"managedFields":`+managed+`}}`), stored(2, `{"metadata":{"managedFields":[{"manager":"a"}]}}`)}},
			view.State{}, "Nothing differs but managedFields."},
		"only a time": {[]revisions{{stored(1, `{"metadata":{"managedFields":`+managed+`}}`), stored(2, `{"metadata":{"managedFields":`+strings.Replace(managed, "T1", "T2", 1)+`}}`)}},
			view.State{}, "Nothing differs but a time in managedFields."},
		"a Secret":            {[]revisions{{secret}}, view.State{}, "A trace does not hold what a Secret contains"},
		"no value":            {[]revisions{{one, with(put(2, cm1, "", "b", 1, 2), func(r *scenarios.Revision) { r.Value = nil })}}, view.State{}, "The trace does not hold the object's contents at both revisions."},
		"the resourceVersion": {[]revisions{{one, put(2, cm1, "", "b", 1, 2)}}, view.State{}, "the apiserver takes it from the key's mod_revision, 1 and 2."},
		"folded":              {[]revisions{{stored(1, `{"metadata":{"managedFields":`+managed+`},"x":1}`), stored(2, `{"metadata":{"managedFields":[{"manager":"a"}]},"x":2}`)}}, view.State{}, "managedFields: 2 → 1 entry, changed (o unfolds)"},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := drawn(t, indexed(c.steps...), len(c.steps)-1, cells.Size{Width: 110, Height: 40}, scenarios.English, c.at)
			if flat := strings.Join(strings.Fields(got), " "); !strings.Contains(flat, c.want) {
				t.Errorf("%q is not said in\n%s", c.want, got)
			}
			chinese, _ := drawn(t, indexed(c.steps...), len(c.steps)-1, cells.Size{Width: 110, Height: 40}, scenarios.Chinese, c.at)
			if strings.Contains(chinese, c.want) {
				t.Errorf("%q is said in English in\n%s", c.want, chinese)
			}
		})
	}
}

func TestWhatACompactionHasTakenIsNotPromised(t *testing.T) {
	x := indexed([]scenarios.Revision{put(1, cm1, "ConfigMap", "a", 1, 1)}, []scenarios.Revision{del(2, cm1)})
	for compacted, want := range map[int64]string{
		0: "Until that is compacted, etcd can still be asked what it was before.",
		1: "Until that is compacted, etcd can still be asked what it was before.",
		2: "What it was before, etcd cannot be asked any more: it is compacted at 2.",
		9: "What it was before, etcd cannot be asked any more: it is compacted at 9.",
	} {
		d := Draw(view.Input{
			Trace: &scenarios.Trace{}, Cursor: 1, Size: cells.Size{Width: 120, Height: 34}, Theme: dark, Lang: scenarios.English,
			Now: scenarios.State{Etcd: scenarios.EtcdState{Compacted: compacted}},
		}, x)
		if got := textOf(d); !strings.Contains(got, "Revision 2 deletes cm1. "+want) {
			t.Errorf("compacted at %d: no %q in\n%s", compacted, want, got)
		}
	}
}

func TestTheStripShowsTheTwoSidesHoweverManyRevisionsThereAre(t *testing.T) {
	var all []scenarios.Revision
	for i := range int64(2000) {
		all = append(all, put(1000+i, cm1, "", fmt.Sprint(i), 1000, i+1))
	}
	x := indexed(all)
	for _, c := range []struct {
		width int
		at    view.State
		want  string
	}{
		{80, view.State{}, "… 2994 ─ 2995 ─ 2996 ─ 2997 ─ [2998] ─ [2999]"},
		{80, view.State{Newer: 5000}, "[1000] ─ 1001 ─ 1002 ─ 1003 ─ 1004 ─ 1005 …"},
		{80, view.State{Newer: 500, Older: 700}, "… 1797 ─ [1798] ─ 1799 … 2498 ─ [2499] ─ 2500 …"},
		{50, view.State{Newer: 500, Older: 700}, "… [1798] … [2499] …"},
	} {
		got, _ := drawn(t, x, 0, cells.Size{Width: c.width, Height: 30}, scenarios.English, c.at)
		if !strings.Contains(got, c.want) {
			t.Errorf("in %d cells, %+v: %q is not in\n%s", c.width, c.at, c.want, got)
		}
	}
}

func TestRevisionsAfterTheCursorAreNotShown(t *testing.T) {
	trace := recorded(t, "two-writers")
	got, _ := drawn(t, indexOf(&trace), 2, cells.Size{Width: 80, Height: 22}, scenarios.English, view.State{})
	if !strings.Contains(got, "1 revision") || strings.Contains(got, "owner: A") {
		t.Errorf("the future is seen:\n%s", got)
	}
}

func TestChangedWordsAreMarkedWithinALine(t *testing.T) {
	trace := recorded(t, "two-writers")
	_, d := drawn(t, indexOf(&trace), 3, cells.Size{Width: 80, Height: 22}, scenarios.English, view.State{})
	var got []string
	for _, l := range d.Lines {
		for _, span := range l {
			if span.Style == &dark.RemovedWord || span.Style == &dark.AddedWord {
				got = append(got, span.Text)
			}
		}
	}
	if !slices.Equal(got, []string{"nobody", "A"}) {
		t.Errorf("marked are %q", got)
	}
}

func TestALongLineIsShownFromWhereItBeginsToDifferAndCanBeScrolled(t *testing.T) {
	long := func(end string) string { return `{"data":{"x":"` + strings.Repeat("same ", 60) + end + `"}}` }
	x := indexed([]scenarios.Revision{stored(1, long("this")), stored(2, long("that"))})
	size := cells.Size{Width: 60, Height: 20}
	got, d := drawn(t, x, 0, size, scenarios.English, view.State{})
	for _, want := range []string{"-   x: …e same same this", "+   x: …e same same that"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if d.At.Right != 0 {
		t.Errorf("scrolled to %d", d.At.Right)
	}
	got, d = drawn(t, x, 0, size, scenarios.English, view.State{Right: 1 << 30})
	if !strings.Contains(got, "same that │") || d.At.Right >= 1<<30 {
		t.Errorf("the end does not stand at the end, at %d:\n%s", d.At.Right, got)
	}
}

func TestWhatIsCopiedIsAUnifiedDiff(t *testing.T) {
	trace := recorded(t, "delete-and-recreate")
	x := indexOf(&trace)
	size := cells.Size{Width: 80, Height: 22}
	for _, c := range []struct {
		cursor int
		open   bool
		has    []string
		hasNot string
	}{
		{0, false, []string{"--- /dev/null\n+++ cm1 @", "+  owner: nobody\n"}, "managedFields"},
		{1, false, []string{"--- cm1 @", "\n+++ cm1 @", "\n-  owner: nobody\n+  owner: "}, "managedFields"},
		{1, true, []string{"+    - apiVersion: v1\n"}, "\x00"},
		{2, false, []string{"+++ /dev/null\n@@ -1,9 +0,0 @@\n-apiVersion: v1\n"}, "managedFields"},
	} {
		_, d := drawn(t, x, c.cursor, size, scenarios.English, view.State{Open: c.open})
		for _, want := range c.has {
			if !strings.Contains(d.Copy, want) {
				t.Errorf("step %d: %q is not in\n%s", c.cursor, want, d.Copy)
			}
		}
		if strings.Contains(d.Copy, c.hasNot) {
			t.Errorf("step %d: %q is in\n%s", c.cursor, c.hasNot, d.Copy)
		}
	}
}
