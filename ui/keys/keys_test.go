package keys

import (
	"testing"

	"rvtui/ui/internal/uitest"
)

func TestMarkdownGolden(t *testing.T) {
	english := func(s string) string { return s }
	uitest.Golden(t, "keys", Markdown("key", english))
	uitest.Golden(t, "commands", CommandMarkdown("command", english))
}
