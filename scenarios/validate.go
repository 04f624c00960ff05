package scenarios

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

var scenarioName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)

// validate checks what types alone cannot: that names are names, that each step does one
// thing, that references lead somewhere, and that each expression compiles.
func (d *decoding) validate(s *Scenario) error {
	switch {
	case s.Name == "":
		return d.wrong("scenario", "is missing: the scenario's name")
	case !scenarioName.MatchString(s.Name) || len(s.Name) > 40:
		return d.wrong("scenario", "%q is no name: lower-case letters, digits and dashes, 40 at most", s.Name)
	case s.Title.Empty():
		return d.wrong("title", "is missing")
	case len(s.Steps) == 0:
		return d.wrong("steps", "is missing: there is nothing to do")
	}
	if err := d.needs("needs", s.Needs); err != nil {
		return err
	}
	for _, text := range []struct {
		path string
		text Text
	}{{"title", s.Title}, {"summary", s.Summary}, {"see", s.See}, {"fix", s.Fix}} {
		for _, sentence := range text.text {
			if placeholder.MatchString(sentence) {
				return d.wrong(text.path, "cannot hold ${…}: it is shown before there are values")
			}
		}
	}
	ids := map[string]bool{}
	for i := range s.Setup {
		if err := d.step(fmt.Sprintf("setup[%d]", i), &s.Setup[i], ids, true); err != nil {
			return err
		}
	}
	for i := range s.Steps {
		if err := d.step(fmt.Sprintf("steps[%d]", i), &s.Steps[i], ids, false); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoding) wrong(path, format string, values ...any) error {
	return &FileError{File: d.file, Line: d.line(path), Field: path, Text: fmt.Sprintf(format, values...)}
}

func (d *decoding) needs(path string, needs []string) error {
	for i, need := range needs {
		if !slices.Contains(Capabilities, need) {
			return d.wrong(fmt.Sprintf("%s[%d]", path, i), "unknown capability %q (allowed here: %s)", need, strings.Join(Capabilities, ", "))
		}
	}
	return nil
}

func (d *decoding) step(path string, s *Step, ids map[string]bool, setup bool) error {
	switch verbs := s.verbs(); len(verbs) {
	case 1:
	case 0:
		var names []string
		for name := range yamlFields(operationType) {
			names = append(names, name)
		}
		slices.Sort(names)
		return d.wrong(path, "does nothing: one of %s was expected", strings.Join(names, ", "))
	default:
		return d.wrong(join(path, string(verbs[1])), "a step does one thing, and this one does %s already", verbs[0])
	}
	switch {
	case s.Actor == "" && !setup:
		return d.wrong(path, "says no actor: A, B, observer or admin was expected")
	case s.Actor == "":
		s.Actor = Admin
	case !slices.Contains([]Actor{A, B, Observer, Admin}, s.Actor):
		return d.wrong(join(path, "actor"), "unknown actor %q (allowed here: A, B, observer, admin)", s.Actor)
	}
	if s.ID != "" {
		if ids[s.ID] {
			return d.wrong(join(path, "id"), "%q names an earlier step already", s.ID)
		}
		ids[s.ID] = true
	}
	if err := d.needs(join(path, "needs"), s.Needs); err != nil {
		return err
	}
	if err := d.operation(path, s, ids); err != nil {
		return err
	}
	if err := d.choices(path, s, setup); err != nil {
		return err
	}
	for name, text := range map[string]Text{"title": s.Title, "say": s.Say} {
		for _, sentence := range text {
			if err := d.filled(join(path, name), sentence); err != nil {
				return err
			}
		}
	}
	if s.Expect != nil {
		for i, that := range s.Expect.That {
			if !d.expressions {
				break
			}
			where := fmt.Sprintf("%s.expect.that[%d]", path, i)
			if _, _, err := compileExpression(that.CEL, true); err != nil {
				return d.wrong(where, "%v", err)
			}
			for _, sentence := range that.Means {
				if err := d.filled(where, sentence); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// operation checks the fields of the one operation that a step has.
func (d *decoding) operation(path string, s *Step, ids map[string]bool) error {
	at := join(path, string(s.verb()))
	if s.target().Name == "" && !s.nameless() {
		return d.wrong(at, "says no name: which object?")
	}
	if name := s.target().Name; strings.ContainsAny(name, "/%\\") || name == "." || name == ".." || strings.ContainsFunc(name, unicode.IsControl) {
		return d.wrong(join(at, "name"), "%q is no name that a path can hold", name)
	}
	if placeholder.MatchString(s.target().Name) {
		return d.wrong(join(at, "name"), "cannot hold ${…}: a step's object has the same name in every run")
	}
	if s.MeetAtEtcd && s.Together == nil {
		return d.wrong(join(path, "meetAtEtcd"), "is for together alone: who should %s meet?", s.verb())
	}
	templates := s.templates()
	switch {
	case s.List != nil:
		if match := s.List.ResourceVersionMatch; match != "" && match != "Exact" && match != "NotOlderThan" {
			return d.wrong(join(at, "resourceVersionMatch"), "unknown match %q (allowed here: Exact, NotOlderThan)", match)
		}
	case s.Patch != nil:
		if kind := s.Patch.kind(); !slices.Contains([]string{"merge", "strategic", "json"}, kind) {
			return d.wrong(join(at, "type"), "unknown type %q (allowed here: merge, strategic, json)", kind)
		}
		if (s.Patch.kind() == "json") != (s.Patch.JSON != nil) {
			return d.wrong(at, "a patch has either set, or json and the type json")
		}
	case s.Raw != nil:
		if !strings.HasPrefix(s.Raw.Path, "/") {
			return d.wrong(join(at, "path"), "%q is no path: it must begin with /", s.Raw.Path)
		}
		for name := range s.Raw.Headers {
			if strings.EqualFold(name, "Authorization") || strings.HasPrefix(strings.ToLower(name), "impersonate-") {
				return d.wrong(join(at, "headers"), "%s cannot be set: a scenario acts as its actors", name)
			}
		}
	case s.RetryOnConflict != nil:
		if b := s.RetryOnConflict.Backoff; !slices.Contains([]string{"", "DefaultRetry", "DefaultBackoff", "none"}, b) {
			return d.wrong(join(at, "backoff"), "unknown backoff %q (allowed here: DefaultRetry, DefaultBackoff, none)", b)
		}
		if read := s.RetryOnConflict.Read; !slices.Contains([]string{"", "inside", "outside", "version"}, read) {
			return d.wrong(join(at, "read"), "unknown place %q (allowed here: inside, outside, version)", read)
		}
		if meanwhile := s.RetryOnConflict.Meanwhile; meanwhile != nil {
			if err := d.step(join(at, "meanwhile"), meanwhile, ids, false); err != nil {
				return err
			}
		}
	case s.Storm != nil:
		if s.Storm.Times < 1 || s.Storm.Times > maxStorm {
			return d.wrong(join(at, "times"), "%d is out of range: 1 to %d", s.Storm.Times, maxStorm)
		}
		if s.Storm.Do.Actor == "" {
			s.Storm.Do.Actor = A // who in turn is B
			err := d.step(join(at, "do"), &s.Storm.Do, ids, false)
			s.Storm.Do.Actor = ""
			return err
		}
		return d.step(join(at, "do"), &s.Storm.Do, ids, false)
	case s.Informer != nil:
		if w := s.Informer.Write; w != "" && w != "replace" && w != "patch" {
			return d.wrong(join(at, "write"), "unknown write %q (allowed here: replace, patch)", w)
		}
	}
	for _, within := range []struct {
		path  string
		steps []Step
	}{{at, s.Together}, {join(at, "meanwhile"), s.within()}} {
		for i := range within.steps {
			if err := d.step(fmt.Sprintf("%s[%d]", within.path, i), &within.steps[i], ids, false); err != nil {
				return err
			}
		}
	}
	for _, template := range templates {
		if err := d.filled(at, template); err != nil {
			return err
		}
	}
	return nil
}

// nameless reports whether the operation is about no single object, or, where it holds
// other steps, says so in those.
func (o Operation) nameless() bool {
	return o.List != nil || o.Raw != nil || o.EtcdCompact != nil || o.APIServerRestart != nil ||
		o.Watch != nil || o.Together != nil || o.Storm != nil
}

// maxStorm is how many requests at once a scenario may send.
const maxStorm = 200

// within is the steps that a watch or an informer does meanwhile.
func (o Operation) within() []Step {
	switch {
	case o.Watch != nil:
		return o.Watch.Meanwhile
	case o.Informer != nil:
		return o.Informer.Meanwhile
	}
	return nil
}

// filled checks that each placeholder of a template compiles.
func (d *decoding) filled(path, template string) error {
	if !d.expressions {
		return nil
	}
	for _, found := range placeholder.FindAllStringSubmatch(template, -1) {
		if _, _, err := compileExpression(found[1], false); err != nil {
			return d.wrong(path, "%v", err)
		}
	}
	return nil
}
