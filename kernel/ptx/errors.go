package ptx

import (
	"fmt"
	"sort"
	"strings"

	"kumiko/internal/excerpt"
)

// pos is a place in the source, both 1-based; the column counts bytes.
type pos struct{ line, col int }

// Error is one error of a source.
type Error struct {
	File      string
	Line, Col int
	Msg       string
}

func (e *Error) Error() string {
	return excerpt.Message(fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg))
}

// ErrorList has all errors of a source, in source order.
type ErrorList []*Error

// maxErrors bounds the number of printed errors, since one early error can cause many.
const maxErrors = 40

// maxKept bounds the number of errors kept from a file, for example from a file that is not PTX.
const maxKept = 1000

func (l ErrorList) Error() string {
	var b strings.Builder
	for i, e := range l {
		if i == maxErrors {
			least := ""
			if len(l) == maxKept {
				least = "at least "
			}
			fmt.Fprintf(&b, "\n%s: and %s%d more errors", excerpt.Printable(e.File), least, len(l)-i)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(e.Error())
	}
	return b.String()
}

// errors collects errors, each once: an inlined body is read many times.
type errors struct {
	file string
	list ErrorList
	seen map[Error]bool
	// closed drops all further errors: they are consequences of the last.
	closed bool
}

func (e *errors) add(p pos, format string, args ...any) {
	e.keep(Error{File: e.file, Line: p.line, Col: p.col, Msg: fmt.Sprintf(format, excerpt.Args(args)...)})
}

func (e *errors) keep(x Error) {
	if e.closed || e.seen[x] {
		return
	}
	e.closed = len(e.list) == maxKept-1
	if e.seen == nil {
		e.seen = map[Error]bool{}
	}
	e.seen[x] = true
	e.list = append(e.list, &x)
}

// take adds the errors of another list.
func (e *errors) take(other *errors) {
	for _, x := range other.list {
		e.keep(*x)
	}
}

// last adds an error after which nothing can be understood.
func (e *errors) last(p pos, format string, args ...any) {
	e.add(p, format, args...)
	e.closed = true
}

// err returns the list in source order, or nil.
func (e *errors) err() error {
	if len(e.list) == 0 {
		return nil
	}
	sort.SliceStable(e.list, func(i, j int) bool {
		a, b := e.list[i], e.list[j]
		if a.File != b.File {
			return a.File < b.File
		}
		return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col
	})
	return e.list
}
