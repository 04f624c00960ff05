package words

import "strings"

// Warnings are the texts of a Warning header, whose values may have been joined with
// commas: `299 - "unknown field \"owner\""` (RFC 7234, section 5.5). What is not of
// that form is left out.
func Warnings(header string) []string {
	var out []string
	for {
		_, rest, ok := strings.Cut(header, `"`)
		if !ok {
			return out
		}
		text, after, ok := quoted(rest)
		if !ok {
			return out
		}
		out = append(out, text)
		if date, ok := strings.CutPrefix(after, ` "`); ok { // it has a comma of its own
			_, after, _ = quoted(date)
		}
		header = after
	}
}

// quoted is what stands before the closing quote, unescaped, and what follows that.
func quoted(s string) (text, after string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			return b.String(), s[i+1:], true
		case '\\':
			i++
			if i == len(s) {
				return "", "", false
			}
		}
		b.WriteByte(s[i])
	}
	return "", "", false
}
