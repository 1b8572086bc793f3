package ir

import (
	"fmt"
	"runtime/debug"
)

// InternalError is a panic of the front end, the compiler or the emulator: their own fault, and not the fault of
// the input program.
type InternalError struct {
	File      string // of the program
	Kernel    string // the kernel being processed, or ""
	Line, Col int    // of its instruction, 1-based; 0: not known
	Value     any    // of the panic
	Stack     []byte // of the goroutine, as debug.Stack gives it
}

// Error returns one line, without the stack.
func (e *InternalError) Error() string {
	s := "internal error: " + e.File
	if e.Line > 0 {
		s += fmt.Sprintf(":%d:%d", e.Line, e.Col)
	}
	if e.Kernel != "" {
		s += ": kernel " + e.Kernel
	}
	return s + fmt.Sprintf(": %v", e.Value)
}

// Unwrap returns the value of the panic if it is an error.
func (e *InternalError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Internal returns the error for value, the result of recover, during work on instruction in of k; nil: no
// particular instruction. An InternalError is returned unchanged.
func Internal(k *Kernel, in *Inst, value any) *InternalError {
	if e, ok := value.(*InternalError); ok {
		return e
	}
	e := &InternalError{File: k.File, Kernel: k.Name, Value: value, Stack: debug.Stack()}
	if in != nil {
		e.Line, e.Col = int(in.Line), int(in.Col)
	}
	return e
}

// Caught is to be deferred. It converts a panic into the error of its caller, an *InternalError.
func Caught(err *error) {
	if p := recover(); p != nil {
		*err = Internal(&Kernel{File: "kumiko"}, nil, p)
	}
}
