package scenarios

import "testing"

func TestExplainKnowsWhatPeoplePaste(t *testing.T) {
	for text, want := range map[string]string{
		`the object has been modified; please apply your changes to the latest version and try again`:                                                                                                                                                        "object-modified",
		`Error from server (Conflict): error when replacing "cm.yaml": Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again`:                                 "object-modified",
		`2026-11-30T10:00:00Z ERROR Reconciler error {"controller": "x", "error": "Operation cannot be fulfilled on foos.example.com \"a\": the object has been modified; please apply your changes to the latest version and try again"}`:                   "object-modified",
		`{"kind":"Status","apiVersion":"v1","status":"Failure","message":"Operation cannot be fulfilled on configmaps \"cm1\": the object has been modified; please apply your changes to the latest version and try again","reason":"Conflict","code":409}`: "object-modified",
		`Lease.coordination.k8s.io "l" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`:                                                                                                                              "must-be-specified",
		`foos.example.com "a" is invalid: metadata.resourceVersion: Invalid value: 0x0: must be specified for an update`:                                                                                                                                     "must-be-specified",
		`resourceVersion should not be set on objects to be created`:                                                                                      "rv-on-create",
		`Timeout: Too large resource version: 1000214, current: 214`:                                                                                      "too-large",
		`W1130 reflector.go:341] watch of *v1.Pod ended with: too old resource version: 12 (345)`:                                                         "watch-too-old",
		`The resourceVersion for the provided list is too old.`:                                                                                           "list-too-old",
		`The provided continue parameter is too old to display a consistent list result.`:                                                                 "continue-too-old",
		`etcdserver: mvcc: required revision has been compacted`:                                                                                          "list-too-old",
		`StorageError: invalid object, Code: 4, Key: /registry/x, AdditionalErrorMsg: Precondition failed: UID in precondition: a, UID in object meta: b`: "uid-precondition",
		`Operation cannot be fulfilled on configmaps "cm1": the ResourceVersion in the precondition (214) does not match the ResourceVersion in record (219). The object might have been modified`: "rv-precondition",
		`Apply failed with 1 conflict: conflict with "A": .data.k`:                                              "field-conflict",
		`Apply failed with 3 conflicts: conflicts with "kubectl" using apps/v1: - .spec.replicas`:               "field-conflict",
		`the server rejected our request due to an error in our request`:                                        "json-patch-test",
		`configmaps "cm1" already exists`:                                                                       "already-exists",
		`E1130 leaderelection.go:429] failed to renew lease kube-system/x: timed out waiting for the condition`: "renew-lease",
		`Timeout: request did not complete within requested timeout - context deadline exceeded`:                "deadline",
	} {
		explanation, err := Explain(text)
		if err != nil {
			t.Fatal(err)
		}
		if explanation == nil || explanation.Name != want {
			t.Errorf("%q: %+v, want %s", text, explanation, want)
		}
	}
}

func TestExplainGuessesNothing(t *testing.T) {
	for _, text := range []string{
		"", "connection refused", "context deadline exceeded", `pods "web" not found`, `pods "web" is forbidden: User "x" cannot get resource`,
		"no space left on device", "etcdserver: leader changed", "x509: certificate has expired or is not yet valid",
		"ImagePullBackOff", "the quick brown fox", "unable to recognize \"x.yaml\": no matches for kind", "{",
		"merge conflict in main.go", "the version of the object is unknown",
	} {
		if explanation, err := Explain(text); err != nil || explanation != nil {
			t.Errorf("%q is explained as %+v (%v)", text, explanation, err)
		}
	}
}
