// Package alias tells apart memory accesses of a basic block: which of them may touch
// the same bytes, so that passes may not change their order.
package alias

import "kumiko/kernel/ir"

// Access is a memory instruction of a block.
type Access struct {
	In *ir.Inst
	// Base has, for each register of the base, the instruction of the block that
	// wrote it last before the access, or -1: with it the register has one value.
	Base [2]int
}

// May reports whether two accesses, of which one writes or is volatile, may
// touch the same bytes of a lane: not when they are in different spaces, nor, if
// both are plain, at different offsets from one value of a base. Lanes are not
// told apart: what one writes and another reads is ordered by barriers, or is
// volatile.
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

// mostApart is how far apart offsets may be without a doubt that an address of 32
// bits wraps around.
const mostApart = 1 << 30

// plain reports whether an instruction is a load or a store of no other lane's
// concern.
func plain(in *ir.Inst) bool { return (in.Op == ir.OpLd || in.Op == ir.OpSt) && !in.Mods.Volatile }

// Bytes is how many a load or a store touches.
func Bytes(in *ir.Inst) int64 { return int64(len(Elements(in)) * in.Type.Size()) }

// Elements are what a load writes or a store reads: one operand, or one per element of a
// vector.
func Elements(in *ir.Inst) []ir.Operand {
	if in.Op == ir.OpSt {
		return in.Src
	}
	return in.Dst
}
