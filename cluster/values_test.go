package cluster

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"rvtui/scenarios"
)

// stored encodes an object as the apiserver stores it.
func stored(t testing.TB, object runtime.Object) []byte {
	t.Helper()
	encoder := scheme.Codecs.EncoderForVersion(protobuf.NewSerializer(scheme.Scheme, scheme.Scheme), corev1.SchemeGroupVersion)
	var b bytes.Buffer
	if err := encoder.Encode(object, &b); err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(b.Bytes(), protobufMagic) {
		t.Fatalf("not protobuf: %q", b.Bytes())
	}
	return b.Bytes()
}

func TestStoredValuesAreShownAsJSON(t *testing.T) {
	meta := metav1.ObjectMeta{Name: "cm1", Namespace: "ns"}
	tests := map[string]struct {
		value []byte
		want  string // "" for nothing
	}{
		"a ConfigMap":          {stored(t, &corev1.ConfigMap{ObjectMeta: meta, Data: map[string]string{"owner": "A"}}), `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"cm1","namespace":"ns"},"data":{"owner":"A"}}`},
		"a custom resource":    {[]byte("{\"kind\":\"Widget\",\"spec\":{\"size\":1}}\n"), `{"kind":"Widget","spec":{"size":1}}`},
		"a Secret":             {stored(t, &corev1.Secret{ObjectMeta: meta, Data: map[string][]byte{"a": []byte("b")}}), ""},
		"a Secret as JSON":     {[]byte(`{"kind":"Secret","data":{"a":"b"}}`), ""},
		"an encrypted value":   {[]byte("k8s:enc:aescbc:v1:key1:\x01\x02"), ""},
		"a cut protobuf value": {stored(t, &corev1.ConfigMap{ObjectMeta: meta})[:12], ""},
		"nothing":              {nil, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := string(storedObject(test.value)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func FuzzStoredValuesAreJSONOrNothing(f *testing.F) {
	f.Add(stored(f, &corev1.ConfigMap{Data: map[string]string{"a": "b"}}))
	f.Add([]byte("k8s\x00"))
	f.Add([]byte(`{"kind":"ConfigMap"}`))
	f.Fuzz(func(t *testing.T, value []byte) {
		if got := storedObject(value); got != nil && !json.Valid(got) {
			t.Errorf("%q became %q", value, got)
		}
	})
}

func TestAnEncryptedValueIsSaidToBeSo(t *testing.T) {
	for value, want := range map[string]string{
		"k8s:enc:aescbc:v1:key1:\x00\xff":     "encrypted by aescbc",
		"k8s:enc:kms:v2:provider:\x01":        "encrypted by kms",
		"k8s:enc:secretbox:v1:key-1:" + "x":   "encrypted by secretbox",
		"k8s:enc:":                            "encrypted",
		"k8s:enc:no-colon":                    "encrypted",
		"k8s:enc:\xff\x00:v1:":                "encrypted",
		"k8s:enc:" + strings.Repeat("x", 500): "encrypted",
		`{"kind":"ConfigMap"}`:                "",
		"k8s\x00":                             "",
		"":                                    "",
	} {
		if got := unreadable([]byte(value)); got != want {
			t.Errorf("%q is %q, want %q", value, got, want)
		}
	}
	s := &Session{namespace: "ns", wrote: map[revisionKey]string{}, cluster: &Cluster{config: Config{REST: &rest.Config{}, Prefix: "/registry"}}}
	r := s.revision(scenarios.Call{}, Change{Key: "/registry/secrets/ns/s", Revision: 7, Value: []byte("k8s:enc:aesgcm:v1:k:secret")}, &scenarios.Observation{})
	if r.Unreadable != "encrypted by aesgcm" || r.Value != nil {
		t.Errorf("%+v", r)
	}
}
