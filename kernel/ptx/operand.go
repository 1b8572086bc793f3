package ptx

import (
	"kumiko/kernel/ir"
)

// wideTypes are the types of twice the width.
var wideTypes = map[ir.Type]ir.Type{ir.U16: ir.U32, ir.S16: ir.S32, ir.U32: ir.U64, ir.S32: ir.S64}

// operandType resolves the letter of an operand in a row.
func (d *decoder) operandType(letter byte) ir.Type {
	switch letter {
	case 'o':
		return d.out.SrcType
	case 'w':
		if t, ok := wideTypes[d.out.Type]; ok && d.out.Mods.Part == ir.Wide {
			return t
		}
	case 'u':
		return ir.B32
	case 'p':
		return ir.PredType
	}
	return d.out.Type
}

// generic builds an instruction with its operands described by a row.
func (d *decoder) generic() {
	spec := d.row.ops
	ok := true
	i := 0
	for ; len(spec) >= 2; i++ {
		role, t := spec[0], d.operandType(spec[1])
		spec = spec[2:]
		optional := len(spec) > 0 && spec[0] == '?'
		if optional {
			spec = spec[1:]
		}
		if len(spec) > 0 && spec[0] == ' ' {
			spec = spec[1:]
		}
		if i >= len(d.in.ops) {
			if optional {
				continue
			}
			d.count(d.wanted())
			return
		}
		var v ir.Operand
		var good bool
		if role == 'd' {
			v, good = d.dst(&d.in.ops[i], t)
			d.out.Dst = append(d.out.Dst, v)
		} else {
			v, good = d.src(&d.in.ops[i], t)
			d.out.Src = append(d.out.Src, v)
		}
		ok = ok && good
	}
	if len(d.in.ops) > i {
		d.count(d.wanted())
		return
	}
	if !ok {
		return
	}
	if d.out.Mods.CarryIn {
		d.out.Src = append(d.out.Src, ir.P(d.e.carry()))
	}
	if d.out.Mods.CarryOut {
		d.out.Dst = append(d.out.Dst, ir.P(d.e.carry()))
	}
	d.e.add(d.out)
}

// wanted returns the number of operands that this form of the opcode takes, with the optional ones.
func (d *decoder) wanted() int {
	n := 0
	for i := 0; i < len(d.row.ops); i++ {
		if c := d.row.ops[i]; c == 'd' || c == 's' {
			n++
			i++
		}
	}
	return n
}

// count reports a wrong number of operands.
func (d *decoder) count(want int) {
	d.errorf(d.in.pos, "found %d operands of %s, expected %d", len(d.in.ops), d.in.full(), want)
}

// need reports whether the number of operands lies in a range.
func (d *decoder) need(low, high int) bool {
	if n := len(d.in.ops); n < low {
		d.count(low)
		return false
	} else if n > high {
		d.count(high)
		return false
	}
	return true
}

// carry returns the condition code, a predicate of its own.
func (e *emitter) carry() ir.Pred {
	if e.cc < 0 {
		e.cc = e.newPred()
	}
	return e.cc
}

// dst resolves a destination register of exactly the type's size.
func (d *decoder) dst(o *operand, t ir.Type) (ir.Operand, bool) {
	sym, r, ok := d.reg(o)
	if !ok {
		return r, false
	}
	if !d.sized(o, sym, t, false) {
		return r, false
	}
	return r, true
}

// reg resolves a register operand.
func (d *decoder) reg(o *operand) (*symbol, ir.Operand, bool) {
	if o.kind != opName || o.not || o.minus || o.offset != 0 || o.indexed {
		d.errorf(o.pos, "found %s, expected a register", o.describe())
		return nil, ir.Operand{}, false
	}
	sym := d.e.lookup(d.s, o.name)
	if sym == nil || sym.kind != symReg {
		if _, isSpecial := specials[o.name]; isSpecial {
			d.errorf(o.pos, "found the special register %s, expected a register that can be written", o.describe())
		} else if sym == nil {
			d.errorf(o.pos, "found %s, which is not declared; expected a register", o.name)
		} else {
			d.errorf(o.pos, "found %s, which is not a register; expected one", o.name)
		}
		return nil, ir.Operand{}, false
	}
	r := d.e.register(sym)
	if sym.typ == ir.PredType {
		return sym, ir.P(ir.Pred(r)), true
	}
	words := sym.typ.Words()
	if o.member != "" {
		i := vectorMember(o.member)
		if i < 0 || i >= sym.vec {
			d.errorf(o.pos, "found the element .%s of %s, which has %d", o.member, o.name, sym.vec)
			return nil, ir.Operand{}, false
		}
		r += ir.Reg(i * words)
	} else if sym.vec > 1 {
		d.errorf(o.pos, "found the vector register %s, expected one of its elements", o.name)
		return nil, ir.Operand{}, false
	}
	return sym, ir.R(r, words), true
}

