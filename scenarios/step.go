package scenarios

// Step is one thing that one actor does. Exactly one operation is set.
type Step struct {
	ID    string `yaml:"id,omitempty"`
	Actor Actor  `yaml:"actor,omitempty"`
	Title Text   `yaml:"title,omitempty"` // one line, said before and after
	Ask   Text   `yaml:"ask,omitempty"`   // the question before the answer
	// Choices are the answers to choose from; which one is right, the evidence decides.
	Choices []Choice `yaml:"choices,omitempty"`
	Slow    string   `yaml:"slow,omitempty"` // how long it takes, where that is long: "about 43 s"
	Needs   []string `yaml:"needs,omitempty"`

	Operation `yaml:",inline"`

	// MeetAtEtcd, of a together: the first Txn of each waits at etcd's door until all are there,
	// so that all have passed the apiserver's own check. Where a cluster's etcd has no door of
	// rvtui's, whether they meet is chance.
	MeetAtEtcd bool `yaml:"meetAtEtcd,omitempty"`

	Expect *Expect `yaml:"expect,omitempty"`
	Say    Text    `yaml:"say,omitempty"`
}

// Choice is an answer to a step's question. The right one is the one whose expression, over
// the step as an expectation's is, holds: of a step's choices exactly one must.
type Choice struct {
	Says Text   `yaml:"says"`
	If   string `yaml:"if"` // CEL
}

// Operation is what a step does: exactly one field is set.
type Operation struct {
	Get             *Get             `yaml:"get,omitempty"`
	List            *List            `yaml:"list,omitempty"`
	Create          *Create          `yaml:"create,omitempty"`
	Replace         *Replace         `yaml:"replace,omitempty"`
	Patch           *Patch           `yaml:"patch,omitempty"`
	Delete          *Delete          `yaml:"delete,omitempty"`
	Raw             *Raw             `yaml:"raw,omitempty"`
	KubectlApply    *KubectlApply    `yaml:"kubectlApply,omitempty"`
	RetryOnConflict *RetryOnConflict `yaml:"retryOnConflict,omitempty"`
	EtcdGet         *EtcdGet         `yaml:"etcdGet,omitempty"`
	EtcdCompact     *EtcdCompact     `yaml:"etcdCompact,omitempty"`
	Apply           *Apply           `yaml:"apply,omitempty"`
	KubectlReplace  *KubectlReplace  `yaml:"kubectlReplace,omitempty"`
	Watch           *Watch           `yaml:"watch,omitempty"`
	Together        []Step           `yaml:"together,omitempty"`
	Storm           *Storm           `yaml:"storm,omitempty"`
	Informer        *Informer        `yaml:"informer,omitempty"`
	LeaderElection  *LeaderElection  `yaml:"leaderElection,omitempty"`

	APIServerRestart *Restart `yaml:"apiserverRestart,omitempty"`
}

// Target names an object or a kind. A ConfigMap of v1 is meant where nothing is said.
type Target struct {
	APIVersion string `yaml:"apiVersion,omitempty"`
	Kind       string `yaml:"kind,omitempty"`
	Name       string `yaml:"name,omitempty"`
}

// Content is the part of an object that a scenario writes.
type Content struct {
	Labels      map[string]any `yaml:"labels,omitempty"`
	Annotations map[string]any `yaml:"annotations,omitempty"`
	Finalizers  []string       `yaml:"finalizers,omitempty"`
	Data        map[string]any `yaml:"data,omitempty"`
	Spec        map[string]any `yaml:"spec,omitempty"`
}

// Mode is how a write is made.
type Mode struct {
	Subresource string `yaml:"subresource,omitempty"` // status, scale
	DryRun      bool   `yaml:"dryRun,omitempty"`
	Manager     string `yaml:"manager,omitempty"` // the field manager; the actor's own where nothing is said
}

// Get reads one object.
type Get struct {
	Target          `yaml:",inline"`
	Subresource     string `yaml:"subresource,omitempty"`
	ResourceVersion string `yaml:"resourceVersion,omitempty"`
}

// List reads the objects of a kind in the scenario's namespace. A name makes it a list
// of that one object, by field selector.
type List struct {
	Target               `yaml:",inline"`
	ResourceVersion      string `yaml:"resourceVersion,omitempty"`
	ResourceVersionMatch string `yaml:"resourceVersionMatch,omitempty"`
	Limit                int64  `yaml:"limit,omitempty"`
	Continue             string `yaml:"continue,omitempty"`
}

// Create makes an object.
type Create struct {
	Target  `yaml:",inline"`
	Content `yaml:",inline"`
	Mode    `yaml:",inline"`
	// ResourceVersion is sent along, which a create must not do.
	ResourceVersion string `yaml:"resourceVersion,omitempty"`
}

// The words that ResourceVersion of Replace and Patch takes beside a value.
const (
	HeldVersion = "held" // the one of the object that the actor holds
	NoVersion   = "none" // none at all
)

