package logs

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"
)

func TestKlogsTextIsReadAsItIsWritten(t *testing.T) {
	tests := []struct {
		name string
		log  func(klog.Logger)
		want Line
	}{
		{"a message", func(l klog.Logger) { l.Info("Started", "n", 1) }, Line{Source: KubeAPIServer, Level: Info, Text: `"Started" n=1`}},
		{"an error", func(l klog.Logger) { l.Error(errors.New("no"), "Failed") }, Line{Source: KubeAPIServer, Level: Error, Text: `"Failed" err="no"`}},
		{"a text of more than one line", func(l klog.Logger) { l.Info("x", "v", "a\nb") }, Line{Source: KubeAPIServer, Level: Info, Text: "\"x\" v=<\n\ta\n\tb\n >"}},
		{"another logger's name", func(l klog.Logger) { l.WithName("UnhandledError").Error(nil, "x") }, Line{Source: KubeAPIServer, Level: Error, Text: `"x" logger="UnhandledError"`}},
		{"client-go", func(l klog.Logger) { l.WithName(ClientGo).Info("x", "n", 1) }, Line{Source: ClientGo, Level: Info, Text: `"x" n=1`}},
		{"a name within client-go's", func(l klog.Logger) { l.WithName(ClientGo).WithName("UnhandledError").Error(errors.New("no"), "x") }, Line{Source: ClientGo, Level: Error, Text: `"x" err="no" logger="UnhandledError"`}},
		{"a name that begins like client-go's", func(l klog.Logger) { l.WithName("client-gone").Info("x") }, Line{Source: KubeAPIServer, Level: Info, Text: `"x" logger="client-gone"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var written bytes.Buffer
			test.log(textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(&written))))
			if got := Klog(written.String()); got != test.want {
				t.Errorf("%q is read as %+v", written.String(), got)
			}
		})
	}
}

func TestALineSaysItsLevelSourceAndText(t *testing.T) {
	tests := []struct {
		name string
		read func(string) Line
		line string
		want Line
	}{
		{"a klog warning", Klog, "W1130 12:00:00.000001   12345 cacher.go:162] Terminating all watchers [1]\n", Line{Source: KubeAPIServer, Level: Warning, Text: "Terminating all watchers [1]"}},
		{"a fatal klog message", Klog, "F1130 12:00:00.000001 7 a.go:1] the end\n", Line{Source: KubeAPIServer, Level: Error, Text: "the end"}},
		{"no klog header", Klog, "goroutine 1 [running]:\n", Line{Source: KubeAPIServer, Level: Info, Text: "goroutine 1 [running]:"}},
		{"nothing", Klog, "", Line{Source: KubeAPIServer, Level: Info}},
		{"a message of etcd", Zap, "2026-11-30T12:00:00.000Z\tinfo\tetcd\tcompact tree index\t{\"revision\": 21}\n", Line{Source: "etcd", Level: Info, Text: `compact tree index {"revision": 21}`}},
		{"a warning of etcd's client, with no fields", Zap, "2026-11-30T12:00:00.000Z\twarn\tetcd-client.inner\tretrying\n", Line{Source: "etcd-client", Level: Warning, Text: "retrying"}},
		{"a panic of etcd", Zap, "2026-11-30T12:00:00.000Z\tpanic\tetcd\tno space\n", Line{Source: "etcd", Level: Error, Text: "no space"}},
		{"no zap line", Zap, "write error: x\n", Line{Source: "etcd", Level: Info, Text: "write error: x"}},
		{"a warning of gRPC", GRPCLog, "2026/11/30 12:00:00 WARNING: [core] closing\n", Line{Source: GRPC, Level: Warning, Text: "[core] closing"}},
		{"an error of gRPC", GRPCLog, "2026/11/30 12:00:00 ERROR: [core] failed\n", Line{Source: GRPC, Level: Error, Text: "[core] failed"}},
		{"no gRPC line", GRPCLog, "x\n", Line{Source: GRPC, Level: Warning, Text: "x"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.read(test.line); got != test.want {
				t.Errorf("%q is read as %+v", test.line, got)
			}
		})
	}
}

func FuzzAnyLineIsRead(f *testing.F) {
	f.Add("W1130 12:00:00.000001   12345 cacher.go:162] \"x\" logger=\"client-go.reflector\" n=1\n")
	f.Add("2026-11-30T12:00:00.000Z\tinfo\tetcd\tcompact tree index\t{\"revision\": 21}\n")
	f.Add("2026/11/30 12:00:00 WARNING: [core] closing\n")
	f.Add("")
	f.Fuzz(func(t *testing.T, line string) {
		for name, read := range map[string]func(string) Line{"klog": Klog, "zap": Zap, "grpc": GRPCLog} {
			got := read(line)
			if !slices.Contains([]string{Info, Warning, Error}, got.Level) {
				t.Errorf("%s: level %q", name, got.Level)
			}
			if len(got.Text) > len(line) || strings.HasSuffix(got.Text, "\n") {
				t.Errorf("%s: %q is read as %q", name, line, got.Text)
			}
		}
	})
}
