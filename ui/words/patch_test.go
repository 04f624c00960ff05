package words

import (
	"strings"
	"testing"
)

func TestPatchesInWords(t *testing.T) {
	for body, want := range map[string]string{
		`{"data":{"owner":"A","n":5}}`: "data.n: 5|data.owner: A",
		`[{"op":"test","path":"/metadata/resourceVersion","value":"7"},{"op":"add","path":"/data/n","value":5}]`:     "test /metadata/resourceVersion: 7|add /data/n: 5",
		`[{"op":"remove","path":"/data/n"},{"op":"move","from":"/data/a","path":"/data/b"}]`:                         "remove /data/n|move /data/b from /data/a",
		`[{"op":"add","path":"/data","value":{"a":"x"}},{"op":"add","path":"/metadata/finalizers","value":["x/y"]}]`: "add /data: a: x|add /metadata/finalizers: [0]: x/y",
		`[1]`: "", `nonsense`: "", ``: "",
	} {
		if got := strings.Join(Patch([]byte(body)), "|"); got != want {
			t.Errorf("%s: got %q, want %q", body, got, want)
		}
	}
}
