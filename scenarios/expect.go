package scenarios

import (
	"fmt"
	"net/http"
	"strings"
)

// Expect is what a step must bring. What is not set is not checked.
type Expect struct {
	Code      int      `yaml:"code,omitempty"`      // HTTP status of the step's last exchange
	Reason    string   `yaml:"reason,omitempty"`    // of the Status that came back
	Message   string   `yaml:"message,omitempty"`   // a part of that Status's message
	Causes    []string `yaml:"causes,omitempty"`    // the reasons of its causes, in order
	Items     *int     `yaml:"items,omitempty"`     // how many items the list has
	Writes    *int     `yaml:"writes,omitempty"`    // etcd revisions of the scenario's own keys
	Exchanges *int     `yaml:"exchanges,omitempty"` // HTTP attempts
	That      []That   `yaml:"that,omitempty"`
}

// That is an expectation in CEL, over the step and the state before it. Means says it
// in words; where it is missing the expression itself is shown.
type That struct {
	CEL   string `yaml:"cel"`
	Means Text   `yaml:"means,omitempty"`
	// Since is the version of Kubernetes from which on it is so: "1.36". On an older server it
	// is not judged.
	Since string `yaml:"since,omitempty"`
}

// judge compares an observation with what was expected of it.
func judge(expect *Expect, o *Observation, values *values) []Check {
	if expect == nil {
		return nil
	}
	answer := answerOf(o).without(values.found)
	var checks []Check
	add := func(ok bool, expected, got Text) {
		checks = append(checks, Check{Expected: expected, Got: got, OK: ok})
	}
	if expect.Code != 0 || expect.Reason != "" {
		ok := (expect.Code == 0 || expect.Code == answer.code) && (expect.Reason == "" || expect.Reason == answer.reason)
		got := answer.text()
		if !ok && answer.message != "" && expect.Message == "" { // or else that expectation tells it
			got += ": " + answer.message
		}
		add(ok, same(statusText(expect.Code, expect.Reason)), same(got))
	}
	if expect.Writes != nil {
		got := ownWrites(o)
		add(*expect.Writes == got, writesText(*expect.Writes), writesText(got))
	}
	if expect.Items != nil {
		add(*expect.Items == answer.items, countText(*expect.Items, "item", "items", "个对象"), countText(answer.items, "item", "items", "个对象"))
	}
	if expect.Exchanges != nil {
		add(*expect.Exchanges == len(o.Exchanges), countText(*expect.Exchanges, "request", "requests", "个请求"), countText(len(o.Exchanges), "request", "requests", "个请求"))
	}
	for _, that := range expect.That {
		checks = append(checks, that.judge(values))
	}
	if expect.Message != "" {
		ok := strings.Contains(answer.message, expect.Message)
		expected, got := expect.Message, answer.message
		if ok { // then a beginning tells which; all of it is in the exchange
			expected = shorten(expected)
			got = expected
		}
		add(ok, same("“"+expected+"”"), same("“"+got+"”"))
	}
	if expect.Causes != nil {
		expected, got := strings.Join(expect.Causes, ", "), strings.Join(answer.causes, ", ")
		add(expected == got, causesText(expected), causesText(got))
	}
	return checks
}

// judge evaluates one expression. A check whose expression cannot be evaluated has failed.
func (t That) judge(values *values) Check {
	expected := t.Means
	if expected.Empty() {
		expected = same(t.CEL)
	} else {
		expected, _, _ = values.fillText(expected) // the expression decides, whatever its words come to
	}
	ok, detail, lack, err := values.holds(t.CEL)
	if t.Since != "" && older(values.server, t.Since) && lack == nil && err == nil {
		return Check{Expected: expected, Got: both("so since Kubernetes %s", "Kubernetes %s 起才这样", t.Since), CEL: t.CEL, OK: ok, Unseen: true, Since: t.Since}
	}
	if lack != nil {
		return Check{Expected: expected, Got: both("not seen here", "这里看不到"), CEL: t.CEL, Unseen: true, Lack: lack}
	}
	got := expected
	switch {
	case err != nil:
		ok, got = false, both("cannot be told: %s", "无从判断：%s", t.beside(err.Error()))
	case !ok:
		got = both("false: %s", "不成立：%s", t.beside(detail))
	}
	return Check{Expected: expected, Got: got, CEL: t.CEL, OK: ok}
}

// beside is what is said of the expression without the expression itself, where that is what
// is expected and stands beside it.
func (t That) beside(said string) string {
	if !t.Means.Empty() {
		return said
	}
	return strings.TrimSuffix(strings.TrimPrefix(said, t.CEL+": "), ", in "+t.CEL)
}

// ownWrites counts the revisions that the step gave to keys of the scenario's namespace.
func ownWrites(o *Observation) int {
	n := 0
	for _, revision := range o.Revisions {
		if revision.Own {
			n++
		}
	}
	return n
}

// summary joins the checks into the two lines that people and JSON readers get.
func summary(checks []Check, lang string) (expected, got string) {
	var e, g []string
	for _, check := range checks {
		e = append(e, check.Expected.In(lang))
		g = append(g, check.Got.In(lang))
	}
	return strings.Join(e, ", "), strings.Join(g, ", ")
}

// statusText writes a status as people do: "409 Conflict", "410 Gone (Expired)".
func statusText(code int, reason string) string {
	if code == 0 {
		return reason
	}
	text := fmt.Sprintf("%d %s", code, http.StatusText(code))
	if reason != "" && reason != http.StatusText(code) {
		text += " (" + reason + ")"
	}
	return text
}

func writesText(n int) Text {
	switch n {
	case 0:
		return both("nothing written", "什么也没写")
	case 1:
		return both("1 revision written", "写入 1 个修订版本")
	}
	return both("%d revisions written", "写入 %d 个修订版本", n)
}

func countText(n int, one, many, chinese string) Text {
	if n == 1 {
		many = one
	}
	return Text{English: fmt.Sprintf("%d %s", n, many), Chinese: fmt.Sprintf("%d %s", n, chinese)}
}

func causesText(causes string) Text {
	if causes == "" {
		return both("no causes", "没有具体原因")
	}
	return both("causes: %s", "原因：%s", causes)
}

// shorten cuts a sentence to what names it, between two of its words where it has any.
func shorten(s string) string {
	const longest = 40
	runes := []rune(s)
	if len(runes) <= longest {
		return s
	}
	short := string(runes[:longest-1])
	if end := strings.LastIndexByte(short, ' '); end > 0 && runes[longest-1] != ' ' {
		short = short[:end]
	}
	return strings.TrimRight(short, " ;,.") + "…"
}

// same is a text that is the same in each language: codes, names, expressions.
func same(s string) Text { return Text{English: s} }

// both fills the same values into the sentence of each language.
func both(english, chinese string, values ...any) Text {
	return Text{English: fmt.Sprintf(english, values...), Chinese: fmt.Sprintf(chinese, values...)}
}
