package commands

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"rvtui/scenarios"
	"rvtui/ui/words"
)

// report is `rvtui check -o json`.
type report struct {
	Kubernetes string    `json:"kubernetes"`
	Etcd       string    `json:"etcd"`
	Mode       string    `json:"mode"`
	Scenarios  []checked `json:"scenarios"`

	Compared *comparison `json:"compared,omitempty"`

	took time.Duration
}

// checked is what became of one scenario.
type checked struct {
	Name       string            `json:"name"`
	Chapter    string            `json:"chapter,omitempty"`
	Verdict    scenarios.Verdict `json:"verdict"`
	Reason     string            `json:"reason"`
	DurationMs int64             `json:"durationMs"`
	Failed     []failedStep      `json:"failed,omitempty"`
	NotSeen    *notSeen          `json:"notSeen,omitempty"`
	Steps      []checkedStep     `json:"steps,omitempty"`
	Remarks    []string          `json:"remarks,omitempty"` // what the cluster made of what was written

	lack []string // of a scenario that was skipped

	// Of a trace that was judged again.
	Trace     *checkedTrace   `json:"trace,omitempty"`
	Differing []differingStep `json:"differing,omitempty"`
	Unjudged  []unjudgedStep  `json:"unjudged,omitempty"`
}

// checkedTrace is the trace that was judged, where no scenario was walked through.
type checkedTrace struct {
	File       string `json:"file"`
	Kubernetes string `json:"kubernetes"`
	Etcd       string `json:"etcd"`
	Mode       string `json:"mode"`
}

// differingStep has another verdict than the one that was recorded.
type differingStep struct {
	Step      int               `json:"step"`
	Actor     scenarios.Actor   `json:"actor"`
	Operation string            `json:"operation"`
	Recorded  scenarios.Verdict `json:"recorded"`
	Verdict   scenarios.Verdict `json:"verdict"`
}

// unjudgedStep is one of which today's scenario says nothing.
type unjudgedStep struct {
	Step      int             `json:"step"`
	Actor     scenarios.Actor `json:"actor"`
	Operation string          `json:"operation"`
	Reason    string          `json:"reason"`
}

// failedStep is a step that came out otherwise than expected.
type failedStep struct {
	Step      int             `json:"step"`
	Actor     scenarios.Actor `json:"actor"`
	Operation string          `json:"operation"`
	Expected  string          `json:"expected"` // all that was expected, and what came of each
	Got       string          `json:"got"`
	Checks    []failedCheck   `json:"checks,omitempty"` // those that failed

	undone string // why it could not be done; Got says so too
}

// failedCheck is one expectation that did not hold.
type failedCheck struct {
	Expected string `json:"expected"`
	Got      string `json:"got"`
}

// apart are the expectations of the step that did not hold, one by one.
func (f failedStep) apart() []failedCheck {
	if len(f.Checks) == 0 {
		return []failedCheck{{f.Expected, f.Got}} // it came to no check
	}
	return f.Checks
}

// failedOf is a step that failed.
func failedOf(o *scenarios.Observation) failedStep {
	f := failedStep{Step: o.Step, Actor: o.Actor, Operation: o.Operation, Expected: o.Expected, Got: o.Got, undone: o.Error}
	for _, check := range o.Checks {
		if !check.OK && !check.Unseen {
			f.Checks = append(f.Checks, failedCheck{check.Expected.In(scenarios.English), check.Got.In(scenarios.English)})
		}
	}
	return f
}

// failedText is the first of what did not hold, and how much more there is.
func failedText(steps []failedStep) string {
	first := steps[0]
	text := fmt.Sprintf("step %d, %s %s: ", first.Step, first.Actor, first.Operation)
	if first.undone != "" { // the rest may come of it
		return text + "could not be done: " + first.undone
	}
	check, all := first.apart()[0], 0
	for _, step := range steps {
		all += len(step.apart())
	}
	text += fmt.Sprintf("expected %s; got %s", check.Expected, check.Got)
	if all > 1 {
		text += fmt.Sprintf(" (and %d more)", all-1)
	}
	return text
}

// writeTo writes the step, and below it what was expected of it and did not come.
func (f failedStep) writeTo(b *strings.Builder) {
	fmt.Fprintf(b, "  step %d, %s\n", f.Step, words.Clean(string(f.Actor)+" "+f.Operation))
	checks := f.apart()
	if f.undone != "" { // what failed for it comes after the cause
		fmt.Fprintf(b, "    could not be done: %s\n", words.Clean(f.undone))
		checks = f.Checks
	}
	for _, check := range checks {
		fmt.Fprintf(b, "    expected  %s\n    got       %s\n", words.Clean(check.Expected), words.Clean(check.Got))
	}
}

