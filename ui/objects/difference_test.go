package objects

import (
	"strings"
	"testing"
)

func lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "|")
}

func TestDifference(t *testing.T) {
	for name, c := range map[string]struct{ before, after, want string }{
		"nothing":             {"", "", ""},
		"the same":            {"a|b", "a|b", " a| b"},
		"a value":             {"data:|  owner: nobody", "data:|  owner: A", " data:|-  owner: nobody|+  owner: A"},
		"all new":             {"", "a|b", "+a|+b"},
		"all gone":            {"a|b", "", "-a|-b"},
		"in the middle":       {"a|x|c", "a|y|z|c", " a|-x|+y|+z| c"},
		"two places":          {"a|b|c|d|e", "a|B|c|D|e", " a|-b|+B| c|-d|+D| e"},
		"an overlap of edges": {"a|a", "a|a|a", " a| a|+a"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, change := range Difference(lines(c.before), lines(c.after)) {
				got = append(got, string(change.Sign)+change.Text)
			}
			if s := strings.Join(got, "|"); s != c.want {
				t.Errorf("got %q, want %q", s, c.want)
			}
		})
	}
}

// What a difference keeps and removes is the text before; what it keeps and adds, the text after.
func FuzzDifference(f *testing.F) {
	f.Add("a|b|c", "a|c|d")
	f.Fuzz(func(t *testing.T, before, after string) {
		var was, is []string
		for _, c := range Difference(lines(before), lines(after)) {
			if c.Sign != '+' {
				was = append(was, c.Text)
			}
			if c.Sign != '-' {
				is = append(is, c.Text)
			}
		}
		if strings.Join(was, "|") != before || strings.Join(is, "|") != after {
			t.Errorf("the difference of %q and %q gives %q and %q", before, after, was, is)
		}
	})
}
