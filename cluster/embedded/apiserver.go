package embedded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/spf13/pflag"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apiserver/pkg/server"
	"k8s.io/client-go/rest"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"

	"rvtui/cluster/spans"
)

// readyInterval is how often /readyz is asked while the kube-apiserver starts.
const readyInterval = 15 * time.Millisecond

// apiserver is one kube-apiserver, serving on a free port of loopback.
type apiserver struct {
	directory   *directory
	log         *os.File
	fail        func(error) // is told where it ends of its own accord
	etcd        string      // its endpoint
	spans       *spans.Recorder
	listener    *cutListener
	credentials *credentials
	config      *app.Config

	cancel  context.CancelFunc // ends run
	stopped chan struct{}      // closed when it ended; nil where it never ran
}

func newAPIServer(directory *directory, log *logFile, etcd string, credentials *credentials, spans *spans.Recorder) *apiserver {
	return &apiserver{directory: directory, log: log.file, fail: log.failed, etcd: etcd, credentials: credentials, spans: spans}
}

// listen makes what others need to know of the server, and what stop has to end.
func (a *apiserver) listen(address string) error {
	listener, err := net.Listen("tcp4", address)
	if err != nil {
		return err
	}
	a.listener = &cutListener{Listener: listener}
	return nil
}

// configure works out the server's configuration; in the end it waits for etcd to listen.
func (a *apiserver) configure(ctx context.Context, profile profile) (err error) {
	if err := a.credentials.writeToken(); err != nil {
		return err
	}
	// It is read once, and nothing asks for it again.
	defer func() { err = cmp.Or(err, a.credentials.removeToken()) }()
	run := options.NewServerRunOptions()
	set := pflag.NewFlagSet("kube-apiserver", pflag.ContinueOnError)
	set.SetOutput(toCurrent{})
	named := run.Flags()
	for _, flags := range named.FlagSets {
		set.AddFlagSet(flags)
	}
	if err := set.Parse(append(a.flags(), profile.flags...)); err != nil {
		return err
	}
	run.SecureServing.Listener = a.listener
	address := a.listener.Addr().(*net.TCPAddr)
	run.SecureServing.BindPort, run.SecureServing.ExternalAddress = address.Port, address.IP

	if err := run.GenericServerRunOptions.ComponentGlobalsRegistry.Set(); err != nil {
		return err
	}
	completed, err := run.Complete(ctx)
	if err != nil {
		return err
	}
	if errs := completed.Validate(); len(errs) > 0 {
		return utilerrors.NewAggregate(errs)
	}
	a.config, err = app.NewConfig(completed)
	if err != nil {
		return err
	}
	for _, config := range []*server.Config{
		&a.config.Aggregator.GenericConfig.Config,
		a.config.KubeAPIs.ControlPlane.Generic,
		&a.config.ApiExtensions.GenericConfig.Config,
	} {
		config.EffectiveVersion = trueVersion{config.EffectiveVersion}
		if profile.noOpenAPIV2 {
			config.OpenAPIConfig = nil
		}
		if a.spans != nil {
			// In place of the one that --tracing-config-file would make, which differs in where
			// the spans go to: to a collector, in batches.
			config.TracerProvider = a.spans.Provider()
		}
	}
	return nil
}

// flags say where things are.
func (a *apiserver) flags() []string {
	return []string{
		"--etcd-servers=" + a.etcd,
		"--bind-address=127.0.0.1",
		"--advertise-address=127.0.0.1",
		"--tls-cert-file=" + a.credentials.certFile,
		"--tls-private-key-file=" + a.credentials.keyFile,
		"--token-auth-file=" + a.credentials.tokenFile,
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + a.credentials.serviceAccountKeyFile,
		"--service-account-signing-key-file=" + a.credentials.serviceAccountKeyFile,
		"--service-cluster-ip-range=10.0.0.0/24",
	}
}

// run starts the server that configure prepared, and returns once it is ready. etcd must
// serve by then. over ends, with the reason, where a fatal message ended one of its goroutines.
func (a *apiserver) run(ctx, over context.Context, listening func()) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	runCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	a.cancel = cancel
	a.stopped = make(chan struct{})
	serving := make(chan struct{})
	go func() {
		// In a goroutine of its own, because a fatal message ends it.
		defer close(a.stopped)
		err := a.serve(runCtx, serving)
		if runCtx.Err() == nil {
			a.fail(fmt.Errorf("the kube-apiserver ended: %w", cmp.Or(err, errors.New("it gave no reason"))))
		}
	}()
	select {
	case <-serving:
		listening()
		return a.awaitReady(ctx, over)
	case <-over.Done():
		return context.Cause(over)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// serve builds the server and runs it until ctx is done. serving is closed once it listens.
func (a *apiserver) serve(ctx context.Context, serving chan<- struct{}) error {
	completed, err := a.config.Complete()
	if err != nil {
		return err
	}
	chain, err := app.CreateServerChain(completed)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		chain.GenericAPIServer.Destroy()
		return nil
	}
	prepared, err := chain.PrepareRun()
	if err != nil {
		return err
	}
	// It takes os.Stderr for its HTTP server's complaints, of a client that was killed for
	// one; there is no other way to give it the log.
	terminal := os.Stderr
	restore := sync.OnceFunc(func() { os.Stderr = terminal })
	defer restore()
	os.Stderr = a.log
	a.listener.accepting = func() {
		restore()
		close(serving)
	}
	return prepared.Run(ctx)
}

// awaitReady returns once /readyz says ok.
func (a *apiserver) awaitReady(ctx, over context.Context) error {
	config := a.credentials.restConfig(a.listener.Addr())
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()
	tick := time.NewTicker(readyInterval)
	defer tick.Stop()
	var last error
	for {
		if last = askReady(ctx, client, config.Host+"/readyz"); last == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-over.Done():
			return context.Cause(over)
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", context.Cause(ctx), last)
		}
	}
}

func askReady(ctx context.Context, client *http.Client, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body)
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("/readyz answers %s", response.Status)
	}
	return nil
}

// stop ends the server. Requests still under way after the grace time, watches above all,
// are cut off. It reports whether the server has ended before the timeout, or before over.
func (a *apiserver) stop(over context.Context, timeout time.Duration) (ended bool) {
	if a.listener == nil {
		return true
	}
	if a.stopped == nil {
		_ = a.listener.Close()
		return true
	}
	a.cancel()
	select {
	case <-a.stopped:
		return true
	case <-time.After(graceTime):
	}
	a.listener.cut()
	select {
	case <-a.stopped:
		return true
	case <-over.Done():
		return false
	case <-time.After(timeout):
		return false
	}
}
