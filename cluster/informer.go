package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"

	"rvtui/scenarios"
)

// informer starts client-go's informer, lets its watch lag once its cache is filled, has
// the other calls done, and then does what a controller does: it takes the object from the
// cache, changes it and writes it.
func (st *step) informer(ctx context.Context, call scenarios.Call) error {
	ctx, cancel := context.WithCancel(ctx)
	mapping, err := st.resolve(ctx, call)
	if err != nil {
		cancel()
		return err
	}
	lag := newLag(ctx)
	config := st.config(call.Actor)
	config.Wrap(lag.transport)
	lagging, err := dynamic.NewForConfig(config)
	if err != nil {
		cancel()
		return fmt.Errorf("making a client for %s: %w", call.Actor, err)
	}
	client, err := st.client(ctx, call)
	if err != nil {
		cancel()
		return err
	}

	namespace := metav1.NamespaceAll
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		namespace = st.namespace
	}
	informer := dynamicinformer.NewFilteredDynamicInformer(lagging, mapping.Resource, namespace, 0, cache.Indexers{}, nil).Informer()
	var running sync.WaitGroup
	running.Go(func() { informer.RunWithContext(ctx) })
	defer running.Wait()
	defer cancel()
	if err := synced(ctx, informer); err != nil {
		return &undoneError{call.Verb, err}
	}
	if err := st.cacheFilled(call, mapping, informer.GetStore()); err != nil {
		return err
	}
	lag.begin()
	defer lag.end()
	if err := st.others(ctx, call.Meanwhile); err != nil {
		return err
	}

	cached, found, err := informer.GetStore().GetByKey(cache.NewObjectName(namespace, call.Name).String())
	object, ok := cached.(*unstructured.Unstructured)
	if err != nil || !found || !ok {
		return &undoneError{call.Verb, fmt.Errorf("%s is not in the informer's cache", call.Name)}
	}
	if call.PatchType == "" {
		changed := &unstructured.Unstructured{Object: scenarios.Change(object.Object, call.Set)}
		_, err = client.Update(ctx, changed, metav1.UpdateOptions{FieldManager: managerOf(call)})
		return st.called(call, "Update", err)
	}
	patch, err := json.Marshal(scenarios.Change(nil, call.Set))
	if err != nil {
		return fmt.Errorf("encoding the patch: %w", err)
	}
	_, err = client.Patch(ctx, call.Name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: managerOf(call)})
	return st.called(call, "Patch", err)
}

// cacheFilled keeps what a streaming list filled an informer's cache with, as the events that
// they came in; of a list the answer holds it already.
func (st *step) cacheFilled(call scenarios.Call, mapping *meta.RESTMapping, store cache.Store) error {
	exchange, streamed := st.recording.streaming(st.in)
	if !streamed {
		return nil
	}
	for _, item := range store.List() {
		object, ok := item.(*unstructured.Unstructured)
		if !ok || st.wasThere(object.GetName()) {
			continue
		}
		if err := st.event(call, mapping, watch.Event{Type: watch.Added, Object: object}, exchange); err != nil {
			return err
		}
	}
	return nil
}

// syncTimeout bounds how long an informer may take to fill its cache: it tries for ever.
const syncTimeout = 10 * time.Second

func synced(ctx context.Context, informer cache.SharedIndexInformer) error {
	bounded, cancel := context.WithTimeout(ctx, syncTimeout)
	defer cancel()
	select {
	case <-informer.HasSyncedChecker().Done():
		return nil
	case <-bounded.Done():
		return fmt.Errorf("filling the informer's cache: %w", bounded.Err())
	}
}

// lag holds back what the watches of a client bring, as a slow network or a busy client
// would.
type lag struct {
	ctx context.Context // at its end nothing is held back any more

	mu   sync.Mutex
	over chan struct{} // closed when what is held back may go on; nil where nothing is
}

func newLag(ctx context.Context) *lag { return &lag{ctx: ctx} }

func (l *lag) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = make(chan struct{})
}

func (l *lag) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.over)
	l.over = nil
}

func (l *lag) wait() {
	l.mu.Lock()
	over := l.over
	l.mu.Unlock()
	if over == nil {
		return
	}
	select {
	case <-over:
	case <-l.ctx.Done():
	}
}

func (l *lag) transport(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		response, err := next.RoundTrip(request)
		if err == nil && IsWatch(request.URL) {
			response.Body = lagging{response.Body, l}
		}
		return response, err
	})
}

// lagging is the answer to a watch.
type lagging struct {
	io.ReadCloser
	lag *lag
}

// Read waits after it has read, for what comes later is asked for before it is there.
func (b lagging) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.lag.wait()
	return n, err
}
