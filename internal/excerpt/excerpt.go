// Package excerpt makes parts of an input fit for a message: short, and without
// characters that a terminal would obey.
package excerpt

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Longest is how many bytes of a text are shown.
const Longest = 80

// Of is s as it may stand in a message: at most Longest bytes of it, with its
// size behind where that is more, and escapes for characters that cannot be
// printed.
func Of(s string) string {
	if len(s) <= Longest {
		return Printable(s)
	}
	return fmt.Sprintf("%s... (%d bytes)", Printable(cut(s, Longest)), len(s))
}

// Quote is s in quotation marks, and otherwise as Of has it.
func Quote(s string) string {
	if len(s) <= Longest {
		return strconv.Quote(s)
	}
	return fmt.Sprintf("%s... (%d bytes)", strconv.Quote(cut(s, Longest)), len(s))
}

// cut is the beginning of s up to a byte, less what would be part of a character.
func cut(s string, n int) string {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// LongestMessage is how many bytes of a whole message are kept.
const LongestMessage = 2000

// Message is a message that may hold what an input holds: no longer than
// LongestMessage, and with escapes for what a terminal would obey. Ends of lines
// stay.
func Message(s string) string {
	if len(s) > LongestMessage {
		s = cut(s, LongestMessage) + "..."
	}
	if strings.IndexFunc(s, func(r rune) bool { return r != '\n' && !strconv.IsPrint(r) }) < 0 && utf8.ValidString(s) {
		return s
	}
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = Printable(lines[i])
	}
	return strings.Join(lines, "\n")
}

// Args are the arguments of a message's format, long strings among them cut. A
// List is bounded by itself.
func Args(args []any) []any {
	out := make([]any, len(args))
	for i, a := range args {
		if s, ok := a.(string); ok && len(s) > Longest {
			a = fmt.Sprintf("%s... (%d bytes)", cut(s, Longest), len(s))
		}
		out[i] = a
	}
	return out
}

// List is a list of names in a message: comma-separated, and only so many of them.
type List []string

// listed is how many names of a list are shown.
const listed = 20

// String implements fmt.Stringer.
func (l List) String() string {
	var b strings.Builder
	for i, name := range l {
		if i == listed && len(l) > listed+1 {
			fmt.Fprintf(&b, " and %d more", len(l)-listed)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(Of(name))
	}
	return b.String()
}

// Printable is s with escapes, as Go writes them, for characters that cannot be
// printed.
func Printable(s string) string {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || !strconv.IsPrint(r) {
			return escaped(s)
		}
		i += n
	}
	return s
}

func escaped(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '"' || r == '\\' {
			b.WriteByte(s[i])
		} else {
			q := strconv.Quote(s[i : i+n])
			b.WriteString(q[1 : len(q)-1])
		}
		i += n
	}
	return b.String()
}
