package ptx

import "kumiko/kernel/ir"

// buildCvt builds conversions. Registers may be wider than their types (PTX ISA
// section 9.4.1): a source is read in its low bits, a result is extended to the
// register by a conversion of its own where that is more than zeros above.
func buildCvt(d *decoder) {
	if d.out.Type == ir.F16x2 || d.out.Type == ir.BF16x2 {
		d.row = &row{ops: "dt so so"}
		d.generic()
		return
	}
	if !d.need(2, 2) {
		return
	}
	d.defaultRound()
	src, good := d.source(&d.in.ops[1], d.out.SrcType, true)
	sym, dst, ok := d.reg(&d.in.ops[0])
	if !ok || !good || !d.sized(&d.in.ops[0], sym, d.out.Type, true) {
		return
	}
	d.out.Src = []ir.Operand{src}
	t := d.out.Type
	have := sym.typ.Size()
	if have == t.Size() || have <= 4 && !t.Signed() {
		d.out.Dst = []ir.Operand{dst}
		d.e.add(d.out)
		return
	}
	tmp := d.e.temp(t.Size())
	d.out.Dst = []ir.Operand{tmp}
	d.e.add(d.out)
	ext := ir.Inst{Op: ir.OpCvt, Type: unsigned(sym.typ), SrcType: unsigned(t), Guard: d.guard, Dst: []ir.Operand{dst}, Src: []ir.Operand{tmp}, Line: d.out.Line, Col: d.out.Col}
	if t.Signed() {
		ext.Type, ext.SrcType = signedType(have), t
	}
	d.e.add(ext)
}

// defaultRound supplies the mode that sources before PTX 1.4 leave out.
func (d *decoder) defaultRound() {
	if d.out.Mods.Round != ir.RoundDefault {
		return
	}
	to, from := d.out.Type, d.out.SrcType
	switch {
	case from.Float() && !to.Float():
		d.out.Mods.Round = ir.RZI
	case to.Float() && (!from.Float() || to.Size() < from.Size()):
		d.out.Mods.Round = ir.RN
	}
}
