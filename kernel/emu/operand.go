package emu

import (
	"fmt"

	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// tempRows is the number of rows for an instruction's preOps: five operands of up to two rows each, four for an
// address or a vector.
const tempRows = 16

// scratchRows is how many of the tempRows, the last ones, are reserved for functions of instructions while they run.
const scratchRows = 2

// constRow is a row with values set before the warp starts: an immediate, a parameter, a constant or a special
// register.
type constRow struct {
	kind ir.Kind
	sp   ir.Special
	word uint8  // index of the word of a special register
	imm  uint64 // the word itself for an immediate, the byte offset otherwise
	size uint8  // bytes of a parameter or constant in this word
	sign bool   // extended with its sign; for size 0 the previous row's sign
}

// layout allocates the rows of a warp: registers, uniform registers, a sink for unused results, temporaries, then
// constRows.
type layout struct {
	regs   int // uniform ones included
	consts []constRow
	// found has the first place of each row, and of each pair of neighbouring rows. The second of a single row is
	// the zero constRow.
	found map[[2]constRow]int32
}

func (l *layout) sink() int32  { return int32(l.regs) }
func (l *layout) temp() int32  { return int32(l.regs + 4) }
func (l *layout) fixed() int32 { return int32(l.regs + 4 + tempRows) }

// size returns the number of rows of a warp; three behind the last row allow any row to be the first of four.
func (l *layout) size() int { return int(l.fixed()) + len(l.consts) + 3 }

// rowsOf returns the first of consecutive constRows. It shares existing rows.
func (l *layout) rowsOf(rows ...constRow) int32 {
	if len(rows) > 2 {
		panic("emu: a value of more than two words")
	}
	var key [2]constRow
	copy(key[:], rows)
	if i, ok := l.found[key]; ok {
		return l.fixed() + i
	}
	for _, r := range rows {
		l.append(r)
	}
	return l.fixed() + int32(len(l.consts)-len(rows))
}

func (l *layout) append(r constRow) {
	if l.found == nil {
		l.found = map[[2]constRow]int32{}
	}
	note := func(key [2]constRow, at int) {
		if _, ok := l.found[key]; !ok {
			l.found[key] = int32(at)
		}
	}
	n := len(l.consts)
	note([2]constRow{r}, n)
	if n > 0 {
		note([2]constRow{l.consts[n-1], r}, n-1)
	}
	l.consts = append(l.consts, r)
}

// imm returns the first of one or more rows with an immediate.
func (l *layout) imm(v uint64, words int) int32 {
	if words < 2 {
		return l.rowsOf(constRow{kind: ir.KindImm, imm: v & 0xffffffff})
	}
	return l.rowsOf(constRow{kind: ir.KindImm, imm: v & 0xffffffff}, constRow{kind: ir.KindImm, imm: v >> 32})
}

// bank returns the first of one or more rows with a parameter or a constant of the given type.
func (l *layout) bank(o ir.Operand, t ir.Type, words int) int32 {
	size := t.Size()
	if size == 0 {
		size = 4 * words
	}
	rows := make([]constRow, max(words, 1))
	for i := range rows {
		rows[i] = constRow{kind: o.Kind, imm: o.Imm + uint64(4*i), size: uint8(min(max(size-4*i, 0), 4)),
			sign: t.Signed()}
	}
	return l.rowsOf(rows...)
}

// timed reports whether a special register's value changes while a warp runs.
func timed(s ir.Special) bool { return s >= ir.Clock && s <= ir.GlobalTimerHi }

// special returns the first row of an unchanging special register.
func (l *layout) special(s ir.Special, words int) int32 {
	rows := make([]constRow, max(words, 1))
	for i := range rows {
		rows[i] = constRow{kind: ir.KindSpecial, sp: s, word: uint8(i)}
	}
	return l.rowsOf(rows...)
}

// source resolves a source operand of type t, read as the given number of words. It adds the preOps needed for it.
func (p *decoder) source(o ir.Operand, t ir.Type, words int) int32 {
	base := p.plainSource(o, t, words)
	if o.Form != ir.FormWhole {
		base = p.formed(o.Form, base, words)
	}
	if !o.Neg && !o.Abs {
		return base
	}
	fn := modifier(t, o.Abs, o.Neg)
	if fn == nil {
		p.fail("a negated or absolute source of type %s", t)
		return base
	}
	d := p.pre(fn, base, words)
	if n := len(p.out.pre); n > 0 && p.err == "" {
		p.out.pre[n-1].t, p.out.pre[n-1].abs, p.out.pre[n-1].neg = t, o.Abs, o.Neg
	}
	return d
}

func (p *decoder) plainSource(o ir.Operand, t ir.Type, words int) int32 {
	switch o.Kind {
	case ir.KindReg:
		p.checkReg(o.Reg, words)
		return int32(o.Reg)
	case ir.KindUniform:
		return p.uniform(o, words)
	case ir.KindImm:
		return p.lay.imm(o.Imm, words)
	case ir.KindParam, ir.KindConst:
		return p.lay.bank(o, t, words)
	case ir.KindSpecial:
		if timed(o.Special) {
			return p.pre(clockFns[o.Special], 0, words)
		}
		return p.lay.special(o.Special, words)
	case ir.KindPred:
		p.fail("a predicate where a register is expected")
	default:
		p.fail("a missing source operand")
	}
	return p.lay.sink()
}

// pre adds a preOp on the rows from a on and returns the rows of its result.
func (p *decoder) pre(fn preFn, a int32, words int) int32 {
	if p.temps+words > tempRows-scratchRows {
		p.fail("more operands with modifiers than the emulator provides for")
		return p.lay.sink()
	}
	d := p.lay.temp() + int32(p.temps)
	p.temps += max(words, 1)
	p.out.pre = append(p.out.pre, preOp{fn: fn, d: d, a: a})
	return d
}

func (p *decoder) checkReg(r ir.Reg, words int) {
	if r < 0 || int(r)+words > p.k.NumRegs {
		p.fail("register %d of %d", int(r)+words-1, p.k.NumRegs)
	}
}

// uniform returns the row of a uniform register. Its lanes have the same value: instructions of the uniform path
// write all of them.
func (p *decoder) uniform(o ir.Operand, words int) int32 {
	row := p.k.NumRegs + int(o.Reg)
	if o.Reg < 0 || row+words > p.lay.regs {
		p.fail("uniform register %d, expected at most %d", int(o.Reg)+words-1, ir.UniformRegs-1)
		return p.lay.sink()
	}
	return int32(row)
}

// uniformRegs returns the number of uniform registers of a kernel.
func uniformRegs(k *ir.Kernel) (n int) {
	one := func(o *ir.Operand) {
		if o.Kind == ir.KindUniform {
			n = max(n, int(o.Reg)+int(o.Words))
		}
	}
	for pc := range k.Insts {
		code.Uses(&k.Insts[pc], one)
		code.Defs(&k.Insts[pc], one)
	}
	return min(n, ir.UniformRegs)
}

// dest resolves a destination register of the given number of words, or the sink if there is none.
func (p *decoder) dest(i, words int) int32 {
	o := p.dst(i)
	switch o.Kind {
	case ir.KindReg:
		p.checkReg(o.Reg, words)
		return int32(o.Reg)
	case ir.KindUniform:
		return p.uniform(o, words)
	case ir.KindNone:
		return p.lay.sink()
	}
	p.fail("a destination that is not a register")
	return p.lay.sink()
}

// predDest resolves a predicate destination, or the sink if there is none.
func (p *decoder) predDest(i int) int32 {
	o := p.dst(i)
	if o.Kind == ir.KindNone {
		return int32(p.k.NumPreds)
	}
	if o.Kind != ir.KindPred {
		p.fail("a destination that is not a predicate")
	}
	return p.predNumber(o)
}

func (p *decoder) predNumber(o ir.Operand) int32 {
	if n := int(o.Pred()); n < 0 || n >= p.k.NumPreds {
		p.fail("predicate %d of %d", n, p.k.NumPreds)
		return int32(p.k.NumPreds)
	}
	return int32(o.Pred())
}

// predSource resolves a predicate source. It returns the number of the predicate and the mask for the exclusive or
// with its lanes. A nonzero immediate is true.
func (p *decoder) predSource(o ir.Operand) (n int32, inv uint32) {
	if o.Neg {
		inv = ^uint32(0)
	}
	switch o.Kind {
	case ir.KindPred:
		return p.predNumber(o), inv
	case ir.KindImm:
		if o.Imm != 0 {
			inv = ^inv
		}
		return int32(p.k.NumPreds) + 1, inv // the always false predicate
	}
	p.fail("an operand that is not a predicate")
	return int32(p.k.NumPreds), 0
}

func (p *decoder) dst(i int) ir.Operand {
	if i < len(p.in.Dst) {
		return p.in.Dst[i]
	}
	return ir.Operand{}
}

func (p *decoder) src(i int) ir.Operand {
	if i < len(p.in.Src) {
		return p.in.Src[i]
	}
	return ir.Operand{}
}

// fail records the reason why the current instruction cannot be executed.
func (p *decoder) fail(format string, args ...any) {
	if p.err == "" {
		p.err = fmt.Sprintf(format, args...)
	}
}
