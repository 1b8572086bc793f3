package cfg

import "kumiko/kernel/ir"

// In machine code (ir.Kernel.Converges) lanes reconverge at convergence barriers, which the code sets and waits for.
// Suppose that lanes diverge at the end of block d, and that together they had executed an OpBarrierSet of barrier
// register s before. In the OpBarrierWait of s each lane waits for the others, except those that have left the
// barrier or exited. So the lanes have reconverged behind the wait, if nothing else is done to s on any path from d
// to the wait: s is not set again, no lane leaves it, and there is only one wait for it.
//
// A barrier holds at d if it has been set on every path from the entry to d, and neither waited for nor left since.
// The lanes that set it may already have diverged from others of the warp. This does no harm: the barrier was not set
// at the branch where they diverged, so it does not end the region of that branch, which therefore has the blocks
// behind the wait too.

// barriers is a set of barrier registers.
type barriers uint16

// Joins are the convergence barriers of a kernel of machine code.
type Joins struct {
	g     *Graph
	insts []ir.Inst
	set   []barriers // by block: those that hold at its end
	seen  []int      // by block: the number of the last walk that visited it
	walk  int        // number of the current walk
}

// NewJoins returns the convergence barriers of a kernel.
func NewJoins(g *Graph, insts []ir.Inst) *Joins {
	j := &Joins{g: g, insts: insts, set: make([]barriers, len(g.Blocks)), seen: make([]int, len(g.Blocks))}
	for b := range j.set {
		j.set[b] = ^barriers(0)
	}
	for work := []int{0}; len(work) > 0 && len(g.Blocks) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		held := barriers(0)
		for i, p := range g.Blocks[b].Preds {
			if i == 0 {
				held = ^held
			}
			held &= j.set[p]
		}
		if b == 0 { // the entry, even if a branch leads back to it
			held = 0
		}
		if held = j.heldAfter(b, held); held != j.set[b] {
			j.set[b] = held
			work = append(work, g.Blocks[b].Succs...)
		}
	}
	return j
}

// barrierOf returns the barrier register an instruction names, as a set; empty for any other instruction.
func barrierOf(in *ir.Inst) barriers {
	switch in.Op {
	case ir.OpBarrierSet, ir.OpBarrierWait, ir.OpBarrierLeave:
		if len(in.Src) > 0 && in.Src[0].Kind == ir.KindImm {
			return 1 << (in.Src[0].Imm & 15)
		}
	}
	return 0
}

// heldAfter returns the barriers that hold at the end of a block, given those that hold at its beginning.
func (j *Joins) heldAfter(b int, held barriers) barriers {
	for pc := j.g.Blocks[b].Start; pc < j.g.Blocks[b].End; pc++ {
		in := &j.insts[pc]
		if s := barrierOf(in); in.Op == ir.OpBarrierSet && in.Guard.Kind == ir.KindNone {
			held |= s
		} else {
			held &^= s
		}
	}
	return held
}

// Between returns the blocks that lanes may execute from where they diverge at the end of block d until they
// reconverge. It does for machine code what Region.Between does for other code.
func (j *Joins) Between(d int) []int { return j.From(j.g.Blocks[d].Succs, j.ends(d)) }

// ends returns the barriers at which the lanes that diverge at the end of block d reconverge.
func (j *Joins) ends(d int) barriers {
	for held := j.set[d]; ; {
		waits, spoilt := map[barriers]int{}, barriers(0)
		for _, b := range j.From(j.g.Blocks[d].Succs, held) {
			for pc := j.g.Blocks[b].Start; pc < j.g.Blocks[b].End; pc++ {
				s := barrierOf(&j.insts[pc])
				if at, ok := waits[s]; j.insts[pc].Op == ir.OpBarrierWait && (!ok || at == pc) {
					waits[s] = pc
				} else {
					spoilt |= s
				}
			}
		}
		if held&spoilt == 0 {
			return held
		}
		held &^= spoilt
	}
}

// From returns the blocks on all paths from certain blocks (starts) to the waits for certain barriers (ends), the
// blocks of the waits included. A wait is the last instruction of its block.
func (j *Joins) From(starts []int, ends barriers) (out []int) {
	j.walk++
	visit := func(list []int) {
		for _, b := range list {
			if j.seen[b] != j.walk {
				j.seen[b] = j.walk
				out = append(out, b)
			}
		}
	}
	visit(starts)
	for i := 0; i < len(out); i++ {
		b := &j.g.Blocks[out[i]]
		if last := &j.insts[b.End-1]; last.Op != ir.OpBarrierWait || barrierOf(last)&ends == 0 {
			visit(b.Succs)
		}
	}
	return out
}

// Ways returns, for each of the successors starts of block d, the blocks that the lanes going there may execute until
// the lanes that diverge at d reconverge.
func (j *Joins) Ways(d int, starts []int) [][]int {
	ends := j.ends(d)
	out := make([][]int, len(starts))
	for i, s := range starts {
		out[i] = j.From([]int{s}, ends)
	}
	return out
}

// Parted returns the function Between for the kernel: given a block, it returns the blocks that lanes of a warp may
// execute from where they diverge at its end until they reconverge.
func (g *Graph) Parted(k *ir.Kernel) func(block int) []int {
	if k.Converges {
		return NewJoins(g, k.Insts).Between
	}
	return NewRegion(g.Paths(k.Insts)).Between
}
