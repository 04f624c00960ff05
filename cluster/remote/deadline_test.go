package remote

import (
	"context"
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

func TestALongerWaitThanARequestMayTakeIsAnError(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	defer server.Close()
	client := &http.Client{Transport: (&deadline{after: time.Minute}).wrap(http.DefaultTransport)}
	ask := func(ctx context.Context, path string) error {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := client.Do(request)
		if err == nil {
			response.Body.Close()
		}
		return err
	}
	bounded, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var busy *BusyError
	if err := ask(bounded, "/api?timeout=1m0s"); !errors.As(err, &busy) || busy.Wait != time.Hour {
		t.Errorf("a request of the program's own: %v", err)
	}
	if err := ask(context.WithValue(t.Context(), patienceKey{}, &patience{}), "/version"); !errors.As(err, &busy) {
		t.Errorf("a login: %v", err)
	}
	if err := ask(bounded, "/api"); err != nil {
		t.Errorf("a step's request, which waits as it is told: %v", err)
	}
}

func TestAVersionThatDoesNotEndIsGivenUp(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for chunk := make([]byte, 64<<10); r.Context().Err() == nil; {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}))
	defer server.Close()
	client := &http.Client{Transport: (&deadline{after: time.Minute}).wrap(http.DefaultTransport)}
	response, err := client.Get(server.URL + "/version")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	if stranger := (*strangerError)(nil); !errors.As(err, &stranger) || len(read) != mostVersion {
		t.Errorf("%d bytes, error %v", len(read), err)
	}
}
