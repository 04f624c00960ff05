package commands

import (
	"regexp"
	"strings"
	"testing"

	"rvtui/cmd/rvtui/internal/ptytest"
)

func TestAutoPlaysATraceToItsEndInASizeThatIsGiven(t *testing.T) {
	s := playing(t, traceFile(t, recordedTrace(t, "two-writers")), "--auto", "--size", "100x30")
	s.WaitFor("SAVED 0/6")
	s.Type("+++++") // who records has more time
	s.WaitFor("SAVED 6/6")
	rows := strings.Split(s.Screen(), "\n")
	if !strings.Contains(rows[29], "●") || len(rows) > 30 && strings.TrimSpace(rows[30]) != "" {
		t.Errorf("it is not 30 rows high:\n%s", s.Screen())
	}
	if code := s.Wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	s.WantRestored()
}

func TestAutoInLinesPlaysToTheEndWhateverIsTyped(t *testing.T) {
	path := traceFile(t, recordedTrace(t, "two-writers"))
	if o := tryPlay(t, "quit\n", path, "--auto"); o.code != 0 || !strings.Contains(o.out, "End: 6 steps") {
		t.Errorf("exit %d, %s", o.code, o.out)
	}
	if o := try(t, "--auto"); o.code != 2 || !strings.Contains(o.errors, "--auto takes the scenario") {
		t.Errorf("without a scenario: exit %d, %q", o.code, o.errors)
	}
	if o := try(t, "two-writers", "--auto", "--size", "120"); o.code != 2 || !strings.Contains(o.errors, "such as 120x36") {
		t.Errorf("without a height: exit %d, %q", o.code, o.errors)
	}
}

// film does what VHS does with a tape, once the program that it opens is there.
func film(t *testing.T, s *ptytest.Session, tape string) (waits int) {
	t.Helper()
	inView := regexp.MustCompile(`› \S+ › \S`).MatchString
	pressed := map[string]string{"Right": "\x1b[C", "Enter": "\r", "Escape": "\x1b", "Ctrl+C": "\x03"}
	for line := range strings.Lines(tape) {
		word, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch {
		case strings.HasPrefix(word, "Wait+Screen@"):
			s.WaitUntil(rest, regexp.MustCompile(strings.Trim(rest, "/")).MatchString)
			waits++
		case waits == 0: // the settings, and the shell's
		case word == "Type":
			typed := strings.Trim(rest, `"`)
			s.Type(typed)
			if len(typed) == 1 && strings.Contains("xdtwL", typed) {
				s.WaitUntil("the view of "+typed, inView)
			}
		case word == "Escape":
			s.Type(pressed[word])
			s.WaitUntil("the panes", func(screen string) bool { return !inView(screen) })
		case pressed[word] != "":
			s.Type(pressed[word])
		}
	}
	return waits
}

func TestATapeLeadsThroughTheProgram(t *testing.T) {
	path := traceFile(t, recordedTrace(t, "two-writers"))
	for _, args := range [][]string{
		{"--lang", "zh", "--view", "panes,http,diff"},
		{"--predict", "--step", "0,4,6", "--view", "http,panes"},
		{"--present", "--step", "3,4"},
	} {
		o := tryAlone(t, "", append([]string{"record", path, "-o", "-", "--format", "tape"}, args...)...)
		if o.code != 0 {
			t.Fatalf("%q: exit %d, %q", args, o.code, o.errors)
		}
		lang := []string{"--size", "120x36"}
		if args[0] == "--lang" {
			lang = append(lang, args[:2]...)
		}
		s := playing(t, path, lang...)
		if waits := film(t, s, o.out); waits < 3 {
			t.Errorf("%q: it waits %d times", args, waits)
		}
		if code := s.Wait(); code != 130 {
			t.Errorf("%q: exit code %d", args, code)
		}
	}
}
