package plain

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"rvtui/scenarios"
	"rvtui/ui"
	"rvtui/ui/runs"
	"rvtui/ui/tracefile"
	"rvtui/ui/words"
)

// Options are what a conversation in lines is about.
type Options struct {
	Scenarios []*scenarios.Scenario
	Initial   *scenarios.Scenario // opened at once; nil lists them
	Saved     *ui.Saved           // what the stage plays, where it is a saved trace
	Context   string              // the cluster that the stage connects to; "" where it brings its own
	Save      *tracefile.File     // what the first walk is kept in; nil where it is in none
	Lang      string
	// Prompt is for a person at a terminal. Without it nothing asks for anything, and a
	// scenario whose input is empty from the start is played to its end.
	Prompt bool
	Memory runs.Memory // of earlier sessions
	Now    func() time.Time
}

const closeWithin = 10 * time.Second

// Drive plays scenarios as the lines that are typed say, until quit, the input's end
// or ctx's. It returns what was run, also with an error.
func Drive(ctx context.Context, in io.Reader, out io.Writer, stage ui.Stage, o Options) (runs.Memory, error) {
	d := &driver{Options: o, stage: stage, out: &lockedWriter{w: out}}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer d.leave()
	err := d.drive(ctx, in)
	return d.session, err
}

func (d *driver) drive(ctx context.Context, in io.Reader) error {
	if d.Saved != nil {
		return d.driveSaved(ctx, in)
	}
	doing := "starting the control plane"
	if d.Context == "" {
		d.say("rvtui. Starting the control plane.")
	} else {
		doing = "connecting to " + d.Context
		d.say("rvtui. Connecting to %s.", d.Context)
	}
	info, err := d.stage.Prepare(ctx, func(phase string) {
		if phase != "ready" { // what is ready is told below
			d.say("%s is up.", phase)
		}
	})
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	d.say("Ready: %s.", words.Cluster(info, d.Lang))
	d.printf("\n")
	if d.Initial != nil {
		if err := d.open(ctx, d.Initial); err != nil {
			return err
		}
	} else {
		d.list()
	}

	return d.converse(ctx, in)
}

// converse does what is typed.
func (d *driver) converse(ctx context.Context, in io.Reader) error {
	typed := lines(ctx, in)
	for n := 0; ; n++ {
		if d.Prompt {
			d.printf("> ")
		}
		var line string
		var more bool
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case line, more = <-typed:
		}
		if !more {
			if n == 0 && !d.Prompt && d.play != nil {
				return d.rest(ctx)
			}
			return d.out.err
		}
		quit, err := d.do(ctx, line)
		if quit || err != nil {
			return err
		}
	}
}

