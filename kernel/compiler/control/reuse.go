package control

import (
	"slices"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/ir"
)

const (
	// flaggedSlots is the number of slots with a single operand each: the last slot may have several.
	flaggedSlots = ir.OperandSlots - 1
	// inCollectors is the number of instructions with a collector: a cached register is found by the next
	// instruction with reuse, or by the one behind it.
	inCollectors = 2
	// reach bounds the search for the next reader.
	reach = 16
)

// flags sets the reuse flags of a block's instructions. An operand is flagged if the next user of the reuse cache
// reads it again, unwritten, before the warp yields. The last such reader has no flag, so the register leaves the
// cache before it is written.
func (p *pass) flags(b *cfg.Block) {
	for i := b.Start; i < b.End; i++ {
		in := &p.insts[i]
		if !p.caches(in) {
			continue
		}
		for slot := range flaggedSlots {
			if regs := inSlot(in, slot); len(regs) > 0 && p.reread(i, b.End, slot, regs) {
				in.Control.Reuse |= 1 << slot
			}
		}
	}
}

// caches reports whether an instruction uses the reuse cache. A guarded instruction does not: lanes with a false
// guard do not read.
func (p *pass) caches(in *ir.Inst) bool { return p.m.groupOf(in).reuse && in.Guard.Kind == ir.KindNone }

// inSlot returns the registers of an operand slot.
func inSlot(in *ir.Inst, slot int) []ir.RegID {
	from := 0
	for from < int(in.T.NSrc) && in.T.Slot(from) != slot {
		from++
	}
	to := from
	for to < int(in.T.NSrc) && in.T.Slot(to) == slot {
		to++
	}
	return in.T.Src[from:to]
}

// reread reports whether the registers of a slot of instruction i are read again from the reuse
// cache.
func (p *pass) reread(i, end, slot int, regs []ir.RegID) bool {
	users := 0
	for j := i; j < min(end, i+reach); j++ {
		in := &p.insts[j]
		if j > i {
			if there := inSlot(in, slot); p.m.groupOf(in).reuse && slices.Equal(there, regs) {
				return p.caches(in)
			} else if !p.m.collectors && sameBank(there, regs) {
				return false
			}
			if p.m.groupOf(in).reuse {
				users++
			}
		}
		if users == inCollectors || p.gap[j] >= leastYield || writesAny(in, regs) {
			return false
		}
	}
	return false
}

// sameBank reports whether two sets of registers share one of the two banks.
func sameBank(a, b []ir.RegID) bool {
	for _, x := range a {
		for _, y := range b {
			if (x^y)&1 == 0 {
				return true
			}
		}
	}
	return false
}

func writesAny(in *ir.Inst, regs []ir.RegID) bool {
	for _, d := range in.T.Dst[:in.T.NDst] {
		if slices.Contains(regs, d) {
			return true
		}
	}
	return false
}
