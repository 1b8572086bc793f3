package ptx

import "kumiko/kernel/ir"

// buildCvt builds conversions. Registers may be wider than their types (PTX ISA section 9.4.1). A source is read in
// its low bits. A result narrower than its register is extended, by a conversion of its own unless zeros suffice.
func buildCvt(d *decoder) {
	if !d.packs() || !d.rounds() {
		return
	}
	if d.out.Type == ir.F16x2 || d.out.Type == ir.BF16x2 {
		d.row = &row{ops: "dt so so"}
		d.generic()
		return
	}
	if !d.need(2, 2) {
		return
	}
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
	ext := ir.Inst{Op: ir.OpCvt, Type: unsigned(sym.typ), SrcType: unsigned(t), Guard: d.guard, Dst: []ir.Operand{dst},
		Src: []ir.Operand{tmp}, Line: d.out.Line, Col: d.out.Col}
	if t.Signed() {
		ext.Type, ext.SrcType = signedType(have), t
	}
	d.e.add(ext)
}

// rounding is the kind of rounding mode of a conversion.
type rounding uint8

const (
	roundNone       rounding = iota
	roundFloat               // to a value of the destination's type
	roundInt                 // to an integer
	roundIntMaybe            // to an integer, or not at all
	roundFloatMaybe          // between formats of one size
)

// roundingOf returns the kind of rounding mode of a conversion between two types (PTX ISA section 9.7.9.21).
func roundingOf(to, from ir.Type) rounding {
	switch {
	case !to.Float() && !from.Float():
		return roundNone
	case !to.Float():
		return roundInt
	case !from.Float() || to.Size() < from.Size():
		return roundFloat
	case to == from:
		return roundIntMaybe
	case to.Size() == from.Size():
		return roundFloatMaybe
	}
	return roundNone
}

// rounds checks the rounding mode, and supplies the mode omitted by sources before PTX 1.4.
func (d *decoder) rounds() bool {
	kind, mode := roundingOf(d.out.Type, d.out.SrcType), d.out.Mods.Round
	integer := mode == ir.RNI || mode == ir.RZI || mode == ir.RMI || mode == ir.RPI
	want := ""
	switch {
	case mode == ir.RoundDefault && kind == roundFloat:
		if d.out.Mods.Round = ir.RN; !before14(d.e.m) {
			want = "a rounding mode such as .rn"
		}
	case mode == ir.RoundDefault && kind == roundInt:
		if d.out.Mods.Round = ir.RZI; !before14(d.e.m) {
			want = "a rounding mode such as .rzi"
		}
	case mode == ir.RoundDefault:
	case kind == roundNone:
		want = "no rounding mode"
	case kind == roundInt && !integer:
		want = "one of .rni .rzi .rmi .rpi as its rounding mode"
	case kind == roundIntMaybe && !integer:
		want = "no rounding mode, or one of .rni .rzi .rmi .rpi"
	case (kind == roundFloat || kind == roundFloatMaybe) && integer:
		want = "one of .rn .rz .rm .rp as its rounding mode"
	}
	if want != "" {
		d.errorf(d.in.pos, "found %s, expected %s", d.in.full(), want)
	}
	return want == ""
}

// packs checks a conversion of two values to the halves of a register, the only conversion to a packed type.
func (d *decoder) packs() bool {
	packed := types(ir.F16x2, ir.BF16x2)
	switch {
	case packed.has(d.out.SrcType):
		d.errorf(d.in.pos, "found %s, expected a second type of one value", d.in.full())
	case packed.has(d.out.Type) && d.out.SrcType != ir.F32:
		d.errorf(d.in.pos, "found %s, expected .f32 as its second type", d.in.full())
	default:
		return true
	}
	return false
}

// buildCvtPack builds cvt.pack.sat.type.s32 d, a, b of 16 bits, and .type.s32.b32 d, a, b, c
// of 8 (PTX ISA section 9.7.9.22): b below a, both clamped, and c above them.
func buildCvtPack(d *decoder) {
	n, want := 2, types(ir.U16, ir.S16)
	if len(d.types) == 3 {
		n, want = 3, types(ir.U8, ir.S8)
	}
	if len(d.types) != n && len(d.types) != 2 || !want.has(d.types[0]) || d.types[1] != ir.S32 ||
		n == 3 && d.types[2] != ir.B32 {
		d.errorf(d.in.pos, "found %s, expected .u16.s32, .s16.s32, .u8.s32.b32 or .s8.s32.b32", d.in.full())
		return
	}
	dst, src, ok := d.operands(ir.B32, n)
	if !ok {
		return
	}
	bits := 8 * d.types[0].Size()
	low, high := int64(0), int64(1)<<bits-1
	if d.types[0].Signed() {
		low, high = -1<<(bits-1), 1<<(bits-1)-1
	}
	for i := range src[:2] {
		src[i] = d.result(ir.OpMax, ir.S32, src[i], ir.Imm(uint64(uint32(low)), 1))
		src[i] = d.result(ir.OpMin, ir.S32, src[i], ir.Imm(uint64(high), 1))
	}
	size := ir.Imm(uint64(bits), 1)
	pair := d.result(ir.OpBfi, ir.B32, src[0], src[1], size, size)
	if n == 2 {
		d.step(ir.OpMov, ir.B32, dst, pair)
		return
	}
	d.step(ir.OpBfi, ir.B32, dst, src[2], pair, ir.Imm(16, 1), ir.Imm(16, 1))
}
