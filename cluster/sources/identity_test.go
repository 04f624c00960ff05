package sources

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"rvtui/cluster"
)

func TestAnotherClustersEtcdIsRefused(t *testing.T) {
	const stored = `{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"default","uid":"u1"}}`
	const encrypted = "k8s:enc:aescbc:v1:key1:\x01\x02"
	for name, test := range map[string]struct {
		value          string
		status         int
		uid, version   string
		want, inFollow string
	}{
		"the same":                      {value: stored, uid: "u1", version: "9"},
		"another UID":                   {value: stored, uid: "u2", version: "6", want: "namespace default has another UID"},
		"encrypted, the same revision":  {value: encrypted, uid: "u1", version: "6"},
		"encrypted, another revision":   {value: encrypted, uid: "u1", version: "8", want: "another mod_revision, 6, than the object's resourceVersion, 8"},
		"who may not read default":      {value: stored, status: http.StatusForbidden, uid: "u1", version: "6"},
		"may not, and it is another's":  {value: stored, status: http.StatusForbidden, uid: "u2", version: "6", inFollow: "namespace mine has another UID"},
		"an apiserver that has trouble": {value: stored, status: http.StatusInternalServerError, want: "trouble"},
	} {
		t.Run(name, func(t *testing.T) {
			api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if test.status != 0 && strings.HasSuffix(r.URL.Path, "/default") {
					w.WriteHeader(test.status)
					w.Write([]byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"` + strings.ReplaceAll(http.StatusText(test.status), " ", "") + `","message":"trouble","code":` + strconv.Itoa(test.status) + `}`))
					return
				}
				w.Write([]byte(`{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"n","uid":"` + test.uid + `","resourceVersion":"` + test.version + `"}}`))
			}))
			defer api.Close()
			endpoint := (&fakeEtcd{version: "3.6.0", value: test.value}).serve(t)
			store, err := Etcd{Endpoints: []string{endpoint}}.Dial(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			says := func(err error, want string) {
				t.Helper()
				if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
					t.Errorf("error %v, want %q", err, want)
				}
			}
			says(store.BelongsTo(t.Context(), &rest.Config{Host: api.URL}, ""), test.want)
			if test.want != "" {
				return
			}
			follower, err := store.Follow(t.Context(), cluster.Room{Namespace: "mine", Prefix: "/registry"})
			if err == nil {
				follower.Stop()
			}
			says(err, test.inFollow)
		})
	}
}
