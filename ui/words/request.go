// Package words says what was seen in the field's own words: a request, an answer,
// an etcd RPC, each in a few words. The screen and the plain renderer share it, so
// that they cannot say different things. It may import scenarios alone, and knows
// nothing of sizes, styles or keys.
package words

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"rvtui/scenarios"
)

// Request is what one HTTP request asks for, taken apart.
type Request struct {
	Verb      string // the HTTP method, except LIST and WATCH for a GET that is one
	Resource  string // "configmaps", with "/status" after it where a subresource is meant
	Name      string // "" for a collection, and for a path that is no object's
	Path      string // the path without the query
	RV        string // the resourceVersion that was sent: in the body of a write, in the query of a read
	NoRV      bool   // a write that could have carried one in its body, and does not
	NullRV    bool   // a patch that takes the resourceVersion out of the object: it says null
	Scoped    bool   // false for an object of no namespace, which is named with its resource
	DryRun    string // "All" where nothing is to be stored: in the query, or in the body of a DELETE
	PatchType string // "merge", "json", "strategic", "apply" for a PATCH
	Query     url.Values
}

// patchTypes are the media types of k8s.io/apimachinery/pkg/types.
var patchTypes = map[string]string{
	"application/merge-patch+json":           "merge",
	"application/json-patch+json":            "json",
	"application/strategic-merge-patch+json": "strategic",
	"application/apply-patch+yaml":           "apply",
	"application/apply-patch+cbor":           "apply",
}

// Read takes an exchange's request apart.
func Read(e *scenarios.Exchange) Request {
	path, query, _ := strings.Cut(e.Path, "?")
	values, _ := url.ParseQuery(query) // what can be read of it is all there is to say
	r := Request{Verb: e.Method, Path: path, DryRun: values.Get("dryRun"), Query: values}
	var watch bool
	r.Resource, r.Name, r.Scoped, watch = target(path)
	switch e.Method {
	case "GET":
		r.RV = values.Get("resourceVersion")
		switch {
		case watch, r.Resource != "" && r.Name == "" && scenarios.AsksToWatch(values):
			r.Verb = "WATCH"
		case r.Resource != "" && r.Name == "":
			r.Verb = "LIST"
		}
	default:
		var body struct {
			Metadata struct {
				Name            string
				ResourceVersion string
			}
			Preconditions struct{ ResourceVersion string } // these two of a DELETE
			DryRun        json.RawMessage                  // of an object that is written, anything
		}
		if json.Unmarshal(e.RequestBody, &body) == nil {
			r.RV = body.Metadata.ResourceVersion
			if r.RV == "" {
				r.RV = body.Preconditions.ResourceVersion
			}
			var dryRun []string
			if e.Method == "DELETE" && r.DryRun == "" && json.Unmarshal(body.DryRun, &dryRun) == nil && len(dryRun) > 0 {
				r.DryRun = dryRun[0]
			}
			if r.Name == "" {
				r.Name = body.Metadata.Name // a create
			}
		}
	}
	if e.Method == "PATCH" {
		media, _, _ := strings.Cut(header(e.RequestHeaders, "Content-Type"), ";")
		r.PatchType = patchTypes[strings.TrimSpace(media)]
	}
	switch {
	case r.RV != "" || r.Resource == "":
	case r.Verb == "PUT", r.PatchType == "merge", r.PatchType == "strategic":
		// A body that cannot be read says nothing of what is in it.
		if object := Object(e.RequestBody); object != nil {
			metadata, _ := object["metadata"].(map[string]any)
			rv, named := metadata["resourceVersion"]
			r.NullRV = r.Verb == "PATCH" && named && rv == nil
			r.NoRV = !r.NullRV
		}
	}
	return r
}

// header looks a header up whatever the case of its name.
func header(headers map[string]string, name string) string {
	if v, ok := headers[name]; ok {
		return v
	}
	for k, v := range headers {
		if strings.EqualFold(k, name) {
			return v
		}
	}
	return ""
}

// target reads the resource and the name out of an API path, and whether it lies in a
// namespace: /api/v1/namespaces/NS/configmaps/NAME/status, /apis/GROUP/VERSION/…. A path can
// also say that it is to be watched: /api/v1/watch/namespaces/NS/configmaps.
func target(path string) (resource, name string, scoped, watch bool) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case len(parts) >= 3 && parts[0] == "api":
		parts = parts[2:]
	case len(parts) >= 4 && parts[0] == "apis":
		parts = parts[3:]
	default:
		return "", "", false, false
	}
	if watch = parts[0] == "watch" && len(parts) > 1; watch {
		parts = parts[1:]
	}
	if len(parts) >= 3 && parts[0] == "namespaces" && parts[2] != "status" && parts[2] != "finalize" {
		parts, scoped = parts[2:], true
	}
	resource = parts[0]
	if len(parts) > 1 {
		name = parts[1]
	}
	if len(parts) > 2 {
		resource += "/" + parts[2]
	}
	return resource, name, scoped, watch
}

