package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"rvtui/scenarios"
)

// gatherTimeout bounds the bookkeeping after a step, should a server hang that just answered.
const gatherTimeout = 10 * time.Second

// stepTimeout bounds a step as a whole. Each request has a time to end in, but an apiserver that
// is overloaded says when to try again (Retry-After), and may say so each time.
const stepTimeout = 5 * time.Minute

// Session is one walk through a scenario, in a namespace of its own or a given one. It implements
// scenarios.Session. Its calls must not overlap.
type Session struct {
	cluster   *Cluster
	namespace string
	given     bool      // the namespace was there before, and stays
	uid       types.UID // of a namespace of its own
	began     time.Time
	follower  Follower
	head      int64 // the newest revision that was seen; 0 before the first

	mu         sync.Mutex             // guards what follows: a cancelled call may end after Do
	objects    []object               // that calls named, in order
	found      []foundObject          // that were there before
	looked     []schema.GroupResource // what found was looked for among
	unanswered []string               // creations that nobody knows the outcome of
	// pending says that a CustomResourceDefinition was made: its kind may not be served yet.
	pending bool
	// wrote says who wrote which revision; what no call has been blamed for is not in it.
	// An entry "" is of what may be one's.
	wrote map[revisionKey]string
	holds map[string]holding // what each own key held when it was last read
	// doing is closed when the newest call's goroutine has ended, which may be after Do.
	doing  chan struct{}
	closed bool

	logged  int64 // the number of the next line of the log
	secrets bool  // a call was about Secrets
}

var _ scenarios.Session = (*Session)(nil)

// step is one Do: what its calls are done with, and what they saw.
type step struct {
	*Session
	recording *recording
	found     *findings
	in        *scope // of what is being done; nil where one thing is done after the other
}

// Namespace is where the session takes place.
func (s *Session) Namespace() string { return s.namespace }

// Found are the names of the objects that were in the namespace before the session, as far as
// they are of a kind that a call has named.
func (s *Session) Found() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for _, f := range s.found {
		if !slices.Contains(names, f.name) {
			names = append(names, f.name)
		}
	}
	slices.Sort(names)
	return names
}

// Do does what a call says and gathers the evidence; see scenarios.Session.
func (s *Session) Do(ctx context.Context, call scenarios.Call, progress scenarios.Progress) (scenarios.Observation, error) {
	s.secrets = s.secrets || aboutSecretsCall(call)
	seen, err := s.observe(ctx, call, progress)
	seen.Log = s.takeLog()
	if err != nil {
		err = s.cluster.config.Explain(err)
	}
	return seen, err
}

// observe is Do without the log.
func (s *Session) observe(ctx context.Context, call scenarios.Call, progress scenarios.Progress) (scenarios.Observation, error) {
	timeout := s.cluster.stepTimeout
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("it has come to no end within %s", timeout))
	defer cancel()
	if err := s.idle(ctx); err != nil {
		return scenarios.Observation{}, fmt.Errorf("waiting for the cancelled call before %s: %w", call.Verb, err)
	}
	started := s.since(s.cluster.config.Now())
	st := &step{Session: s, recording: s.record(ctx, call, progress), found: &findings{}}

	// kubectl and retry.RetryOnConflict wait without a context; so that a cancelled step
	// returns at once they may end a little later, with nothing that they could still send.
	done, doing := make(chan error, 1), make(chan struct{})
	s.doing = doing
	go func() {
		defer close(doing)
		if err := st.permit(ctx, call); err != nil {
			done <- err
			return
		}
		done <- st.do(named(ctx), call)
	}()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}

	recorded := st.recording.finish()
	seen := scenarios.Observation{
		StartedMs: started,
		Exchanges: recorded.Exchanges,
		Events:    recorded.Events,
		Revisions: []scenarios.Revision{},
		Objects:   []scenarios.Object{},
	}
	seen.DurationMs = s.since(s.cluster.config.Now()) - started
	seen.RPCs = s.takeRPCs(seen.Exchanges)
	seen.Spans = s.takeSpans(ctx, seen.Exchanges, st.recording.secrets)
	st.found.into(&seen)
	s.blame(call, seen.Exchanges, seen.RPCs)
	s.markUnanswered(seen.Exchanges)
	if ctx.Err() != nil {
		return seen, fmt.Errorf("doing %s: %w", call.Verb, context.Cause(ctx))
	}
	if lack := (*scenarios.LackError)(nil); errors.As(err, &lack) {
		return seen, lack
	}
	if refused := refusal(""); errors.As(err, &refused) {
		return seen, refused
	}
	if taken := (*scenarios.TakenError)(nil); errors.As(err, &taken) {
		return seen, taken
	}
	if undone := (*undoneError)(nil); err != nil && (!answered(seen) || errors.As(err, &undone)) {
		if aboutSecretsCall(call) {
			err = withoutQuotationError(err)
		}
		return seen, fmt.Errorf("doing %s: %w", call.Verb, err)
	}
	bounded, cancel := context.WithTimeout(ctx, gatherTimeout)
	defer cancel()
	if err := s.gather(bounded, call, &seen); err != nil {
		return seen, fmt.Errorf("gathering what %s did: %w", call.Verb, err)
	}
	return seen, nil
}

