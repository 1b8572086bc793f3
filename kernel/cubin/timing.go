package cubin

import (
	"slices"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/marks"
	"kumiko/kernel/ir"
)

// timed completes a kernel of machine code for the timing model. as are the instructions of the same listing as
// kernel/cuasm reads them for timing: the class of each, with which every GPU times it, is that of kernel/sass/opcode,
// and its control word has the conditions of a DEPBAR and the reuse flags as the text has them. An instruction that
// nvdisasm prints without a text (package listing) is not there: it keeps the class of its operation and its own word.
func timed(k *ir.Kernel, as []ir.Inst) {
	next := 0
	for pc := range k.Insts {
		in := &k.Insts[pc]
		for next < len(as) && as[next].Line < in.Line {
			next++
		}
		if next == len(as) || as[next].Line != in.Line {
			continue
		}
		from := &as[next]
		if in.Control.Set {
			in.Control.Reuse, in.Control.Hold = from.Control.Reuse, from.Control.Hold
		} else {
			in.Control = from.Control
		}
		space, bytes := in.T.Space, in.T.Bytes
		if in.Uniform {
			in.T.Space, in.T.Bytes = from.T.Space, from.T.Bytes // an ULDC does not go to the load/store unit
		}
		if never := from.Guard.Kind == ir.KindNone && from.Guard.Neg; !never {
			like(&in.T, &from.T)
		}
		if in.Uniform {
			in.T.Space, in.T.Bytes = space, bytes // but has an address in the constant bank, if it is indexed
		}
	}
	cfg.Build(k.Insts).SetReconv(k.Insts)
	k.Varying = marks.Branches(k)
	marks.All(k)
}

// like gives t, an instruction as it executes, the class and the operand slots of as, the same instruction as
// kernel/cuasm reads it. Memory accesses keep their class; an LDC from a known address is no access, because it
// executes as a move. The order of registers is taken only if both read the same ones.
func like(t, as *ir.Timing) {
	if t.Space == ir.SpaceNone && as.Space == ir.SpaceNone {
		t.Class, t.Upper = as.Class, as.Upper
		t.Consts = as.Consts // some operands of the driver's constants are numbers here
	}
	if SameRegisters(t, as) {
		t.Src, t.NAddr, t.Slots = as.Src, as.NAddr, as.Slots
	}
}

// SameRegisters reports whether two views of an instruction read the same registers, each as often.
func SameRegisters(a, b *ir.Timing) bool {
	x, y := slices.Clone(a.Src[:a.NSrc]), slices.Clone(b.Src[:b.NSrc])
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}