// Target is the object by its name, or the collection, or else the path. An object that
// lies in no namespace, and so not in the scenario's, is named with its resource.
func (r Request) Target() string {
	switch {
	case r.Resource == "":
		return r.Path
	case r.Name == "":
		return r.Resource
	}
	resource, subresource, ok := strings.Cut(r.Resource, "/")
	target := r.Name
	if !r.Scoped {
		target = resource + "/" + r.Name
	}
	if ok {
		target += "/" + subresource
	}
	return target
}

// Options are the parts of the request that change what comes back, apart from the
// resourceVersion: "Exact", "name=cm1", "limit=2", "merge patch".
func (r Request) Options() []string {
	var options []string
	if r.PatchType != "" {
		options = append(options, r.PatchType)
	}
	q := r.Query
	if match := q.Get("resourceVersionMatch"); match != "" {
		options = append(options, match)
	}
	if selector := r.selector(); selector != "" {
		options = append(options, selector)
	}
	for _, key := range []string{"labelSelector", "limit", "sendInitialEvents", "allowWatchBookmarks", "dryRun", "force", "fieldManager"} {
		v := q.Get(key)
		if key == "dryRun" {
			v = r.DryRun
		}
		if v != "" {
			switch key {
			case "labelSelector":
				options = append(options, v)
			case "fieldManager": // each writer has its own; the pane says whose it is
			default:
				options = append(options, key+"="+v)
			}
		}
	}
	if q.Get("continue") != "" {
		options = append(options, "continue")
	}
	return options
}

// selector is the field selector: "name=cm1".
func (r Request) selector() string {
	return strings.TrimPrefix(r.Query.Get("fieldSelector"), "metadata.")
}

// Line is the request in one line: "PUT cm1  rv=214", "PUT cm1  no rv".
func (r Request) Line(gap string) string {
	return r.line(gap, r.Target(), r.Options())
}

func (r Request) line(gap, target string, options []string) string {
	line := r.Verb
	if target != "" {
		line += " " + target
	}
	if version := r.version(); version != "" {
		line += gap + version
	}
	if len(options) > 0 {
		line += " " + strings.Join(options, " ")
	}
	return line
}

// version is the resourceVersion that was sent, or that it is to be taken out, or that none
// was sent where one could have been.
func (r Request) version() string {
	switch {
	case r.RV != "":
		return "rv=" + r.RV
	case r.NullRV:
		return "rv=null"
	case r.NoRV:
		return "no rv"
	}
	return ""
}

// shortNames are kubectl's, of the resources that scenarios use.
var shortNames = map[string]string{
	"configmaps": "cm", "pods": "po", "services": "svc", "namespaces": "ns", "nodes": "no", "events": "ev",
	"deployments": "deploy", "replicasets": "rs", "endpoints": "ep", "serviceaccounts": "sa", "customresourcedefinitions": "crd",
}

// Fit is the request in one line of at most width cells, if that can be: with the
// resource's short name, or a list's field selector in its place, then without its
// options, the last first, then without what it is about. The resourceVersion stays: it
// is what the reader follows.
func (r Request) Fit(width int) string {
	if line := r.Line(" "); len(line) <= width {
		return line
	}
	resource, _, _ := strings.Cut(r.Resource, "/")
	if short, ok := shortNames[resource]; ok {
		r.Resource = short + strings.TrimPrefix(r.Resource, resource)
	}
	target, options := r.Target(), r.Options()
	forms := []string{r.line(" ", target, options)}
	// That a watch begins with a list tells more than the match, which has to go with it.
	if match := r.Query.Get("resourceVersionMatch"); r.Query.Get("sendInitialEvents") == "true" && match != "" {
		options = slices.DeleteFunc(options, func(option string) bool { return option == match })
		forms = append(forms, r.line(" ", target, options))
	}
	if r.Name == "" && r.version() != "" { // the verb LIST says enough
		target = ""
		forms = append(forms, r.line(" ", target, options))
		if selector := r.selector(); selector != "" {
			target = selector
			options = slices.DeleteFunc(options, func(option string) bool { return option == selector })
			forms = append(forms, r.line(" ", target, options))
		}
	}
	for n := len(options) - 1; n >= 0; n-- {
		forms = append(forms, r.line(" ", target, options[:n]))
	}
	if r.version() != "" {
		forms = append(forms, r.line(" ", "", nil))
	}
	for _, form := range forms {
		if len(form) <= width {
			return form
		}
	}
	return forms[len(forms)-1]
}

// Writes reports whether the request is one that may change something.
func (r Request) Writes() bool {
	switch r.Verb {
	case "PUT", "PATCH", "POST", "DELETE":
		return true
	}
	return false
}
