package cluster

import (
	"errors"
	"regexp"
	"strings"
)

// quotation matches where an error text of the apiserver or of kubectl begins to quote what
// it was given or what is stored: a field's value, which for a patch is the whole object
// (k8s.io/apimachinery/pkg/util/validation/field, Error.ErrorBody), a body that could not be
// decoded (k8s.io/apiserver/pkg/endpoints/handlers, transformDecodeError), JSON, a Go value
// as fmt prints it, a scalar of YAML. The words of the first group say what follows; they
// may stay. What stands in double quotes elsewhere is a name.
var quotation = regexp.MustCompile("((?i:(?:invalid|unsupported|duplicate) value|not found): |, got |\\bunrecognized )|[{`&\n]|\\[[\"{]|\\bmap\\[")

// withoutQuotation is the beginning of an error text about a Secret, up to where it could
// quote what the Secret holds.
func withoutQuotation(text string) string {
	at := quotation.FindStringSubmatchIndex(text)
	if at == nil {
		return text
	}
	end := max(at[0], at[3]) // at[3] is -1 where the match is no words
	return strings.TrimRight(text[:end], " ") + " " + hidden
}

// withoutQuotationError is an error about a Secret that quotes nothing. It wraps nothing
// either, for what it wrapped would be quoted.
func withoutQuotationError(err error) error { return errors.New(withoutQuotation(err.Error())) }

// hideQuoted hides what a Status about a Secret quotes, and reports whether it did. The
// code, the reason and the names of the fields stay.
func hideQuoted(status map[string]any) bool {
	found := hideQuotedIn(status)
	details, _ := status["details"].(map[string]any)
	causes, _ := details["causes"].([]any)
	for _, cause := range causes {
		if cause, ok := cause.(map[string]any); ok {
			found = hideQuotedIn(cause) || found
		}
	}
	return found
}

// hideQuotedIn does it for the message of a Status or of one of its causes.
func hideQuotedIn(fields map[string]any) bool {
	message, _ := fields["message"].(string)
	clean := withoutQuotation(message)
	if clean == message {
		return false
	}
	fields["message"] = clean
	return true
}
