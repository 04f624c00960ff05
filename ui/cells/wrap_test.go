package cells

import (
	"slices"
	"strings"
	"testing"

	"rvtui/scenarios"
)

func TestChineseIsWrappedAsItIsSet(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"两个数不一样，所以回", 12, []string{"两个数不一", "样，所以回"}},
		{"没有人加过锁。", 12, []string{"没有人加过", "锁。"}},
		{"它说“已经改过”。", 6, []string{"它说", "“已经", "改", "过”。"}},
		{"回 409，什么也不写。", 10, []string{"回 409，什", "么也不写。"}},
		{"带着 resourceVersion 写", 16, []string{"带着", "resourceVersion", "写"}},
		{"符合预期  没有写", 20, []string{"符合预期  没有写"}},
		{"（一）（二）（三）", 12, []string{"（一）（二）", "（三）"}},
		{"一\n二", 12, []string{"一", "二"}},
		{"名rvtui-7k2名", 10, []string{"名", "rvtui-7k2", "名"}},
		{"中", 1, []string{"…"}},
		{"见registry/aaaa。", 13, []string{"见", "registry/aaa", "a。"}},
	} {
		if got := Wrap(c.text, c.width); !slices.Equal(got, c.want) {
			t.Errorf("%q in %d cells: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

// Every text of the built-in scenarios, in widths from a small pane's to a large screen's.
func TestNoLineOfTheScenariosBeginsWithAClosingSign(t *testing.T) {
	all, err := scenarios.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		texts := []string{s.Title.In("zh"), s.Summary.In("zh"), s.See.In("zh"), s.Fix.In("zh")}
		for i := range s.Steps {
			texts = append(texts, s.Steps[i].Title.In("zh"), s.Steps[i].Say.In("zh"))
		}
		for _, text := range texts {
			for width := 20; width <= 118; width += 3 {
				lines := Wrap(text, width)
				for _, l := range lines {
					if Width(l) > width {
						t.Fatalf("%s: %q is wider than %d cells", s.Name, l, width)
					}
					if strings.ContainsRune("。，、；：？！）」”", []rune(l + " ")[0]) {
						t.Errorf("%s: in %d cells a line begins %q", s.Name, width, l)
					}
				}
				if got := strings.Join(lines, ""); strings.ReplaceAll(got, " ", "") != strings.Join(strings.Fields(text), "") {
					t.Fatalf("%s: in %d cells the text became %q", s.Name, width, got)
				}
			}
		}
	}
}
