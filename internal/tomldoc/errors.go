package tomldoc

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"kumiko/internal/excerpt"
)

// Error is a mistake at a place.
type Error struct {
	Pos Pos
	Msg string
	Err error // the mistake without its place; nil: Msg alone describes it
}

// Unwrap returns the mistake without its place, or nil.
func (e *Error) Unwrap() error { return e.Err }

func (e *Error) Error() string { return excerpt.Message(e.Pos.String() + ": " + e.Msg) }

// Errorf makes an Error.
func Errorf(p Pos, format string, args ...any) *Error {
	return &Error{Pos: p, Msg: fmt.Sprintf(format, args...)}
}

// mostErrors bounds the listed errors: one wrong line can make all later ones wrong.
const mostErrors = 20

// Errors are the mistakes of a document, in its order. The message has the first of them, and the number of further
// ones.
type Errors []*Error

func (l Errors) Error() string {
	var b strings.Builder
	for i, e := range l[:min(len(l), mostErrors)] {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(e.Error())
	}
	if n := len(l) - mostErrors; n > 0 {
		fmt.Fprintf(&b, "\n%s: and %d more", l[0].Pos.File, n)
	}
	return b.String()
}

// Join is like errors.Join, limited in the number of errors as Errors is. file is the document.
func Join(file string, errs []error) error {
	if n := len(errs) - mostErrors; n > 0 {
		errs = append(errs[:mostErrors:mostErrors], fmt.Errorf("%s: and %d more", file, n))
	}
	return errors.Join(errs...)
}

// Sorted returns errors, joined ones apart, in the order of their places; those without a place come last.
func Sorted(errs []error) (out []error) {
	for _, err := range errs {
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			out = append(out, Sorted(joined.Unwrap())...)
		} else if err != nil {
			out = append(out, err)
		}
	}
	slices.SortStableFunc(out, func(a, b error) int {
		var x, y *Error
		if !errors.As(a, &x) || !errors.As(b, &y) {
			return cmp.Compare(placeless(a), placeless(b))
		}
		return cmp.Or(cmp.Compare(x.Pos.Line, y.Pos.Line), cmp.Compare(x.Pos.Col, y.Pos.Col))
	})
	return out
}

// placeless returns 1 for an error without a place, otherwise 0.
func placeless(err error) int {
	if _, ok := errors.AsType[*Error](err); ok {
		return 0
	}
	return 1
}

// Decode decodes a document. The error is an *Error naming the key.
func Decode(file string, data []byte, into any) error {
	err := toml.Unmarshal(data, into)
	var de *toml.DecodeError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &de):
		return Errorf(Pos{File: file}, "%v", err)
	}
	line, col := de.Position()
	pos := Pos{File: file, Line: line, Col: col}
	key := Dotted(de.Key()...)
	if d, err := Parse(file, data); err == nil {
		key = d.named(pos, key) // the decoder's key lacks the enclosing tables
	}
	if key != "" {
		key += ": "
	}
	return Errorf(pos, "%s%s", key, strings.TrimPrefix(de.Error(), "toml: "))
}

// named returns the name of the key at a place, or of the key whose value is there. If there is none, it returns
// otherwise.
func (d *Doc) named(at Pos, otherwise string) string {
	for _, list := range [][]Entry{d.Entries, d.Tables} {
		for i := range list {
			e := &list[i]
			if e.Pos == at || e.Val == at || slices.ContainsFunc(e.Elems, func(x Elem) bool { return x.Pos == at }) {
				return e.Name()
			}
		}
	}
	return otherwise
}
