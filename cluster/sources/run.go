package sources

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/util/exec"
	"k8s.io/streaming/pkg/httpstream"
)

// The most that a command may print, in bytes.
const (
	mostPrinted = 16 << 20
	mostErrors  = 64 << 10
)

// inPod is a way to run commands in a pod: as they are, with no shell, no terminal and no input.
func inPod(config *rest.Config, client kubernetes.Interface, pod etcdPod) func(context.Context, []string) ([]byte, error) {
	config = rest.CopyConfig(config)
	config.Timeout = 0 // the connection is a stream, and each command has its own deadline
	return func(ctx context.Context, command []string) ([]byte, error) {
		ctx, cancel := context.WithTimeout(ctx, readTimeout)
		defer cancel()
		target := client.CoreV1().RESTClient().Post().Namespace(pod.namespace).Resource("pods").Name(pod.name).SubResource("exec").
			VersionedParams(&corev1.PodExecOptions{Container: pod.container, Command: command, Stdout: true, Stderr: true}, scheme.ParameterCodec).URL()
		spdy, err := remotecommand.NewSPDYExecutor(config, "POST", target)
		if err != nil {
			return nil, err
		}
		webSocket, err := remotecommand.NewWebSocketExecutor(config, "GET", target.String())
		if err != nil {
			return nil, err
		}
		executor, err := remotecommand.NewFallbackExecutor(webSocket, spdy, func(err error) bool {
			return httpstream.IsUpgradeFailure(err) || httpstream.IsHTTPSProxyError(err)
		})
		if err != nil {
			return nil, err
		}
		stdout, stderr := &bounded{most: mostPrinted}, &bounded{most: mostErrors}
		err = executor.StreamWithContext(ctx, remotecommand.StreamOptions{Stdout: stdout, Stderr: stderr})
		var exit exec.CodeExitError
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case stdout.over:
			return nil, fmt.Errorf("it printed more than %d MiB", mostPrinted>>20)
		case errors.As(err, &exit):
			return nil, fmt.Errorf("it ended with %d: %s", exit.Code, ctlError(stderr.kept.String()))
		case err != nil:
			return nil, errors.New(strings.Join(strings.Fields(err.Error()), " "))
		}
		return stdout.kept.Bytes(), nil
	}
}

// bounded keeps what is written to it, up to so many bytes. (It is no bytes.Buffer, whose
// ReadFrom would be used instead of Write.)
type bounded struct {
	kept bytes.Buffer
	most int
	over bool
}

// Write drops what is too much: an error here would be taken for one of the connection.
func (b *bounded) Write(p []byte) (int, error) {
	room := min(len(p), b.most-b.kept.Len())
	b.over = b.over || room < len(p)
	b.kept.Write(p[:room])
	return len(p), nil
}
