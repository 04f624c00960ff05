package scenarios

import (
	"fmt"
	"strconv"
	"time"
)

// resolve makes a step into a call, with each placeholder filled in and each body made.
func resolve(s *Step, state State, v *values) (Call, error) {
	call := Call{Actor: s.Actor, Verb: s.verb()}
	target := s.target()
	call.APIVersion, call.Kind, call.Name = target.apiVersion(), target.kind(), target.Name

	var failed error
	fill := func(template string) string {
		filled, lack, err := v.fill(template)
		if lack != nil && err == nil {
			err = &LackError{Lack: lack, Why: "its values are not seen here"}
		}
		if err != nil && failed == nil {
			failed = err
		}
		return filled
	}
	fillAll := func(set map[string]any) map[string]any {
		if set == nil {
			return nil
		}
		filled, _ := mapTexts(set, fill).(map[string]any)
		return filled
	}
	fillContent := func(c Content) Content {
		return Content{Labels: fillAll(c.Labels), Annotations: fillAll(c.Annotations), Data: fillAll(c.Data), Spec: fillAll(c.Spec), Finalizers: c.Finalizers}
	}
	// others resolves the steps within this one.
	others := func(steps []Step, into *[]Call, count ...int64) {
		within := v
		if len(count) > 0 {
			within = v.with("i", count[0])
		}
		for i := range steps {
			other, err := resolve(&steps[i], state, within)
			if err != nil && failed == nil {
				failed = err
			}
			*into = append(*into, other)
		}
	}
	revision := func(template string) int64 {
		text := fill(template)
		if text == "" || failed != nil {
			return 0
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil && failed == nil {
			failed = fmt.Errorf("%q is no revision", text)
		}
		return n
	}

	switch {
	case s.Get != nil:
		call.ResourceVersion, call.Subresource = fill(s.Get.ResourceVersion), s.Get.Subresource
	case s.List != nil:
		call.ResourceVersion, call.ResourceVersionMatch = fill(s.List.ResourceVersion), s.List.ResourceVersionMatch
		call.Limit, call.Continue = s.List.Limit, fill(s.List.Continue)
		if s.List.Name != "" {
			call.FieldSelector = "metadata.name=" + s.List.Name
		}
	case s.Create != nil:
		call.Object = object(target, fillContent(s.Create.Content))
		call.mode(s.Create.Mode)
		if version := fill(s.Create.ResourceVersion); version != "" {
			setVersion(call.Object, version, Held{})
		}
	case s.Replace != nil:
		held, ok := state.Held[s.Actor][target.Name]
		if !ok {
			return call, fmt.Errorf("%s holds no %s: a step before must get it", s.Actor, target.Name)
		}
		call.Object = Change(held.Object, fillAll(s.Replace.Set))
		call.mode(s.Replace.Mode)
		setVersion(call.Object, fill(s.Replace.ResourceVersion), held)
	case s.Patch != nil:
		call.PatchType = s.Patch.kind()
		call.mode(s.Patch.Mode)
		if s.Patch.JSON != nil {
			call.JSONPatch, _ = mapTexts(s.Patch.JSON, fill).([]any)
		} else {
			held, ok := state.Held[s.Actor][target.Name]
			if s.Patch.ResourceVersion == HeldVersion && !ok {
				return call, fmt.Errorf("%s holds no %s: a step before must get it", s.Actor, target.Name)
			}
			call.Object = Change(nil, fillAll(s.Patch.Set))
			version := fill(s.Patch.ResourceVersion)
			if version == "" {
				version = NoVersion
			}
			setVersion(call.Object, version, held)
		}
	case s.Raw != nil:
		call.Method, call.Path, call.Body, call.Headers = s.Raw.Method, fill(s.Raw.Path), fill(s.Raw.Body), s.Raw.Headers
		if call.Method == "" {
			call.Method = "GET"
		}
	case s.KubectlApply != nil:
		call.Object = object(target, fillContent(s.KubectlApply.Content))
		if version := fill(s.KubectlApply.ResourceVersion); version != "" {
			setVersion(call.Object, version, Held{})
		}
	case s.RetryOnConflict != nil:
		call.Set, call.Backoff = fillAll(s.RetryOnConflict.Set), s.RetryOnConflict.Backoff
		call.Read = s.RetryOnConflict.Read
		if meanwhile := s.RetryOnConflict.Meanwhile; meanwhile != nil {
			others([]Step{*meanwhile}, &call.Meanwhile)
		}
	case s.Delete != nil:
		held := state.Held[s.Actor][target.Name]
		call.DryRun = s.Delete.DryRun
		if call.ResourceVersion = fill(s.Delete.ResourceVersion); call.ResourceVersion == HeldVersion {
			call.ResourceVersion = held.ResourceVersion
		}
		if call.UID = fill(s.Delete.UID); call.UID == HeldVersion {
			metadata, _ := held.Object["metadata"].(map[string]any)
			call.UID, _ = metadata["uid"].(string)
		}
	case s.Apply != nil:
		call.Object, call.Force = object(target, fillContent(s.Apply.Content)), s.Apply.Force
		call.mode(s.Apply.Mode)
		if version := fill(s.Apply.ResourceVersion); version != "" {
			setVersion(call.Object, version, state.Held[s.Actor][target.Name])
		}
	case s.KubectlReplace != nil:
		call.Object = object(target, fillContent(s.KubectlReplace.Content))
		if version := fill(s.KubectlReplace.ResourceVersion); version != "" {
			setVersion(call.Object, version, state.Held[s.Actor][target.Name])
		}
	case s.Watch != nil:
		w := s.Watch
		call.ResourceVersion, call.ResourceVersionMatch = fill(w.ResourceVersion), w.ResourceVersionMatch
		call.Bookmarks, call.SendInitialEvents, call.Events = w.Bookmarks, w.SendInitialEvents, w.Events
		call.Within = time.Duration(w.Seconds * float64(time.Second))
		if call.Within == 0 {
			call.Within = watchWithin
		}
		if w.Name != "" {
			call.FieldSelector = "metadata.name=" + w.Name
		}
		others(w.Meanwhile, &call.Meanwhile)
	case s.Together != nil:
		others(s.Together, &call.Together)
		call.MeetAtEtcd = s.MeetAtEtcd
	case s.Storm != nil:
		for i := range s.Storm.Times {
			one := s.Storm.Do
			if one.Actor == "" {
				one.Actor = []Actor{A, B}[i%2]
			}
			others([]Step{one}, &call.Together, int64(i+1))
		}
		call.Verb = VerbTogether
	case s.Informer != nil:
		call.Set = fillAll(s.Informer.Set)
		if s.Informer.Write == "patch" {
			call.PatchType = "merge"
		}
		others(s.Informer.Meanwhile, &call.Meanwhile)
	case s.EtcdGet != nil:
		call.Revision = revision(s.EtcdGet.Revision)
	case s.EtcdCompact != nil:
		call.Revision = revision(s.EtcdCompact.Revision)
	}
	return call, failed
}

// watchWithin is how long a watch is read where nothing is said.
const watchWithin = 5 * time.Second

func (c *Call) mode(m Mode) {
	c.Subresource, c.DryRun, c.Manager = m.Subresource, m.DryRun, m.Manager
}

// setVersion puts the resourceVersion to send into an object: held (also where nothing
// is said), none, or a value.
func setVersion(object map[string]any, version string, held Held) {
	metadata, ok := object["metadata"].(map[string]any)
	switch version {
	case "", HeldVersion:
		version = held.ResourceVersion
	case NoVersion:
		if ok {
			delete(metadata, "resourceVersion")
		}
		return
	}
	if !ok {
		metadata = map[string]any{}
		object["metadata"] = metadata
	}
	metadata["resourceVersion"] = version
}

// object is the manifest that a target and its content make.
func object(target Target, content Content) map[string]any {
	metadata := map[string]any{"name": target.Name}
	made := map[string]any{"apiVersion": target.apiVersion(), "kind": target.kind(), "metadata": metadata}
	for field, value := range map[string]map[string]any{"labels": content.Labels, "annotations": content.Annotations} {
		if value != nil {
			metadata[field] = value
		}
	}
	if content.Finalizers != nil {
		metadata["finalizers"] = content.Finalizers
	}
	for field, value := range map[string]map[string]any{"data": content.Data, "spec": content.Spec} {
		if value != nil {
			made[field] = value
		}
	}
	return deepCopy(made)
}

// mapTexts returns a copy of a value with a function applied to each text in it; keys stay.
func mapTexts(value any, apply func(string) string) any {
	switch value := value.(type) {
	case string:
		return apply(value)
	case map[string]any:
		mapped := make(map[string]any, len(value))
		for key := range value {
			mapped[key] = mapTexts(value[key], apply)
		}
		return mapped
	case []any:
		mapped := make([]any, len(value))
		for i := range value {
			mapped[i] = mapTexts(value[i], apply)
		}
		return mapped
	}
	return value
}
