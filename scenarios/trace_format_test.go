package scenarios

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	traceSchemaFile = "../docs/trace.schema.json"
	traceFormatFile = "../docs/trace-format.md"
)

// format is the trace format as Go's types and their comments tell it.
type format struct {
	docs   map[string]string // of "Trace" and "Trace.Version"
	types  []reflect.Type    // in the order in which they are met
	strict bool              // no other fields are let in
}

func traceFormat(t *testing.T) *format {
	t.Helper()
	f := &format{docs: map[string]string{}}
	for _, name := range []string{"trace.go", "parts.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range file.Decls {
			general, ok := declared.(*ast.GenDecl)
			if !ok || general.Tok != token.TYPE {
				continue
			}
			for _, spec := range general.Specs {
				spec := spec.(*ast.TypeSpec)
				f.docs[spec.Name.Name] = oneLine(general.Doc.Text())
				fields, ok := spec.Type.(*ast.StructType)
				if !ok {
					continue
				}
				for _, field := range fields.Fields.List {
					for _, name := range field.Names {
						f.docs[spec.Name.Name+"."+name.Name] = oneLine(field.Doc.Text() + " " + field.Comment.Text())
					}
				}
			}
		}
	}
	f.meet(reflect.TypeFor[Trace]())
	return f
}

// oneLine is a comment as the guide has it: what is nil in Go is null in JSON.
func oneLine(s string) string {
	return goNil.ReplaceAllString(strings.Join(strings.Fields(s), " "), "null")
}

var goNil = regexp.MustCompile(`\bnil\b`)

// meet collects a struct's type, and those of its fields.
func (f *format) meet(t reflect.Type) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || slices.Contains(f.types, t) {
		return
	}
	f.types = append(f.types, t)
	for i := range t.NumField() {
		f.meet(t.Field(i).Type)
	}
}

// jsonName is a field's name, and whether it may be missing.
func fieldName(field reflect.StructField) (name string, optional bool) {
	name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name, options == "omitempty" || options == "omitzero"
}

// schemaOf is the schema of a type. null stands for none, where a field is always there.
func (f *format) schemaOf(t reflect.Type, null bool) schema {
	kind := func(name string) any {
		if null {
			return []string{name, "null"}
		}
		return name
	}
	switch t {
	case reflect.TypeFor[json.RawMessage]():
		return schema{}
	case reflect.TypeFor[Text]():
		return schema{"type": kind("object"), "additionalProperties": schema{"type": "string"}}
	case reflect.TypeFor[Verdict]():
		return schema{"enum": []Verdict{OK, Failed, Skipped}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return f.schemaOf(t.Elem(), null)
	case reflect.Struct:
		return schema{"$ref": "#/$defs/" + lower(t.Name())}
	case reflect.Slice:
		return schema{"type": kind("array"), "items": f.schemaOf(t.Elem(), false)}
	case reflect.Map:
		return schema{"type": kind("object"), "additionalProperties": f.schemaOf(t.Elem(), false)}
	case reflect.String:
		return schema{"type": "string"}
	case reflect.Bool:
		return schema{"type": kind("boolean")}
	case reflect.Float64:
		return schema{"type": "number"}
	}
	return schema{"type": kind("integer")}
}

func lower(name string) string {
	if strings.ToUpper(name) == name {
		return strings.ToLower(name)
	}
	return strings.ToLower(name[:1]) + name[1:]
}

func (f *format) object(t reflect.Type) schema {
	properties, required := schema{}, []string{}
	for i := range t.NumField() {
		field := t.Field(i)
		name, optional := fieldName(field)
		nullable := !optional && slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Map, reflect.Slice}, field.Type.Kind())
		property := f.schemaOf(field.Type, nullable)
		if doc := f.docs[t.Name()+"."+field.Name]; doc != "" {
			property["description"] = doc
		}
		properties[name] = property
		if !optional {
			required = append(required, name)
		}
	}
	slices.Sort(required)
	object := schema{"type": "object", "properties": properties, "required": required, "description": f.docs[t.Name()]}
	if f.strict {
		object["additionalProperties"] = false
	}
	return object
}

func (f *format) schema(t *testing.T) []byte {
	t.Helper()
	definitions := schema{}
	for _, of := range f.types[1:] {
		definitions[lower(of.Name())] = f.object(of)
	}
	root := f.object(f.types[0])
	root["$schema"], root["title"], root["$defs"] = "https://json-schema.org/draft/2020-12/schema", "rvtui trace", definitions
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(root); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// kindText is a type in a word or two.
func kindText(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[json.RawMessage]():
		return "JSON"
	case reflect.TypeFor[Text]():
		return "text"
	case reflect.TypeFor[Verdict]():
		return "`ok`, `failed` or `skipped`"
	}
	switch t.Kind() {
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Struct {
			return kindText(t.Elem())
		}
		return kindText(t.Elem()) + " or null"
	case reflect.Struct:
		return "[" + lower(t.Name()) + "](#" + strings.ToLower(t.Name()) + ")"
	case reflect.Slice:
		return "list of " + kindText(t.Elem())
	case reflect.Map:
		return "object of " + kindText(t.Elem())
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "number"
	case reflect.String:
		return "string"
	}
	return "whole number"
}

