package sources

import (
	"strings"
	"testing"
)

// As etcdctl 3.6.16 prints it.
const printed = `{"header":{"cluster_id":14841639068965178418,"member_id":10276657743932975437,"revision":9007199254740993,"raft_term":2},` +
	`"kvs":[{"key":"L3JlZ2lzdHJ5L2NvbmZpZ21hcHMvbnMvY20x","create_revision":12,"mod_revision":9007199254740993,"version":3,"value":"azhzAA=="}],"count":1}`

func TestWhatEtcdctlPrintsIsReadExactly(t *testing.T) {
	response, err := decodeRange([]byte(printed))
	if err != nil {
		t.Fatal(err)
	}
	kv := response.Kvs[0]
	if response.Header.Revision != 9007199254740993 || response.Count != 1 || string(kv.Key) != "/registry/configmaps/ns/cm1" ||
		kv.CreateRevision != 12 || kv.ModRevision != 9007199254740993 || kv.Version != 3 || string(kv.Value) != "k8s\x00" {
		t.Errorf("%+v", response)
	}
	for name, text := range map[string]string{
		"no keys":             `{"header":{"revision":7}}`,
		"revisions as text":   `{"header":{"revision":"7"},"kvs":[{"key":"YQ==","mod_revision":"7"}],"count":"1"}`,
		"kine's, no version":  `{"header":{"revision":7},"kvs":[{"key":"YQ==","create_revision":5,"mod_revision":7}],"count":1}`,
		"fields that are new": `{"header":{"revision":7,"new":true},"more":true}`,
	} {
		if _, err := decodeRange([]byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, text := range map[string]string{
		"nothing":              ``,
		"no JSON":              `Error: no`,
		"cut off":              printed[:100],
		"another shape":        `[]`,
		"no header":            `{"kvs":[]}`,
		"no revision":          `{"header":{}}`,
		"half a revision":      `{"header":{"revision":7.5}}`,
		"too large a revision": `{"header":{"revision":18446744073709551615}}`,
		"no base64":            `{"header":{"revision":7},"kvs":[{"key":"?","mod_revision":7}]}`,
		"a key without one":    `{"header":{"revision":7},"kvs":[{"key":"YQ=="}]}`,
		"a negative version":   `{"header":{"revision":7},"kvs":[{"key":"YQ==","mod_revision":7,"version":-1}]}`,
	} {
		if _, err := decodeRange([]byte(text)); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestTheVersionIsReadFromTheEndpointsStatus(t *testing.T) {
	version, err := decodeStatus([]byte(`[{"Endpoint":"https://127.0.0.1:2379","Status":{"header":{"cluster_id":14841639068965178418,"revision":3770},"version":"3.6.16","downgradeInfo":{}}}]`))
	if err != nil || version != "3.6.16" {
		t.Errorf("%q, error %v", version, err)
	}
	for _, text := range []string{``, `[]`, `{}`, `null`} {
		if version, err := decodeStatus([]byte(text)); err == nil {
			t.Errorf("%q: %q", text, version)
		}
	}
}

func TestEtcdctlsReasonIsWithoutItsLog(t *testing.T) {
	for stderr, want := range map[string]string{
		`{"level":"warn","msg":"retrying"}` + "\nError: etcdserver: mvcc: required revision has been compacted\n": "etcdserver: mvcc: required revision has been compacted",
		"sh: etcdctl: not found\n": "sh: etcdctl: not found",
		"":                         "",
	} {
		if got := ctlError(stderr); got != want {
			t.Errorf("%q: %q", stderr, got)
		}
	}
}

func FuzzWhatEtcdctlPrintsHasRevisionsOrIsRefused(f *testing.F) {
	f.Add([]byte(printed))
	f.Add([]byte(`{"header":{"revision":"7"},"kvs":[{"key":"YQ==","mod_revision":"7"}]}`))
	f.Add([]byte(`{"header":null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		response, err := decodeRange(text)
		if err != nil {
			return
		}
		if response.Header.Revision <= 0 {
			t.Errorf("%q has no revision", text)
		}
		for _, kv := range response.Kvs {
			if kv.ModRevision <= 0 || len(kv.Key) == 0 {
				t.Errorf("%q has a key with no revision", text)
			}
		}
	})
}
