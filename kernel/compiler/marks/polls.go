package marks

import (
	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// loop returns the blocks of all ways from a block back to it, none if there is none.
func (s *stops) loop(b int) (out []int) {
	before := make([]bool, len(s.g.Blocks))
	leadsTo(s.g, b, before)
	for _, c := range s.reachable(b) {
		if before[c] {
			out = append(out, c)
		}
	}
	return out
}

// leadsTo adds block b and all blocks with a way to it to set.
func leadsTo(g *cfg.Graph, b int, set []bool) {
	set[b] = true
	for work := []int{b}; len(work) > 0; {
		c := work[len(work)-1]
		work = work[:len(work)-1]
		for _, p := range g.Blocks[c].Preds {
			if !set[p] {
				set[p] = true
				work = append(work, p)
			}
		}
	}
}

// polls reports whether an instruction reads memory that another lane may write for it: an atomic operation, or an
// ordered load. A weak load is none: a lane that spins by it races with the other, and its marks may be wrong.
func polls(in *ir.Inst) bool {
	switch in.Op {
	case ir.OpAtom, ir.OpMbarWait:
		return true
	case ir.OpLd:
		return in.Mods.Volatile || in.Mods.Ordered
	}
	return false
}

// follower follows what the instructions of a loop poll, through registers, predicates and memory.
type follower struct {
	s *stops
	// in has for each block what depends on a polled value when the block begins: a bit for each register, then one
	// for each predicate, and at the end one for all of memory.
	in  []bitset.Set
	now bitset.Set
}

// decides reports whether branches of a loop depend on what an instruction of the loop polls. Otherwise the loop ends
// by itself, whatever other lanes store.
func (s *stops) decides(loop []int) bool {
	f := follower{s: s, in: make([]bitset.Set, len(s.g.Blocks)), now: bitset.New(s.k.NumRegs + s.k.NumPreds + 1)}
	for _, b := range loop {
		f.in[b] = bitset.New(s.k.NumRegs + s.k.NumPreds + 1)
	}
	for more := true; more; {
		more = false
		for _, b := range loop {
			copy(f.now, f.in[b])
			for pc := s.g.Blocks[b].Start; pc < s.g.Blocks[b].End; pc++ {
				if f.step(&s.k.Insts[pc]) {
					return true
				}
			}
			for _, c := range s.g.Blocks[b].Succs {
				if f.in[c] != nil && f.in[c].Or(f.now) {
					more = true
				}
			}
		}
	}
	return false
}

// step follows the results of an instruction. It reports whether the instruction is a branch that depends on a
// followed value.
func (f *follower) step(in *ir.Inst) bool {
	memory := f.s.k.NumRegs + f.s.k.NumPreds
	follows := polls(in) || in.Op == ir.OpLd && f.now.Has(memory)
	code.Uses(in, func(o *ir.Operand) { f.each(o, func(i int) { follows = follows || f.now.Has(i) }) })
	if follows && in.Op == ir.OpSt {
		f.now.Add(memory)
	}
	code.Defs(in, func(o *ir.Operand) {
		f.each(o, func(i int) {
			if follows {
				f.now.Add(i)
			} else if in.Guard.Kind == ir.KindNone {
				f.now.Remove(i)
			}
		})
	})
	return follows && (in.Op == ir.OpBra || in.Op == ir.OpBrx)
}

// each calls f with the indices of an operand.
func (f *follower) each(o *ir.Operand, do func(i int)) {
	switch o.Kind {
	case ir.KindReg:
		for i := range code.Words(o) {
			do(int(o.Reg) + i)
		}
	case ir.KindPred:
		do(f.s.k.NumRegs + int(o.Reg))
	}
}
