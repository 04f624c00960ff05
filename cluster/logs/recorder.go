// Package logs keeps the newest lines that the servers and their libraries logged, and
// reads what one line says of itself: the level, the source, the text.
//
// The package imports nothing but the standard library. It must never write anywhere, and
// keeps a bounded number of lines of a bounded length.
package logs

import (
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// The bounds of what is kept.
const (
	maxLines  = 2000
	maxLength = 2000 // bytes of a line's text
)

// Line is one line of the log.
type Line struct {
	At     time.Time
	Source string // who logged it: "kube-apiserver", "etcd", …
	Level  string // Info, Warning or Error
	Text   string // without the time, the level and the source
}

// The levels.
const (
	Info    = "info"
	Warning = "warning"
	Error   = "error"
)

// Recorder keeps the newest lines. The zero Recorder is ready for use, by many goroutines
// at once.
type Recorder struct {
	mu    sync.Mutex
	lines []Line // at most maxLines; line n is at n % maxLines
	next  int64  // the number of the next line
}

// Add adds a line, which is cut where it is too long.
func (r *Recorder) Add(line Line) {
	line.Text = cut(line.Text)
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.lines) < maxLines {
		r.lines = append(r.lines, line)
	} else {
		r.lines[r.next%maxLines] = line
	}
	r.next++
}

// Since returns the lines from a number on that are still there, oldest first, and the
// number of the next one. The first line's number is 0.
func (r *Recorder) Since(from int64) (lines []Line, next int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for n := max(from, r.next-int64(len(r.lines))); n < r.next; n++ {
		lines = append(lines, r.lines[n%maxLines])
	}
	return lines, r.next
}

// cut is a text that is not too long, of valid UTF-8.
func cut(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= maxLength {
		return text
	}
	end := maxLength
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
