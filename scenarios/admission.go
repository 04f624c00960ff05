package scenarios

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
)

// Admitted is what a server's admission made of objects of a kind: the answer to a write has
// something that was not sent. A mutating webhook or policy does that; the kube-apiserver
// itself leaves labels, annotations and a ConfigMap's data as they are sent.
type Admitted struct {
	Kind, Field string // "ConfigMap", "label team"
	Changed     bool   // it was sent, with another value; else it was added
}

// metadataName is a label that each namespace has.
const metadataName = "kubernetes.io/metadata.name"

// In says it in a language.
func (a Admitted) In(lang string) string { return a.text().In(lang) }

func (a Admitted) text() Text {
	if a.Changed {
		return both("admission changes the %s of a %s", "准入控制改动了 %[2]s 的 %[1]s", a.Field, a.Kind)
	}
	return both("admission adds the %s to a %s", "准入控制给 %[2]s 加上了 %[1]s", a.Field, a.Kind)
}

// Admitted is what admission made of what the walk has written, each once.
func (t *Trace) Admitted() []Admitted {
	var all []Admitted
	if t.Setup != nil {
		all = admitted(all, t.Setup)
	}
	for i := range t.Steps {
		all = admitted(all, &t.Steps[i])
	}
	return all
}

// admitted adds what is new in an observation.
func admitted(all []Admitted, o *Observation) []Admitted {
	for _, exchange := range o.Exchanges {
		for _, one := range admittedIn(exchange) {
			if !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
	}
	return all
}

// admittedIn compares a whole object that was sent with the one that came back.
func admittedIn(e Exchange) []Admitted {
	var sent, came struct {
		Kind     string
		Metadata struct {
			Name                string
			Labels, Annotations map[string]any
		}
		Data map[string]any
	}
	if json.Unmarshal(e.RequestBody, &sent) != nil || json.Unmarshal(e.ResponseBody, &came) != nil || sent.Kind == "" || sent.Kind != came.Kind {
		return nil
	}
	path, _, _ := strings.Cut(e.Path, "?")
	switch {
	case e.Method == http.MethodPost && e.Status == http.StatusCreated:
	case e.Method == http.MethodPut && e.Status == http.StatusOK && strings.HasSuffix(path, "/"+sent.Metadata.Name): // of no subresource, which leaves the rest as it is stored
	default:
		return nil
	}
	kind, all := came.Kind, []Admitted(nil)
	compare := func(field string, sent, came map[string]any) {
		for _, name := range slices.Sorted(maps.Keys(came)) {
			if kind == "Namespace" && name == metadataName {
				continue // the apiserver itself labels one with its name
			}
			if was, ok := sent[name]; !ok || !reflect.DeepEqual(was, came[name]) {
				all = append(all, Admitted{Kind: kind, Field: field + name, Changed: ok})
			}
		}
	}
	compare("label ", sent.Metadata.Labels, came.Metadata.Labels)
	compare("annotation ", sent.Metadata.Annotations, came.Metadata.Annotations)
	if came.Kind == "ConfigMap" {
		compare("field data.", sent.Data, came.Data)
	}
	return all
}

// explainBy says beside what did not come out as expected that what was written is not quite what
// was sent, which may be why.
func explainBy(all []Admitted, checks []Check) {
	if len(all) == 0 {
		return
	}
	why := func(lang, before string) string {
		texts := make([]string, len(all))
		for i, one := range all {
			texts[i] = one.In(lang)
		}
		return fmt.Sprintf(before, strings.Join(texts, ", "))
	}
	failed := -1
	for i, check := range checks {
		if !check.OK && !check.Unseen {
			failed = i
		}
	}
	got := &checks[failed].Got
	*got = Text{English: got.In(English) + why(English, " (this cluster's %s)"), Chinese: got.In(Chinese) + why(Chinese, "（这个集群的%s）")}
}
