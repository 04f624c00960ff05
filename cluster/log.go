package cluster

import (
	"context"
	"fmt"

	"k8s.io/klog/v2"

	"rvtui/cluster/logs"
	"rvtui/scenarios"
)

// maxLogLines is how many lines of the log a step holds at the most.
const maxLogLines = 300

// named is a context whose logger has a name, so that what client-go logs for a call can
// be told from what the kube-apiserver's own client-go does in the same process.
func named(ctx context.Context) context.Context {
	return klog.NewContext(ctx, klog.Background().WithName(logs.ClientGo))
}

// takeLog takes the lines that were logged since it was called before, the newest of them.
// They are the process's: other walks' and the servers' own too.
func (s *Session) takeLog() []scenarios.LogLine {
	recorder := s.cluster.config.Log
	if recorder == nil {
		return nil
	}
	lines, next := recorder.Since(s.logged)
	count := next - s.logged
	s.logged = next
	lines = lines[max(0, len(lines)-maxLogLines):]
	redact := s.redactor()
	var taken []scenarios.LogLine
	if left := count - int64(len(lines)); left > 0 && len(lines) > 0 {
		taken = append(taken, scenarios.LogLine{
			AtMs: s.since(lines[0].At), Source: "rvtui", Level: logs.Info, Text: fmt.Sprintf("%d older lines are left out", left),
		})
	}
	for _, line := range lines {
		text := redact.text(line.Text)
		if s.secrets {
			text = withoutQuotation(text)
		}
		taken = append(taken, scenarios.LogLine{AtMs: s.since(line.At), Source: line.Source, Level: line.Level, Text: text})
	}
	return taken
}
