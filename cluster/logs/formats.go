package logs

import (
	"regexp"
	"strings"
)

// The sources. Those of zap are the loggers' own names, such as "etcd" and "etcd-client".
const (
	KubeAPIServer = "kube-apiserver"
	ClientGo      = "client-go" // as rvtui's writers and observers run it
	GRPC          = "grpc"
)

// klogHeader is what a line of klog begins with: "I0102 15:04:05.000000    1234 file.go:56] ".
var klogHeader = regexp.MustCompile(`^([IWEF])\d{4} \d{2}:\d{2}:\d{2}\.\d{6} +\d+ [^\] ]+\] ?`)

// klogName is how klog's text format names a logger of client-go as rvtui runs it: the name
// that it was given, and those that were added within.
var klogName = regexp.MustCompile(` logger="` + ClientGo + `(?:"|\.([^"]*)")`)

// Klog reads a line of klog's text format. All that logs with klog in the process is the
// kube-apiserver, but for loggers with the name ClientGo. What has no header is kept whole.
func Klog(line string) Line {
	read := Line{Source: KubeAPIServer, Level: Info, Text: strings.TrimRight(line, "\n")}
	header := klogHeader.FindStringSubmatch(line)
	if header == nil {
		return read
	}
	read.Text = read.Text[min(len(header[0]), len(read.Text)):]
	switch header[1] {
	case "W":
		read.Level = Warning
	case "E", "F":
		read.Level = Error
	}
	if at := klogName.FindStringSubmatchIndex(read.Text); at != nil {
		read.Source = ClientGo
		name := ""
		if at[2] >= 0 {
			name = ` logger="` + read.Text[at[2]:at[3]] + `"`
		}
		read.Text = read.Text[:at[0]] + name + read.Text[at[1]:]
	}
	return read
}

// Zap reads a line of zap's console format: the time, the level, the logger's name and the
// message with its fields, with a tab before each. What looks different is kept whole.
func Zap(line string) Line {
	line = strings.TrimRight(line, "\n")
	parts := strings.SplitN(line, "\t", 4)
	if len(parts) < 4 {
		return Line{Source: "etcd", Level: Info, Text: line}
	}
	name, _, _ := strings.Cut(parts[2], ".")
	return Line{Source: name, Level: zapLevel(parts[1]), Text: strings.ReplaceAll(parts[3], "\t", " ")}
}

func zapLevel(level string) string {
	switch level {
	case "warn":
		return Warning
	case "error", "dpanic", "panic", "fatal":
		return Error
	}
	return Info
}

// grpcHeader is what a line of grpclog begins with: "2009/11/10 23:00:00 WARNING: ".
var grpcHeader = regexp.MustCompile(`^\d{4}/\d{2}/\d{2} \d{2}:\d{2}:\d{2} (INFO|WARNING|ERROR|FATAL): `)

// GRPCLog reads a line of grpclog. What has no header is kept whole.
func GRPCLog(line string) Line {
	read := Line{Source: GRPC, Level: Warning, Text: strings.TrimRight(line, "\n")}
	if header := grpcHeader.FindStringSubmatch(read.Text); header != nil {
		read.Text = read.Text[len(header[0]):]
		switch header[1] {
		case "INFO":
			read.Level = Info
		case "ERROR", "FATAL":
			read.Level = Error
		}
	}
	return read
}
