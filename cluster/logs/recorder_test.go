package logs

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

func TestTheNewestLinesAreKept(t *testing.T) {
	recorder := &Recorder{}
	if lines, next := recorder.Since(0); lines != nil || next != 0 {
		t.Errorf("of nothing: %v, %d", lines, next)
	}
	for i := range maxLines + 3 {
		recorder.Add(Line{Text: fmt.Sprint(i)})
	}
	tests := []struct {
		from        int64
		count       int
		first, last string
	}{
		{0, maxLines, "3", fmt.Sprint(maxLines + 2)},
		{3, maxLines, "3", fmt.Sprint(maxLines + 2)},
		{maxLines, 3, fmt.Sprint(maxLines), fmt.Sprint(maxLines + 2)},
		{maxLines + 3, 0, "", ""},
	}
	for _, test := range tests {
		lines, next := recorder.Since(test.from)
		if len(lines) != test.count || next != maxLines+3 {
			t.Errorf("from %d on there are %d lines, and the next is %d", test.from, len(lines), next)
			continue
		}
		if test.count > 0 && (lines[0].Text != test.first || lines[len(lines)-1].Text != test.last) {
			t.Errorf("from %d on the lines are %s to %s", test.from, lines[0].Text, lines[len(lines)-1].Text)
		}
	}
}

func TestALongLineIsCutBetweenCharacters(t *testing.T) {
	recorder := &Recorder{}
	for _, text := range []string{strings.Repeat("x", maxLength), strings.Repeat("x", maxLength+1), "x" + strings.Repeat("界", maxLength), "\xff" + strings.Repeat("\x80", 3*maxLength)} {
		recorder.Add(Line{Text: text})
	}
	lines, _ := recorder.Since(0)
	for i, line := range lines {
		if len(line.Text) > maxLength+len("…") || !utf8.ValidString(line.Text) {
			t.Errorf("line %d has %d bytes, valid: %t", i, len(line.Text), utf8.ValidString(line.Text))
		}
		if isCut := strings.HasSuffix(line.Text, "…"); isCut != (i == 1 || i == 2) {
			t.Errorf("line %d is cut: %t", i, isCut)
		}
	}
}

func TestManyMayLogAtOnce(t *testing.T) {
	recorder := &Recorder{}
	var logging sync.WaitGroup
	for range 8 {
		logging.Go(func() {
			for range 100 {
				recorder.Add(Line{Text: "x"})
				recorder.Since(0)
			}
		})
	}
	logging.Wait()
	if lines, next := recorder.Since(0); len(lines) != 800 || next != 800 {
		t.Errorf("%d lines, and the next is %d", len(lines), next)
	}
}
