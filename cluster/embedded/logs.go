package embedded

import (
	"errors"
	"fmt"
	"io"
	stdlog "log"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	_ "unsafe" // for go:linkname

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"google.golang.org/grpc/grpclog"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"

	"rvtui/cluster/logs"
)

// logFile takes all that the two servers and their libraries have to say. Several of them
// know only one logger for the whole process, and would write to the terminal.
type logFile struct {
	file   *os.File
	lines  *logs.Recorder // keeps the newest lines too; may be nil
	failed func(error)
}

// current is what the process's loggers write to; nil throws it away, for what still runs
// after a control plane is closed.
var current atomic.Pointer[logFile]

// toCurrent is the writer that the process's loggers have. Each writes a line at a time.
type toCurrent struct {
	read func(line string) logs.Line // reads the logger's format; nil: to the file only
}

func (w toCurrent) Write(line []byte) (int, error) {
	if log := current.Load(); log != nil {
		_, _ = log.file.Write(line)
		if log.lines != nil && w.read != nil {
			read := w.read(string(line))
			read.At = time.Now()
			// Where a control plane has its directory is nobody's business.
			read.Text = strings.ReplaceAll(read.Text, filepath.Dir(log.file.Name())+"/", "")
			log.lines.Add(read)
		}
	}
	return len(line), nil
}

// openLog opens the file and points the process's loggers at it. failed is told of what
// would have ended the process. lines may be nil.
func openLog(path string, lines *logs.Recorder, failed func(error)) (*logFile, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	log := &logFile{file: file, lines: lines, failed: failed}
	current.Store(log)
	installLoggers()
	return log, nil
}

// zap returns a logger for what speaks zap. A fatal message ends the goroutine that says
// it, not the process.
func (*logFile) zap(name string) *zap.Logger {
	return zapLogger(name, toCurrent{logs.Zap})
}

// own returns a logger for what the program itself asks of etcd: to the file only, for it is
// no part of what the servers do.
func (*logFile) own(name string) *zap.Logger {
	return zapLogger(name, toCurrent{})
}

func zapLogger(name string, to toCurrent) *zap.Logger {
	format := zap.NewProductionEncoderConfig()
	format.EncodeTime = zapcore.ISO8601TimeEncoder
	encoder := zapcore.NewConsoleEncoder(format)
	core := zapcore.NewCore(encoder, zapcore.AddSync(to), zapcore.InfoLevel)
	return zap.New(core, zap.ErrorOutput(zapcore.AddSync(toCurrent{})),
		zap.WithFatalHook(fatalHook{}), zap.WithPanicHook(fatalHook{})).Named(name)
}

type fatalHook struct{}

func (fatalHook) OnWrite(entry *zapcore.CheckedEntry, fields []zapcore.Field) {
	err := errors.New(entry.Message)
	for _, field := range fields {
		if why, ok := field.Interface.(error); ok && field.Type == zapcore.ErrorType {
			err = fmt.Errorf("%s: %w", entry.Message, why)
		}
	}
	fatal(fmt.Errorf("%s ended: %w", entry.LoggerName, err))
}

// fatal tells of what would have ended the process, and ends the goroutine instead: with
// the terminal in raw mode it is for the program to end itself.
func fatal(err error) {
	if log := current.Load(); log != nil {
		log.failed(err)
	}
	runtime.Goexit()
}

func (l *logFile) close() {
	current.CompareAndSwap(l, nil)
	_ = l.file.Close()
}

// etcdClientLogger is the logger of the kube-apiserver's etcd clients. It is made when the
// package is initialised, writes to the terminal, and cannot be reached in any other way.
//
//go:linkname etcdClientLogger k8s.io/apiserver/pkg/storage/storagebackend/factory.etcd3ClientLogger
var etcdClientLogger *zap.Logger

// etcdClientLoggerIsLinked says whether the variable is still there: the compiler does not.
var etcdClientLoggerIsLinked bool

// installLoggers takes the terminal away from every logger of the process.
var installLoggers = sync.OnceFunc(func() {
	logger := textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(toCurrent{logs.Klog})))
	options := []klog.LoggerOption{klog.ContextualLogger(true)} // a logger's name is kept
	if sink, ok := logger.GetSink().(textlogger.KlogBufferWriter); ok {
		options = append(options, klog.WriteKlogBuffer(sink.WriteKlogBuffer)) // a warning stays one
	}
	klog.SetLoggerWithOptions(logger, options...)
	klog.OsExit = func(code int) {
		fatal(fmt.Errorf("the kube-apiserver ended with code %d; see its log", code))
	}
	// What is written for errors goes to the writer of warnings as well.
	grpclog.SetLoggerV2(grpclog.NewLoggerV2(io.Discard, toCurrent{logs.GRPCLog}, io.Discard))
	stdlog.SetOutput(toCurrent{})
	etcdClientLoggerIsLinked = etcdClientLogger != nil
	etcdClientLogger = zapLogger("etcd-client", toCurrent{logs.Zap})
	rest.SetDefaultWarningHandler(rest.NewWarningWriter(toCurrent{}, rest.WarningWriterOptions{}))
	// A panic in one of the kube-apiserver's goroutines is logged, and ends just that.
	utilruntime.ReallyCrash = false
})
