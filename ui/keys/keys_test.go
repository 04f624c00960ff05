package keys

import (
	"testing"

	"rvtui/ui/internal/uitest"
)

func TestMarkdownGolden(t *testing.T) {
	english := func(s string) string { return s }
	uitest.Golden(t, "keys", Markdown(english))
	uitest.Golden(t, "commands", CommandMarkdown(english))
}