// members returns the elements of a vector in braces or of a vector register. Any other operand is a list of
// itself.
func (d *decoder) members(o *operand) []operand {
	if o.kind == opVector {
		return o.elems
	}
	sym := d.e.lookup(d.s, o.name)
	if o.kind != opName || o.member != "" || sym == nil || sym.kind != symReg || sym.vec < 2 {
		return []operand{*o}
	}
	var list []operand
	for _, m := range []string{"x", "y", "z", "w"}[:sym.vec] {
		e := *o
		e.member = m
		list = append(list, e)
	}
	return list
}

// inBraces returns a vector register written as a vector in braces, or o itself.
func (d *decoder) inBraces(o *operand) *operand {
	if list := d.members(o); len(list) > 1 && o.kind != opVector {
		return &operand{kind: opVector, pos: o.pos, elems: list}
	}
	return o
}

func vectorMember(m string) int {
	switch m {
	case "x", "r":
		return 0
	case "y", "g":
		return 1
	case "z", "b":
		return 2
	case "w", "a":
		return 3
	}
	return -1
}

// sized checks a register against a type; loose accepts wider registers.
func (d *decoder) sized(o *operand, sym *symbol, t ir.Type, loose bool) bool {
	have, want := sym.typ.Size(), t.Size()
	if (sym.typ == ir.PredType) == (t == ir.PredType) && (have == want || loose && have > want) {
		return true
	}
	d.errorf(o.pos, "found the .%s register %s, expected an operand of type .%s", sym.typ, o.name, t)
	return false
}

// src returns a source operand as an operand of the IR. A register must have exactly the size of type t.
func (d *decoder) src(o *operand, t ir.Type) (ir.Operand, bool) { return d.source(o, t, false) }

// source is src for which, if loose, the register may be larger than type t.
func (d *decoder) source(o *operand, t ir.Type, loose bool) (ir.Operand, bool) {
	switch o.kind {
	case opConst:
		return d.immediate(o, t)
	case opName:
	default:
		d.errorf(o.pos, "found %s, expected a register or a constant", o.describe())
		return ir.Operand{}, false
	}
	if sym := d.e.lookup(d.s, o.name); sym != nil && sym.kind != symReg {
		return d.symbolic(o, sym, t)
	} else if sym == nil {
		if v, ok := d.special(o, t); ok {
			return v, true
		}
		if _, isSpecial := specials[o.name]; isSpecial {
			d.errorf(o.pos, "found the special register %s, expected one with a component such as %%tid.x, or "+
				"without if it has none", o.describe())
			return ir.Operand{}, false
		}
	}
	plain := *o
	plain.not, plain.minus = false, false
	sum := o.offset != 0 && !o.indexed && !t.Float() && t != ir.PredType
	if sum {
		plain.offset = 0
	}
	sym, r, ok := d.reg(&plain)
	if !ok || !d.sized(o, sym, t, loose) {
		return r, false
	}
	if sum && !o.minus && !o.not {
		to := map[int]ir.Type{1: ir.U16, 2: ir.U16, 4: ir.U32, 8: ir.U64}[sym.typ.Size()]
		return d.result(ir.OpAdd, to, r, ir.Imm(uint64(o.offset)<<(64-8*to.Size())>>(64-8*to.Size()), to.Words())), true
	}
	if o.not && t != ir.PredType || o.minus {
		d.errorf(o.pos, "found a negated register, expected a plain one (only predicates can be complemented)")
		return r, false
	}
	r.Neg = o.not
	return r, true
}

