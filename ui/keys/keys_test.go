package keys

import (
	"testing"

	"rvtui/ui/internal/uitest"
)

func TestMarkdownGolden(t *testing.T) {
	uitest.Golden(t, "keys", Markdown())
	uitest.Golden(t, "commands", CommandMarkdown())
}
