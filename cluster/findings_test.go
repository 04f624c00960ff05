package cluster

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"rvtui/scenarios"
)

func TestAClientsErrorIsWhatItsCallerGot(t *testing.T) {
	api := newFakeAPI(t)
	answers := map[string]func(http.ResponseWriter){
		"A Get conflict":  func(w http.ResponseWriter) { status(w, 409, "Conflict", "modified") },
		"A Get exists":    func(w http.ResponseWriter) { status(w, 409, "AlreadyExists", "already exists") },
		"A Get gone":      func(w http.ResponseWriter) { status(w, 410, "Expired", "too old resource version") },
		"A Get not found": func(w http.ResponseWriter) { status(w, 404, "NotFound", "not found") },
		"A Get invalid":   func(w http.ResponseWriter) { status(w, 422, "Invalid", "invalid") },
		"A Get timeout":   func(w http.ResponseWriter) { status(w, 504, "Timeout", "too large resource version") },
		"A Get":           func(w http.ResponseWriter) { status(w, 500, "InternalError", "it broke") },
	}
	var answer func(http.ResponseWriter)
	api.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("User-Agent") != "rvtui-A" {
			return false
		}
		answer(w)
		return true
	}
	s := api.open(t)
	for want, how := range answers {
		answer = how
		seen := do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbGet, Name: "cm1"})
		if got := calledOf(seen); got != want || seen.Client[0].Error == "" {
			t.Errorf("got %s (%+v), want %s", got, seen.Client, want)
		}
	}
}

func TestAnErrorAboutASecretQuotesNothingOfIt(t *testing.T) {
	secrets := schema.GroupResource{Resource: "secrets"}
	conflict := apierrors.NewConflict(secrets, "s1", errors.New("the object has been modified"))
	patched := apierrors.NewConflict(secrets, "s1", errors.New("error when applying patch:\n{\"data\":{\"k\":\"c2VjcmV0\"}}"))
	invalid := apierrors.NewInvalid(schema.GroupKind{Kind: "Secret"}, "s1", nil)
	invalid.ErrStatus.Message = `Secret "s1" is invalid: data.k: Invalid value: "c2VjcmV0"`
	for _, test := range []struct {
		err  error
		want string
	}{
		{conflict, `Operation cannot be fulfilled on secrets "s1": the object has been modified`},
		{patched, "Conflict " + hidden},
		{invalid, "Invalid " + hidden},
		{fmt.Errorf("error validating data: c2VjcmV0"), hidden},
	} {
		if got := withoutContent(test.err); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func TestWhatKubectlPrintsHoldsNoCredential(t *testing.T) {
	api := newFakeAPI(t)
	api.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPut {
			return false
		}
		status(w, 500, "InternalError", "the token is "+token)
		return true
	}
	s := api.open(t)
	do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)})
	seen := do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbKubectlReplace, Name: "cm1", Object: configMap(nil)})
	if got := seen.Client[0].Error; !strings.Contains(got, "the token is "+hidden) {
		t.Errorf("kubectl said %q", got)
	}
}
