package ptx

import (
	"fmt"
	"sort"
	"strings"
)

// pos is a place in the source, both 1-based; the column counts bytes.
type pos struct{ line, col int }

// Error is one thing wrong with a source.
type Error struct {
	File      string
	Line, Col int
	Msg       string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg) }

// ErrorList is everything found wrong with a source, in source order.
type ErrorList []*Error

// maxErrors bounds what is printed; a wrong first line can make everything wrong.
const maxErrors = 40

func (l ErrorList) Error() string {
	var b strings.Builder
	for i, e := range l {
		if i == maxErrors {
			fmt.Fprintf(&b, "\n%s: and %d more errors", e.File, len(l)-i)
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
}

func (e *errors) add(p pos, format string, args ...any) {
	x := Error{File: e.file, Line: p.line, Col: p.col, Msg: fmt.Sprintf(format, args...)}
	if e.seen[x] {
		return
	}
	if e.seen == nil {
		e.seen = map[Error]bool{}
	}
	e.seen[x] = true
	e.list = append(e.list, &x)
}

// err is the list in source order, or nil.
func (e *errors) err() error {
	if len(e.list) == 0 {
		return nil
	}
	sort.SliceStable(e.list, func(i, j int) bool {
		a, b := e.list[i], e.list[j]
		return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col
	})
	return e.list
}
