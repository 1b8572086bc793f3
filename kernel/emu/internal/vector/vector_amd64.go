package vector

import (
	"sync"

	"golang.org/x/sys/cpu"
)

// Available reports whether this machine can run sequences.
var Available = cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL

// routines has the address of each operation's routine.
func routines() *[NumCodes]uintptr

// table is what routines returns, read once.
var table = sync.OnceValue(routines)

// Make is an operation of the given code.
func Make(code Code, op Op) Op {
	op.routine = table()[code]
	return op
}

// Run executes a sequence, on rows for the given lanes and on predicates for
// those of exec.
//
//go:noescape
func Run(ops *Op, rows *Row, preds *uint32, exec, lanes uint32)
