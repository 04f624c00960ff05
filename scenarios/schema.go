package scenarios

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// Schema is the scenario file format as a JSON Schema (draft 2020-12), made from the Go
// types that a file is read into. It says what a file looks like; Decode checks more,
// expressions for one.
func Schema() []byte {
	d := definitions{}
	root := d.object(reflect.TypeFor[Scenario]())
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "rvtui scenario"
	root["description"] = "One experiment on resourceVersion and optimistic concurrency; docs/scenarios.md explains the format."
	root["$defs"] = d
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(root); err != nil {
		panic(err) // maps, slices, texts and numbers can be encoded
	}
	return b.Bytes()
}

// schema is a JSON Schema, or a part of one. Its keys are sorted where it is encoded.
type schema map[string]any

// definitions are the schema's $defs.
type definitions map[string]schema

// operationTitles say what each operation does, in a line.
var operationTitles = map[Verb]string{
	VerbGet:             "Read one object (client-go, HTTP GET)",
	VerbList:            "Read the objects of a kind (client-go, HTTP GET)",
	VerbCreate:          "Make an object (client-go, HTTP POST)",
	VerbReplace:         "Change the object that the actor holds and send all of it back (client-go Update, HTTP PUT)",
	VerbPatch:           "Send a merge, strategic merge or JSON patch (client-go, HTTP PATCH)",
	VerbDelete:          "Delete an object, with or without preconditions (client-go, HTTP DELETE)",
	VerbRaw:             "Send a single HTTP request as it is written here",
	VerbKubectlApply:    "kubectl apply of a manifest (client-side apply, kubectl's own package)",
	VerbRetryOnConflict: "Get, change and update an object within client-go's retry.RetryOnConflict",
	VerbEtcdGet:         "Read an object's key from etcd itself (etcd's client/v3)",
	VerbEtcdCompact:     "Compact etcd up to a revision (etcd's client/v3)",
	VerbApply:           "Server-side apply of exactly these fields (client-go Apply)",
	VerbKubectlReplace:  "kubectl replace of a manifest (kubectl's own package)",
	VerbWatch:           "Open a watch, have steps done, and read its events (client-go)",
	VerbTogether:        "Do several steps at the same time",
	"storm":             "Do one step many times at once, by A and B in turn",
	VerbInformer:        "Write what client-go's informer has in its cache, while its watch lags",
	VerbLeaderElection:  "Let A and B run client-go's leader election on a Lease",

	VerbAPIServerRestart: "Stop the kube-apiserver and start it anew on the same etcd",
}

// words are the fields of type string that take only some; validate has the same ones.
var words = map[reflect.Type]map[string][]string{
	reflect.TypeFor[List]():            {"resourceVersionMatch": {"Exact", "NotOlderThan"}},
	reflect.TypeFor[Patch]():           {"type": {"merge", "strategic", "json"}},
	reflect.TypeFor[RetryOnConflict](): {"backoff": {"DefaultRetry", "DefaultBackoff", "none"}, "read": {"inside", "outside", "version"}},
	reflect.TypeFor[Informer]():        {"write": {"replace", "patch"}},
}

// versions are fields whose value looks like a number and is passed on as text: a file
// may leave the quotes out.
var versions = []string{"resourceVersion", "revision"}

