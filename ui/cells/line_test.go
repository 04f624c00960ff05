package cells

import "testing"

func TestATextIsCutBehindAWord(t *testing.T) {
	for _, c := range []struct {
		s     string
		width int
		want  string
	}{
		{"please apply your changes", 25, "please apply your changes"},
		{"please apply your changes", 20, "please apply your…"},
		{"please apply your changes", 18, "please apply your…"},
		{"please apply your changes", 16, "please apply…"},
		{"200 OK · nothing written", 12, "200 OK…"},
		{"resourceVersion", 8, "resourc…"},
		{"a resourceVersion", 12, "a resourceV…"}, // more would be lost than left
		{"没有新的修订版本", 9, "没有新的…"},
		{"please", 0, ""},
	} {
		if got := CutWord(c.s, c.width); got != c.want {
			t.Errorf("%q in %d cells: got %q, want %q", c.s, c.width, got, c.want)
		}
	}
}
