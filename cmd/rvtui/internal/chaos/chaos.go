// Package chaos stands between rvtui and an apiserver, for tests: it passes on what is sent, but
// for the requests that are to go wrong. It may import client-go; it must never make up an
// answer that nobody has asked it for.
package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// Fault is what goes wrong, with which requests.
type Fault struct {
	On    func(*http.Request) bool // nil is every request
	After int                      // so many of them go well before
	Times int                      // and so many go wrong; 0 is all from then on
	// Do answers in the apiserver's place, which it is given.
	Do func(w http.ResponseWriter, r *http.Request, apiserver http.Handler)
}

// Proxy is a way to an apiserver.
type Proxy struct {
	*httptest.Server

	mu     sync.Mutex
	faults []Fault
	met    []int
	log    []string
}

// Start starts a proxy before the apiserver of config. The caller closes it.
func Start(config *rest.Config, faults ...Fault) (*Proxy, error) {
	to, err := url.Parse(config.Host)
	if err != nil {
		return nil, fmt.Errorf("reading the apiserver's address: %w", err)
	}
	// The client's own credentials are passed on.
	transport, err := rest.TransportFor(&rest.Config{Host: config.Host, TLSClientConfig: rest.TLSClientConfig{CAData: config.CAData, CAFile: config.CAFile}})
	if err != nil {
		return nil, fmt.Errorf("making a client of the apiserver: %w", err)
	}
	apiserver := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(to) },
		Transport:     transport,
		FlushInterval: -1, // a watch's events
		ErrorHandler:  func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	p := &Proxy{faults: faults, met: make([]int, len(faults))}
	p.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := &status{ResponseWriter: w}
		defer func() { p.note(r, seen.code) }()
		// An answer that comes before the body was passed on would be cut short.
		sent, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(sent))
		if fault := p.fault(r); fault != nil {
			fault.Do(seen, r, apiserver)
			return
		}
		apiserver.ServeHTTP(seen, r)
	}))
	p.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connection{}, c)
	}
	p.EnableHTTP2 = true
	p.StartTLS()
	return p, nil
}

// connection is the key of a request's connection in its context.
type connection struct{}

// fault is the first one that a request meets.
func (p *Proxy) fault(r *http.Request) *Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.faults {
		f := &p.faults[i]
		if f.On != nil && !f.On(r) {
			continue
		}
		p.met[i]++
		if n := p.met[i]; n > f.After && (f.Times == 0 || n <= f.After+f.Times) {
			return f
		}
	}
	return nil
}

func (p *Proxy) note(r *http.Request, code int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log = append(p.log, fmt.Sprintf("%s %s %d", r.Method, r.URL.RequestURI(), code))
}

// Requests are those that were made, and what each was answered with; 0 where it was not.
func (p *Proxy) Requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.log...)
}

// status keeps an answer's status.
type status struct {
	http.ResponseWriter
	code int
}

func (s *status) WriteHeader(code int) {
	s.code = code
	s.ResponseWriter.WriteHeader(code)
}

// Unwrap lets http.ResponseController flush.
func (s *status) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// On is the requests of a method with a path that ends, before its query, as said. "*" in the
// place of a method is all of them.
func On(method, path string) func(*http.Request) bool {
	return func(r *http.Request) bool {
		return (method == "*" || r.Method == method) && strings.HasSuffix(r.URL.Path, path)
	}
}

// Answer answers as an apiserver does. headers are names and values in turn.
func Answer(code int, reason metav1.StatusReason, message string, headers ...string) func(http.ResponseWriter, *http.Request, http.Handler) {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		_ = json.NewEncoder(w).Encode(metav1.Status{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
			Status:   metav1.StatusFailure, Code: int32(code), Reason: reason, Message: message,
		})
	}
}

// Cut closes the connection without an answer.
func Cut(_ http.ResponseWriter, r *http.Request, _ http.Handler) {
	_ = r.Context().Value(connection{}).(net.Conn).Close()
}

// CutAfter lets the apiserver do what is asked, and then closes the connection.
func CutAfter(w http.ResponseWriter, r *http.Request, apiserver http.Handler) {
	apiserver.ServeHTTP(httptest.NewRecorder(), r)
	Cut(w, r, nil)
}

// Hang never answers.
func Hang(_ http.ResponseWriter, r *http.Request, _ http.Handler) { <-r.Context().Done() }
