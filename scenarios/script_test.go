package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
)

// scripted is a cluster whose answers are written down beforehand. It keeps the calls
// that it got.
type scripted struct {
	can     []string
	answers []scriptedAnswer
	calls   []Call
	found   []string
	closed  int
}

type scriptedAnswer struct {
	seen Observation
	err  error
}

func (s *scripted) Info() Info {
	return Info{Mode: "embedded", Kubernetes: "1.37.2", Etcd: "3.7.3"}
}
func (s *scripted) Can() []string                                 { return s.can }
func (s *scripted) Open(context.Context, string) (Session, error) { return s, nil }
func (s *scripted) Found() []string                               { return s.found }

func (s *scripted) Namespace() string           { return "rvtui-test" }
func (s *scripted) Close(context.Context) error { s.closed++; return nil }
func (s *scripted) Do(_ context.Context, call Call, _ Progress) (Observation, error) {
	s.calls = append(s.calls, call)
	if len(s.answers) < len(s.calls) {
		return Observation{}, fmt.Errorf("no answer was written down for call %d", len(s.calls))
	}
	next := s.answers[len(s.calls)-1]
	return next.seen, next.err
}

// configMap is cm1 as an apiserver answers it.
func configMap(rv int64, owner string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(
		`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"cm1","resourceVersion":"%d"},"data":{"owner":%q}}`, rv, owner))
}

// answered is what one exchange brought, with cm1 as it is afterwards.
func answered(actor Actor, method string, status int, body json.RawMessage, rv int64, owner string) Observation {
	return Observation{
		Exchanges: []Exchange{{Actor: actor, Call: 1, Attempt: 1, Method: method, Status: status, ResponseBody: body}},
		Objects: []Object{{
			Kind: "ConfigMap", Name: "cm1", Exists: true, ResourceVersion: fmt.Sprint(rv), Object: configMap(rv, owner),
			CreateRevision: 10, ModRevision: rv, KeyVersion: 1,
		}},
		Etcd: EtcdState{Head: rv},
	}
}

func mustDecode(t *testing.T, content string) *Scenario {
	t.Helper()
	scenario, err := Decode("test.yaml", []byte(content))
	if err != nil {
		t.Fatal(err)
	}
	return scenario
}
