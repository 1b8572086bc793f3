package program

import (
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// Layout has the places of a program's instructions in memory. An inserted operation
// lies before each instruction of its group reachable from other groups.
type Layout struct {
	Bytes uint32 // of an instruction
	// places are the instructions' places in the kernel.
	places []uint32
	// At has, by PC, the place of the instruction. Op has the last byte of the operation inserted before it, or the
	// instruction's place if there is none. Both are nil in a program without inserted operations.
	At, Op []uint32
}

// NewLayout places the instructions of a kernel, of so many bytes each, and the operations inserted.
func NewLayout(k *ir.Kernel, x *regfile.Insertions, bytes int) Layout {
	l := Layout{Bytes: uint32(bytes), places: k.Places}
	if x == nil {
		return l
	}
	l.At, l.Op = make([]uint32, len(k.Insts)), make([]uint32, len(k.Insts))
	entered := entries(k, x)
	next, seen := uint32(0), uint32(0)
	for pc := range k.Insts {
		if k.Places != nil { // instructions not shown by the trace
			next += (k.Places[pc] - seen) * l.Bytes
			seen = k.Places[pc] + 1
		}
		l.Op[pc] = next
		if g := x.Group[pc]; entered[pc] && g >= 0 && x.Ops[g].Bytes > 0 {
			next += uint32(x.Ops[g].Bytes)
			l.Op[pc] = next - 1
		}
		l.At[pc] = next
		next += l.Bytes
	}
	return l
}

// entries marks the first instruction of the program and the instructions reachable from another group.
func entries(k *ir.Kernel, x *regfile.Insertions) []bool {
	out := make([]bool, len(k.Insts))
	if len(out) > 0 {
		out[0] = true
	}
	reach := func(from, to int) {
		if to < len(out) && x.Group[from] != x.Group[to] {
			out[to] = true
		}
	}
	for pc := range k.Insts {
		reach(pc, pc+1)
		switch in := &k.Insts[pc]; in.Op {
		case ir.OpBra:
			reach(pc, in.Target)
		case ir.OpBrx:
			for _, to := range in.Targets {
				reach(pc, to)
			}
		}
	}
	return out
}

// Offset returns the place of instruction pc, relative to the start of the program.
func (l *Layout) Offset(pc uint32) uint64 {
	switch {
	case l.At != nil:
		return uint64(l.At[pc])
	case l.places != nil:
		return uint64(l.places[pc]) * uint64(l.Bytes)
	}
	return uint64(pc) * uint64(l.Bytes)
}

// Before returns the last byte of the operation inserted before instruction pc.
func (l *Layout) Before(pc uint32) uint64 { return uint64(l.Op[pc]) }
