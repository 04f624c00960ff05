// Package screen draws: pure functions from (story, state, size, theme, language) to
// the text of a frame. It may import scenarios and terminal libraries, does no I/O,
// and asks neither the clock nor the environment. Every frame has exactly the
// screen's height in lines, and no line is wider than the screen.
package screen
