package diff

import (
	"fmt"
	"strings"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/objects"
)

func TestUnchangedLinesFarFromAChangeAreFolded(t *testing.T) {
	for name, c := range map[string]struct{ signs, want string }{
		"nothing":                  {"", ""},
		"a change":                 {"+", "+"},
		"all the same":             {strings.Repeat(" ", 9), "9"},
		"few":                      {"   ", "   "},
		"three around stay":        {"   ~   ", "   ~   "},
		"a fourth is no fold":      {"    ~    ", "    ~    "},
		"more at either end":       {strings.Repeat(" ", 7) + "~" + strings.Repeat(" ", 8), "4   ~   5"},
		"between two":              {"-" + strings.Repeat(" ", 10) + "+", "-   4   +"},
		"just not":                 {"-" + strings.Repeat(" ", 9) + "+", "-         +"},
		"managedFields always":     {strings.Repeat(" ", 5) + "m" + strings.Repeat(" ", 5), "5m5"},
		"managedFields and change": {"~" + strings.Repeat(" ", 5) + "m  ", "~     m  "},
	} {
		t.Run(name, func(t *testing.T) {
			var all []item
			for _, sign := range []byte(c.signs) {
				if sign == 'm' {
					all = append(all, item{Row: objects.Row{Sign: ' '}, managed: true})
				} else {
					all = append(all, item{Row: objects.Row{Sign: sign}})
				}
			}
			var got strings.Builder
			for _, it := range fold(all) {
				switch {
				case it.fold > 0:
					fmt.Fprint(&got, it.fold)
				case it.managed:
					got.WriteByte('m')
				default:
					got.WriteByte(it.Sign)
				}
			}
			if got.String() != c.want {
				t.Errorf("%q, want %q", got.String(), c.want)
			}
		})
	}
}

func TestAFoldSaysWhichFieldsTheNextLineLiesIn(t *testing.T) {
	var all []item
	for _, l := range []string{"kind: Deployment", "spec:", "  template:", "    spec:", "      containers:", "        - image: x", "          name: y", "status: {}"} {
		all = append(all, item{Row: objects.Row{Sign: ' ', Before: l, After: l}})
	}
	for at, want := range []string{"", "", "spec", "spec.template", "spec.template.spec", "spec.template.spec.containers", "spec.template.spec.containers", "", ""} {
		if got := path(all, at); got != want {
			t.Errorf("line %d lies in %q, want %q", at, got, want)
		}
	}
}

const managed = `[{"manager":"a","time":"T1","fieldsV1":{"f:data":{"f:x":{}}}},{"manager":"b","time":"T1"}]`

func stored(revision int64, value string) scenarios.Revision {
	r := put(revision, cm1, "", "", 1, revision)
	r.Value = []byte(value)
	return r
}

func TestManagedFieldsAreFoundWhereverTheyStand(t *testing.T) {
	for name, c := range map[string]struct {
		value   string
		entries int
		without string // what is left
	}{
		"none":                {`{"metadata":{"name":"x"}}`, 0, "metadata:|  name: x"},
		"in between":          {`{"a":1,"metadata":{"labels":{"managedFields":"l"},"managedFields":` + managed + `,"name":"x"},"z":1}`, 2, "a: 1|metadata:|  labels:|    managedFields: l|  name: x|z: 1"},
		"at the end":          {`{"metadata":{"annotations":{"a":"b\n  managedFields:\n    c"},"managedFields":` + managed + `}}`, 2, "metadata:|  annotations:|    a: |-|      b|        managedFields:|          c"},
		"not metadata's own":  {`{"data":{"managedFields":` + managed + `},"metadata":{"name":"x"}}`, 0, ""},
		"nothing but them":    {`{"metadata":{"managedFields":` + managed + `}}`, 2, "metadata:"},
		"metadata is no map":  {`{"metadata":"x","managedFields":` + managed + `}`, 0, ""},
		"an empty list":       {`{"metadata":{"managedFields":[],"name":"x"}}`, 0, "metadata:|  managedFields: []|  name: x"},
		"a text that says so": {`{"kind":"metadata:\n  managedFields:\n    - x","metadata":{"managedFields":` + managed + `}}`, 2, "kind: |-|  metadata:|    managedFields:|      - x|metadata:"},
	} {
		t.Run(name, func(t *testing.T) {
			r := revision{Revision: stored(1, c.value)}
			got := read(&r)
			if got.entries != c.entries {
				t.Errorf("%d entries, want %d", got.entries, c.entries)
			}
			if left := strings.Join(got.without(), "|"); c.without != "" && left != c.without {
				t.Errorf("left is %q, want %q", left, c.without)
			}
		})
	}
}
