package screen_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/internal/viewtest"
	"rvtui/ui/screen"
	"rvtui/ui/theme"
	"rvtui/ui/words"
)

// arn is as long as the names get that clouds give to contexts.
const arn = "arn:aws:eks:eu-west-1:123456789012:cluster/prod"

// Clusters that show less than the embedded control plane: what they do not show is said to be
// unseen, in every view.
func TestGoldensOfClustersThatShowLess(t *testing.T) {
	for _, c := range []struct {
		name, trace string
		can         []string
		step        int
		state       screen.State
	}{
		{"panes", "two-writers", nil, 4, screen.State{Focus: screen.PaneB}},
		{"skipped", "two-writers", nil, 6, screen.State{Focus: screen.PaneWords}},
		{"list", "consistent-from-cache", nil, 3, screen.State{}},
		{"list-words", "consistent-from-cache", nil, 3, screen.State{Focus: screen.PaneWords}},
		{"read-only-client", "consistent-from-cache", []string{scenarios.CapabilityEtcdRead}, 3, screen.State{Focus: screen.PaneEtcd}},
		{"race", "true-race", nil, 2, screen.State{Focus: screen.PaneEtcd}},
		{"zoom-etcd", "two-writers", nil, 4, screen.State{View: screen.Zoomed, Focus: screen.PaneEtcd}},
		{"zoom-etcd-race", "true-race", nil, 2, screen.State{View: screen.Zoomed, Focus: screen.PaneEtcd}},
		{"zoom-words", "two-writers", nil, 4, screen.State{View: screen.Zoomed, Focus: screen.PaneWords}},
		{"http", "two-writers", nil, 4, screen.State{View: screen.HTTP}},
		{"http-skipped", "two-writers", nil, 6, screen.State{View: screen.HTTP}},
		{"diff", "two-writers", nil, 3, screen.State{View: screen.Diff}},
		{"timeline", "two-writers", nil, 6, screen.State{View: screen.Timeline}},
		{"timeline-list", "consistent-from-cache", nil, 3, screen.State{View: screen.Timeline}},
		{"timeline-race", "true-race", nil, 2, screen.State{View: screen.Timeline}},
		{"path", "two-writers", nil, 4, screen.State{View: screen.Path}},
		{"path-list", "consistent-from-cache", nil, 3, screen.State{View: screen.Path}},
		{"log", "two-writers", nil, 4, screen.State{View: screen.Log}},
		{"found", "consistent-from-cache", nil, 3, screen.State{Focus: screen.PaneA}},
		{"found-http", "consistent-from-cache", nil, 3, screen.State{View: screen.HTTP}},
		{"present", "consistent-from-cache", nil, 3, screen.State{Presenting: true, Idea: 3}},
		{"predicted", "consistent-from-cache", nil, 3, screen.State{Predict: true, Predicted: map[int]int{3: 2}}},
	} {
		trace := uitest.Less(t, c.trace, c.can...)
		if strings.HasPrefix(c.name, "found") {
			withRootCA(&trace)
		}
		story := screen.NewStory(trace)
		c.state.Cursor = c.step
		viewtest.Goldens(t, "unseen/"+c.name, drawing(story, c.state))
	}
	for name, list := range map[string]screen.Picker{
		"picker":            {Info: scenarios.Info{Mode: "kind-dev", Kubernetes: "1.35.4", Source: "the API alone"}, Ready: "ready in 0.3 s"},
		"picker-long":       {Info: scenarios.Info{Mode: arn, Kubernetes: "1.36.3", Etcd: "3.6.5", Source: "read-only client"}, Ready: "ready in 0.3 s"},
		"picker-connecting": {Starting: &screen.Starting{What: "connecting to kind-dev", Context: "kind-dev", Phases: []string{"kube-apiserver 1.35.4"}, Elapsed: 700 * time.Millisecond}},
	} {
		list.Scenarios = chapters(t)[:3]
		viewtest.Goldens(t, "unseen/"+name, func(size cells.Size, th *theme.Theme, lang string) string {
			return screen.PickerFrame(list, size, th, lang)
		})
	}
}

// withRootCA puts what the controller manager puts into every namespace into what was listed.
func withRootCA(trace *scenarios.Trace) {
	trace.Found = []string{"kube-root-ca.crt"}
	const root = `{"metadata":{"name":"kube-root-ca.crt","namespace":"ns","resourceVersion":"20"},"data":{"ca.crt":"-----BEGIN CERTIFICATE-----\nMIIDBTCCAe2gAwIBAgIIS\n-----END CERTIFICATE-----\n"}}`
	e := &trace.Steps[2].Exchanges[0]
	list := words.Object(e.ResponseBody)
	items, _ := list["items"].([]any)
	list["items"] = append(items, words.Object([]byte(root)))
	e.ResponseBody, _ = json.Marshal(list) // it was JSON before
}

// What would be concluded from an empty list of RPCs is said nowhere where they are not
// recorded, nor is a number shown that nobody told.
func TestNothingIsConcludedFromRPCsThatNobodyRecorded(t *testing.T) {
	conclusions := []string{
		"no write reached", "etcd wrote nothing", "no RPC reached", "no RPC:", "· no RPC ", "compacted none", "nothing is compacted", "nothing was seen", "0 RPC",
		"没有写操作到达", "etcd 什么也没写", "没有 RPC 到达", "没有 RPC：", "没有压缩过",
	}
	for _, name := range []string{"two-writers", "consistent-from-cache", "true-race", "any-version", "no-op", "resume", "merge-patch", "delete-and-recreate", "conflict-and-retry"} {
		trace := uitest.Less(t, name)
		for i := range trace.Steps { // what the scenario expects and tells is not rvtui's own conclusion
			trace.Steps[i].Checks, trace.Steps[i].Say = nil, nil
		}
		story := screen.NewStory(trace)
		for cursor := range story.Taken() + 1 {
			for v := screen.Panes; v <= screen.Log; v++ {
				for _, lang := range words.Languages {
					for _, size := range []cells.Size{{Width: 200, Height: 60}, {Width: 80, Height: 24}} {
						frame := screen.Frame(story, screen.State{View: v, Cursor: cursor, Focus: screen.PaneEtcd}, size, dark, lang)
						text := uitest.Cells(t, frame, size.Width, size.Height)
						for _, said := range conclusions {
							if strings.Contains(text, said) {
								t.Fatalf("%s, step %d, %s: %q is said:\n%s", name, cursor, v.Name(), said, text)
							}
						}
					}
				}
			}
		}
	}
}
