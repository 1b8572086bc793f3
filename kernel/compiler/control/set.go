package control

import (
	"slices"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/ir"
)

// Set makes the control word of every instruction of an allocated kernel with Timing set. Where a result takes
// longer than a stall count can express, NOPs are inserted. Branch targets and reconvergence points are corrected.
func Set(k *ir.Kernel, m *Machine) {
	p := newPass(k.Insts, m)
	p.words(k)
	k.Insts = p.spread()
}

// Traced makes the control words of a kernel read from a trace, as Set does, with two differences. A trace does not
// name the guard of an instruction, so guards wait for the last comparison before them. And no NOPs are inserted,
// because the trace names instructions by their place: a long distance is in one word.
func Traced(k *ir.Kernel, m *Machine) {
	list := slices.Clone(k.Insts)
	for i := range list {
		t := &list[i].T
		if t.Class == ir.ClassCompare && !t.Result() {
			t.DstPreds |= unnamed
		}
		if t.Guarded {
			t.SrcPreds = t.SrcPreds&^ownGuard(&list[i]) | unnamed
		}
	}
	p := newPass(list, m)
	p.words(k)
	for i, gap := range p.gap {
		stalls(&list[i].Control, min(gap, longest))
		k.Insts[i].Control = list[i].Control
	}
}

// unnamed is the bit of all predicates in a traced kernel, since a trace does not name predicates.
const unnamed = 1 << 31

// ownGuard returns the guard's bit in the set of source predicates of an instruction.
func ownGuard(in *ir.Inst) uint32 {
	if g := in.Guard; g.Kind == ir.KindPred && g.Pred() < 32 {
		return 1 << g.Pred()
	}
	return 0
}

// Sequence is Set for straight-line code, possibly executed in a loop. It returns the instructions as a new list.
func Sequence(code []ir.Inst, m *Machine) []ir.Inst {
	p := newPass(append([]ir.Inst(nil), code...), m)
	if len(code) == 0 {
		return nil
	}
	b := cfg.Block{End: len(code), Succs: []int{0}}
	up := p.block(&b)
	p.flags(&b)
	p.insts[0].Control.Wait |= up
	return p.spread()
}

func newPass(insts []ir.Inst, m *Machine) *pass {
	return &pass{m: m, insts: insts, gap: make([]int, len(insts))}
}

// words sets all words but the stall counts.
func (p *pass) words(k *ir.Kernel) {
	g := cfg.Build(p.insts)
	ends, all := make([]uint8, len(g.Blocks)), uint8(0)
	for b := range g.Blocks {
		ends[b] = p.block(&g.Blocks[b])
		p.flags(&g.Blocks[b])
		all |= ends[b]
	}
	after := p.after(k, g)
	for b := range g.Blocks {
		first := &p.insts[g.Blocks[b].Start].Control
		if after[b] {
			first.Wait |= all
			continue
		}
		for _, from := range g.Blocks[b].Preds {
			first.Wait |= ends[from]
		}
	}
}

// after reports, for each block, whether a warp may enter it from a block other than its predecessors. Lanes on one
// side of a branch wait while the other side runs, or wait for it at the reconvergence point.
func (p *pass) after(k *ir.Kernel, g *cfg.Graph) []bool {
	out := make([]bool, len(g.Blocks))
	branches := 0
	for pc := range p.insts {
		in := &p.insts[pc]
		if in.Flow == ir.FlowCall || in.Flow == ir.FlowReturn {
			for b := range out {
				out[b] = true
			}
			return out
		}
		if in.Op != ir.OpBra && in.Op != ir.OpBrx {
			continue
		}
		if k.Varying == nil || branches >= len(k.Varying) || k.Varying[branches] {
			for _, s := range g.Blocks[g.BlockOf[pc]].Succs {
				out[s] = true
			}
			if in.Reconv < len(p.insts) {
				out[g.BlockOf[in.Reconv]] = true
			}
		}
		branches++
	}
	return out
}

// spread sets the stall counts and inserts NOPs where the distance to the next instruction exceeds one stall count.
func (p *pass) spread() []ir.Inst {
	extra := 0
	place := make([]int, len(p.insts)+1)
	for i, gap := range p.gap {
		place[i] = i + extra
		extra += (gap - 1) / mostStall
	}
	place[len(p.insts)] = len(p.insts) + extra
	if extra == 0 {
		for i, gap := range p.gap {
			stalls(&p.insts[i].Control, gap)
		}
		return p.insts
	}
	out := make([]ir.Inst, 0, len(p.insts)+extra)
	for i := range p.insts {
		in := p.insts[i]
		in.Target, in.Reconv = place[in.Target], place[in.Reconv]
		in.Targets = slices.Clone(in.Targets)
		for j, t := range in.Targets {
			in.Targets[j] = place[t]
		}
		left := p.gap[i]
		stalls(&in.Control, min(left, mostStall))
		out = append(out, in)
		for left -= mostStall; left > 0; left -= mostStall {
			nop := ir.Inst{Op: ir.OpNop, Line: in.Line, Col: in.Col}
			ir.SetTiming(&nop)
			nop.Control = ir.Plain(1)
			stalls(&nop.Control, min(left, mostStall))
			out = append(out, nop)
		}
	}
	return out
}

// stalls sets a stall count and, where needed, the yield flag.
func stalls(c *ir.Control, n int) { c.Stall, c.Yield = uint8(n), n >= leastYield }
