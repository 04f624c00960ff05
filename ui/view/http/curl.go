package http

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"rvtui/scenarios"
	"rvtui/ui/view"
	"rvtui/ui/words"
)

// hidden stands in a trace where a Secret's content or a credential was.
const hidden = "(hidden)"

var (
	// bare are the words that the shell of POSIX takes as they are.
	bare = regexp.MustCompile(`^[A-Za-z0-9@%+=:,./_-]+$`)
	// quotedPath are the paths that it takes as they are within double quotes.
	quotedPath = regexp.MustCompile(`^/[A-Za-z0-9@%+=:,./_~?&-]*$`)
	// credential matches the names of headers that carry, or may carry, credentials.
	credential = regexp.MustCompile(`(?i)auth|cookie|token|secret|password|credential|api-?key|session|x-remote-|client-cert`)
)

// curl is a command line that sends an exchange's request once more. Where to, and as
// whom, is left to the shell's variables. What the trace does not hold is said before it.
func curl(in *view.Input, e *scenarios.Exchange) string {
	body, note := payload(e)
	parts := []string{"curl", "-sS"}
	if strings.ContainsAny(e.Path, "[]{}") { // to curl these are patterns
		parts = append(parts, "--globoff")
	}
	if words.Read(e).Verb == "WATCH" {
		parts = append(parts, "-N")
	}
	if e.Method == "HEAD" {
		parts = append(parts, "-I")
	} else {
		parts = append(parts, "-X", quote(e.Method))
	}
	url := `"$APISERVER` + e.Path + `"`
	if !quotedPath.MatchString(e.Path) {
		url = `"$APISERVER"` + quote(e.Path)
	}
	parts = append(parts, url, `--cacert "$CACERT"`, `-H "Authorization: Bearer $TOKEN"`)
	typed := false
	names := make([]string, 0, len(e.RequestHeaders))
	for name := range e.RequestHeaders {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		value := e.RequestHeaders[name]
		// The trace's own mark is for one request alone.
		if strings.EqualFold(name, "Traceparent") || credential.MatchString(name) || strings.Contains(value, hidden) {
			continue
		}
		typed = typed || strings.EqualFold(name, "Content-Type")
		parts = append(parts, "-H "+quote(name+": "+value))
	}
	if body != "" {
		if !typed { // curl would say that it is a form
			parts = append(parts, "-H 'Content-Type:'")
		}
		parts = append(parts, body)
	}
	line := strings.Join(parts, " ")
	if control(line) {
		return "" // nobody should paste that
	}
	if note != "" {
		line = "# " + in.In(note) + "\n" + line
	}
	return line
}

// payload is curl's option for a request's body, and what has to be said of it.
func payload(e *scenarios.Exchange) (option, note string) {
	raw := e.RequestBody
	if len(raw) == 0 || string(raw) == "null" {
		return "", ""
	}
	const file = "--data-binary @body"
	if bytes.Contains(raw, []byte(hidden)) {
		return file, "The trace does not hold this body: what a Secret holds is hidden. Write it into the file body first."
	}
	var text string
	if json.Unmarshal(raw, &text) != nil { // JSON, and not the text that stands for a body that is none
		var b bytes.Buffer
		if json.Compact(&b, raw) != nil {
			return file, "The body cannot be shown here. Write it into the file body first."
		}
		text = escapeControls(b.String())
	}
	if control(text) {
		return file, "The body has control characters, which cannot be pasted. Write it into the file body first."
	}
	return "--data-raw " + quote(text), ""
}

// escapeControls writes the control characters that JSON allows in a string as escapes.
func escapeControls(s string) string {
	if !control(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.IsControl(r) {
			const digits = "0123456789abcdef"
			b.WriteString(`\u00` + string(digits[r>>4]) + string(digits[r&15]))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// control reports whether a text has what a terminal would take for a command or a key.
func control(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' })
}

// quote makes one word of a text, for the shell of POSIX.
func quote(s string) string {
	if bare.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
