package sources

import (
	"context"
	"errors"
	"testing"
)

func TestWhatIsCompactedIsUnknownWhereItCannotBeFoundOut(t *testing.T) {
	for _, test := range []struct {
		floor int64
		known bool
		want  int64
		knows bool
	}{{1, true, 0, true}, {7, true, 7, true}, {0, true, 0, false}, {7, false, 0, false}} {
		if got, knows := oldestKept(test.floor, test.known); got != test.want || knows != test.knows {
			t.Errorf("%+v: %d, %t", test, got, knows)
		}
	}
	if _, known := (&apiReader{}).compacted(t.Context(), 7); known {
		t.Error("the API tells what is compacted")
	}
	if _, known := (&etcdReader{Endpoints: &Endpoints{kine: true}, floor: 1}).compacted(t.Context(), 7); known {
		t.Error("kine tells what is compacted")
	}
	e := &Exec{run: func(context.Context, []string) ([]byte, error) { return nil, errors.New("permission denied") }}
	if _, known := (&execReader{Exec: e, floor: 1}).compacted(t.Context(), 7); known {
		t.Error("etcdctl that may not read tells what is compacted")
	}
}
