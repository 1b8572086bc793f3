package sched

import (
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// latency is the assumed time from issue to result, in cycles, per class: the order of magnitude of Fermi to
// Maxwell. Loads count less than their real latency, because other warps hide a part of it.
var latency = [ir.NumClasses]int{
	ir.ClassNop: 1, ir.ClassMove: 6, ir.ClassUniformMove: 6, ir.ClassInt: 6, ir.ClassIntMul: 13, ir.ClassIntDiv: 40,
	ir.ClassConvert: 12,
	ir.ClassFAdd:    6, ir.ClassFMul: 6, ir.ClassFMA: 6, ir.ClassFDiv: 40, ir.ClassSFU: 20,
	ir.ClassDAdd: 20, ir.ClassDMul: 20, ir.ClassDFMA: 20, ir.ClassDDiv: 80, ir.ClassHalf: 6, ir.ClassHalfMMA: 6,
	ir.ClassShuffle: 24, ir.ClassVote: 12, ir.ClassLoad: 80, ir.ClassStore: 1, ir.ClassAtomic: 80, ir.ClassTexture: 100,
	ir.ClassFence: 1, ir.ClassBranch: 1, ir.ClassBarrier: 1, ir.ClassExit: 1,
	ir.ClassMatrix: 14, ir.ClassMatrixWide: 22, ir.ClassMatrixGroup: 128, ir.ClassSpecial: 6,
	ir.ClassShift: 6, ir.ClassCompare: 6, ir.ClassBits: 6, ir.ClassConvertWide: 12,
	ir.ClassXmad: 6,
}

type edge struct{ to, delay int }

// dag is the dependence graph of one block; node i is instruction i of it.
type dag struct {
	insts  []ir.Inst
	succs  [][]edge
	npreds []int
	path   []int // longest delay to the end of the block
}

// index numbers a register or predicate.
type index func(o *ir.Operand, f func(int))

// newDAG finds the dependences between the instructions: through registers and predicates, through memory, and
// around pinned instructions. after returns the latency of a result, in cycles.
func newDAG(insts []ir.Inst, each index, n int, after func(*ir.Inst) int, scratch *tables) *dag {
	d := &dag{insts: insts, succs: make([][]edge, len(insts)), npreds: make([]int, len(insts)),
		path: make([]int, len(insts))}
	scratch.reset(n)
	var mem memory
	fixed := -1
	for i := range insts {
		in := &insts[i]
		code.Uses(in, func(o *ir.Operand) {
			each(o, func(r int) {
				if w := scratch.written(r); w >= 0 {
					d.add(w, i, after(&insts[w]))
				}
			})
		})
		code.Defs(in, func(o *ir.Operand) {
			each(o, func(r int) {
				if w := scratch.written(r); w >= 0 {
					d.add(w, i, 1)
				}
				for _, u := range scratch.reads[r] {
					d.add(u, i, 0)
				}
			})
		})
		mem.order(d, i, each, scratch)
		if fixed >= 0 {
			d.add(fixed, i, 0)
		}
		if code.Pinned(in) {
			for j := max(fixed, 0); j < i; j++ {
				d.add(j, i, 0)
			}
			fixed = i
		}
		code.Uses(in, func(o *ir.Operand) { each(o, func(r int) { scratch.read(r, i) }) })
		code.Defs(in, func(o *ir.Operand) { each(o, func(r int) { scratch.write(r, i) }) })
	}
	for i := len(insts) - 1; i >= 0; i-- {
		for _, s := range d.succs[i] {
			d.path[i] = max(d.path[i], s.delay+d.path[s.to])
		}
		d.path[i] += 1
	}
	return d
}

// add adds a dependence. Dependences are added in the order of their later instruction, so an
// existing equal edge is the last one.
func (d *dag) add(from, to, delay int) {
	if from == to {
		return
	}
	if n := len(d.succs[from]); n > 0 {
		if s := &d.succs[from][n-1]; s.to == to {
			s.delay = max(s.delay, delay)
			return
		}
	}
	d.succs[from] = append(d.succs[from], edge{to, delay})
	d.npreds[to]++
}

// tables have, per register, the last write and the reads since.
type tables struct {
	last  []int
	reads [][]int
	dirty []int
}

func (t *tables) reset(n int) {
	for _, r := range t.dirty {
		t.last[r] = -1
		t.reads[r] = t.reads[r][:0]
	}
	t.dirty = t.dirty[:0]
	for len(t.last) < n {
		t.last = append(t.last, -1)
		t.reads = append(t.reads, nil)
	}
}

func (t *tables) written(r int) int { return t.last[r] }

func (t *tables) read(r, i int) {
	t.reads[r] = append(t.reads[r], i)
	t.dirty = append(t.dirty, r)
}

func (t *tables) write(r, i int) {
	t.last[r] = i
	t.reads[r] = t.reads[r][:0]
	t.dirty = append(t.dirty, r)
}
