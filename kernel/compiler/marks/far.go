package marks

import (
	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/ir"
)

// Far sets the FarSrc and FarDst bits of a kernel with LongConsumer bits set. A bit is set for a source or
// destination register not read before the next long consumer on any path. A two-level scheduler may suspend the
// warp before that instruction (Gebhart et al., ISCA 2011, section 4), so a register cache gains nothing by keeping
// such a value.
//
// The bits are hints. A value is near if a read before the next long consumer is possible. A guarded read counts as
// a read, and a guarded write does not end the value, because of the other lanes.
func Far(k *ir.Kernel) {
	g := cfg.Build(k.Insts)
	near := make([]bitset.Set, len(g.Blocks)) // at each block's start: read before the next long consumer
	for b := range near {
		near[b] = bitset.New(k.NumRegs)
	}
	after := func(b int) bitset.Set {
		set := bitset.New(k.NumRegs)
		for _, s := range g.Blocks[b].Succs {
			set.Or(near[s])
		}
		return set
	}
	for changed := true; changed; {
		changed = false
		for b := len(near) - 1; b >= 0; b-- {
			set := after(b)
			for pc := g.Blocks[b].End - 1; pc >= g.Blocks[b].Start; pc-- {
				set = before(&k.Insts[pc].T, set)
			}
			changed = near[b].Or(set) || changed
		}
	}
	for b := range near {
		set := after(b)
		for pc := g.Blocks[b].End - 1; pc >= g.Blocks[b].Start; pc-- {
			t := &k.Insts[pc].T
			t.FarSrc, t.FarDst = missing(t.Src[:t.NSrc], set), missing(t.Dst[:t.NDst], set)
			set = before(t, set)
		}
	}
}

// before returns the registers near before an instruction, given the registers near after it.
func before(t *ir.Timing, near bitset.Set) bitset.Set {
	if t.LongConsumer { // it is itself behind the point where the warp leaves
		near.Clear()
		return near
	}
	if !t.Guarded {
		for _, r := range t.Dst[:t.NDst] {
			near.Remove(int(r))
		}
	}
	for _, r := range t.Src[:t.NSrc] {
		near.Add(int(r))
	}
	return near
}

// missing returns a bit set of the registers not in set, by position in regs.
func missing(regs []ir.RegID, set bitset.Set) (bits uint16) {
	for i, r := range regs {
		if !set.Has(int(r)) {
			bits |= 1 << i
		}
	}
	return bits
}
