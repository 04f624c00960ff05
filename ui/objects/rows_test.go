package objects

import (
	"fmt"
	"strings"
	"testing"
)

// marked is a row with its changed words in brackets.
func marked(r Row) string {
	in := func(s string, parts []Part) string {
		for i := len(parts) - 1; i >= 0; i-- {
			s = s[:parts[i].From] + "[" + s[parts[i].From:parts[i].To] + "]" + s[parts[i].To:]
		}
		return s
	}
	switch r.Sign {
	case '-':
		return "-" + r.Before
	case '+':
		return "+" + r.After
	case '~':
		return "~" + in(r.Before, r.Removed) + " => " + in(r.After, r.Added)
	}
	return " " + r.Before
}

func TestALineIsBesideTheOneThatReplacesItWithTheChangedWordsMarked(t *testing.T) {
	for name, c := range map[string]struct{ before, after, want string }{
		"nothing":                       {"", "", ""},
		"a value":                       {"data:|  owner: nobody", "data:|  owner: A", " data:|~  owner: [nobody] =>   owner: [A]"},
		"a field above the changed one": {"  owner: A|  size: s", "  note: x|  owner: B|  size: s", "+  note: x|~  owner: [A] =>   owner: [B]|   size: s"},
		"a field goes":                  {"  a: 1|  b: 2", "  b: 3", "-  a: 1|~  b: [2] =>   b: [3]"},
		"items of a list":               {"- a: 1|- b|- c", "- a: 2|- d", "~- a: [1] => - a: [2]|~- [b] => - [d]|-- c"},
		"another indent":                {"a: 1", "  a: 1", "-a: 1|+  a: 1"},
		"a word of a long line":         {`  x: '{"owner":"A","size":"s"}'`, `  x: '{"owner":"B","size":"s"}'`, `~  x: '{"owner":"[A]","size":"s"}' =>   x: '{"owner":"[B]","size":"s"}'`},
		"a number within a time":        {"  t: 2026-11-30T12:40:56Z", "  t: 2026-11-30T12:40:57Z", "~  t: 2026-11-30T12:40:[56Z] =>   t: 2026-11-30T12:40:[57Z]"},
		"what is not ASCII":             {"  名: 你好, x", "  名: 再见, x", "~  名: [你好], x =>   名: [再见], x"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, r := range Rows(lines(c.before), lines(c.after)) {
				got = append(got, marked(r))
			}
			if s := strings.Join(got, "|"); s != c.want {
				t.Errorf("got %q, want %q", s, c.want)
			}
		})
	}
}

// The left sides are the text before and the right sides the text after; what is not
// marked in a replaced line is the same on both sides.
func FuzzRows(f *testing.F) {
	f.Add("a: 1|b: 2|c", "a: 2|c|d: x")
	f.Add("  名: 你好|\xff\xfe: -", "  名: 再见|\xff: - -")
	f.Fuzz(func(t *testing.T, before, after string) {
		var was, is []string
		for _, r := range Rows(lines(before), lines(after)) {
			if r.Sign != '+' {
				was = append(was, r.Before)
			}
			if r.Sign != '-' {
				is = append(is, r.After)
			}
			if r.Sign == '~' {
				if a, b := without(t, r.Before, r.Removed), without(t, r.After, r.Added); a != b {
					t.Errorf("%q without its changed words is %q, and %q is %q", r.Before, a, r.After, b)
				}
			}
		}
		if strings.Join(was, "|") != before || strings.Join(is, "|") != after {
			t.Errorf("the rows of %q and %q give %q and %q", before, after, was, is)
		}
	})
}

func without(t *testing.T, s string, parts []Part) string {
	out, at := "", 0
	for _, p := range parts {
		if p.From < at || p.To <= p.From || p.To > len(s) {
			t.Fatalf("the parts %v of %q", parts, s)
		}
		out, at = out+s[at:p.From], p.To
	}
	return out + s[at:]
}

// BenchmarkRows: an object as large as etcd takes, all of it changed, and one word of it.
func BenchmarkRows(b *testing.B) {
	text := func(value string, every int) (out []string) {
		for i := range 30_000 {
			v := "the same"
			if i%every == 0 {
				v = value
			}
			out = append(out, fmt.Sprintf("  field-%d: a value that is %s, and long", i, v))
		}
		return out
	}
	line := func(value string) []string { return []string{"  x: " + strings.Repeat("a word, "+value+" ", 60_000)} }
	for name, c := range map[string][2][]string{
		"all lines": {text("this", 1), text("that", 1)}, "some lines": {text("this", 1000), text("that", 1000)},
		"one line": {line("this"), line("that")},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Rows(c[0], c[1])
			}
		})
	}
}
