package keys

import "strings"

// Command is something that can be typed after ":".
type Command struct {
	Name   string
	Takes  string // what stands behind its name
	Does   string
	InList bool // in the list of scenarios too, where there is no trace
}

// The commands' names.
const (
	GoTo     = "goto"
	View     = "view"
	Scenario = "scenario"
	Theme    = "theme"
	Language = "lang"
	Save     = "save"
)

// Commands are all that can be typed.
var Commands = []Command{
	{GoTo, "STEP", "go to a step, taking those up to it; a number will do", false},
	{View, "VIEW", "open a view of the step", false},
	{Scenario, "NAME", "open another scenario", true},
	{Theme, "THEME", "change the colours", true},
	{Language, "LANGUAGE", "change the language", true},
	{Save, "FILE", "save the trace to a new file, and each step as it comes", false},
}

// CommandMarkdown is the list of commands as README's table, as Markdown is.
func CommandMarkdown(heading string, in func(english string) string) string {
	var b strings.Builder
	b.WriteString("| " + heading + " | |\n|---|---|\n")
	for _, c := range Commands {
		does := in(c.Does)
		if c.InList {
			does += in("; in the list of scenarios too")
		}
		b.WriteString("| `:" + c.Name + " " + in(c.Takes) + "` | " + does + " |\n")
	}
	return b.String()
}
