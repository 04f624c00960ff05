package scenarios

import (
	"errors"
	"strings"
	"testing"
)

const small = `scenario: small
chapter: conflicts
title: Small
steps:
  - actor: A
    get: {name: cm1}
    expect:
      code: 200
      that:
        - rv(answer) > 0
`

func TestDecodeReadsAScenario(t *testing.T) {
	s := mustDecode(t, small)
	if s.Name != "small" || s.Title.In(English) != "Small" || len(s.Steps) != 1 || s.Steps[0].Get.Name != "cm1" {
		t.Errorf("decoded %+v", s)
	}
	if that := s.Steps[0].Expect.That[0]; that.CEL != "rv(answer) > 0" {
		t.Errorf("a plain string is an expression, but got %+v", that)
	}
}

func TestDecodeTakesBothLanguages(t *testing.T) {
	s := mustDecode(t, strings.Replace(small, "title: Small", "title: {en: Small, zh: 小}", 1))
	if s.Title.In(Chinese) != "小" || s.Title.In(English) != "Small" || s.Title.In("fr") != "Small" {
		t.Errorf("title %v", s.Title)
	}
}

func TestALineThatEndsInAFullWidthSignLeavesNoSpaceInChinese(t *testing.T) {
	s := mustDecode(t, strings.Replace(small, "title: Small", "title:\n  en: Small\n  zh: >-\n    小，\n    很小。\n    rv 是\n    28，（28）", 1))
	if got := s.Title.In(Chinese); got != "小，很小。rv 是 28，（28）" {
		t.Errorf("got %q", got)
	}
}

func TestDecodeNamesFileLineAndFieldOfAMistake(t *testing.T) {
	for name, test := range map[string]struct{ from, to, want string }{
		"misspelt verb":         {"get: {", "gett: {", "test.yaml:6: steps[0].gett: unknown field; did you mean get? (allowed here: actor, apiserverRestart, apply, ask,"},
		"misspelt in verb":      {"name: cm1", "nmae: cm1", "test.yaml:6: steps[0].get.nmae: unknown field; did you mean name?"},
		"misspelt at top":       {"chapter:", "chaptre:", "test.yaml:2: chaptre: unknown field; did you mean chapter?"},
		"wrong type":            {"code: 200", "code: ok", "test.yaml:8: steps[0].expect.code: cannot unmarshal text `ok` into int"},
		"unknown actor":         {"actor: A", "actor: C", "test.yaml:5: steps[0].actor: unknown actor \"C\""},
		"no actor":              {"actor: A\n    get", "get", "test.yaml:5: steps[0]: says no actor"},
		"no name":               {"{name: cm1}", "{}", "test.yaml:6: steps[0].get: says no name"},
		"two verbs":             {"    get:", "    delete: {name: cm1}\n    get:", "a step does one thing"},
		"no verb":               {"    get: {name: cm1}\n", "", "test.yaml:5: steps[0]: does nothing: one of apiserverRestart, apply, create, delete,"},
		"expression syntax":     {"rv(answer) > 0", "rv(answer) >", "test.yaml:10: steps[0].expect.that[0]:"},
		"unknown variable":      {"rv(answer) > 0", "anwser == 1", "undeclared reference to 'anwser'"},
		"no condition":          {"rv(answer) > 0", "rv(answer)", "must be true or false"},
		"no steps":              {small[strings.Index(small, "steps:"):], "", "steps: is missing"},
		"bad name":              {"scenario: small", "scenario: Very Small", "test.yaml:1: scenario: \"Very Small\" is no name"},
		"twice":                 {"chapter: conflicts", "chapter: conflicts\nchapter: reads", "test.yaml:3: chapter: is there twice"},
		"bad language":          {"title: Small", "title: {fr: Petit}", "test.yaml:3: title.fr: unknown language \"fr\""},
		"bad placeholder":       {"{name: cm1}", "{name: cm1, resourceVersion: '${nothing}'}", "undeclared reference to 'nothing'"},
		"unknown need":          {"title: Small", "title: Small\nneeds: [etcd.write]", "test.yaml:4: needs[0]: unknown capability \"etcd.write\""},
		"credentials":           {"get: {name: cm1}", "raw: {path: /api, headers: {authorization: x}}", "cannot be set"},
		"a path that is none":   {"get: {name: cm1}", "raw: {path: api}", "must begin with /"},
		"placeholder too early": {"title: Small", "title: Small ${code}", "test.yaml:3: title: cannot hold"},
		"a key that is no text": {"get: {name: cm1}", "create: {name: cm1, data: {1: a}}", "test.yaml:6: steps[0].create.data: the key 1 is no text"},
		"no number":             {"get: {name: cm1}", "create: {name: cm1, spec: {n: .nan}}", "test.yaml:6: steps[0].create.spec.n: .nan is no number"},
		"a name that is none":   {"name: cm1", "name: ../x", "test.yaml:6: steps[0].get.name: \"../x\" is no name"},
		"text for a step":       {small[strings.Index(small, "  - actor"):], "  - hello\n", "test.yaml:5: steps[0]: cannot unmarshal text `hello` into a mapping"},
		"holds itself":          {"  - actor: A\n    get: {name: cm1}", "  - &s\n    actor: A\n    retryOnConflict: {name: cm1, meanwhile: *s}", "contains itself"},
		"yaml syntax":           {"steps:", "steps: [", "test.yaml:"},
	} {
		_, err := Decode("test.yaml", []byte(strings.Replace(small, test.from, test.to, 1)))
		var mistake *FileError
		if !errors.As(err, &mistake) {
			t.Errorf("%s: %v, want a FileError", name, err)
			continue
		}
		if !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %q does not say %q", name, err, test.want)
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: more than a line: %q", name, err)
		}
	}
}

func TestDecodeRefusesWhatIsNoScenario(t *testing.T) {
	for name, content := range map[string]string{
		"empty": "", "a comment": "# nothing\n", "a list": "- 1\n", "a word": "hello\n", "two documents": small + "---\n" + small,
		"binary": "\x00\xff\xfe", "too large": strings.Repeat("#", MaxFileBytes+1),
	} {
		var mistake *FileError
		if _, err := Decode("test.yaml", []byte(content)); !errors.As(err, &mistake) {
			t.Errorf("%s: %v, want a FileError", name, err)
		}
	}
}

func FuzzDecodeNeverPanicsAndErrorsAreOneLine(f *testing.F) {
	f.Add([]byte(small))
	all, err := Catalogue()
	if err != nil {
		f.Fatal(err)
	}
	for _, scenario := range all {
		content, err := Source(scenario)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Add([]byte("a: &a [*a]"))
	f.Add([]byte("<<: {scenario: x}\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		scenario, err := Decode("fuzz.yaml", content)
		if err == nil && len(scenario.Steps) == 0 {
			t.Error("a scenario without steps was taken")
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("more than a line: %q", err)
		}
	})
}
