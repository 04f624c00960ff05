package text

import (
	"strings"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/recordtest"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/recording"
	"rvtui/ui/screen"
)

func TestATextHasEachStepsTitleAndScreen(t *testing.T) {
	r := recordtest.Fixture(t, "two-writers", recording.Options{
		Size: cells.Size{Width: 80, Height: 16}, Lang: scenarios.English, Steps: []int{0, 4}, Keys: true, Views: []screen.View{screen.Panes, screen.HTTP},
	})
	var b strings.Builder
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	uitest.Golden(t, "two-writers", b.String())
	if strings.Contains(b.String(), "\x1b") {
		t.Error("there are escape codes in it")
	}
}
