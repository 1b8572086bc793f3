package emu

import (
	"fmt"
	"math/bits"
	"os"
	"sync/atomic"

	"kumiko/kernel/ir"
)

// The participants of an instruction across lanes. By the ISA a lane waits until all lanes of its membermask,
// except exited ones, have executed the instruction with the same qualifiers and the same membermask (PTX ISA
// sections 9.7.9.6, 9.7.13.2 and 9.7.13.9 to 9.7.13.12). A lane on its way out (leaving) counts as exited. So the
// lanes of one membermask execute it in a round of their own. meet.go waits for lanes elsewhere in the program.
//
// Two cases are undefined in the ISA and decided here, with a note. A lane outside its own membermask takes part in
// a round of its own. A lane executing the instruction with another membermask is not waited for.

// groupOp is an instruction across lanes.
type groupOp struct {
	in    *inst
	sync  bool   // waits for the lanes of a membermask
	known bool   // its membermask is mask, in all lanes
	mask  uint32 // if known
	round roundFn
	noted [numNotes]atomic.Bool
}

// roundFn computes an instruction over the lanes of part, with their sources in v, and writes the results of the
// lanes of to, a part of part. Neither is empty.
type roundFn func(w *warp, in *inst, v brought, part, to uint32)

// brought has the lanes' sources of an instruction across lanes: rows and a predicate, if any.
type brought struct {
	a    *[2]row
	b, c *row
	pred uint32
}

// across decodes an instruction across lanes.
func (p *decoder) across(f roundFn) *groupOp {
	op := &groupOp{in: p.out, round: f}
	if mask := p.in.Membermask(); mask != nil {
		p.out.e = p.source(*mask, ir.U32, 1)
		op.sync, op.known, op.mask = true, mask.Kind == ir.KindImm, uint32(mask.Imm)
	}
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		if !op.maskIsExact(w, exec) {
			w.rounds(op, exec)
			return
		}
		op.round(w, in, w.brought(in), exec, exec)
	}
	return op
}

// brought returns the lanes' present sources for an instruction.
func (w *warp) brought(in *inst) brought {
	return brought{w.pair(in.a), &w.rows[in.b], &w.rows[in.c], w.preds[in.r] ^ in.rInv}
}

// maskIsExact reports whether the lanes of exec all have the same membermask, naming exactly these lanes.
func (o *groupOp) maskIsExact(w *warp, exec uint32) bool {
	if o.known {
		return o.mask&w.live == exec
	}
	return !o.sync || uniformIn(&w.rows[o.in.e], exec, w.live)
}

// uniformIn reports whether all lanes of exec have the same value in a row, a membermask whose live lanes are exactly
// those of exec.
func uniformIn(r *row, exec, live uint32) bool {
	first := r[lowest(exec)]
	if first&live != exec {
		return false
	}
	if *(*[31]uint32)(r[:]) == *(*[31]uint32)(r[1:]) {
		return true
	}
	for m := exec; m != 0; m &= m - 1 {
		if r[lowest(m)] != first {
			return false
		}
	}
	return true
}

// rounds executes an instruction in a round for each membermask with all its lanes present.
func (w *warp) rounds(op *groupOp, exec uint32) {
	v, masks := w.brought(op.in), &w.rows[op.in.e]
	expected := w.live &^ w.leaving()
	if w.eng.prog.code[op.in.pc+1].leaves {
		expected &^= w.mask &^ exec
	}
	late := uint32(0)
	for left := exec; left != 0; {
		l := lowest(left)
		mask := masks[l]
		if mask>>l&1 == 0 {
			w.note(op, noteOutside, l, mask)
			left &^= 1 << l
			op.round(w, op.in, v, 1<<l, 1<<l)
			continue
		}
		group := uint32(0)
		for m := left & mask; m != 0; m &= m - 1 {
			k := lowest(m)
			group |= b2u(masks[k] == mask) << k
		}
		left &^= group
		absent := mask & expected &^ group
		if absent&exec != 0 {
			w.note(op, noteOther, l, mask)
		}
		if absent&^exec != 0 {
			late |= group
			continue
		}
		op.round(w, op.in, v, group, group)
	}
	if late != 0 {
		w.await(op, v, late, exec)
	}
}

// Uses of a membermask undefined in the ISA.
const (
	noteOutside = iota
	noteOther
	numNotes
)

// note writes, once per instruction of a program, a note on lane l executing it with a membermask in a way
// undefined in the ISA.
func (w *warp) note(op *groupOp, which, l int, mask uint32) {
	if op.noted[which].Swap(true) {
		return
	}
	text := "thread %s, lane %d, is not in its own membermask %#x, which PTX leaves undefined: it executes the " +
		"instruction alone"
	if which == noteOther {
		text = "thread %s, lane %d, has the membermask %#x, and lanes that it names execute the instruction with " +
			"another one, which PTX leaves undefined: they do not take part"
	}
	out := w.eng.l.Out
	if out == nil {
		out = os.Stderr
	}
	fmt.Fprintf(out, "note: %s: kernel %s: %s: %s\n", position(w.eng.prog.k, op.in.src), w.eng.prog.k.Name,
		describe(op.in.src), fmt.Sprintf(text, w.thread(l), l, mask))
}

// lowest returns the first lane of a mask.
func lowest(m uint32) int { return bits.TrailingZeros32(m) & 31 }
