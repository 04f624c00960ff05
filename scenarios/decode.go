package scenarios

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// MaxFileBytes is how large a scenario file can be.
const MaxFileBytes = 1 << 20

// FileError is a mistake in a scenario file.
type FileError struct {
	File  string
	Line  int    // 1 for the first; 0 where it is not known
	Field string // "steps[3].replace.name"; "" for the file as a whole
	Text  string
}

func (e *FileError) Error() string {
	where := e.File
	if e.Line > 0 {
		where += ":" + strconv.Itoa(e.Line)
	}
	if e.Field != "" {
		return fmt.Sprintf("%s: %s: %s", where, e.Field, e.Text)
	}
	return fmt.Sprintf("%s: %s", where, e.Text)
}

// Decode reads one scenario. file names it in errors, which are *FileError. It is
// strict: an unknown field, a value of another type, an expression that does not
// compile are errors.
func Decode(file string, content []byte) (*Scenario, error) {
	return decode(file, content, true)
}

// decode leaves out what takes longest where a file is known to pass it, as a test knows
// of the built-in ones: the first frame waits for the catalogue. Strict is the unknown
// fields and the expressions.
func decode(file string, content []byte, strict bool) (*Scenario, error) {
	if len(content) > MaxFileBytes {
		return nil, &FileError{File: file, Text: fmt.Sprintf("is larger than %d KiB, too large for a scenario", MaxFileBytes>>10)}
	}
	document, err := parse(file, content)
	if err != nil {
		return nil, err
	}
	root := document.Content[0]
	d := &decoding{file: file, root: root, expressions: strict, checked: map[checkedNode]bool{}}
	if strict {
		if err := d.fields(root, reflect.TypeFor[Scenario](), ""); err != nil {
			return nil, err
		}
	}
	scenario := &Scenario{}
	if err := root.Decode(scenario); err != nil {
		mistake := yamlError(file, err)
		mistake.Field = fieldAt(root, mistake.Line, "")
		return nil, mistake
	}
	scenario.File = file
	if err := d.validate(scenario); err != nil {
		return nil, err
	}
	return scenario, nil
}

// parse reads exactly one YAML document.
func parse(file string, content []byte) (*yaml.Node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	document := &yaml.Node{}
	if err := decoder.Decode(document); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, &FileError{File: file, Text: "is empty; a scenario was expected"}
		}
		return nil, yamlError(file, err)
	}
	if err := decoder.Decode(&yaml.Node{}); !errors.Is(err, io.EOF) {
		if err != nil {
			return nil, yamlError(file, err)
		}
		return nil, &FileError{File: file, Text: "holds more than one document; put each scenario into a file of its own"}
	}
	if document.Content[0].Kind != yaml.MappingNode {
		return nil, &FileError{File: file, Line: document.Content[0].Line, Text: "is no scenario: a mapping with scenario, chapter, title and steps was expected"}
	}
	return document, nil
}

// goType is what the YAML package says of a type that the format has no word for.
var goType = regexp.MustCompile(`scenarios\.\w+|map\[string\]\w+`)

var yamlLine = regexp.MustCompile(`line (\d+): (.*)`)

