// Package stop has the errors of runs that end before the end of their program.
package stop

import (
	"errors"
	"strings"
)

// ErrInterrupted is the error of a run with a cancelled context.
var ErrInterrupted = errors.New("interrupted")

// ErrPartOver is the error of any launch after the last launch of the machine's part. The host program can
// then stop.
var ErrPartOver = errors.New("the launches of the part are over")

// Error is the error of a simulation stopped by itself before the kernel's end: by a deadlock, by the cycle
// limit, or by the operand check at a wrong operand.
type Error struct {
	Check  bool     // the operand check
	Reason string   // one line
	Report []string // waiting blocks and their reasons
}

// Error returns the reason, followed by the report on further lines.
func (e *Error) Error() string {
	if len(e.Report) == 0 {
		return e.Reason
	}
	return e.Reason + "\n  " + strings.Join(e.Report, "\n  ")
}
