package app

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"kumiko/kernel/launch"
)

// checked records the first failed write: a command with lost output has failed.
type checked struct {
	w   io.Writer
	err error
}

// Write implements io.Writer.
func (c *checked) Write(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.w.Write(p)
	c.err = err
	return n, err
}

// failure returns the error of the command, combined with err, the command's own error.
func (c *checked) failure(err error) error {
	if c.err == nil {
		return err
	}
	why := c.err
	if pe, ok := errors.AsType[*fs.PathError](why); ok {
		why = pe.Err
	}
	all := []error{WithStatus(BadInput, fmt.Sprintf("cannot write to standard output: %v", why))}
	list := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		list = joined.Unwrap()
	}
	for _, e := range list {
		if e != nil && !errors.Is(e, c.err) {
			all = append(all, e)
		}
	}
	return errors.Join(all...)
}

// printer writes text for people. Characters that control a terminal are escaped.
type printer struct{ w io.Writer }

// NewPrinter returns a writer of text for people, with w behind it.
func NewPrinter(w io.Writer) io.Writer { return printer{w} }

// Write implements io.Writer. Each write must contain whole characters.
func (p printer) Write(b []byte) (int, error) {
	text := string(b)
	if !harmless(text) {
		text = escaped(text)
	}
	if _, err := io.WriteString(p.w, text); err != nil {
		return 0, err
	}
	return len(b), nil
}

// steers reports whether a character controls the terminal: a control character, or a character that changes the
// direction of text.
func steers(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
}

func harmless(s string) bool { return utf8.ValidString(s) && !strings.ContainsFunc(s, steers) }

// escaped returns s with control characters escaped as in Go literals.
func escaped(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case steers(r):
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		default:
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// Quoted returns a name from outside, of a program, a kernel or a file. A name with invisible characters, such as a
// line break, is returned in quotes.
func Quoted(name string) string {
	if utf8.ValidString(name) && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return name
	}
	return strconv.Quote(name)
}

// KernelName returns the name of a kernel as shown in tables.
func KernelName(name string) string { return Quoted(launch.Shown(name)) }

// Text returns standard output for text.
func (a *App) Text() io.Writer { return printer{a.Stdout} }

// Notes returns standard error for text.
func (a *App) Notes() io.Writer { return printer{a.Stderr} }

// Plain returns the file behind the program's standard output, for another process.
func Plain(w io.Writer) io.Writer {
	if c, ok := w.(*checked); ok {
		return c.w
	}
	return w
}