// lines reads lines as they come. The reading ends with the input; a reader that
// blocks for ever is left to the process's end.
func lines(ctx context.Context, in io.Reader) <-chan string {
	out := make(chan string)
	go func() {
		defer close(out)
		typed := bufio.NewReader(in)
		for {
			line, err := typed.ReadString('\n')
			if err != nil && line == "" {
				return
			}
			select {
			case out <- strings.TrimRight(line, "\r\n"):
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return out
}

type driver struct {
	Options
	stage    ui.Stage
	out      *lockedWriter
	scenario *scenarios.Scenario
	play     ui.Play
	teller   teller
	cursor   int
	foretell predicting
	session  runs.Memory // what was run since the start
	alone    bool        // it plays to the end, and nobody can type anything
	kept     *keeping    // of the open walk; nil where it is not saved
}

// lockedWriter keeps the lines of a running step's progress whole, and the first error.
type lockedWriter struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.w.Write(p)
	w.err = err
	return n, err
}

func (d *driver) printf(format string, args ...any) {
	_, _ = io.WriteString(d.out, words.CleanLines(fmt.Sprintf(format, args...)))
}

// say writes one of rvtui's own texts as a line.
func (d *driver) say(english string, args ...any) {
	d.printf("%s\n", words.In(d.Lang, english, args...))
}

// do does what a line says, and reports whether that is the end.
func (d *driver) do(ctx context.Context, line string) (quit bool, err error) {
	// Fingers that know the screen begin a command with a colon.
	word, rest, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), ":"), " ")
	word, rest = strings.ToLower(word), strings.TrimSpace(rest)
	if n, isNumber := number(word); isNumber && d.foretell.asking > 0 && d.play != nil {
		return false, d.answer(ctx, n)
	}
	if n, isNumber := strconv.Atoi(word); isNumber == nil {
		word, rest = "goto", strconv.Itoa(n)
	}
	switch word {
	case "quit", "q", "exit":
		return true, nil
	case "help", "h", "?":
		d.help()
		return false, nil
	case "list":
		d.list()
		return false, nil
	case "predict", "p":
		d.togglePredict()
		return false, nil
	case "lang":
		d.language(strings.ToLower(rest))
		return false, nil
	case "open":
		found, err := scenarios.Find(d.Scenarios, rest)
		if err != nil {
			// A slip in a name ends no session: what is typed next may be right.
			d.unknown(err)
			return false, nil
		}
		return false, d.open(ctx, found)
	}
	if d.play == nil {
		d.say("No scenario is open. Type list, or open NAME.")
		return false, nil
	}
	if d.lookAt(word, rest) { // a question that is asked stays asked
		return false, nil
	}
	d.foretell.asking = 0
	switch word {
	case "next", "n":
		if next := d.nextScenario(); next != nil && d.cursor >= len(d.teller.trace.Plan) {
			return false, d.open(ctx, next)
		}
		return false, d.next(ctx)
	case "":
		return false, d.next(ctx)
	case "back", "b":
		d.look(d.cursor - 1)
	case "first":
		d.look(0)
	case "last":
		d.look(len(d.teller.trace.Steps))
	case "goto":
		n, err := strconv.Atoi(rest)
		if err != nil {
			d.say("goto takes a step's number.")
			return false, nil
		}
		return false, d.goTo(ctx, n)
	case "restart", "r":
		return false, d.open(ctx, d.scenario)
	default:
		d.say("%q is nothing that can be typed here. Type help.", word)
	}
	return false, nil
}

// language changes it, and tells again where the reader stands.
func (d *driver) language(lang string) {
	if !words.Speaks(lang) {
		d.say("rvtui does not speak %q; it speaks %s", lang, strings.Join(words.Languages, ", "))
		return
	}
	d.Lang, d.teller.lang = lang, lang
	if d.play != nil {
		d.look(d.cursor)
	} else {
		d.list()
	}
}

// unknown says that no scenario is called as it was typed, and what comes near.
func (d *driver) unknown(err error) {
	var unknown *scenarios.UnknownError
	switch {
	case !errors.As(err, &unknown):
		d.printf("%s\n", err)
	case len(unknown.Near) == 0:
		d.say("No scenario is called %q. Type list to see all.", unknown.Name)
	default:
		d.say("No scenario is called %q. The nearest: %s.", unknown.Name, strings.Join(unknown.Near, ", "))
	}
}

// serious is err where nobody is there to type something else.
func (d *driver) serious(err error) error {
	if d.Prompt {
		return nil
	}
	return err
}

func (d *driver) help() {
	d.printf("%s", words.PlainHelp(d.Lang))
}

func (d *driver) list() {
	if d.Saved != nil {
		d.say("This is a saved trace, of %s. There is no list to go to.", d.Saved.Head.Scenario)
		return
	}
	chapter := ""
	for _, s := range d.Scenarios {
		if s.Chapter != chapter {
			chapter = s.Chapter
			if !d.chapterScore(chapter) {
				d.say("Chapter %s", chapter)
			}
		}
		d.printf("%s%s\n", words.In(d.Lang, "%s: %s", s.Name, oneLine(s.Title.In(d.Lang))), d.lastRun(s))
	}
	d.say("%s. Type open NAME.", words.CountIn(d.Lang, len(d.Scenarios), "scenario", "scenarios"))
	d.resume()
}

