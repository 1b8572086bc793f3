package code

import "kumiko/kernel/ir"

// Editor rebuilds a program instruction by instruction and corrects its branch targets. A branch to an old
// instruction leads to the first instruction of the replacement, or to the next emitted instruction if the
// replacement is empty.
type Editor struct {
	out    []ir.Inst
	at     []int // old PC to new
	labels []int
	cur    *ir.Inst
}

// Rewrite calls f for every instruction of k, in order, and f emits the replacement. The instruction passed to f is
// a copy; f may change it and emit it.
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

// Emit appends an instruction. An instruction without a source position gets the position of the replaced one.
func (e *Editor) Emit(in ir.Inst) {
	if in.Line == 0 {
		in.Line, in.Col = e.cur.Line, e.cur.Col
	}
	e.out = append(e.out, in)
}

// Label returns a new branch target, to be placed with Place.
func (e *Editor) Label() int {
	e.labels = append(e.labels, 0)
	return len(e.at) + len(e.labels) - 1
}

// Place puts a label before the next instruction emitted.
func (e *Editor) Place(label int) { e.labels[label-len(e.at)] = len(e.out) }
