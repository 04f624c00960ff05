package scenarios

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// answer is what the last exchange of a step brought.
type answer struct {
	code            int
	reason, message string
	causes          []string
	items           int
	body            map[string]any
	err             string
}

// answerOf reads the step's last exchange by its actor, or else its first exchange.
func answerOf(o *Observation) answer {
	last := -1
	for i, exchange := range o.Exchanges {
		if exchange.Actor == o.Actor || last < 0 {
			last = i
		}
	}
	if last < 0 {
		a := answer{err: o.Error}
		for _, rpc := range o.RPCs {
			if a.err == "" && rpc.Error != "" {
				a.err = rpc.Error
			}
		}
		return a
	}
	return readAnswer(o.Exchanges[last])
}

// without leaves the objects of some names out of a list.
func (a answer) without(names []string) answer {
	items, ok := a.body["items"].([]any)
	if !ok || len(names) == 0 {
		return a
	}
	kept := []any{}
	for _, item := range items {
		object, _ := item.(map[string]any)
		if name, _ := nameAndVersion(object); !slices.Contains(names, name) {
			kept = append(kept, item)
		}
	}
	a.body = maps.Clone(a.body)
	a.body["items"], a.items = kept, len(kept)
	return a
}

// readAnswer takes an answer apart. An error answer is a Status of k8s.io/apimachinery's
// meta/v1: reason, message and details.causes.
func readAnswer(e Exchange) answer {
	a := answer{code: e.Status, err: e.Error}
	body, ok := DecodeJSON(e.ResponseBody).(map[string]any)
	if !ok {
		return a
	}
	a.body = body
	if items, ok := body["items"].([]any); ok {
		a.items = len(items)
	}
	if body["kind"] != "Status" {
		return a
	}
	a.reason, _ = body["reason"].(string)
	a.message, _ = body["message"].(string)
	details, _ := body["details"].(map[string]any)
	causes, _ := details["causes"].([]any)
	for _, cause := range causes {
		cause, _ := cause.(map[string]any)
		reason, _ := cause["reason"].(string)
		a.causes = append(a.causes, reason)
	}
	return a
}

// denied reports whether a rule that somebody made for the cluster refused the request: the
// authorizer's and most of admission's refusals are 403, and webhooks and policies may give any
// other code (ToStatusErr in k8s.io/apiserver's admission/plugin/webhook/errors, and
// admission/plugin/policy/validating).
func (a answer) denied() bool {
	return a.code == http.StatusForbidden || strings.HasPrefix(a.message, "admission webhook ") ||
		strings.Contains(a.message, "ValidatingAdmissionPolicy '") && strings.Contains(a.message, " denied request: ")
}

// text is the answer in a few words: "200 OK", "409 Conflict".
func (a answer) text() string {
	switch {
	case a.code != 0:
		return statusText(a.code, a.reason)
	case a.err != "":
		return a.err
	}
	return "no request"
}

// DecodeJSON decodes a value with whole numbers as int64, as CEL and people count them; nil
// where it is no JSON.
func DecodeJSON(raw json.RawMessage) any {
	if len(raw) == 0 {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return nil
	}
	return wholeNumbers(value)
}

func wholeNumbers(value any) any {
	switch value := value.(type) {
	case json.Number:
		if n, err := value.Int64(); err == nil {
			return n
		}
		f, _ := value.Float64()
		return f
	case map[string]any:
		for key := range value {
			value[key] = wholeNumbers(value[key])
		}
	case []any:
		for i := range value {
			value[i] = wholeNumbers(value[i])
		}
	}
	return value
}
