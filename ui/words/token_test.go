package words

import (
	"encoding/base64"
	"testing"

	"rvtui/scenarios"
)

func TestContinueTokenIsTakenApart(t *testing.T) {
	encode := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	for token, want := range map[string]string{
		encode(`{"v":"meta.k8s.io/v1","rv":26,"start":"rvtui-x/cm2\u0000"}`): "rv 26, after cm2",
		encode(`{"v":"meta.k8s.io/v1","rv":-1,"start":"rvtui-x/e2\u0000"}`):  "rv -1, after e2",
		encode(`{"v":"another","rv":26}`):                                    "",
		encode(`not JSON`):                                                   "",
		"not base64 !":                                                       "",
		"":                                                                   "",
	} {
		if got := Token(token); got != want {
			t.Errorf("%q: got %q, want %q", token, got, want)
		}
	}
	answer := ReadAnswer(&scenarios.Exchange{Status: 200, ResponseBody: []byte(`{"kind":"ConfigMapList","metadata":{"resourceVersion":"26","continue":"` +
		encode(`{"v":"meta.k8s.io/v1","rv":26,"start":"rvtui-x/cm2\u0000"}`) + `"},"items":[]}`)})
	if answer.Token != "rv 26, after cm2" {
		t.Errorf("the answer's token is %q", answer.Token)
	}
}

func FuzzTokenNeverPanics(f *testing.F) {
	f.Add("eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MjYsInN0YXJ0IjoieFx1MDAwMCJ9")
	f.Fuzz(func(_ *testing.T, token string) { Token(token) })
}