// Replace is an update (HTTP PUT) of the object that the actor holds.
type Replace struct {
	Target `yaml:",inline"`
	Mode   `yaml:",inline"`
	// Set is what is changed on the held object: values by dotted path.
	Set map[string]any `yaml:"set,omitempty"`
	// ResourceVersion is what is sent: held (the default), none, or a value.
	ResourceVersion string `yaml:"resourceVersion,omitempty"`
}

// Patch changes an object. Set makes a merge (or strategic merge) patch, JSON a JSON patch.
type Patch struct {
	Target `yaml:",inline"`
	Mode   `yaml:",inline"`
	Type   string         `yaml:"type,omitempty"` // merge (the default), strategic, json
	Set    map[string]any `yaml:"set,omitempty"`  // values by dotted path
	JSON   []any          `yaml:"json,omitempty"` // the operations of a JSON patch
	// ResourceVersion is put into the patch: none (the default), held, or a value.
	ResourceVersion string `yaml:"resourceVersion,omitempty"`
}

// Delete removes an object.
type Delete struct {
	Target `yaml:",inline"`
	DryRun bool `yaml:"dryRun,omitempty"`
	// ResourceVersion and UID are preconditions: held (what the actor holds), or a value.
	ResourceVersion string `yaml:"resourceVersion,omitempty"`
	UID             string `yaml:"uid,omitempty"`
}

// Apply is a server-side apply of exactly these fields.
type Apply struct {
	Target          `yaml:",inline"`
	Content         `yaml:",inline"`
	Mode            `yaml:",inline"`
	Force           bool   `yaml:"force,omitempty"`
	ResourceVersion string `yaml:"resourceVersion,omitempty"` // left in what is applied: held, or a value
}

// Raw is a single HTTP attempt, with no client behind it that would repeat it.
type Raw struct {
	Method  string            `yaml:"method,omitempty"` // GET where nothing is said
	Path    string            `yaml:"path"`             // with the query
	Headers map[string]string `yaml:"headers,omitempty"`
	Body    string            `yaml:"body,omitempty"`
}

// KubectlApply is `kubectl apply` (client-side) of a manifest, through kubectl's own package.
type KubectlApply struct {
	Target          `yaml:",inline"`
	Content         `yaml:",inline"`
	ResourceVersion string `yaml:"resourceVersion,omitempty"` // left in the manifest
}

// RetryOnConflict is client-go's retry.RetryOnConflict around: get, change, update.
type RetryOnConflict struct {
	Target  `yaml:",inline"`
	Set     map[string]any `yaml:"set,omitempty"`
	Backoff string         `yaml:"backoff,omitempty"` // DefaultRetry (the default), DefaultBackoff, or none: a single try
	// Read is where the object is read: inside the closure (the default), outside of it, or
	// version: inside, but only the new resourceVersion is put onto the old object.
	Read string `yaml:"read,omitempty"`
	// Meanwhile is done once, after the first get and before the first update.
	Meanwhile *Step `yaml:"meanwhile,omitempty"`
}

// KubectlReplace is `kubectl replace` of a manifest, through kubectl's own package.
type KubectlReplace struct {
	Target          `yaml:",inline"`
	Content         `yaml:",inline"`
	ResourceVersion string `yaml:"resourceVersion,omitempty"` // left in the manifest
}

// Watch opens a watch of a kind in the scenario's namespace (of one object, where a name
// is said), has something done, and reads events until there are so many or so long.
type Watch struct {
	Target               `yaml:",inline"`
	ResourceVersion      string  `yaml:"resourceVersion,omitempty"`
	ResourceVersionMatch string  `yaml:"resourceVersionMatch,omitempty"`
	Bookmarks            bool    `yaml:"bookmarks,omitempty"`
	SendInitialEvents    bool    `yaml:"sendInitialEvents,omitempty"`
	Events               int     `yaml:"events,omitempty"`
	Seconds              float64 `yaml:"seconds,omitempty"` // 5 where nothing is said
	Meanwhile            []Step  `yaml:"meanwhile,omitempty"`
}

// Storm is one operation many times at once, by A and B in turn. ${i} in it counts from 1.
type Storm struct {
	Times int  `yaml:"times"`
	Do    Step `yaml:"do"`
}

// Informer is client-go's informer with a watch that is held back: it reads an object
// from its cache, changes it and writes it, after Meanwhile was done.
type Informer struct {
	Target    `yaml:",inline"`
	Set       map[string]any `yaml:"set,omitempty"`
	Write     string         `yaml:"write,omitempty"` // replace (the default) or patch (a merge patch of set)
	Meanwhile []Step         `yaml:"meanwhile,omitempty"`
}

// LeaderElection lets A and B run client-go's leader election on a Lease until one leads.
type LeaderElection struct {
	Target `yaml:",inline"`
}

// EtcdGet reads an object's key from etcd itself.
type EtcdGet struct {
	Target   `yaml:",inline"`
	Revision string `yaml:"revision,omitempty"` // the newest where nothing is said
}

// EtcdCompact compacts etcd up to a revision: what is older can no longer be read from it.
type EtcdCompact struct {
	Revision string `yaml:"revision"`
}

// Restart stops the kube-apiserver and starts it anew on the same etcd, which runs on. What
// the apiserver had in memory is gone, its watch caches above all, and open watches end.
type Restart struct{}
