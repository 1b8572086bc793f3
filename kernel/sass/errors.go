package sass

import "fmt"

// Error is a fault of an input file.
type Error struct {
	File      string
	Line, Col int // 1-based; 0: the whole file, the whole line
	Msg       string
}

func (e *Error) Error() string {
	switch {
	case e.Line == 0:
		return fmt.Sprintf("%s: %s", e.File, e.Msg)
	case e.Col == 0:
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// fieldError is a fault at a byte of a line.
type fieldError struct {
	at  int
	msg string
}

func (e *fieldError) Error() string { return e.msg }

func badField(at int, format string, args ...any) error {
	return &fieldError{at, fmt.Sprintf(format, args...)}
}
