package scenarios

import (
	"fmt"
	"reflect"
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
	Data        map[string]any `yaml:"data,omitempty"`
	Spec        map[string]any `yaml:"spec,omitempty"`
}

// Get reads one object.
type Get struct {
	Target          `yaml:",inline"`
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
}

// The words that ResourceVersion of Replace and Patch takes beside a value.
const (
	HeldVersion = "held" // the one of the object that the actor holds
	NoVersion   = "none" // none at all
)

// Replace is an update (HTTP PUT) of the object that the actor holds.
type Replace struct {
	Target `yaml:",inline"`
	// Set is what is changed on the held object: values by dotted path.
	Set map[string]any `yaml:"set,omitempty"`
	// ResourceVersion is what is sent: held (the default), none, or a value.
	ResourceVersion string `yaml:"resourceVersion,omitempty"`
}

// Patch changes an object. Set makes a merge (or strategic merge) patch, JSON a JSON patch.
type Patch struct {
	Target `yaml:",inline"`
	Type   string         `yaml:"type,omitempty"` // merge (the default), strategic, json
	Set    map[string]any `yaml:"set,omitempty"`  // values by dotted path
	JSON   []any          `yaml:"json,omitempty"` // the operations of a JSON patch
	// ResourceVersion is put into the patch: none (the default), held, or a value.
	ResourceVersion string `yaml:"resourceVersion,omitempty"`
}

// Delete removes an object.
type Delete struct {
	Target `yaml:",inline"`
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
	Backoff string         `yaml:"backoff,omitempty"` // DefaultRetry (the default) or DefaultBackoff
	// Meanwhile is done once, after the first get and before the first update.
	Meanwhile *Step `yaml:"meanwhile,omitempty"`
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
		if !value.Field(i).IsNil() {
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
	case o.Replace != nil:
		collect(o.Replace.Set, o.Replace.ResourceVersion)
	case o.Patch != nil:
		collect(o.Patch.Set, o.Patch.JSON, o.Patch.ResourceVersion)
	case o.Raw != nil:
		collect(o.Raw.Path, o.Raw.Body)
	case o.KubectlApply != nil:
		content(o.KubectlApply.Content)
		collect(o.KubectlApply.ResourceVersion)
	case o.RetryOnConflict != nil:
		collect(o.RetryOnConflict.Set)
	case o.EtcdGet != nil:
		collect(o.EtcdGet.Revision)
	case o.EtcdCompact != nil:
		collect(o.EtcdCompact.Revision)
	}
	return texts
}

// operationText names the operation in a few words: "replace cm1", "list configmaps".
func (o Operation) operationText() string {
	target := o.target()
	what := target.Name
	if what == "" && o.List != nil {
		what = strings.ToLower(target.kind()) + "s"
	}
	switch {
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
