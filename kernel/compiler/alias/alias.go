// Package alias reports whether two memory accesses of a basic block may touch the same bytes. Passes must keep the
// order of such accesses.
package alias

import "kumiko/kernel/ir"

// Access is a memory instruction of a block.
type Access struct {
	In *ir.Inst
	// Base has, for each register of the base, the index of the last instruction of the block to write the register
	// before the access, or -1. Equal entries mean equal register values.
	Base [2]int
}

// May reports whether two accesses, at least one of them writing or volatile, may touch the same bytes of a lane.
// They may not if they are in different spaces, or if both are plain and at different offsets from one value of a
// base. Only accesses of one lane are compared: a write by one lane and a read by another are ordered by barriers
// or are volatile.
func May(a, b *Access) bool {
	if a.In.Mods.Volatile && b.In.Mods.Volatile || a.In.Op == ir.OpAtom && b.In.Op == ir.OpAtom {
		return true
	}
	if a.In.Space != b.In.Space && a.In.Space != ir.Generic && b.In.Space != ir.Generic {
		return false
	}
	same := a.In.Space == b.In.Space && a.In.Addr.Base == b.In.Addr.Base && a.Base == b.Base
	if !same || !plain(a.In) || !plain(b.In) {
		return true
	}
	low, high := a.In, b.In
	if low.Addr.Offset > high.Addr.Offset {
		low, high = high, low
	}
	apart := high.Addr.Offset - low.Addr.Offset
	return apart < Bytes(low) || apart > mostApart
}

// mostApart is the largest distance of two offsets, in bytes, at which a 32-bit address cannot wrap around from one
// to the other.
const mostApart = 1 << 30

// plain reports whether an instruction is a load or a store without an effect on other lanes: not volatile and not
// atomic.
func plain(in *ir.Inst) bool { return (in.Op == ir.OpLd || in.Op == ir.OpSt) && !in.Mods.Volatile }

// Bytes returns the number of bytes per lane of a load or a store.
func Bytes(in *ir.Inst) int64 { return int64(len(Elements(in)) * in.Type.Size()) }

// Elements returns the operands that a load writes or a store reads: one, or one per element of a vector.
func Elements(in *ir.Inst) []ir.Operand {
	if in.Op == ir.OpSt {
		return in.Src
	}
	return in.Dst
}
