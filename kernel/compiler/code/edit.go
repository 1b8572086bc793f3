package code

import "kumiko/kernel/ir"

// Editor rebuilds a program instruction by instruction and keeps its branch
// targets right: a branch to an old instruction leads to the first instruction
// that took its place, or to what follows when none did.
type Editor struct {
	out    []ir.Inst
	at     []int // old PC to new
	labels []int
	cur    *ir.Inst
}

// Rewrite calls f for every instruction of k, in order; f emits what takes its
// place. The instruction given to f is a copy that f may change and emit.
func Rewrite(k *ir.Kernel, f func(e *Editor, pc int, in ir.Inst)) {
	n := len(k.Insts)
	e := &Editor{out: make([]ir.Inst, 0, n+n/4), at: make([]int, n+1)}
	for pc := range k.Insts {
		e.at[pc] = len(e.out)
		e.cur = &k.Insts[pc]
		f(e, pc, k.Insts[pc])
	}
	e.at[n] = len(e.out)
	for i := range e.out {
		in := &e.out[i]
		switch in.Op {
		case ir.OpBra:
			in.Target = e.resolve(in.Target)
			in.Targets = e.resolveAll(in.Targets)
		case ir.OpBrx:
			in.Targets = e.resolveAll(in.Targets)
		}
	}
	k.Insts = e.out
}

func (e *Editor) resolve(t int) int {
	if t < len(e.at) {
		return e.at[t]
	}
	return e.labels[t-len(e.at)]
}

func (e *Editor) resolveAll(list []int) []int {
	if list == nil {
		return nil
	}
	out := make([]int, len(list))
	for i, t := range list {
		out[i] = e.resolve(t)
	}
	return out
}

// Emit appends an instruction. One without a source position takes that of the
// instruction being replaced.
func (e *Editor) Emit(in ir.Inst) {
	if in.Line == 0 {
		in.Line, in.Col = e.cur.Line, e.cur.Col
	}
	e.out = append(e.out, in)
}

// Label makes a branch target that Place puts somewhere.
func (e *Editor) Label() int {
	e.labels = append(e.labels, 0)
	return len(e.at) + len(e.labels) - 1
}

// Place puts a label before the next instruction emitted.
func (e *Editor) Place(label int) { e.labels[label-len(e.at)] = len(e.out) }
