package scenarios

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Step is one thing that one actor does. Exactly one operation is set.
type Step struct {
	ID    string   `yaml:"id,omitempty"`
	Actor Actor    `yaml:"actor,omitempty"`
	Title Text     `yaml:"title,omitempty"` // one line, said before and after
	Ask   Text     `yaml:"ask,omitempty"`   // the question before the answer
	Slow  string   `yaml:"slow,omitempty"`  // how long it takes, where that is long: "about 43 s"
	Needs []string `yaml:"needs,omitempty"`

	Operation `yaml:",inline"`

	Expect *Expect `yaml:"expect,omitempty"`
	Say    Text    `yaml:"say,omitempty"`
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

// verbs lists the operations by their name in a file.
func (o Operation) verbs() []Verb {
	var set []Verb
	value := reflect.ValueOf(o)
	for i := range value.NumField() {
		if !value.Field(i).IsNil() { // all are pointers, but for the slice Together
			set = append(set, Verb(yamlName(value.Type().Field(i))))
		}
	}
	return set
}

// verb is the one operation that is set; "" if there is none.
func (o Operation) verb() Verb {
	if set := o.verbs(); len(set) == 1 {
		return set[0]
	}
	return ""
}

// target is what the operation is about; zero for raw and etcdCompact.
func (o Operation) target() Target {
	switch {
	case o.Get != nil:
		return o.Get.Target
	case o.List != nil:
		return o.List.Target
	case o.Create != nil:
		return o.Create.Target
	case o.Replace != nil:
		return o.Replace.Target
	case o.Patch != nil:
		return o.Patch.Target
	case o.Delete != nil:
		return o.Delete.Target
	case o.KubectlApply != nil:
		return o.KubectlApply.Target
	case o.RetryOnConflict != nil:
		return o.RetryOnConflict.Target
	case o.EtcdGet != nil:
		return o.EtcdGet.Target
	case o.Apply != nil:
		return o.Apply.Target
	case o.KubectlReplace != nil:
		return o.KubectlReplace.Target
	case o.Watch != nil:
		return o.Watch.Target
	case o.Informer != nil:
		return o.Informer.Target
	case o.LeaderElection != nil:
		return o.LeaderElection.Target
	case o.Storm != nil:
		return o.Storm.Do.target()
	}
	return Target{}
}

// templates lists the texts in which a placeholder is filled in.
func (o Operation) templates() []string {
	var texts []string
	collect := func(values ...any) {
		for _, value := range values {
			mapTexts(value, func(text string) string {
				texts = append(texts, text)
				return text
			})
		}
	}
	content := func(c Content) { collect(c.Labels, c.Annotations, c.Data, c.Spec) }
	switch {
	case o.Get != nil:
		collect(o.Get.ResourceVersion)
	case o.List != nil:
		collect(o.List.ResourceVersion, o.List.Continue)
	case o.Create != nil:
		content(o.Create.Content)
		collect(o.Create.ResourceVersion)
	case o.Replace != nil:
		collect(o.Replace.Set, o.Replace.ResourceVersion)
	case o.Patch != nil:
		collect(o.Patch.Set, o.Patch.JSON, o.Patch.ResourceVersion)
	case o.Raw != nil:
		collect(o.Raw.Path, o.Raw.Body)
	case o.KubectlApply != nil:
		content(o.KubectlApply.Content)
		collect(o.KubectlApply.ResourceVersion)
	case o.Delete != nil:
		collect(o.Delete.ResourceVersion, o.Delete.UID)
	case o.RetryOnConflict != nil:
		collect(o.RetryOnConflict.Set)
	case o.EtcdGet != nil:
		collect(o.EtcdGet.Revision)
	case o.EtcdCompact != nil:
		collect(o.EtcdCompact.Revision)
	case o.Apply != nil:
		content(o.Apply.Content)
		collect(o.Apply.ResourceVersion)
	case o.KubectlReplace != nil:
		content(o.KubectlReplace.Content)
		collect(o.KubectlReplace.ResourceVersion)
	case o.Watch != nil:
		collect(o.Watch.ResourceVersion)
	case o.Informer != nil:
		collect(o.Informer.Set)
	}
	return texts
}

// others lists who acts within the operation, beside the step's own actor.
func (o Operation) others() []Actor {
	var within []Step
	switch {
	case o.Together != nil:
		within = o.Together
	case o.Watch != nil:
		within = o.Watch.Meanwhile
	case o.Informer != nil:
		within = o.Informer.Meanwhile
	case o.RetryOnConflict != nil && o.RetryOnConflict.Meanwhile != nil:
		within = []Step{*o.RetryOnConflict.Meanwhile}
	case o.Storm != nil && o.Storm.Do.Actor == "", o.LeaderElection != nil:
		return []Actor{A, B} // in turn; against each other
	case o.Storm != nil:
		within = []Step{o.Storm.Do}
	}
	var actors []Actor
	for i := range within {
		for _, actor := range append(within[i].others(), within[i].Actor) {
			if !slices.Contains(actors, actor) {
				actors = append(actors, actor)
			}
		}
	}
	return actors
}

// operationText names the operation in a few words: "replace cm1", "list configmaps".
func (o Operation) operationText() string {
	target := o.target()
	what := target.Name
	if what == "" && (o.List != nil || o.Watch != nil) {
		what = strings.ToLower(target.kind()) + "s"
	}
	switch {
	case o.Together != nil:
		var parts []string
		for i := range o.Together {
			parts = append(parts, string(o.Together[i].Actor)+": "+o.Together[i].operationText())
		}
		return "together " + strings.Join(parts, ", ")
	case o.Storm != nil:
		return fmt.Sprintf("%d times %s", o.Storm.Times, o.Storm.Do.operationText())
	case o.Raw != nil:
		method := o.Raw.Method
		if method == "" {
			method = "GET"
		}
		return "raw " + method
	case o.Patch != nil:
		return fmt.Sprintf("patch %s (%s)", what, o.Patch.kind())
	}
	return strings.TrimSpace(string(o.verb()) + " " + what)
}

func (p *Patch) kind() string {
	switch {
	case p.Type != "":
		return p.Type
	case p.JSON != nil:
		return "json"
	}
	return "merge"
}

func (t Target) kind() string {
	if t.Kind == "" {
		return "ConfigMap"
	}
	return t.Kind
}

func (t Target) apiVersion() string {
	if t.APIVersion == "" {
		return "v1"
	}
	return t.APIVersion
}

var operationType = reflect.TypeFor[Operation]()
