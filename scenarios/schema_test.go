package scenarios

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

var update = flag.Bool("update", false, "write the schemas and the fields in docs anew")

const (
	schemaFile = "../docs/scenario.schema.json"
	guideFile  = "../docs/scenarios.md"
)

func TestTheSchemaInDocsIsTheFormats(t *testing.T) {
	if *update {
		if err := os.WriteFile(schemaFile, Schema(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(written) != string(Schema()) {
		t.Errorf("%s is not what the format is; go test ./scenarios -update writes it anew", schemaFile)
	}
}

func TestTheSchemaTakesEveryBuiltInScenario(t *testing.T) {
	for _, scenario := range mustCatalogue(t) {
		content, err := Source(scenario)
		if err != nil {
			t.Fatal(err)
		}
		if mistake := against(t, content); mistake != "" {
			t.Errorf("%s: %s", scenario.File, mistake)
		}
	}
}

func TestTheSchemaTitlesEveryOperation(t *testing.T) {
	for name := range yamlFields(operationType) {
		if operationTitles[Verb(name)] == "" {
			t.Errorf("%s has no title", name)
		}
	}
	if len(operationTitles) != operationType.NumField() {
		t.Errorf("%d titles for %d operations", len(operationTitles), operationType.NumField())
	}
}

// What a step may hold is said twice, in validate and in the schema; they must agree.
func TestTheSchemaAndDecodeAgree(t *testing.T) {
	for step, fine := range map[string]bool{
		"actor: A\n    get: {name: cm1}":                          true,
		"actor: A\n    get: {name: cm1, resourceVersion: 0}":      true,
		"actor: A\n    get: {}":                                   false,
		"actor: A\n    get: {nmae: cm1}":                          false,
		"actor: C\n    get: {name: cm1}":                          false,
		"get: {name: cm1}":                                        false,
		"actor: A":                                                false,
		"actor: A\n    get: {name: cm1}\n    delete: {name: cm1}": false,
		"actor: A\n    list: {}":                                  true,
		"actor: A\n    list: {resourceVersionMatch: NotOlderThan, resourceVersion: '1'}":          true,
		"actor: A\n    list: {resourceVersionMatch: Newer}":                                       false,
		"actor: A\n    list: {limit: many}":                                                       false,
		"actor: A\n    watch: {}":                                                                 true,
		"actor: A\n    watch: {meanwhile: [{get: {name: cm1}}]}":                                  false,
		"actor: A\n    watch: {meanwhile: [{actor: B, get: {name: cm1}}], seconds: 0.5}":          true,
		"actor: A\n    patch: {name: cm1, type: strategic, set: {data.a: b}}":                     true,
		"actor: A\n    patch: {name: cm1, type: json, json: [{op: remove, path: /data}]}":         true,
		"actor: A\n    patch: {name: cm1, type: better}":                                          false,
		"actor: A\n    raw: {path: /api, headers: {Accept: a/b}}":                                 true,
		"actor: A\n    raw: {path: api}":                                                          false,
		"actor: A\n    raw: {}":                                                                   false,
		"actor: A\n    retryOnConflict: {name: cm1, backoff: DefaultBackoff, read: version}":      true,
		"actor: A\n    retryOnConflict: {name: cm1, backoff: Fast}":                               false,
		"actor: A\n    retryOnConflict: {name: cm1, read: never}":                                 false,
		"actor: A\n    retryOnConflict: {name: cm1, meanwhile: {patch: {name: cm1}}}":             false,
		"actor: A\n    informer: {name: cm1, write: patch}":                                       true,
		"actor: A\n    informer: {name: cm1, write: get}":                                         false,
		"actor: A\n    storm: {times: 20, do: {patch: {name: cm1, set: {data.n: '${i}'}}}}":       true,
		"actor: A\n    storm: {times: 0, do: {get: {name: cm1}}}":                                 false,
		"actor: A\n    storm: {times: 201, do: {get: {name: cm1}}}":                               false,
		"actor: A\n    storm: {times: 2, do: {actor: C, get: {name: cm1}}}":                       false,
		"actor: A\n    together: [{actor: A, get: {name: cm1}}, {actor: B, get: {name: cm1}}]":    true,
		"actor: A\n    together: [{actor: A, get: {name: cm1}}]\n    meetAtEtcd: true":            true,
		"actor: A\n    get: {name: cm1}\n    meetAtEtcd: true":                                    false,
		"actor: A\n    together: [{get: {name: cm1}}]":                                            false,
		"actor: admin\n    apiserverRestart: {}\n    needs: [apiserver.restart]":                  true,
		"actor: admin\n    apiserverRestart: {graceful: true}":                                    false,
		"actor: admin\n    restart: {}":                                                           false,
		"actor: admin\n    etcdCompact: {revision: 5}\n    needs: [etcd.write]":                   false,
		"actor: A\n    get: {name: cm1}\n    say: {en: yes, zh: 是}":                               true,
		"actor: A\n    get: {name: cm1}\n    say: {fr: oui}":                                      false,
		"actor: A\n    get: {name: cm1}\n    expect: {that: ['true', {cel: 'true', means: m}]}":   true,
		"actor: A\n    get: {name: cm1}\n    expect: {that: [{cell: 'true'}]}":                    false,
		"actor: A\n    get: {name: cm1}\n    expect: {code: ok}":                                  false,
		"actor: A\n    get: {name: cm1}\n    expect: {writes: 0, causes: [FieldManagerConflict]}": true,
	} {
		content := []byte("scenario: x\ntitle: x\nsteps:\n  - " + step + "\n")
		_, err := Decode("x.yaml", content)
		if (err == nil) != fine {
			t.Errorf("%s\ndecoding it: %v", content, err)
		}
		if mistake := against(t, content); (mistake == "") != fine {
			t.Errorf("%s\nagainst the schema: %q", content, mistake)
		}
	}
	for name, content := range map[string]string{
		"no title": "scenario: x\nsteps: [{actor: A, list: {}}]", "no name": "title: x\nsteps: [{actor: A, list: {}}]",
		"no steps": "scenario: x\ntitle: x\nsteps: []", "a bad name": "scenario: X Y\ntitle: x\nsteps: [{actor: A, list: {}}]",
		"unknown field": "scenario: x\ntitle: x\nstesp: []\nsteps: [{actor: A, list: {}}]",
	} {
		if _, err := Decode("x.yaml", []byte(content)); err == nil {
			t.Errorf("%s is decoded", name)
		}
		if against(t, []byte(content)) == "" {
			t.Errorf("%s is right by the schema", name)
		}
	}
}

// example is a block of YAML in the guide.
var example = regexp.MustCompile("(?s)```yaml\n(.*?)```")

func TestEveryExampleOfTheGuideDecodes(t *testing.T) {
	whole := 0
	for _, found := range example.FindAllStringSubmatch(guide(t), -1) {
		content := found[1]
		switch {
		case strings.HasPrefix(content, "scenario:"), strings.HasPrefix(content, "# yaml-language-server:"):
			whole++
		case strings.HasPrefix(content, "- "): // steps
			content = "scenario: x\ntitle: x\nsteps:\n" + content
		default:
			t.Errorf("neither a scenario nor steps:\n%s", content)
			continue
		}
		if _, err := Decode("example.yaml", []byte(content)); err != nil {
			t.Errorf("%v, in\n%s", err, content)
		}
		if mistake := against(t, []byte(content)); mistake != "" {
			t.Errorf("%s, in\n%s", mistake, content)
		}
	}
	if whole == 0 {
		t.Error("the guide has no whole scenario")
	}
}

func TestTheGuideNamesEveryOperationVariableAndCapability(t *testing.T) {
	text := guide(t)
	words := append(slices.Clone(variables), Capabilities...)
	for name := range yamlFields(operationType) {
		words = append(words, name)
	}
	for _, word := range words {
		if !strings.Contains(text, "`"+word+"`") {
			t.Errorf("the guide does not explain `%s`", word)
		}
	}
}

func TestTheGuideQuotesAMistakeAsItIsReported(t *testing.T) {
	_, err := Decode("my.yaml", []byte("scenario: x\ntitle: x\nsteps:\n  - actor: A\n    get: {nmae: cm1}\n"))
	if err == nil || !strings.Contains(guide(t), "\n"+err.Error()+"\n") {
		t.Errorf("the guide does not quote %v", err)
	}
}

func guide(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile(guideFile)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// against compares a file with the schema, and returns the first mistake or "".
func against(t *testing.T, content []byte) string {
	t.Helper()
	var document any
	if err := yaml.Unmarshal(content, &document); err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	root, _ := DecodeJSON(Schema()).(map[string]any)
	v := validator{t, root}
	return v.mistake(root, DecodeJSON(encoded), "")
}

// validator knows as much of JSON Schema as Schema uses, and refuses the rest.
type validator struct {
	t    *testing.T
	root map[string]any
}

// mistake is the first way in which a value is not what a schema says; "" if there is none.
func (v validator) mistake(schema map[string]any, value any, at string) string {
	for keyword, says := range schema {
		if m := v.keyword(schema, keyword, says, value, at); m != "" {
			return m
		}
	}
	return ""
}

func (v validator) keyword(schema map[string]any, keyword string, says, value any, at string) string {
	object, isObject := value.(map[string]any)
	list, isList := value.([]any)
	text, isText := value.(string)
	wrong := func(wrong bool) string {
		if wrong {
			return fmt.Sprintf("%s: %v: %s %v", at, value, keyword, says)
		}
		return ""
	}
	switch keyword {
	case "$schema", "$defs", "title", "description":
		return ""
	case "$ref":
		name, _ := strings.CutPrefix(says.(string), "#/$defs/")
		return v.mistake(v.root["$defs"].(map[string]any)[name].(map[string]any), value, at)
	case "type":
		types, several := says.([]any)
		if !several {
			types = []any{says}
		}
		return wrong(!slices.ContainsFunc(types, func(name any) bool { return hasType(value, name.(string)) }))
	case "enum":
		return wrong(!slices.Contains(says.([]any), value))
	case "oneOf":
		fits := 0
		for _, one := range says.([]any) {
			if v.mistake(one.(map[string]any), value, at) == "" {
				fits++
			}
		}
		return wrong(fits != 1)
	case "required":
		for _, name := range says.([]any) {
			if _, there := object[name.(string)]; isObject && !there {
				return wrong(true)
			}
		}
		return ""
	case "dependentRequired":
		for name, needs := range says.(map[string]any) {
			for _, needed := range needs.([]any) {
				_, there := object[name]
				if _, both := object[needed.(string)]; isObject && there && !both {
					return wrong(true)
				}
			}
		}
		return ""
	case "properties":
		for name, property := range says.(map[string]any) {
			if field, there := object[name]; there {
				if m := v.mistake(property.(map[string]any), field, at+"."+name); m != "" {
					return m
				}
			}
		}
		return ""
	case "additionalProperties":
		known, _ := schema["properties"].(map[string]any)
		for name, field := range object {
			if _, there := known[name]; there {
				continue
			}
			if says == false {
				return wrong(true)
			}
			if m := v.mistake(says.(map[string]any), field, at+"."+name); m != "" {
				return m
			}
		}
		return ""
	case "items":
		for i, item := range list {
			if m := v.mistake(says.(map[string]any), item, fmt.Sprintf("%s[%d]", at, i)); m != "" {
				return m
			}
		}
		return ""
	case "minItems":
		return wrong(isList && int64(len(list)) < says.(int64))
	case "pattern":
		return wrong(isText && !regexp.MustCompile(says.(string)).MatchString(text))
	case "maxLength":
		return wrong(isText && int64(utf8.RuneCountInString(text)) > says.(int64))
	case "minimum", "maximum":
		n, whole := value.(int64)
		return wrong(whole && (keyword == "minimum" && n < says.(int64) || keyword == "maximum" && n > says.(int64)))
	}
	v.t.Fatalf("the schema uses %s, which this test does not know", keyword)
	return ""
}

func hasType(value any, name string) bool {
	switch value.(type) {
	case nil:
		return name == "null"
	case map[string]any:
		return name == "object"
	case []any:
		return name == "array"
	case string:
		return name == "string"
	case bool:
		return name == "boolean"
	case int64:
		return name == "integer" || name == "number"
	case float64:
		return name == "number"
	}
	return false
}
