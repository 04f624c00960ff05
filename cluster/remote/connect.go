package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"k8s.io/client-go/kubernetes/scheme"
	_ "k8s.io/client-go/plugin/pkg/client/auth" // kubeconfigs with an auth-provider: oidc
	"k8s.io/client-go/rest"

	"rvtui/cluster"
	"rvtui/cluster/logs"
	"rvtui/scenarios"
)

// EtcdSource is an opened source of evidence on etcd.
type EtcdSource struct {
	Store cluster.Store
	Can   []string // the capabilities that it gives, such as scenarios.CapabilityEtcdRead
	// Why it does not give one of etcd's capabilities, with what to do about it.
	Why     func(capability string) string
	Version string       // etcd's; "" where nobody knows
	Close   func() error // may be nil
}

// OpenEtcd opens the source that the flags name. config is how the apiserver is reached.
type OpenEtcd func(ctx context.Context, etcd Etcd, config *rest.Config) (*EtcdSource, error)

// Options say how to connect.
type Options struct {
	Flags    *Flags
	OpenEtcd OpenEtcd
	Report   func(phase string) // is told each phase; may be nil
	// Log takes what the client libraries and, once a screen is there, a credential plugin
	// have to say; it may be nil.
	Log *logs.Recorder
	// Say is where a person reads what a credential plugin says, such as where to log in.
	Say io.Writer
	// Screen says that after Connect the terminal belongs to a screen.
	Screen bool
	Now    func() time.Time // time.Now if nil
}

// Remote is a cluster of the user's own.
type Remote struct {
	Target
	// Config is for cluster.New.
	Config cluster.Config
	// Capabilities are all that there are, in scenarios' order.
	Capabilities []Capability

	plugin *plugin
	close  func() error
	now    func() time.Time
}

// Connect reaches the cluster that the flags name, logs in, and looks at what it can show.
// It writes nothing there. The errors are whole lines for a person.
func Connect(ctx context.Context, options Options) (*Remote, error) {
	log.Store(options.Log)
	quiet()
	config, target, err := options.Flags.target()
	if err != nil {
		return nil, err
	}
	report := options.Report
	if report == nil {
		report = func(string) {}
	}
	report("connecting to " + target.Name())
	after := requestTimeout
	if config.Timeout > 0 {
		after = config.Timeout
	}
	config.Timeout = 0
	config.QPS = -1
	config.WarningHandler = rest.NoWarnings{}
	config.Wrap((&deadline{after: after}).wrap)
	r := &Remote{Target: target, now: options.Now}
	if r.now == nil {
		r.now = time.Now
	}
	if r.plugin, err = takePlugin(config); err != nil {
		return nil, r.Explain(err)
	}
	version, err := r.logIn(ctx, config, options.Say)
	if err != nil {
		return nil, r.Explain(err)
	}
	report(fmt.Sprintf("connecting to %s: how etcd can be read", target.Name()))
	source, err := options.OpenEtcd(ctx, options.Flags.Etcd(), config)
	if err != nil {
		if options.Flags.Etcd().Via == EtcdEndpoints { // these are not the apiserver's
			return nil, err
		}
		return nil, r.Explain(err)
	}
	r.close = source.Close
	report(fmt.Sprintf("connecting to %s: what it can show", target.Name()))
	whole := rest.CopyConfig(config)
	whole.Timeout = after + time.Second // after the deadline, whose error says more
	r.Capabilities, err = capabilities(ctx, whole, source)
	if err != nil {
		return nil, errors.Join(r.Explain(err), r.Close())
	}
	if options.Screen {
		r.plugin.speak(nil)
	}
	// What rvtui itself asks ends as a whole, client-go's own repetitions with it; a step's
	// requests, and watches, have the deadline of each alone.
	config.Timeout = after + time.Second
	r.Config = cluster.Config{
		REST: config, Store: source.Store, Log: options.Log, Prefix: options.Flags.Etcd().Prefix, Explain: r.Explain,
		Info: scenarios.Info{Mode: target.Name(), Kubernetes: version, Etcd: source.Version, Source: source.Store.Source()},
		Can:  can(r.Capabilities),
	}
	return r, nil
}

// Close ends what reads etcd. It writes nothing, and leaves nothing that was written.
func (r *Remote) Close() error {
	if r.close == nil {
		return nil
	}
	return r.close()
}

// logIn makes the first request, which is where a credential plugin may ask something.
// client-go runs one without a context, so that the request may end after ctx: then nobody
// waits for it.
func (r *Remote) logIn(ctx context.Context, config *rest.Config, say io.Writer) (version string, err error) {
	// A discovery client would end the login after 32 s.
	asking := named(config)
	asking.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	client, err := rest.UnversionedRESTClientFor(asking)
	if err != nil {
		return "", err
	}
	done := r.plugin.mayAsk(say)
	type answer struct {
		version string
		err     error
	}
	answers := make(chan answer, 1)
	ctx = context.WithValue(ctx, patienceKey{}, &patience{})
	go func() {
		version, err := serverVersion(ctx, client)
		answers <- answer{version, err}
	}()
	select {
	case got := <-answers:
		done()
		return got.version, got.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// named is a copy of config for what the program itself has to ask.
func named(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
	config.UserAgent = "rvtui"
	return config
}