// of is the schema of a value of a type. A struct's is defined once and referred to, as
// steps hold steps.
func (d definitions) of(t reflect.Type) schema {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t {
	case reflect.TypeFor[Text]():
		return d.named("text", text)
	case reflect.TypeFor[Actor]():
		return schema{"enum": []Actor{A, B, Observer, Admin}}
	case reflect.TypeFor[That]():
		return schema{"oneOf": []schema{{"type": "string", "title": "a CEL expression"}, d.named("that", func() schema { return d.object(t) })}}
	}
	switch t.Kind() {
	case reflect.Struct:
		name := strings.ToLower(t.Name()[:1]) + t.Name()[1:]
		return d.named(name, func() schema { return d.object(t) })
	case reflect.Slice:
		return schema{"type": "array", "items": d.of(t.Elem())}
	case reflect.Map:
		return schema{"type": "object", "additionalProperties": d.of(t.Elem())}
	case reflect.Bool:
		return schema{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return schema{"type": "integer", "minimum": 0}
	case reflect.Float64:
		return schema{"type": "number", "minimum": 0}
	case reflect.Interface:
		return schema{}
	}
	return schema{"type": "string"}
}

// named defines a schema where it is not yet, and refers to it.
func (d definitions) named(name string, define func() schema) schema {
	if _, defined := d[name]; !defined {
		d[name] = nil // it may refer to itself
		d[name] = define()
	}
	return schema{"$ref": "#/$defs/" + name}
}

// text is a plain string, which is English, or a string for each language.
func text() schema {
	languages := schema{English: schema{"type": "string"}, Chinese: schema{"type": "string"}}
	return schema{"oneOf": []schema{
		{"type": "string", "title": "English"},
		{"type": "object", "properties": languages, "additionalProperties": false},
	}}
}

// object is the schema of a struct: its fields, those of inlined structs among them, and
// no others.
func (d definitions) object(t reflect.Type) schema {
	properties, required := schema{}, []string{}
	d.collect(t, properties, &required)
	for name, allowed := range words[t] {
		properties[name] = schema{"enum": allowed}
	}
	object := schema{"type": "object", "properties": properties, "additionalProperties": false}
	switch t {
	case reflect.TypeFor[Scenario]():
		properties["scenario"] = schema{"type": "string", "pattern": scenarioName.String(), "maxLength": 40}
		properties["setup"] = schema{"type": "array", "items": d.of(reflect.TypeFor[Step]())} // by admin, where no actor is said
		properties["steps"] = schema{"type": "array", "items": d.acted(), "minItems": 1}
		required = slices.DeleteFunc(required, func(name string) bool { return name == "chapter" })
	case reflect.TypeFor[Step]():
		object["oneOf"] = exactlyOne(properties)
		object["dependentRequired"] = map[string][]string{"meetAtEtcd": {"together"}}
	case reflect.TypeFor[Raw]():
		properties["path"] = schema{"type": "string", "pattern": "^/"}
	case reflect.TypeFor[Storm]():
		properties["times"] = schema{"type": "integer", "minimum": 1, "maximum": maxStorm}
		properties["do"] = d.of(reflect.TypeFor[Step]()) // by A and B in turn, where no actor is said
	}
	_, about := t.FieldByName("Target")
	if about && t != reflect.TypeFor[List]() && t != reflect.TypeFor[Watch]() {
		required = append(required, "name")
	}
	if len(required) > 0 {
		slices.Sort(required)
		object["required"] = required
	}
	return object
}

// collect adds a struct's fields. What is not omitempty must be there.
func (d definitions) collect(t reflect.Type, properties schema, required *[]string) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, tag := yamlName(field), field.Tag.Get("yaml")
		switch {
		case name == "-":
			continue
		case strings.Contains(tag, ",inline"):
			d.collect(field.Type, properties, required)
			continue
		case slices.Contains(versions, name):
			properties[name] = schema{"type": []string{"string", "integer"}}
		case name == "needs":
			properties[name] = schema{"type": "array", "items": schema{"enum": Capabilities}}
		case field.Type == reflect.TypeFor[[]Step]():
			properties[name] = schema{"type": "array", "items": d.acted()}
		case field.Type == reflect.TypeFor[*Step]():
			properties[name] = d.acted()
		default:
			properties[name] = d.of(field.Type)
		}
		if !strings.Contains(tag, ",omitempty") {
			*required = append(*required, name)
		}
	}
}

// acted is a step that must say its actor.
func (d definitions) acted() schema {
	step := d.of(reflect.TypeFor[Step]())
	step["required"] = []string{"actor"}
	return step
}

// exactlyOne requires one of the operations among a step's properties, and gives each its
// title.
func exactlyOne(properties schema) []schema {
	var one []schema
	for i := range operationType.NumField() {
		name := yamlName(operationType.Field(i))
		if operation, ok := properties[name].(schema); ok {
			operation["title"] = operationTitles[Verb(name)]
		}
		one = append(one, schema{"required": []string{name}})
	}
	return one
}
