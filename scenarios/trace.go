package scenarios

import (
	"encoding/json"
	"io"
)

// Actor is who does a step.
type Actor string

// The actors. A and B are the two writers; the observer only reads; the admin does
// what a cluster's operator would (compaction, for one), and the setup.
const (
	A        Actor = "A"
	B        Actor = "B"
	Observer Actor = "observer"
	Admin    Actor = "admin"
)

// Verdict is what became of a step or of a scenario.
type Verdict string

// The verdicts. A step that the cluster cannot do (a missing capability) is skipped,
// never failed.
const (
	OK      Verdict = "ok"
	Failed  Verdict = "failed"
	Skipped Verdict = "skipped"
)

// TraceVersion is the version of the trace format that this program writes.
const TraceVersion = 1

// Trace is everything that was seen while a scenario was walked through. It is
// append-only: the header is known when the setup is done, then one Observation is
// added for each step. It holds all that a screen shows, texts included, so that it
// can be opened again with no cluster and no scenario file.
type Trace struct {
	Version    int    `json:"version"`    // of the format: TraceVersion
	Scenario   string `json:"scenario"`   // its name
	Kubernetes string `json:"kubernetes"` // version of the kube-apiserver, such as "1.37.2"
	Etcd       string `json:"etcd"`       // version of etcd, such as "3.7.3"
	Mode       string `json:"mode"`       // "embedded", or how else the cluster was reached
	Namespace  string `json:"namespace"`  // the namespace that the scenario had for itself

	Can   []string `json:"can,omitzero"`    // the capabilities that the cluster gave; where it says nothing, all
	Found []string `json:"found,omitempty"` // the names of the objects that were in the namespace before

	Chapter string   `json:"chapter"`           // the heading under which the scenario stands
	Title   Text     `json:"title"`             // the scenario in a line
	Summary Text     `json:"summary,omitempty"` // the scenario in a paragraph
	Fix     Text     `json:"fix,omitempty"`     // what to do instead
	Sources []string `json:"sources,omitempty"` // documentation pages, KEPs, files and what to read in them

	Plan  []PlannedStep `json:"plan"`            // what each step is going to do; as long as the scenario
	Setup *Observation  `json:"setup,omitempty"` // step 0: what was made before the first step
	Steps []Observation `json:"steps"`           // what was seen; at most as long as Plan
}