// immediate returns a constant in a type.
func (d *decoder) immediate(o *operand, t ir.Type) (ir.Operand, bool) {
	if t == ir.PredType {
		bit := uint64(0)
		if (o.value.bits != 0) != o.not {
			bit = 1
		}
		return ir.Imm(bit, 1), true
	}
	bits, ok := o.value.as(t)
	if !ok || o.not {
		d.errorf(o.pos, "found %s, expected one of type .%s", o.describe(), t)
		return ir.Operand{}, false
	}
	return ir.Imm(bits, t.Words()), true
}

// predicate resolves a predicate register, complemented or not.
func (d *decoder) predicate(o *operand) (ir.Operand, bool) {
	if o.kind == opConst {
		d.errorf(o.pos, "found %s, expected a predicate register", o.describe())
		return ir.Operand{}, false
	}
	return d.src(o, ir.PredType)
}

// symbolic returns the address of a variable or a function as an immediate.
func (d *decoder) symbolic(o *operand, sym *symbol, t ir.Type) (ir.Operand, bool) {
	if sym.kind == symVar && sym.slot != nil {
		r := d.e.temp(t.Size())
		d.e.access(ir.Inst{Op: ir.OpMov, Type: t, Dst: []ir.Operand{r}, Guard: d.guard, Line: d.out.Line,
			Col: d.out.Col}, sym.slot, slotAddress, o.offset)
		return r, true
	}
	a, ok := d.address(o, sym)
	if !ok {
		return ir.Operand{}, false
	}
	if sym.body != nil && t.Size() >= 4 {
		return d.frameAddress(sym.body, int64(a), t), true
	}
	if t.Size() < 4 {
		d.errorf(o.pos, "found the address of %s, expected an operand of type .%s", o.name, t)
		return ir.Operand{}, false
	}
	return ir.Imm(a, t.Words()), true
}

// address returns the address of a symbol in its own space, including index or offset.
func (d *decoder) address(o *operand, sym *symbol) (uint64, bool) {
	off := o.offset
	switch {
	case sym.kind == symFunc:
		return sym.fn.addr, true
	case sym.kind != symVar:
		d.errorf(o.pos, "found %s, expected a variable", o.name)
		return 0, false
	}
	v := sym.v
	if o.indexed {
		off *= int64(v.typ.Size() * v.vec)
	}
	base := v.addr
	switch {
	case v.tex && !v.extern && off == 0:
		d.uses(o.name)
		return v.addr, true
	case v.ref || v.tex:
		d.errorf(o.pos, "found the texture, sampler or surface %s, expected a variable that has an address", o.name)
		return 0, false
	case v.space == ir.Local:
		base = uint64(sym.local)
	case v.space == ir.Shared:
		a, ok := d.e.shared[v]
		if !ok {
			d.errorf(o.pos, "found the shared variable %s outside its kernel", o.name)
			return 0, false
		}
		base = uint64(a)
	case v.extern:
		d.errorf(o.pos, "found %s, which is declared but nowhere defined%s", o.name, d.e.m.whereDefined(o.name))
		return 0, false
	case v.unknown != "":
		d.errorf(o.pos, "found %s, whose initial value has the address of %s, which is declared but nowhere defined%s",
			o.name, v.unknown, d.e.m.whereDefined(v.unknown))
		return 0, false
	case v.space == ir.Const:
		d.names(v)
	case v.space == ir.Global:
		d.names(v)
		if k := d.e.k; k.GlobalAlign == 0 || v.align < k.GlobalAlign {
			k.GlobalAlign = v.align
		}
	}
	return base + uint64(off), true
}

// names records that the kernel names a variable, and whether any instruction but a load does.
func (d *decoder) names(v *variable) {
	k := d.e.k
	if k.Named == nil {
		k.Named = map[string]bool{}
	}
	k.Named[v.name] = k.Named[v.name] || d.out.Op != ir.OpLd
}

func (o *operand) describe() string {
	switch o.kind {
	case opName:
		if o.member != "" {
			return o.name + "." + o.member
		}
		return o.name
	case opConst:
		return "a constant"
	case opVector:
		return "a vector"
	case opAddress:
		return "an address in brackets"
	case opPair:
		return "a pair of registers"
	case opList:
		return "a list in parentheses"
	}
	return "the sink _"
}