func (d *driver) open(ctx context.Context, s *scenarios.Scenario) error {
	d.leave()
	play, err := d.stage.Begin(ctx, s)
	if err != nil {
		if missing := (*scenarios.MissingError)(nil); errors.As(err, &missing) {
			d.say("This cluster cannot show %s.", s.Name)
			d.printf("%s\n", words.Missing(missing, d.Lang))
		} else {
			d.say("%s could not be set up: %s", s.Name, err)
		}
		return d.serious(fmt.Errorf("setting up %s: %w", s.Name, err))
	}
	d.scenario, d.play = s, play
	d.kept = nil
	if d.Save != nil {
		d.kept, d.Save = &keeping{file: d.Save}, nil
	}
	d.foretell.asking, d.foretell.said = 0, nil
	trace := play.Trace()
	steps := trace.Steps
	trace.Steps = nil // the driver adds to its own
	d.teller = teller{&trace, scenarios.NewHistory(&trace), d.Lang}
	for _, o := range steps {
		d.add(o)
	}
	d.remember()
	d.keep()
	d.look(0)
	return nil
}

func (d *driver) leave() {
	if d.play == nil {
		return
	}
	// Whatever ended the conversation, what it made is removed.
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	if err := d.play.Close(ctx); err != nil {
		d.say("Removing what %s made: %s", d.scenario.Name, err)
	}
	d.play = nil
}

func (d *driver) add(o scenarios.Observation) {
	t := d.teller.trace
	t.Steps = append(t.Steps, o)
	d.teller.history.Append(&t.Steps[len(t.Steps)-1])
}

// look tells a step that was taken, or the beginning.
func (d *driver) look(n int) {
	t := d.teller.trace
	d.cursor = max(0, min(n, len(t.Steps)))
	if d.cursor == 0 {
		d.printf("%s", d.hushed().beginning())
	} else {
		d.printf("%s", d.teller.step(d.cursor))
		d.foretold(d.cursor)
	}
	switch {
	case d.cursor == len(t.Plan):
		d.score()
		d.printf("%s", d.teller.end())
		d.offer()
	case d.ended():
		d.sayEnded()
	case d.cursor == len(t.Steps):
		d.printf("%s", d.teller.next(d.cursor))
	}
	d.printf("\n")
}

func (d *driver) next(ctx context.Context) error {
	t := d.teller.trace
	if d.cursor < len(t.Steps) {
		d.look(d.cursor + 1)
		return nil
	}
	if d.ended() {
		d.sayEnded()
		return nil
	}
	if d.cursor >= len(t.Plan) {
		if d.Saved != nil {
			d.say("That was the last step. Type restart to begin again, or quit.")
			return nil
		}
		if d.nextScenario() != nil {
			d.say("That was the last step. Type next for the next scenario, restart to run this one again, list for all scenarios.")
		} else {
			d.say("That was the last step. Type restart to run it again, list for the others.")
		}
		return nil
	}
	if d.ask() {
		return nil
	}
	o, err := d.play.Step(ctx, d.progress(t.Plan[d.cursor].Slow))
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		d.say("Step %d could not be done: %s", d.cursor+1, err)
		return d.serious(fmt.Errorf("taking step %d of %s: %w", d.cursor+1, t.Scenario, err))
	}
	d.add(o)
	d.remember()
	d.keep()
	d.look(len(t.Steps))
	return nil
}

func (d *driver) goTo(ctx context.Context, n int) error {
	t := d.teller.trace
	if n < 0 || n > len(t.Plan) {
		said := words.Are(d.Lang, len(t.Plan), "step", "steps") + words.In(d.Lang, ".")
		d.printf("%s\n", words.Capital(said))
		return nil
	}
	if n <= len(t.Steps) {
		d.look(n)
		return nil
	}
	d.cursor = len(t.Steps)
	if d.ended() {
		d.sayEnded()
	}
	for d.cursor < n && !d.ended() {
		before := d.cursor
		if err := d.next(ctx); err != nil {
			return err
		}
		if d.cursor == before { // it could not be done, and that was said; or it is asked first
			if d.foretell.asking > 0 {
				d.foretell.goal = n
			}
			return nil
		}
	}
	return nil
}

// rest plays the open scenario to its end.
func (d *driver) rest(ctx context.Context) error {
	d.alone = true
	if err := d.goTo(ctx, len(d.teller.trace.Plan)); err != nil {
		return err
	}
	return d.out.err
}