// idle waits until no call's goroutine is left.
func (s *Session) idle(ctx context.Context) error {
	if s.doing == nil {
		return nil
	}
	select {
	case <-s.doing:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// do does the call itself. The API's refusals come back as errors too: the recording
// tells them apart.
func (st *step) do(ctx context.Context, call scenarios.Call) error {
	switch call.Verb {
	case scenarios.VerbRaw:
		return st.raw(ctx, call)
	case scenarios.VerbKubectlApply:
		return st.kubectlApply(ctx, call)
	case scenarios.VerbKubectlReplace:
		return st.kubectlReplace(ctx, call)
	case scenarios.VerbWatch:
		return st.watch(ctx, call)
	case scenarios.VerbTogether:
		return st.together(ctx, call)
	case scenarios.VerbInformer:
		return st.informer(ctx, call)
	case scenarios.VerbLeaderElection:
		return st.leaderElection(ctx, call)
	case scenarios.VerbRetryOnConflict:
		return st.retryOnConflict(ctx, call)
	case scenarios.VerbEtcdGet:
		return st.etcdGet(ctx, call)
	case scenarios.VerbEtcdCompact:
		return st.etcdCompact(ctx, call)
	case scenarios.VerbAPIServerRestart:
		return st.apiserverRestart(ctx)
	default:
		return st.request(ctx, call)
	}
}

// answered reports whether anything came back, from the apiserver or from etcd.
func answered(seen scenarios.Observation) bool {
	for _, exchange := range seen.Exchanges {
		if exchange.Status != 0 {
			return true
		}
	}
	return len(seen.RPCs) > 0
}

// record starts the recording of a step.
func (s *Session) record(ctx context.Context, call scenarios.Call, progress scenarios.Progress) *recording {
	config := s.cluster.config
	r := &recording{
		ctx:      ctx,
		now:      config.Now,
		since:    s.since,
		redact:   s.redactor(),
		progress: progress,
		own:      call.Headers,
		readAll:  call.Verb == scenarios.VerbRaw,
		bound:    rawBound,
	}
	r.created = s.created
	if config.RPCs != nil {
		r.hold = config.RPCs.Hold
	}
	r.register = func(traceID string) {
		if config.RPCs != nil {
			config.RPCs.Register(traceID)
		}
		if config.Spans != nil {
			config.Spans.Register(traceID)
		}
	}
	return r
}

func (s *Session) redactor() redactor { return redactor{s.cluster.credentials} }

// config is how an actor reaches the apiserver, on the step's record.
func (st *step) config(actor scenarios.Actor) *rest.Config {
	config := st.cluster.connection(actor)
	config.Wrap(st.recording.through(st.in, actor))
	return config
}

// fieldManager is an actor's name in managedFields, and its User-Agent.
func fieldManager(actor scenarios.Actor) string { return "rvtui-" + string(actor) }

// since is a time in milliseconds since the session began.
func (s *Session) since(t time.Time) float64 {
	return float64(t.Sub(s.began)) / float64(time.Millisecond)
}
