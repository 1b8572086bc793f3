package sharing

import (
	"kumiko/components/bank"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// plan describes how the CTAs of a launch share an SM's registers.
type plan struct {
	pairs    int // S
	unshared int // U
	warps    int // per CTA
	private  int // private registers of a sharing warp
	beside   *beside
}

// beside is the part of a plan for CTAs of several kernels at once. The CTA dispatcher then makes the pairs, each
// within one kernel. A pair's number is that of its first lock, because the plan as a whole counts one warp per CTA.
type beside struct {
	private []int // by kernel: private registers of a sharing warp; bank.NoSplit: the kernel shares nothing
	of      map[*ir.Inst]int
}

// merge makes the plan for launches side by side. A kernel shares registers if it does alone.
func merge(_ *Spec, parts []regfile.Part) (regfile.Merged, error) {
	x := &beside{of: map[*ir.Inst]int{}}
	out := &plan{warps: 1, private: bank.NoSplit, beside: x}
	for i := range parts {
		p, private := parts[i].Plan.(*plan), bank.NoSplit
		if p.on() {
			private = p.private
		}
		out.pairs += p.pairs
		out.private = min(out.private, private)
		x.private = append(x.private, private)
		for k := range parts[i].Insts {
			x.of[&parts[i].Insts[k]] = private
		}
	}
	return regfile.Merged{Plan: out}, nil
}

// firstShared returns the first register that an instruction's warp shares.
func (p *plan) firstShared(in *ir.Inst) int {
	if p.beside == nil {
		return p.private
	}
	return p.beside.of[in]
}

// role returns the pair and the side of a CTA that begins.
func (p *plan) role(n *regfile.CTANotice) (pair, side int) {
	if p.beside == nil {
		return p.pair(int(n.CTA))
	}
	return int(n.Role.Pair), int(n.Role.Side)
}

// on reports whether anything is shared.
func (p *plan) on() bool { return p.pairs > 0 }

// alone is the pair of an unshared CTA.
const alone = regfile.NoPair

// pair returns, for one kernel, the pair of a CTA slot, and the slot's side of it. Slots are allocated lowest first. So
// the first S + U CTAs, as many as without sharing, are each first in a pair or unshared, and each further CTA becomes
// the partner of one of them.
func (p *plan) pair(slot int) (pair, side int) {
	switch base := p.pairs + p.unshared; {
	case !p.on() || slot >= p.pairs && slot < base:
		return alone, 0
	case slot < base:
		return slot, 0
	default:
		return slot - base, 1
	}
}

// Begun notifies the locks of the start of a CTA of a sharing launch.
type Begun struct {
	Contexts []uint16 // of its warps; not to be changed
	Pair     int16    // alone: its registers are its own
	Side     uint8
	Kernel   uint16
}

// Taken notifies the pairs that a CTA took a lock while its partner held none.
type Taken struct {
	Pair int16
	Side uint8
}