// WriteJSON writes the trace as `rvtui run -o json` does: one indented document. Signs
// that HTML minds stay as they are.
func (t Trace) WriteJSON(w io.Writer) error {
	if t.Steps == nil {
		t.Steps = []Observation{} // no step taken yet is a list of none
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	return encoder.Encode(t)
}

// PlannedStep is what can be said of a step before it is taken. It gives no answer away.
type PlannedStep struct {
	Actor Actor `json:"actor"` // who does it
	// Others are those who act within the step: at the same time, or meanwhile.
	Others    []Actor `json:"others,omitempty"`
	Operation string  `json:"operation"`         // "replace cm1"
	Title     Text    `json:"title"`             // one line: "B replaces cm1 with the resourceVersion it read"
	Ask       Text    `json:"ask,omitempty"`     // the question to ask before the step
	Choices   []Text  `json:"choices,omitempty"` // the answers to choose from
	Slow      string  `json:"slow,omitempty"`    // how long it takes, where that is long: "about 43 s"
}

// Observation is all evidence of one step.
type Observation struct {
	Step      int     `json:"step"`             // 1 for the first step; 0 is the setup
	ID        string  `json:"id,omitempty"`     // by which expressions of later steps name it
	Actor     Actor   `json:"actor"`            // who did it
	Operation string  `json:"operation"`        // as in the plan
	Verdict   Verdict `json:"verdict"`          // failed where a check did not hold, or where it could not be done
	Expected  string  `json:"expected"`         // all checks' expectations in English, in one line
	Got       string  `json:"got"`              // what came, in English, in one line
	Checks    []Check `json:"checks,omitempty"` // each expectation, and what came of it
	Error     string  `json:"error,omitempty"`  // the step could not be done at all: why
	Reason    string  `json:"reason,omitempty"` // a skipped step: why

	// Lack lists the capabilities that the cluster would need for the step, if it was skipped,
	// or for what its texts and its question's answers rest on. Those of a check are the check's.
	Lack []string `json:"lack,omitempty"`

	// Right is which of the plan's choices the evidence shows to be right, from 1; 0 where
	// the step asks nothing, or where not exactly one is.
	Right int `json:"right,omitempty"`

	Title Text `json:"title"`         // one line
	Say   Text `json:"say,omitempty"` // the narration, with the trace's own numbers filled in

	StartedMs  float64 `json:"startedMs"`  // since the trace began
	DurationMs float64 `json:"durationMs"` // of the whole step

	Exchanges []Exchange   `json:"exchanges"`        // every HTTP attempt
	RPCs      []RPC        `json:"rpcs"`             // every gRPC call that reached etcd
	Revisions []Revision   `json:"revisions"`        // every etcd revision since the step before, others' too
	Events    []WatchEvent `json:"events"`           // of watches
	Client    []ClientCall `json:"client,omitempty"` // what the client libraries returned to their callers
	Spans     []Span       `json:"spans,omitempty"`  // the apiserver's own, where it was asked to record them
	Log       []LogLine    `json:"log,omitempty"`    // what the servers and the client libraries logged

	Objects []Object  `json:"objects"` // the scenario's objects after the step, as the apiserver serves them
	Etcd    EtcdState `json:"etcd"`    // after the step

	// Parts are the setup's steps, where it has several and one of them has an id.
	Parts []Part `json:"parts,omitempty"`
}

// Check is one expectation and what came of it.
type Check struct {
	Expected Text   `json:"expected"`      // "409 Conflict", "nothing is written"
	Got      Text   `json:"got"`           // the same where it held
	CEL      string `json:"cel,omitempty"` // the expression, where the check is one
	OK       bool   `json:"ok"`            // whether it held
	// Unseen says that it does not count: what it rests on was not seen, or it is so only since
	// another version of Kubernetes.
	Unseen bool     `json:"unseen,omitempty"`
	Lack   []string `json:"lack,omitempty"`  // the capabilities that seeing it would need
	Since  string   `json:"since,omitempty"` // the version of Kubernetes from which on it is so, where the server is older
}

// Exchange is one HTTP attempt. A client's own retry is another exchange.
type Exchange struct {
	Actor           Actor             `json:"actor"`                  // who sent it
	Call            int               `json:"call"`                   // which of the step's client calls it belongs to, from 1
	Attempt         int               `json:"attempt"`                // which of that call's attempts it is, from 1
	Method          string            `json:"method"`                 // GET, POST, PUT, PATCH, DELETE
	Path            string            `json:"path"`                   // with the query, as sent
	Status          int               `json:"status"`                 // of HTTP; 0 where no answer came
	RequestHeaders  map[string]string `json:"requestHeaders"`         // those that can hold no credential
	RequestBody     json.RawMessage   `json:"requestBody,omitempty"`  // as sent; what is no JSON is a string
	ResponseHeaders map[string]string `json:"responseHeaders"`        // those that can hold no credential
	ResponseBody    json.RawMessage   `json:"responseBody,omitempty"` // as it came; what is no JSON is a string
	StartedMs       float64           `json:"startedMs"`              // since the trace began
	DurationMs      float64           `json:"durationMs"`             // until the answer was there
	TraceID         string            `json:"traceId"`                // of the W3C traceparent that the request carried
	Error           string            `json:"error,omitempty"`        // no answer came: why
	InFlight        bool              `json:"inFlight,omitempty"`     // only in progress reports: not answered yet
}

// RPC is one gRPC call that reached etcd.
type RPC struct {
	Exchange *int   `json:"exchange"`           // index into the step's exchanges; nil where rvtui itself asked etcd
	Actor    Actor  `json:"actor"`              // of the request that it was made for
	Method   string `json:"method"`             // Range, Txn, Compact, …
	Key      string `json:"key"`                // of a Range, the first; of a Txn, the one that it is about
	RangeEnd string `json:"rangeEnd,omitempty"` // where a Range of several keys ends, which is not in it
	// AtRevision is the revision that a Range asked for; 0 means the newest.
	AtRevision int64 `json:"atRevision,omitempty"`
	Limit      int64 `json:"limit,omitempty"` // of keys
	// CompareModRevision is N in a Txn's `if mod_revision(key) = N`; nil where nothing is compared.
	CompareModRevision *int64 `json:"compareModRevision"`
	// Succeeded says whether a Txn's compare held; nil for any other method.
	Succeeded *bool `json:"succeeded"`
	// Writes is what the Txn writes if its compare holds: "put", "delete" or "".
	Writes string `json:"writes,omitempty"`
	// Revision is the store's revision in the answer's header.
	Revision int64 `json:"revision"`
	// ModRevision is the mod_revision of the key that came back, where one key did.
	ModRevision int64   `json:"modRevision,omitempty"`
	Count       int64   `json:"count,omitempty"` // of keys that came back
	StartedMs   float64 `json:"startedMs"`       // since the trace began
	DurationMs  float64 `json:"durationMs"`      // until etcd had answered
	// HeldMs is how much of that rvtui held the call at etcd's door, until the others of a
	// together with meetAtEtcd were there; 0 if it was let through at once.
	HeldMs float64 `json:"heldMs,omitempty"`
	Error  string  `json:"error,omitempty"` // what etcd refused it with
}

// Span is one of the kube-apiserver's own spans: a piece of work that it did for a request
// (k8s.io/component-base/tracing, and the names in k8s.io/apiserver: "Update",
// "GuaranteedUpdate etcd3", "List(recursive=true) etcd3").
type Span struct {
	Exchange int `json:"exchange"` // index into the step's exchanges
	// Parent is the index, in the step's spans, of the span that this one is part of; nil
	// for a request's outermost one.
	Parent     *int              `json:"parent,omitempty"`
	Name       string            `json:"name"`                 // "GuaranteedUpdate etcd3"
	Attributes map[string]string `json:"attributes,omitempty"` // as the apiserver set them
	StartedMs  float64           `json:"startedMs"`            // since the trace began
	DurationMs float64           `json:"durationMs"`           // until its end
	Events     []SpanEvent       `json:"events"`               // what happened within it
}

// SpanEvent is something that happened within a span: "Transaction prepared".
type SpanEvent struct {
	Name       string            `json:"name"`                 // "Transaction prepared"
	Attributes map[string]string `json:"attributes,omitempty"` // as the apiserver set them
	AtMs       float64           `json:"atMs"`                 // since the trace began
}

// LogLine is one line that a server or a client library logged. It belongs to the step
// that was under way, or to the next one where none was.
type LogLine struct {
	AtMs   float64 `json:"atMs"`   // since the trace began
	Source string  `json:"source"` // "kube-apiserver", "etcd", "client-go", …
	Level  string  `json:"level"`  // "info", "warning", "error"
	Text   string  `json:"text"`   // without the time, the level and the source
}

// Wrote reports whether the call changed the store.
func (r RPC) Wrote() bool {
	switch r.Method {
	case "Put", "DeleteRange":
		return r.Error == ""
	case "Txn":
		return r.Writes != "" && r.Succeeded != nil && *r.Succeeded
	}
	return false
}

// Who else wrote a revision, where it was no actor.
const (
	BySetup   = "setup"
	ByUnknown = "someone else" // a background writer, or a person beside rvtui
)

// Revision is one key's change in one etcd revision.
type Revision struct {
	Revision       int64  `json:"revision"`           // of the store
	Op             string `json:"op"`                 // PUT or DELETE
	Key            string `json:"key"`                // etcd key
	Name           string `json:"name,omitempty"`     // the object's name, for keys of the scenario's own namespace
	CreateRevision int64  `json:"createRevision"`     // of the key: when it was created
	ModRevision    int64  `json:"modRevision"`        // of the key: when it was last written, which is now
	Version        int64  `json:"version"`            // of the key: how many times it was written since
	By             string `json:"by"`                 // an actor, "setup", "someone else", or "" where that cannot be told
	Exchange       *int   `json:"exchange,omitempty"` // index into the step's exchanges
	// Value is the object as stored, decoded, or as the apiserver serves it where etcd was not
	// read; only for the scenario's own keys, and never for a Secret.
	Value json.RawMessage `json:"value,omitempty"`
	// Unreadable says why there is no value, where etcd has one that cannot be read: "encrypted by aescbc".
	Unreadable string `json:"unreadable,omitempty"`
	Own        bool   `json:"own"` // of the scenario's own namespace; in one that others use too, of its own objects
}

// Gone reports whether etcd can no longer give the revision, being compacted at another
// one: what a key held there is kept, a deletion there is too, and what was before is not.
// next is the key's next revision, 0 where there is none. See keyIndex.compact in
// go.etcd.io/etcd/server/v3/storage/mvcc.
func (r Revision) Gone(next, compacted int64) bool {
	if r.Op == "DELETE" && r.Revision < compacted {
		return true
	}
	return next > 0 && next <= compacted
}

// Others reports whether nobody of the scenario made the change, as far as is known: what
// its actors and its setup write outside of its namespace is theirs too.
func (r Revision) Others() bool { return !r.Own && (r.By == ByUnknown || r.By == "") }

// WatchEvent is one event of a watch.
type WatchEvent struct {
	Actor           Actor   `json:"actor"`              // whose watch it is
	Type            string  `json:"type"`               // ADDED, MODIFIED, DELETED, BOOKMARK, ERROR
	Name            string  `json:"name"`               // of the object
	ResourceVersion string  `json:"resourceVersion"`    // of the object
	AtMs            float64 `json:"atMs"`               // since the trace began
	Exchange        *int    `json:"exchange,omitempty"` // index into the step's exchanges
	// Object is what the event carries: the object, or the Status of an ERROR.
	Object json.RawMessage `json:"object,omitempty"`
}

// ClientCall is what a client library's call came to for its caller: the Go error, and
// what k8s.io/apimachinery/pkg/api/errors says of it.
type ClientCall struct {
	Actor           Actor  `json:"actor"`            // who called
	Call            string `json:"call"`             // "Update", "RetryOnConflict", "kubectl apply"
	Error           string `json:"error,omitempty"`  // err.Error(); "" for nil
	IsConflict      bool   `json:"isConflict"`       // errors.IsConflict(err)
	IsAlreadyExists bool   `json:"isAlreadyExists"`  // errors.IsAlreadyExists(err)
	IsInvalid       bool   `json:"isInvalid"`        // errors.IsInvalid(err)
	IsNotFound      bool   `json:"isNotFound"`       // errors.IsNotFound(err)
	IsGone          bool   `json:"isGone"`           // IsGone or IsResourceExpired
	IsTimeout       bool   `json:"isTimeout"`        // IsTimeout or IsServerTimeout
	Output          string `json:"output,omitempty"` // what a command printed: "configmap/cm1 configured"
}

// Object is one of the scenario's objects after a step. Exists is false after a delete.
type Object struct {
	Kind            string          `json:"kind"`             // "ConfigMap"
	Resource        string          `json:"resource"`         // "configmaps"
	Name            string          `json:"name"`             // of the object
	Exists          bool            `json:"exists"`           // false after a delete
	ResourceVersion string          `json:"resourceVersion"`  // as served
	Object          json.RawMessage `json:"object,omitempty"` // as the apiserver answers a GET
	Key             string          `json:"key,omitempty"`    // its etcd key
	CreateRevision  int64           `json:"createRevision"`   // of the etcd key, as the rest here
	ModRevision     int64           `json:"modRevision"`      // when the key was last written
	KeyVersion      int64           `json:"keyVersion"`       // how many times the key was written since its creation
}

// EtcdState is the store as a whole.
type EtcdState struct {
	Head      int64  `json:"head"`      // the newest revision
	Compacted int64  `json:"compacted"` // revisions below this one are gone; 0 if none are
	Source    string `json:"source"`    // where the etcd pane's facts come from: "etcd client"
	// CompactedUnknown says that nobody could find out which revisions are gone.
	CompactedUnknown bool `json:"compactedUnknown,omitempty"`
}

// KnowsCompacted reports whether a state says which revisions are gone.
func (t *Trace) KnowsCompacted(s EtcdState) bool {
	return t.Sees(CapabilityEtcdRead) && !s.CompactedUnknown
}
