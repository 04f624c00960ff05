package plain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"

	"rvtui/scenarios"
	"rvtui/ui/words"
)

// Step is step n of a trace in lines; 0 is what it begins with.
func Step(trace *scenarios.Trace, n int, lang string) string {
	t := teller{trace, scenarios.NewHistory(trace), lang}
	if n == 0 {
		return words.CleanLines(t.beginning())
	}
	return words.CleanLines(t.step(n))
}

// End is what is told after the last step: what to do instead, and how the whole came out.
func End(trace *scenarios.Trace, lang string) string {
	return words.CleanLines(teller{trace, scenarios.NewHistory(trace), lang}.end())
}

// Markdown writes a whole trace as a Markdown document.
func Markdown(w io.Writer, trace *scenarios.Trace, lang string) error {
	t := teller{trace, scenarios.NewHistory(trace), lang}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n", escape(trace.Title.In(lang)))
	fmt.Fprintf(&b, "`%s`, %s\n\n", trace.Scenario, escape(words.Cluster(words.InfoOf(trace), lang)))
	if !trace.Sees(scenarios.CapabilityEtcdRPC) {
		fmt.Fprintf(&b, "%s.\n\n", t.in("RPCs are not recorded on this cluster"))
	}
	if summary := trace.Summary.In(lang); summary != "" {
		fmt.Fprintf(&b, "%s\n\n", escape(summary))
	}
	for _, line := range t.objects(t.history.At(0), 0) {
		fmt.Fprintf(&b, "%s\n\n", t.in("Set up: %s", escape(line)))
	}
	for n := 1; n <= len(trace.Steps); n++ {
		t.markdownStep(&b, n)
	}
	if fix := trace.Fix.In(lang); fix != "" {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", t.in("What to do instead"), escape(fix))
	}
	if len(trace.Sources) > 0 {
		fmt.Fprintf(&b, "## %s\n\n", t.in("Sources"))
		for _, source := range trace.Sources {
			if strings.HasPrefix(source, "https://") && !strings.ContainsAny(source, "<> ") {
				fmt.Fprintf(&b, "- <%s>\n", source)
			} else {
				fmt.Fprintf(&b, "- %s\n", escape(source))
			}
		}
	}
	_, err := io.WriteString(w, words.CleanLines(strings.TrimRight(b.String(), "\n"))+"\n")
	return err
}

func (t teller) markdownStep(b *bytes.Buffer, n int) {
	o := &t.trace.Steps[n-1]
	title := o.Title.In(t.lang)
	if title == "" {
		title = string(o.Actor) + ": " + o.Operation
	}
	fmt.Fprintf(b, "## %d. %s\n\n", n, escape(title))
	if head, say := words.Narration(o, t.lang); head != "" {
		fmt.Fprintf(b, "**%s**%s%s\n\n", escape(head), t.in(" "), escape(say))
	} else if say != "" {
		fmt.Fprintf(b, "%s\n\n", escape(say))
	}
	if note := words.Note(t.trace, o, t.lang); note != "" {
		fmt.Fprintf(b, "*%s*\n\n", escape(note))
	}
	for _, said := range words.SomeoneElse(t.trace, o, t.lang) {
		fmt.Fprintf(b, "**%s**\n\n", escape(said))
	}
	if len(o.Exchanges) > 0 {
		b.WriteString(t.in("| | request | answer | |") + "\n|---|---|---|---|\n")
		for _, what := range exchanges(o) {
			if what.more != nil {
				asked := operation(&o.Exchanges[what.more[0]])
				fmt.Fprintf(b, "| %s | %s | %s | |\n", t.senders(o, what.more), t.in("… %d more %s", len(what.more), code(asked)), cell(t.answers(o, what.more)))
				continue
			}
			e := &o.Exchanges[what.at]
			a := words.ReadAnswer(e)
			fmt.Fprintf(b, "| %s | %s | %s | %s |\n", cell(string(e.Actor)), code(words.Read(e).Line(" ")), cell(a.Line(t.lang)), words.Millis(e.DurationMs))
		}
		b.WriteString("\n")
		for i := range o.Exchanges {
			for _, event := range words.EventsOf(o, i) {
				fmt.Fprintf(b, "- %s\n", escape(words.Event(event)))
			}
		}
		if len(o.Events) > 0 {
			b.WriteString("\n")
		}
		for i := range o.Exchanges {
			if m := words.ReadAnswer(&o.Exchanges[i]).Message; m != "" {
				fmt.Fprintf(b, "> %s\n\n", escape(oneLine(m)))
				break // a repeated attempt says the same
			}
		}
		for i := range o.Exchanges {
			for _, warning := range words.ReadAnswer(&o.Exchanges[i]).Warnings {
				fmt.Fprintf(b, "> %s\n\n", t.in("Warning: %s", escape(warning)))
			}
		}
		if last := &o.Exchanges[len(o.Exchanges)-1]; words.Read(last).Writes() {
			if body := words.Object(last.RequestBody); body != nil {
				left := ""
				if metadata, ok := body["metadata"].(map[string]any); ok && metadata["managedFields"] != nil {
					delete(metadata, "managedFields")
					left = t.in(" (metadata.managedFields left out)")
				}
				if pretty, err := json.MarshalIndent(body, "", "  "); err == nil {
					fmt.Fprintf(b, "%s\n\n```json\n%s\n```\n\n", t.in("Sent%s:", left), pretty)
				}
			}
		}
	}
	if words.Restarted(o) {
		fmt.Fprintf(b, "- %s\n", escape(t.restarted(o)))
	}
	for _, line := range t.etcd(o, t.history.At(n)) {
		fmt.Fprintf(b, "- %s\n", escape(line))
	}
	for _, line := range t.held(t.history.At(n)) {
		fmt.Fprintf(b, "- %s\n", escape(line))
	}
	for _, line := range t.objects(t.history.At(n), n) {
		fmt.Fprintf(b, "- %s\n", t.in("apiserver: %s", escape(line)))
	}
	b.WriteString("\n")
	if verdict := t.verdict(o); verdict != "" {
		fmt.Fprintf(b, "**%s**\n\n", escape(verdict))
	}
}

// escape keeps Markdown from reading a text as markup.
func escape(s string) string {
	s = markup.Replace(oneLine(s))
	if strings.IndexAny(s, "#>+-") == 0 { // a heading, a quotation or a list would begin
		return "\\" + s
	}
	return numbered.ReplaceAllString(s, `$1\$2$3`)
}

var (
	markup   = strings.NewReplacer("\\", "\\\\", "*", "\\*", "_", "\\_", "`", "\\`", "<", "\\<", "&", "\\&", "~", "\\~", "[", "\\[", "|", "\\|")
	numbered = regexp.MustCompile(`^(\d+)([.)])( |$)`)
)

// cell is a text in a table's cell.
func cell(s string) string { return escape(s) }

// code is a text in a table's cell as it was sent. Nothing but a bar and its own end means
// anything there.
func code(s string) string {
	return "`" + strings.NewReplacer("|", "\\|", "`", "'").Replace(oneLine(s)) + "`"
}
