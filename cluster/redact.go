package cluster

import (
	"bytes"
	"encoding/json"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"rvtui/scenarios"
)

// hidden stands where a Secret's content or a credential was.
const hidden = "(hidden)"

// credentialText matches credentials by their look: what follows "Bearer" or "Basic" in a
// header, where it is 20 characters and more, JSON Web Tokens, such as a ServiceAccount's,
// and what a query calls an access token. (A list's continue token has no dots, so it is none.)
var credentialText = regexp.MustCompile(`(?i:\b(?:bearer|basic) +[A-Za-z0-9+/._~=-]{20,})|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*|(?i:\baccess_token=[^&\s"\\]+)`)

// redactor takes credentials and the contents of Secrets out of what is recorded.
type redactor struct{ known *credentials }

func newRedactor(credentials ...string) redactor {
	return redactor{newCredentials(credentials...)}
}

// text takes credentials out of a text.
func (r redactor) text(s string) string {
	for _, credential := range r.known.all() {
		s = strings.ReplaceAll(s, credential, hidden)
	}
	return credentialText.ReplaceAllString(s, hidden)
}

// texts takes credentials out of a map's values, in place.
func (r redactor) texts(m map[string]string) map[string]string {
	for name, value := range m {
		m[name] = r.text(value)
	}
	return m
}

// body makes of a body what is recorded: JSON as it is, anything else as a JSON string,
// both without credentials and without what a Secret holds. secrets says that the exchange
// is about Secrets, whatever the body says of itself.
func (r redactor) body(secrets bool, body []byte) json.RawMessage {
	if len(body) == 0 {
		return nil
	}
	decoded, isJSON := decodeJSON(body)
	switch {
	case isJSON && secrets && isScalar(decoded):
		return mustEncode(hidden)
	case !isJSON && (secrets || secretYAML(body)):
		return mustEncode(hidden)
	case !isJSON:
		return mustEncode(r.text(string(body)))
	case hideSecrets(decoded, secrets):
		// The order of the fields is lost here, and only here.
		body = mustEncode(decoded)
	}
	clean := []byte(r.text(string(body)))
	if !json.Valid(clean) {
		return mustEncode(hidden)
	}
	return bytes.TrimSpace(clean)
}

// aboutSecrets reports whether an exchange is about Secrets: by the request's path, or by a
// Secret in its body, which may have been sent to a path that does not serve them.
func aboutSecrets(path string, body []byte) bool {
	decoded, _ := decodeJSON(body)
	return servesSecrets(path) || hideSecrets(decoded, false)
}

// aboutSecretsCall reports whether a call could be about Secrets.
func aboutSecretsCall(call scenarios.Call) bool {
	object, _ := json.Marshal(call.Object)
	return kindOf(call).Kind == "Secret" || aboutSecrets(call.Path, []byte(call.Body)) || aboutSecrets("", object) ||
		slices.ContainsFunc(partsOf(call), aboutSecretsCall)
}

// servesSecrets reports whether a request's path is that of Secrets, or of the tokens of
// ServiceAccounts.
func servesSecrets(path string) bool {
	path, _, _ = strings.Cut(path, "?")
	if unescaped, err := url.PathUnescape(path); err == nil {
		path = unescaped
	}
	parts := strings.Split(strings.ToLower(path), "/")
	return slices.Contains(parts, "secrets") || slices.Contains(parts, "token")
}

func isScalar(value any) bool {
	switch value.(type) {
	case map[string]any, []any, nil:
		return false
	}
	return true
}

// secretYAML reports whether a body is YAML with a Secret in it.
func secretYAML(body []byte) bool {
	var value map[string]any
	return yaml.Unmarshal(body, &value) == nil && value["kind"] == "Secret"
}

// hideSecrets replaces what Secrets hold within a decoded body, in place, and reports
// whether there was anything to replace. Where secret is true, the value itself is a
// Secret, or a part of one, even if it does not say so: a patch.
func hideSecrets(value any, secret bool) bool {
	found := false
	switch value := value.(type) {
	case []any:
		for i, element := range value {
			if secret {
				found = hideOperation(element) || found
				if isScalar(element) {
					value[i], found = hidden, true
				}
			}
			found = hideSecrets(element, secret) || found
		}
	case map[string]any:
		kind, _ := value["kind"].(string)
		switch kind {
		case "Secret", "SecretList", "TokenRequest", "TokenReview":
			secret = true
		}
		if secret {
			found = hideContent(value)
		}
		if secret && kind == "Status" {
			found = hideQuoted(value) || found
		}
		for _, key := range []string{"items", "rows", "object"} { // of a list, of a table, of a watch's event
			if inner, ok := value[key]; ok {
				found = hideSecrets(inner, secret) || found
			}
		}
	}
	return found
}

// harmless are the fields of a Secret, of a patch of one and of what wraps them that hold
// nothing of its content, or whose content is hidden by itself.
var harmless = []string{
	"apiVersion", "kind", "metadata", "type", "immutable", "data", "stringData",
	"items", "rows", "object", "op", "path", "from", "value", // of lists, watches and JSON patches
	"preconditions", "gracePeriodSeconds", "propagationPolicy", "orphanDependents", "dryRun",
}

// hideContent hides what one Secret or token holds.
func hideContent(secret map[string]any) bool {
	found := false
	kind, _ := secret["kind"].(string)
	for field, value := range secret {
		// What is misspelt is a Secret's content all the same.
		if !slices.Contains(harmless, field) && (kind == "Secret" || kind == "") && value != nil {
			secret[field] = hidden
			found = true
		}
	}
	for _, field := range []string{"data", "stringData"} {
		switch content := secret[field].(type) {
		case nil:
		case map[string]any:
			for key := range content {
				content[key] = hidden
				found = true
			}
		default:
			secret[field] = hidden
			found = true
		}
	}
	for _, field := range []string{"spec", "status"} {
		if inner, ok := secret[field].(map[string]any); ok && inner["token"] != nil {
			inner["token"] = hidden
			found = true
		}
	}
	metadata, _ := secret["metadata"].(map[string]any)
	// kubectl keeps a whole copy of the object there, and a JSON patch can copy anything to it.
	annotations, _ := metadata["annotations"].(map[string]any)
	for name := range annotations {
		annotations[name] = hidden
		found = true
	}
	return found
}

// hideOperation hides the value of one operation of a JSON patch of a Secret. Only those
// on metadata are shown, for that is where resourceVersion and the labels are.
func hideOperation(operation any) bool {
	fields, ok := operation.(map[string]any)
	if !ok || fields["op"] == nil || fields["value"] == nil {
		return false
	}
	path, _ := fields["path"].(string)
	if strings.HasPrefix(path, "/metadata/") && !strings.HasPrefix(path, "/metadata/annotations") {
		return false
	}
	fields["value"] = hidden
	return true
}

// decodeJSON decodes exactly one JSON value; numbers keep their digits.
func decodeJSON(body []byte) (any, bool) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return nil, false
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, false
	}
	return value, true
}

// mustEncode encodes what was decoded from JSON, or a string: neither can fail.
func mustEncode(value any) json.RawMessage {
	encoded, err := json.Marshal(value)
	if err != nil {
		return json.RawMessage(`"` + hidden + `"`)
	}
	return encoded
}
