package remote

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// TestADeadlineIsForRequestsAndForTheBeginningOfWatches has a server that sends what it has
// begun with, and then nothing until a request to /end.
func TestADeadlineIsForRequestsAndForTheBeginningOfWatches(t *testing.T) {
	end := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/end":
			close(end)
			return
		case "/silent":
			<-r.Context().Done()
			return
		case "/refused":
			w.WriteHeader(http.StatusGone)
		}
		w.(http.Flusher).Flush()
		select {
		case <-end:
			io.WriteString(w, "all of it")
		case <-r.Context().Done():
		}
	}))
	defer server.Close()
	client := &http.Client{Transport: (&deadline{after: 50 * time.Millisecond}).wrap(http.DefaultTransport)}
	get := func(path string) (io.ReadCloser, error) {
		response, err := client.Get(server.URL + path)
		if err != nil {
			return nil, err
		}
		return response.Body, nil
	}
	read := func(body io.ReadCloser) (string, error) {
		defer body.Close()
		text, err := io.ReadAll(body)
		return string(text), err
	}
	var slow *SlowError

	watch, err := get("/watched?watch=true")
	if err != nil {
		t.Fatal(err)
	}
	// These two take as long as they may, after the watch has begun.
	for _, path := range []string{"/list", "/refused?watch=true"} {
		body, err := get(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := read(body); !errors.As(err, &slow) {
			t.Errorf("%s, whose body does not end: %v", path, err)
		}
	}
	for _, path := range []string{"/silent", "/silent?watch=true"} {
		if _, err := get(path); !errors.As(err, &slow) || !slow.Timeout() {
			t.Errorf("%s, which is not answered: %v", path, err)
		}
	}
	if body, err := get("/end"); err != nil {
		t.Errorf("a request that is answered: %v", err)
	} else if _, err := read(body); err != nil {
		t.Errorf("a request that is answered: %v", err)
	}
	if text, err := read(watch); err != nil || text != "all of it" {
		t.Errorf("a watch that lasts: %q, %v", text, err)
	}
}
