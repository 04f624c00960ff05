package rpcs

import (
	"sync"
	"time"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"google.golang.org/grpc"

	"rvtui/scenarios"
)

// recordedStream is a stream made for a registered trace id. A Watch stream carries any
// number of watches for as long as they last, so each is recorded when it is asked for; a
// RangeStream is one read, recorded when it ends.
type recordedStream struct {
	grpc.ServerStream
	recorder *Recorder
	traceID  string
	method   string

	mu      sync.Mutex
	read    *scenarios.RPC // the RangeStream's
	started time.Time
}

func (s *recordedStream) RecvMsg(message any) error {
	if err := s.ServerStream.RecvMsg(message); err != nil {
		return err
	}
	switch request := message.(type) {
	case *etcdserverpb.WatchRequest:
		if create := request.GetCreateRequest(); create != nil {
			s.recorder.record(s.traceID, time.Now(), fromRequest(s.method, create), nil)
		}
	case *etcdserverpb.RangeRequest:
		rpc := fromRequest(s.method, request)
		s.mu.Lock()
		s.read, s.started = &rpc, time.Now()
		s.mu.Unlock()
	}
	return nil
}

func (s *recordedStream) SendMsg(message any) error {
	if response, ok := message.(*etcdserverpb.RangeStreamResponse); ok {
		s.mu.Lock()
		if s.read != nil {
			addRange(s.read, response.GetRangeResponse())
		}
		s.mu.Unlock()
	}
	return s.ServerStream.SendMsg(message)
}

// finish records a read that is over.
func (s *recordedStream) finish(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read != nil {
		s.recorder.record(s.traceID, s.started, *s.read, err)
	}
}
