package sass

import (
	"fmt"

	"kumiko/internal/excerpt"
)

// Error is a fault of an input file.
type Error struct {
	File      string
	Line, Col int // 1-based; 0: the whole file, the whole line
	Msg       string
}

func (e *Error) Error() string {
	place := e.File
	switch {
	case e.Line == 0:
	case e.Col == 0:
		place = fmt.Sprintf("%s:%d", e.File, e.Line)
	default:
		place = fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Col)
	}
	return excerpt.Message(place + ": " + e.Msg)
}

// fieldError is a fault at a byte of a line.
type fieldError struct {
	at  int
	msg string
}

func (e *fieldError) Error() string { return e.msg }

func badField(at int, format string, args ...any) error {
	return &fieldError{at, fmt.Sprintf(format, excerpt.Args(args)...)}
}
