package emu

import "kumiko/kernel/emu/internal/vector"

// join makes sequences of the instructions with vector operations: a guarded instruction is a sequence of its own,
// consecutive others within a block are one sequence. A block begins at every branch target and reconvergence
// point.
func (p *Program) join() {
	starts := p.blockStarts()
	for pc := 0; pc < len(p.code); {
		in := &p.code[pc]
		if in.seq.ops == nil {
			pc++
			continue
		}
		n := 1
		ops := append([]vector.Op(nil), in.seq.ops...)
		for ; !in.guarded && p.joins(pc+n) && !starts[pc+n]; n++ {
			ops = append(ops, p.code[pc+n].seq.ops...)
		}
		ops = append(ops, vector.Make(vector.End, vector.Op{}))
		in.seq.first, in.seq.n = &ops[0], int32(n)
		pc += n
	}
}

// joins reports whether an instruction may be a part of a sequence of several.
func (p *Program) joins(pc int) bool {
	return pc < len(p.code) && p.code[pc].seq.ops != nil && !p.code[pc].guarded && !p.code[pc].masked
}

// blockStarts marks the instructions at which a warp may arrive from elsewhere than the instruction before.
func (p *Program) blockStarts() []bool {
	starts := make([]bool, len(p.code)+1)
	mark := func(pc int) {
		if pc >= 0 && pc < len(starts) {
			starts[pc] = true
		}
	}
	for i := range p.code {
		in := &p.code[i]
		if in.ctl == nil {
			continue
		}
		mark(int(in.target))
		mark(int(in.reconv))
		for _, t := range in.src.Targets {
			mark(t)
		}
	}
	return starts
}
