package scenarios

import (
	"context"
	"time"
)

// Info is what a cluster says of itself.
type Info struct {
	Mode       string // "embedded", or how else it is reached
	Kubernetes string // version, such as "1.37.2"
	Etcd       string // version, such as "3.7.3"; "" where nobody tells
	Source     string // where etcd's evidence comes from: "the API alone"; "" where it is not said
}

// Cluster is where scenarios happen.
type Cluster interface {
	Info() Info
	// Can lists the capabilities that it has.
	Can() []string
	// Open makes room for one walk through a scenario: a namespace of its own.
	Open(ctx context.Context, scenario string) (Session, error)
}

// Session is one walk's room on a cluster. Its calls must not overlap.
type Session interface {
	Namespace() string
	// Found are the names of the objects that were in the namespace before the walk: what the
	// cluster puts into every one, or what others keep there. There may be more of them once
	// a call has named another kind.
	Found() []string
	// Do does what a call says and gathers the evidence: everything in an Observation
	// from Exchanges on, and the times. That the apiserver refuses is an answer, not an
	// error; an error means that the call could not be made at all, or was cancelled,
	// and comes with what was seen until then. It is a *LackError where the cluster lacks
	// what the call needs, and a *TakenError where the call would write to somebody else's object.
	Do(ctx context.Context, call Call, progress Progress) (Observation, error)
	// Close removes what the walk made. It returns a *LeftError where something stays.
	Close(ctx context.Context) error
}

// Progress is told what was seen of a step so far, in order: each time an exchange is sent
// or answered, and each time a watch brings an event. It is told one after the other, and
// must not block.
type Progress func(so Partial)

// Partial is what was seen of a step that is not done yet. Its slices are the receiver's
// to keep; what came later is in the next one.
type Partial struct {
	Exchanges []Exchange // the unanswered ones among them
	Events    []WatchEvent
}

// Verb is what a call does.
type Verb string

// The verbs, named as in a scenario file.
const (
	VerbGet             Verb = "get"
	VerbList            Verb = "list"
	VerbCreate          Verb = "create"
	VerbReplace         Verb = "replace" // an update: HTTP PUT
	VerbPatch           Verb = "patch"
	VerbDelete          Verb = "delete"
	VerbRaw             Verb = "raw"             // one HTTP attempt, with no client that repeats it
	VerbKubectlApply    Verb = "kubectlApply"    // client-side apply, through kubectl's own package
	VerbRetryOnConflict Verb = "retryOnConflict" // client-go's retry.RetryOnConflict around GET, change, PUT
	VerbEtcdGet         Verb = "etcdGet"         // one key, read from etcd itself
	VerbEtcdCompact     Verb = "etcdCompact"
	VerbApply           Verb = "apply"          // server-side apply
	VerbKubectlReplace  Verb = "kubectlReplace" // through kubectl's own package
	VerbWatch           Verb = "watch"          // open, do Meanwhile, read until Events or Within
	VerbTogether        Verb = "together"       // all of Together at the same instant
	VerbInformer        Verb = "informer"       // client-go's informer, whose cache lags behind Meanwhile
	VerbLeaderElection  Verb = "leaderElection" // client-go's, A against B

	VerbAPIServerRestart Verb = "apiserverRestart" // stop it, and start it anew on the same etcd
)

// Call is one operation with all its values filled in: the only thing that a cluster
// is asked to do.
type Call struct {
	Actor Actor
	Setup bool // part of the setup: its revisions are BySetup
	Verb  Verb

	APIVersion, Kind, Name string // of the object or the list

	// Of get, list and raw reads: as the API's parameters of these names.
	ResourceVersion, ResourceVersionMatch string
	Limit                                 int64
	Continue, FieldSelector               string

	Object    map[string]any // the body of create, replace, patch and kubectlApply
	JSONPatch []any          // the body of a patch of PatchType json
	PatchType string         // merge, json, strategic

	Subresource string // get, replace, patch: status, scale; "" the object itself
	DryRun      bool   // create, replace, patch, apply, delete
	Manager     string // the field manager; the actor's own where it is empty
	Force       bool   // apply: take the fields that others own
	UID         string // delete: a precondition, as ResourceVersion is one there

	Set       map[string]any // retryOnConflict, informer: what is changed, as in Change
	Backoff   string         // retryOnConflict: DefaultRetry, DefaultBackoff, or none: a single try
	Read      string         // retryOnConflict: inside the closure (""), outside, or version: only the new resourceVersion is taken over
	Meanwhile []Call         // retryOnConflict: once, between the first GET and the first PUT; watch: once it is open; informer: while its cache lags

	Together   []Call // together: each by its own actor, started at the same instant
	MeetAtEtcd bool   // together: the first Txn of each waits for the others', where the cluster can make it

	Bookmarks         bool          // watch: allowWatchBookmarks
	SendInitialEvents bool          // watch: a streaming list
	Events            int           // watch: end after so many events; 0 is not by number
	Within            time.Duration // watch: end after so long at the latest

	Method, Path string            // raw; the path with its query
	Headers      map[string]string // raw
	Body         string            // raw

	Revision int64 // etcdGet: read at this revision, 0 the newest; etcdCompact: up to this one
}
