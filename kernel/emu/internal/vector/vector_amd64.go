//go:build !purego

package vector

import (
	"sync"

	"golang.org/x/sys/cpu"
)

// Available reports whether this machine can run sequences.
var Available = cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL

// routines returns the address of each operation's routine.
func routines() *[NumCodes]uintptr

// table returns the result of routines, computed once.
var table = sync.OnceValue(routines)

// Make returns an operation of the given code.
func Make(code Code, op Op) Op {
	op.routine = table()[code]
	return op
}

// Run executes a sequence, on rows for the lanes of lanes and on predicates for the lanes of exec.
//
//go:noescape
func Run(ops *Op, rows *Row, preds *uint32, exec, lanes uint32)

// Spaced reports whether each lane of low is step more than the lane before, and all lanes of high, unless nil, are
// equal.
//
//go:noescape
func Spaced(low, high *Row, step uint32) bool

// Addresses adds an offset to every lane, in 64 bits, or modulo 2^32 without a high row.
//
//go:noescape
func Addresses(addr *[32]uint64, low, high *Row, offset uint64)

// Regular reports whether the address of every lane of mask is base plus the lane's
// number times stride.
//
//go:noescape
func Regular(addr *[32]uint64, base, stride uint64, mask uint32) bool

// Bounds returns the lowest and the highest address of the lanes of mask, and the bitwise or of all of them.
//
//go:noescape
func Bounds(addr *[32]uint64, mask uint32) (lo, hi, or uint64)

// Compress writes the addresses of the lanes of mask to a list, one after the other.
//
//go:noescape
func Compress(list *uint64, addr *[32]uint64, mask uint32)

// Gather loads a word for each lane of mask from data, at the lane's address plus at.
//
//go:noescape
func Gather(d *Row, data *byte, at uint64, addr *[32]uint64, mask uint32)

// Load loads a word for each lane of mask from data, at base plus the lane's number times stride.
//
//go:noescape
func Load(d *Row, data *byte, base, stride uint64, mask uint32)

// Store stores the words of the lanes of mask to data, at base plus four times the lane's number.
//
//go:noescape
func Store(data *byte, base uint64, s *Row, mask uint32)