// title is a row's name; a trace's says its file as well, for there may be several of one scenario.
func (c checked) title() string {
	if c.Trace == nil {
		return c.Name
	}
	return c.Name + " (" + c.Trace.File + ")"
}

// verdict is the whole report's: failed where one failed.
func (r report) verdict() scenarios.Verdict {
	for _, s := range r.Scenarios {
		if s.Verdict == scenarios.Failed {
			return scenarios.Failed
		}
	}
	return scenarios.OK
}

// counts is how many scenarios have each verdict.
func (r report) counts() map[scenarios.Verdict]int {
	count := map[scenarios.Verdict]int{}
	for _, s := range r.Scenarios {
		count[s.Verdict]++
	}
	return count
}

// writeTo writes the row of the table, and what failed below it.
func (c checked) writeTo(w io.Writer, width int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s  %6.1f s\n", pad(words.Clean(c.title()), width), pad(string(c.Verdict), len(scenarios.Skipped)), float64(c.DurationMs)/1000)
	for _, f := range c.Failed {
		f.writeTo(&b)
	}
	c.writeRecordedTo(&b)
	if len(c.Failed) == 0 && len(c.Unjudged) == 0 && c.Reason != "" {
		fmt.Fprintf(&b, "  %s\n", words.Clean(c.Reason))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// summarise writes the table's last lines: what failed once more, and how many of which.
func (r report) summarise(w io.Writer) error {
	var b strings.Builder
	b.WriteByte('\n')
	for _, s := range r.Scenarios {
		if s.Verdict == scenarios.Failed {
			fmt.Fprintf(&b, "failed: %s: %s\n", words.Clean(s.title()), words.Clean(s.Reason))
		}
	}
	count := r.counts()
	where := "on " + onText(r.Mode, r.Kubernetes, r.Etcd)
	if !slices.ContainsFunc(r.Scenarios, func(c checked) bool { return c.Trace == nil }) {
		where = "from recorded traces"
	}
	b.WriteString(r.lacking())
	b.WriteString(r.remarks())
	fmt.Fprintf(&b, "%d ok, %d failed, %d skipped in %.1f s, %s\n",
		count[scenarios.OK], count[scenarios.Failed], count[scenarios.Skipped], r.took.Seconds(), where)
	if _, err := io.WriteString(w, b.String()); err != nil || r.Compared == nil {
		return err
	}
	return r.Compared.writeTo(w)
}

// onText says which servers: "kube-apiserver 1.37.2 and etcd 3.7.3 (embedded)".
func onText(mode, kubernetes, etcd string) string {
	text := "kube-apiserver " + kubernetes
	if kubernetes == "" {
		text = "a kube-apiserver of unknown version"
	}
	if etcd != "" {
		text += " and etcd " + etcd
	}
	return fmt.Sprintf("%s (%s)", text, mode)
}

// The JUnit format, as far as those who read it agree on it.
type (
	junitSuites struct {
		XMLName xml.Name   `xml:"testsuites"`
		Suite   junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Time       string          `xml:"time,attr"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
		Out        string          `xml:"system-out,omitempty"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Time    string        `xml:"time,attr"`
		Failure *junitMessage `xml:"failure"`
		Skipped *junitMessage `xml:"skipped"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

func (r report) writeJUnit(w io.Writer) error {
	count := r.counts()
	suite := junitSuite{
		Name: "rvtui check", Tests: len(r.Scenarios), Failures: count[scenarios.Failed], Skipped: count[scenarios.Skipped],
		Time:       inSeconds(r.took),
		Properties: []junitProperty{{"kubernetes", r.Kubernetes}, {"etcd", r.Etcd}, {"mode", r.Mode}},
	}
	for _, s := range r.Scenarios {
		one := junitCase{Class: strings.TrimSuffix("rvtui."+s.Chapter, "."), Name: s.title(), Time: inSeconds(time.Duration(s.DurationMs) * time.Millisecond)}
		switch s.Verdict {
		case scenarios.Failed:
			var text strings.Builder
			for _, f := range s.Failed {
				f.writeTo(&text)
			}
			s.writeRecordedTo(&text)
			one.Failure = &junitMessage{Message: words.Clean(s.Reason), Text: text.String()}
		case scenarios.Skipped:
			one.Skipped = &junitMessage{Message: words.Clean(s.Reason)}
		case scenarios.OK:
			one.Out = words.Clean(s.Reason)
		}
		suite.Cases = append(suite.Cases, one)
	}
	if r.Compared != nil {
		var text strings.Builder
		if err := r.Compared.writeTo(&text); err != nil {
			return err
		}
		suite.Out = text.String()
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(junitSuites{Suite: suite}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func inSeconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
