package scenarios

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

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

// target is what the operation is about; zero for raw, etcdCompact and apiserverRestart.
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

// parts lists the steps that the operation is made of, or that are done within it.
func (o Operation) parts() []Step {
	switch {
	case o.Together != nil:
		return o.Together
	case o.Watch != nil:
		return o.Watch.Meanwhile
	case o.Informer != nil:
		return o.Informer.Meanwhile
	case o.RetryOnConflict != nil && o.RetryOnConflict.Meanwhile != nil:
		return []Step{*o.RetryOnConflict.Meanwhile}
	case o.Storm != nil:
		return []Step{o.Storm.Do}
	}
	return nil
}

// exclusive reports whether the operation, or a part of it, does something to all that is
// on the cluster.
func (o Operation) exclusive() bool {
	return o.EtcdCompact != nil || o.APIServerRestart != nil || anyExclusive(o.parts())
}

func anyExclusive(steps []Step) bool {
	return slices.ContainsFunc(steps, func(s Step) bool { return s.exclusive() })
}

// others lists who acts within the operation, beside the step's own actor.
func (o Operation) others() []Actor {
	if o.Storm != nil && o.Storm.Do.Actor == "" || o.LeaderElection != nil {
		return []Actor{A, B} // in turn; against each other
	}
	within := o.parts()
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
		return "together " + togetherText(o.Together)
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

// togetherText names what is done together: what is done several times once, with how often,
// and of many different things the first few.
func togetherText(steps []Step) string {
	const most = 4
	var parts []string
	times := map[string]int{}
	for i := range steps {
		part := string(steps[i].Actor) + ": " + steps[i].operationText()
		if times[part]++; times[part] == 1 {
			parts = append(parts, part)
		}
	}
	left := len(steps)
	for i, part := range parts {
		if i == most && len(parts) > most+1 {
			return strings.Join(parts[:most], ", ") + fmt.Sprintf(", and %d more", left)
		}
		left -= times[part]
		if n := times[part]; n > 1 {
			actor, what, _ := strings.Cut(part, ": ")
			parts[i] = fmt.Sprintf("%s: %d times %s", actor, n, what)
		}
	}
	return strings.Join(parts, ", ")
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
