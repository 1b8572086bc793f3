// Package excerpt prepares parts of an input for messages: short, and without control characters for terminals.
package excerpt

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Longest is the maximum number of bytes shown of a text.
const Longest = 80

// Of returns s prepared for a message: at most Longest bytes, followed by the size of a longer s, with unprintable
// characters escaped.
func Of(s string) string {
	if len(s) <= Longest {
		return Printable(s)
	}
	return fmt.Sprintf("%s... (%d bytes)", Printable(cut(s, Longest)), len(s))
}

// Quote returns s in quotation marks, otherwise as Of does.
func Quote(s string) string {
	if len(s) <= Longest {
		return strconv.Quote(s)
	}
	return fmt.Sprintf("%s... (%d bytes)", strconv.Quote(cut(s, Longest)), len(s))
}

// cut returns the first n bytes of s, without a partial character at the end.
func cut(s string, n int) string {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// LongestMessage is the maximum number of bytes of a whole message.
const LongestMessage = 2000

// Message prepares a message that may contain input: at most LongestMessage bytes, with control characters escaped.
// Line breaks are kept.
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

// Args returns the arguments of a message's format, with long strings cut. A List limits itself.
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

// List is a list of names in a message: comma-separated, and limited in number.
type List []string

// listed is the maximum number of names shown of a list.
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

// Printable returns s with unprintable characters escaped as in Go.
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