// yamlError turns the YAML package's error, which may be several lines, into one line
// about the first mistake.
func yamlError(file string, err error) *FileError {
	found := yamlLine.FindStringSubmatch(err.Error())
	if found == nil {
		return &FileError{File: file, Text: strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\n", " "), "yaml: ")}
	}
	line, _ := strconv.Atoi(found[1])
	text := strings.NewReplacer("!!str", "text", "!!int", "number", "!!seq", "list", "!!map", "mapping", "!!bool", "boolean", "!!float", "number").Replace(found[2])
	text = goType.ReplaceAllString(text, "a mapping")
	return &FileError{File: file, Line: line, Text: text}
}

// decoding holds what the checks of one file share.
type decoding struct {
	file        string
	root        *yaml.Node
	expressions bool // compile them
	checked     map[checkedNode]bool
}

// checkedNode is a node that was compared with a type. An alias' node is met again and
// again, and may hold itself.
type checkedNode struct {
	node *yaml.Node
	of   reflect.Type
}

// fields refuses what the format does not have. The YAML package could refuse unknown
// fields too, but would neither say which ones there are nor look into inlined structs'
// pointers by path.
func (d *decoding) fields(node *yaml.Node, of reflect.Type, path string) error {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if d.checked[checkedNode{node, of}] {
		return nil
	}
	d.checked[checkedNode{node, of}] = true
	switch of.Kind() {
	case reflect.Map, reflect.Interface:
		return d.plain(node, path)
	case reflect.Slice:
		if node.Kind != yaml.SequenceNode {
			return nil // the decoder says so better, with the type
		}
		for i, item := range node.Content {
			if err := d.fields(item, of.Elem(), fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		if node.Kind != yaml.MappingNode {
			return nil
		}
		known := yamlFields(of)
		seen := map[string]bool{}
		for i := 0; i+1 < len(node.Content); i += 2 {
			name := node.Content[i].Value
			field := join(path, name)
			of, ok := known[name]
			if !ok {
				return &FileError{File: d.file, Line: node.Content[i].Line, Field: field, Text: "unknown field" + suggestion(name, known)}
			}
			if seen[name] {
				return &FileError{File: d.file, Line: node.Content[i].Line, Field: field, Text: "is there twice"}
			}
			seen[name] = true
			if err := d.fields(node.Content[i+1], of, field); err != nil {
				return err
			}
		}
	}
	return nil
}

// plain refuses what YAML has and JSON has not: keys that are no text, and numbers that
// are none.
func (d *decoding) plain(node *yaml.Node, path string) error {
	switch node.Kind {
	case yaml.ScalarNode:
		if node.Tag == "!!float" && strings.ContainsAny(strings.ToLower(node.Value), "ni") { // .nan, .inf
			return &FileError{File: d.file, Line: node.Line, Field: path, Text: node.Value + " is no number that JSON has"}
		}
	case yaml.SequenceNode:
		for i, item := range node.Content {
			if err := d.fields(item, reflect.TypeFor[any](), fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			key := node.Content[i]
			if key.Kind != yaml.ScalarNode || key.Tag != "!!str" {
				return &FileError{File: d.file, Line: key.Line, Field: path, Text: fmt.Sprintf("the key %s is no text; put it into quotes", key.Value)}
			}
			if err := d.fields(node.Content[i+1], reflect.TypeFor[any](), join(path, key.Value)); err != nil {
				return err
			}
		}
	}
	return nil
}

// yamlFields lists a struct's fields by their YAML name, inlined ones among them.
func yamlFields(of reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for i := range of.NumField() {
		field := of.Field(i)
		name := yamlName(field)
		switch {
		case name == "-":
		case strings.Contains(field.Tag.Get("yaml"), ",inline"):
			for name, inlined := range yamlFields(field.Type) {
				fields[name] = inlined
			}
		default:
			fields[name] = field.Type
		}
	}
	return fields
}

func yamlName(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
	return name
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// suggestion names the nearest field, and the fields that there are.
func suggestion(name string, known map[string]reflect.Type) string {
	var names []string
	for field := range known {
		names = append(names, field)
	}
	slices.Sort(names)
	hint := ""
	if near := Nearest(name, names, 1); len(near) == 1 {
		hint = "; did you mean " + near[0] + "?"
	}
	return fmt.Sprintf("%s (allowed here: %s)", hint, strings.Join(names, ", "))
}

// line finds the line of a path such as "steps[3].replace.name", or of the nearest
// ancestor that is there.
func (d *decoding) line(path string) int {
	node, line := d.root, d.root.Line
	for _, part := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		next := child(node, part)
		if next == nil {
			return line
		}
		node, line = next, next.Line
	}
	return line
}

// fieldAt finds the path of the last field whose value begins on a line; "" if none does.
func fieldAt(node *yaml.Node, line int, path string) string {
	found := ""
	visit := func(value *yaml.Node, at string) {
		if value.Line == line && value.Kind == yaml.ScalarNode {
			found = at
		}
		if deeper := fieldAt(value, line, at); deeper != "" {
			found = deeper
		}
	}
	switch node.Kind {
	case yaml.SequenceNode:
		for i, item := range node.Content {
			visit(item, fmt.Sprintf("%s[%d]", path, i))
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			visit(node.Content[i+1], join(path, node.Content[i].Value))
		}
	}
	return found
}

func child(node *yaml.Node, part string) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	switch node.Kind {
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(part); err == nil && i < len(node.Content) {
			return node.Content[i]
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			if node.Content[i].Value == part {
				return node.Content[i+1]
			}
		}
	}
	return nil
}

// UnmarshalYAML takes a plain string as English, or a mapping of languages.
func (t *Text) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		*t = Text{English: node.Value}
		return nil
	}
	texts := map[string]string{}
	if err := node.Decode(&texts); err != nil {
		return err
	}
	for lang := range texts {
		if lang != English && lang != Chinese {
			return fmt.Errorf("line %d: unknown language %q (allowed here: %s, %s)", node.Line, lang, English, Chinese)
		}
	}
	if text, ok := texts[Chinese]; ok {
		texts[Chinese] = unfolded(text)
	}
	*t = texts
	return nil
}

// UnmarshalYAML takes a plain string as an expression, or a mapping of cel and means.
func (t *That) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		t.CEL = node.Value
		return nil
	}
	type that That // without this method
	return node.Decode((*that)(t))
}
