package cluster

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"rvtui/scenarios"
)

func TestARawAnswerThatDoesNotEndIsReadUpToABound(t *testing.T) {
	const event = `{"type":"ADDED"}` + "\n"
	for name, test := range map[string]struct {
		bound   bound
		more    bool // the server goes on writing
		want    string
		atLeast int
	}{
		"in time":  {bound{time.Millisecond, 1 << 20}, false, "stopped reading after 0.001 s", 0},
		"in bytes": {bound{time.Hour, 1 << 20}, true, "stopped reading after 1 MiB", 1 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			url := serve(t, func(w http.ResponseWriter, r *http.Request) {
				io.WriteString(w, event)
				w.(http.Flusher).Flush()
				for test.more && r.Context().Err() == nil {
					io.WriteString(w, event)
				}
				<-r.Context().Done()
			})
			r := newRecording(t.Context(), nil)
			r.readAll, r.bound = true, test.bound
			response := send(t, r, scenarios.Observer, "GET", url+"/x?watch=true", "")
			read, err := io.ReadAll(response.Body)
			if err != nil || len(read) < test.atLeast {
				t.Errorf("the client read %d bytes, %v", len(read), err)
			}
			exchange := r.finish().Exchanges[0]
			if exchange.Status != 200 || exchange.Error != test.want || exchange.InFlight {
				t.Errorf("status %d, error %q", exchange.Status, exchange.Error)
			}
			if test.more && !strings.Contains(string(exchange.ResponseBody), "ADDED") {
				t.Error("what was read is not recorded")
			}
		})
	}
}

func TestARawAnswerThatEndsIsReadWhole(t *testing.T) {
	b := bound{time: time.Hour, bytes: 4}
	for body, want := range map[string]string{"1234": "", "12345": "stopped reading after 0 MiB"} {
		read, err := b.read(io.NopCloser(strings.NewReader(body)), func() {})
		if string(read) != "1234" || (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: %q, %v", body, read, err)
		}
	}
}
