package regfile

import (
	"slices"

	"kumiko/kernel/ir"
)

// Part is a kernel of launches that run side by side. The kernels of all are one program.
type Part struct {
	Plan  any       // made by the kind's Admit for the kernel alone
	First int       // PC of its first instruction in the program
	Insts []ir.Inst // its instructions there
}

// Merged is how a register file serves launches side by side.
type Merged struct {
	Plan any // as Admission.Plan, of all kernels
	// Registers is the number of 32-bit registers in the file, if the SM itself counts those of the CTAs that have
	// theirs there. 0: the CTA dispatcher counts the registers of all resident CTAs.
	Registers int
	// Apart is the number of the SM's 32-bit registers that no CTA takes for itself. OfCTA has, by kernel, the number
	// that a CTA takes; nil: as many as the GPU's rules say.
	Apart int
	OfCTA []int
}

// Role is the place of a CTA beside those of other launches.
type Role struct {
	Kernel uint16 // the number of its Part
	// Pair is the number of the CTA's pair on the SM. A pair has one place for shared registers for each warp of a CTA,
	// and its number is that of its first place. NoPair: the CTA has its registers for itself.
	Pair int16
	Side uint8 // of the pair: 0 or 1
	// Registers is how many 32-bit registers the CTA takes without a partner.
	Registers uint32
}

// NoPair is the Pair of a CTA without one.
const NoPair = -1

// Joined returns the operations inserted into the program of several kernels, from those of each: nil where a kernel
// has none. Groups are counted on from kernel to kernel. sizes are the kernels' numbers of instructions.
func Joined(each []*Insertions, sizes []int) *Insertions {
	if !slices.ContainsFunc(each, func(x *Insertions) bool { return x != nil }) {
		return nil
	}
	out := &Insertions{}
	for i, x := range each {
		if x == nil {
			out.Group = append(out.Group, slices.Repeat([]int32{NoGroup}, sizes[i])...)
			continue
		}
		for _, g := range x.Group {
			if g != NoGroup {
				g += int32(len(out.Ops))
			}
			out.Group = append(out.Group, g)
		}
		out.Ops = append(out.Ops, x.Ops...)
	}
	return out
}
