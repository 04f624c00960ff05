package cluster

import (
	"context"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"rvtui/scenarios"
)

// watch opens a watch, has the other calls done, and reads events until there are as many
// as the call says, or its time is over, or the server ends the watch.
func (st *step) watch(ctx context.Context, call scenarios.Call) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	client, err := st.client(ctx, call)
	if err != nil {
		return err
	}
	options := metav1.ListOptions{
		ResourceVersion:      call.ResourceVersion,
		ResourceVersionMatch: metav1.ResourceVersionMatch(call.ResourceVersionMatch),
		AllowWatchBookmarks:  call.Bookmarks,
		FieldSelector:        call.FieldSelector,
	}
	if call.SendInitialEvents {
		options.SendInitialEvents = new(true)
	}
	stream, err := client.Watch(ctx, options)
	if st.called(call, "Watch", err) != nil {
		return err
	}
	exchange := st.recording.newest(st.in)
	mapping, err := st.resolve(ctx, call)
	if err != nil {
		return err
	}

	within := time.NewTimer(call.Within)
	defer within.Stop()
	var failed error
	var reading sync.WaitGroup
	reading.Go(func() {
		defer stream.Stop()
		for n := 0; ; {
			select {
			case event, open := <-stream.ResultChan():
				if !open {
					return
				}
				if failed = st.event(call, mapping, event, exchange); failed != nil {
					return
				}
				// What was there before the walk is no part of what it waits for.
				if named, err := meta.Accessor(event.Object); err != nil || !st.wasThere(named.GetName()) {
					n++
				}
				if n == call.Events && n > 0 {
					return
				}
			case <-within.C:
				return
			case <-ctx.Done():
				return
			}
		}
	})
	err = st.others(ctx, call.Meanwhile)
	if err != nil {
		cancel() // nobody waits for what was not done
	}
	reading.Wait()
	if err != nil {
		return err
	}
	return failed
}

// event keeps an event of the watch that exchange opened.
func (st *step) event(call scenarios.Call, mapping *meta.RESTMapping, event watch.Event, exchange int) error {
	seen := scenarios.WatchEvent{
		Actor:    call.Actor,
		Type:     string(event.Type),
		AtMs:     st.since(st.cluster.config.Now()),
		Exchange: &exchange,
	}
	if event.Type == watch.Error {
		// What a client-go reflector makes of it too.
		_ = st.called(call, "FromObject", apierrors.FromObject(event.Object))
	} else {
		object, err := meta.Accessor(event.Object)
		if err != nil {
			return fmt.Errorf("reading a watch's event: %w", err)
		}
		seen.Name, seen.ResourceVersion = object.GetName(), object.GetResourceVersion()
	}
	var err error
	if seen.Object, err = st.clean(mapping.Resource.Resource, event.Object); err != nil {
		return fmt.Errorf("recording a watch's event: %w", err)
	}
	st.recording.happened(seen)
	return nil
}