// tables are the fields of each type, as the guide has them.
func (f *format) tables() string {
	var b strings.Builder
	for _, t := range f.types {
		fmt.Fprintf(&b, "\n### %s\n\n%s\n\n| field | | |\n|---|---|---|\n", lower(t.Name()), f.docs[t.Name()])
		for i := range t.NumField() {
			field := t.Field(i)
			name, optional := fieldName(field)
			kind := kindText(field.Type)
			if optional {
				kind = "*optional* " + strings.TrimSuffix(kind, " or null")
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, kind, strings.ReplaceAll(f.docs[t.Name()+"."+field.Name], "|", `\|`))
		}
	}
	return b.String() + "\n"
}

func TestTheTraceFormatInDocsIsTheTypes(t *testing.T) {
	f := traceFormat(t)
	before, err := os.ReadFile(traceFormatFile)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(before), "<!-- fields -->\n")
	_, tail, more := strings.Cut(rest, "<!-- end -->\n")
	if !ok || !more {
		t.Fatal("the guide has no <!-- fields --> and <!-- end -->")
	}
	guide := head + "<!-- fields -->\n" + f.tables() + "<!-- end -->\n" + tail
	if *update {
		if err := os.WriteFile(traceSchemaFile, f.schema(t), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(traceFormatFile, []byte(guide), 0o644); err != nil {
			t.Fatal(err)
		}
		before = []byte(guide)
	}
	written, err := os.ReadFile(traceSchemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(written) != string(f.schema(t)) || string(before) != guide {
		t.Errorf("%s and %s are not what the format is; go test ./scenarios -update writes them anew", traceSchemaFile, traceFormatFile)
	}
}

func TestEveryFieldOfATraceHasANameAndIsExplained(t *testing.T) {
	f := traceFormat(t)
	for _, of := range f.types {
		for i := range of.NumField() {
			field := of.Name() + "." + of.Field(i).Name
			if name, _ := fieldName(of.Field(i)); name == "" || name == "-" {
				t.Errorf("%s has none", field)
			}
			if f.docs[field] == "" {
				t.Errorf("%s is not explained", field)
			}
		}
	}
}

// traceMistake compares a trace's file with the schema, and returns the first mistake or "".
func traceMistake(t *testing.T, strict bool, content []byte) string {
	t.Helper()
	f := traceFormat(t)
	f.strict = strict
	root, _ := DecodeJSON(f.schema(t)).(map[string]any)
	v := validator{t, root}
	return v.mistake(root, DecodeJSON(content), "")
}

func TestTheSchemaTakesEveryRecordedTrace(t *testing.T) {
	for _, f := range everyFixture(t) {
		for name, trace := range map[string]Trace{"as it is": f.trace, "normalised": Normalise(f.trace)} {
			if mistake := traceMistake(t, true, []byte(asWritten(t, trace))); mistake != "" {
				t.Errorf("%s, %s: %s", f.scenario.Name, name, mistake)
			}
		}
	}
	if mistake := traceMistake(t, true, []byte(asWritten(t, walkedInParts(t)))); mistake != "" {
		t.Error(mistake)
	}
}

func TestTheSchemaRefusesWhatIsNoTrace(t *testing.T) {
	trace := fixtureOf(t, "two-writers").trace
	content := asWritten(t, trace)
	written := fmt.Sprintf(`"modRevision": %d,`, trace.Steps[2].Revisions[0].Revision)
	for old, replacement := range map[string]string{
		`"version": 1,`:       `"version": "1",`,
		`"scenario":`:         `"name":`,
		`"status": 409`:       `"status": "409"`,
		`"verdict": "ok"`:     `"verdict": "fine"`,
		`"revisions": [],`:    ``,
		`"compacted": 0`:      `"compacted": null`,
		`"exchanges": [`:      `"exchanges": [7, `,
		written:               `"modRevision": 1.5,`,
		`"succeeded": true,`:  `"succeeded": "yes",`,
		`"requestHeaders": {`: `"requestHeaders": {"X": 7, `,
		`"title": {`:          `"title": {"fr": 7,`,
	} {
		changed := strings.Replace(content, old, replacement, 1)
		if changed == content || traceMistake(t, false, []byte(changed)) == "" {
			t.Errorf("it takes %s for %s", replacement, old)
		}
	}
	newer := strings.Replace(content, `"version": 1,`, `"version": 1, "more": true,`, 1)
	if mistake := traceMistake(t, false, []byte(newer)); mistake != "" {
		t.Errorf("a new field is refused: %s", mistake)
	}
}

func TestTheExampleInTheFormatIsATrace(t *testing.T) {
	guide, err := os.ReadFile(traceFormatFile)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(guide), "```json\n")
	example, _, ok := strings.Cut(rest, "```\n")
	if !ok {
		t.Fatal("there is no example")
	}
	if mistake := traceMistake(t, true, []byte(example)); mistake != "" {
		t.Error(mistake)
	}
	trace, err := readAll(example)
	if err != nil || len(trace.Steps) != 1 {
		t.Errorf("%d steps, %v", len(trace.Steps), err)
	}
	if !strings.Contains(string(guide), fmt.Sprintf("`version` is %d.", TraceVersion)) {
		t.Error("the guide gives another version")
	}
}
