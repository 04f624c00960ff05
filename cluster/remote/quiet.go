package remote

import (
	stdlog "log"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"

	"rvtui/cluster/logs"
)

// log is where the lines of the client libraries go; nil throws them away. The libraries
// know one logger for the whole process, which would write over the screen.
var log atomic.Pointer[logs.Recorder]

// toLog is that logger's writer; it is given a line at a time.
type toLog struct{}

func (toLog) Write(line []byte) (int, error) {
	read := logs.Klog(string(line))
	read.Source = logs.ClientGo // no server is in this process
	add(read)
	return len(line), nil
}

func add(line logs.Line) {
	if recorder := log.Load(); recorder != nil {
		line.At = time.Now()
		recorder.Add(line)
	}
}

// quiet takes the terminal away from the client libraries.
var quiet = sync.OnceFunc(func() {
	logger := textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(toLog{})))
	klog.SetLoggerWithOptions(logger, klog.ContextualLogger(true)) // a logger's name is kept
	stdlog.SetFlags(0)
	stdlog.SetOutput(toLog{}) // net/http's
})
