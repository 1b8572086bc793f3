package emu

import (
	"kumiko/kernel/emu/internal/vector"
	"kumiko/kernel/ir"
)

// laneFn computes the result rows of an instruction for all 32 lanes into d.
// It has no other effect.
type laneFn func(w *warp, in *inst, d *[4]row)

// predFn returns the lanes with a true predicate result.
type predFn func(w *warp, in *inst) uint32

// execFn executes any other instruction for the lanes of exec (never empty). It reports an error through w.fail.
type execFn func(w *warp, in *inst, exec uint32)

// ctlFn executes a control instruction: it sets the warp's pc, mask and reconv.
type ctlFn func(w *warp, in *inst, exec uint32) outcome

// kind selects the execution of an instruction in the interpreter's loop.
type kind uint8

const (
	kindLanes kind = iota
	kindPred
	kindExec
	kindControl
)

// inst is one instruction in executable form. Row and predicate numbers index
// the warp's rows and preds.
type inst struct {
	kind    kind
	guarded bool // has a guard
	masked  bool // the stream has a mask for it
	access  bool // the stream has an access for it
	leaves  bool // from here on there is nothing but a way to the end of the kernel
	words   uint8
	boolOp  ir.Bool
	// guard is the predicate's number; guardInv is all ones if negated.
	guard    int32
	guardInv uint32
	lanes    laneFn
	pred     predFn
	exec     execFn
	ctl      ctlFn
	// d is the first destination row, a to e are the sources' first rows.
	d, a, b, c, e int32
	// p and q are predicate destinations, r a predicate source, rInv its complement.
	p, q, r int32
	rInv    uint32
	imm     uint32
	target  int32
	reconv  int32
	pc      int32
	seq     sequence
	mem     *memOp
	tex     *texOp
	pre     []preOp
	src     *ir.Inst
}

// sequence has the operations of package vector for an instruction.
type sequence struct {
	ops []vector.Op // of the instruction alone; nil where package vector has nothing for it
	// first is the first operation of a sequence executed in one go: this instruction and the next, n in all; nil
	// if no sequence begins here.
	first *vector.Op
	n     int32
}

// preOp computes an operand into a temporary row: a negated or absolute value, or a special register with changing
// value. All other operands are rows already.
type preOp struct {
	fn   preFn
	d, a int32 // destination and source rows
	// The type and the changes of the sign; no type for a special register.
	t        ir.Type
	abs, neg bool
}

// preFn computes the rows of a preOp, for all lanes.
type preFn func(w *warp, p *preOp, d *[4]row)
