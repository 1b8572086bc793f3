package ptx

import (
	"math"

	"kumiko/kernel/ir"
)

// buildMov builds moves: of a value, of an address, packing and unpacking.
func buildMov(d *decoder) {
	if !d.need(2, 2) {
		return
	}
	dst, src := &d.in.ops[0], &d.in.ops[1]
	if d.vec == 1 && (d.out.Type.Size() == 8 || d.out.Type.Size() == 4) {
		dst, src = d.inBraces(dst), d.inBraces(src)
	}
	switch {
	case d.vec > 1:
		d.moveVector(dst, src)
	case dst.kind == opVector:
		d.unpack(dst, src)
	case src.kind == opVector:
		d.pack(dst, src)
	case d.paramSlot(src) != nil:
		d.slotAddress(dst, src)
	default:
		d.generic2()
	}
}

// buildLop3 builds lop3. Its table of results has a bit for each of the eight combinations of its inputs.
func buildLop3(d *decoder) {
	if len(d.in.ops) == 5 {
		if o := &d.in.ops[4]; o.kind != opConst || o.value.kind != tokInt || o.value.bits > math.MaxUint8 {
			d.errorf(o.pos, "found %s as the table of %s, expected a constant from 0 to 255", o.describe(), d.in.full())
			return
		}
	}
	d.generic()
}

// slotAddress builds a move of the address of a call parameter.
func (d *decoder) slotAddress(dst, src *operand) {
	to, ok := d.dst(dst, d.out.Type)
	if !ok {
		return
	}
	d.out.Dst = []ir.Operand{to}
	d.e.access(d.out, d.paramSlot(src), slotAddress, 0)
}

// generic2 builds the plain form d, a.
func (d *decoder) generic2() {
	dst, ok := d.dst(&d.in.ops[0], d.out.Type)
	src, good := d.src(&d.in.ops[1], d.out.Type)
	if ok && good {
		d.out.Dst, d.out.Src = []ir.Operand{dst}, []ir.Operand{src}
		d.e.add(d.out)
	}
}

// moveVector builds mov.v2 and mov.v4: a move for each element. All sources must be read before a result is
// written. So if a move would overwrite a source of a later one, the sources go through registers of their own.
func (d *decoder) moveVector(dst, src *operand) {
	to, from := d.elements(dst), d.elements(src)
	if to == nil || from == nil {
		return
	}
	results, sources := make([]ir.Operand, len(to)), make([]ir.Operand, len(to))
	ok, apart := true, false
	for i := range to {
		var read, written bool
		results[i], written = d.dst(&to[i], d.out.Type)
		sources[i], read = d.src(&from[i], d.out.Type)
		ok = ok && read && written
		for _, r := range results[:i] {
			apart = apart || sources[i].Kind == r.Kind && sources[i].Reg == r.Reg
		}
	}
	if !ok {
		return
	}
	if apart {
		for i := range sources {
			own := d.e.temp(d.out.Type.Size())
			d.emitMove(own, sources[i])
			sources[i] = own
		}
	}
	for i := range results {
		d.emitMove(results[i], sources[i])
	}
}

func (d *decoder) emitMove(to, from ir.Operand) {
	in := d.out
	in.Dst, in.Src = []ir.Operand{to}, []ir.Operand{from}
	d.e.add(in)
}

// partType returns the type of each of n parts of a value.
func partType(whole ir.Type, n int) ir.Type {
	switch {
	case n == 0 || whole.Size()%n != 0:
		return ir.TypeNone
	case whole.Size()/n == 4:
		return ir.B32
	case whole.Size()/n == 2:
		return ir.B16
	case whole.Size()/n == 1:
		return ir.B8
	}
	return ir.TypeNone
}

func (d *decoder) parts(o *operand) (ir.Type, bool) {
	t := partType(d.out.Type, len(o.elems))
	if len(o.elems) != 2 && len(o.elems) != 4 || t == ir.TypeNone || t == ir.B8 {
		d.errorf(o.pos, "found %d parts of a .%s, expected two, or four of 16 bits", len(o.elems), d.out.Type)
		return t, false
	}
	return t, true
}

func (d *decoder) pack(dst, src *operand) {
	part, ok := d.parts(src)
	to, good := d.dst(dst, d.out.Type)
	if !ok || !good {
		return
	}
	var vals []ir.Operand
	for i := range src.elems {
		v, ok := d.source(&src.elems[i], part, false)
		if !ok {
			return
		}
		vals = append(vals, v)
	}
	if len(vals) == 4 {
		lo, hi := d.e.temp(4), d.e.temp(4)
		d.emitPack(lo, ir.B32, ir.B16, vals[:2])
		d.emitPack(hi, ir.B32, ir.B16, vals[2:])
		vals, part = []ir.Operand{lo, hi}, ir.B32
	}
	d.emitPack(to, d.out.Type, part, vals)
}

func (d *decoder) emitPack(to ir.Operand, whole, part ir.Type, vals []ir.Operand) {
	in := d.out
	in.Op, in.Type, in.SrcType = ir.OpPack, whole, part
	in.Dst, in.Src = []ir.Operand{to}, vals
	d.e.add(in)
}

func (d *decoder) unpack(dst, src *operand) {
	part, ok := d.parts(dst)
	from, good := d.src(src, d.out.Type)
	if !ok || !good {
		return
	}
	to := make([]ir.Operand, len(dst.elems))
	for i := range dst.elems {
		if o := &dst.elems[i]; o.kind == opSink {
			to[i] = d.e.temp(part.Size())
		} else if to[i], ok = d.dst(o, part); !ok {
			return
		}
	}
	if len(to) == 4 {
		lo, hi := d.e.temp(4), d.e.temp(4)
		d.emitUnpack([]ir.Operand{lo, hi}, ir.B32, d.out.Type, from)
		d.emitUnpack(to[:2], ir.B16, ir.B32, lo)
		d.emitUnpack(to[2:], ir.B16, ir.B32, hi)
		return
	}
	d.emitUnpack(to, part, d.out.Type, from)
}

func (d *decoder) emitUnpack(to []ir.Operand, part, whole ir.Type, from ir.Operand) {
	in := d.out
	in.Op, in.Type, in.SrcType = ir.OpUnpack, part, whole
	in.Dst, in.Src = to, []ir.Operand{from}
	d.e.add(in)
}

// windows are the generic start addresses of spaces. Global addresses are generic addresses.
var windows = map[ir.Space]uint64{
	ir.Global: 0, ir.Shared: ir.SharedWindow, ir.Local: ir.LocalWindow, ir.Const: ir.ConstWindow,
	ir.Param: ir.ParamWindow,
}

var windowSizes = map[ir.Space]uint64{
	ir.Shared: ir.SharedWindowSize, ir.Local: ir.LocalWindowSize, ir.Const: ir.ConstWindowSize,
	ir.Param: ir.ParamWindowSize,
}

// paramSpace returns the space of an address in param space: inside a called function parameters are in local
// memory.
func (d *decoder) paramSpace() ir.Space {
	if d.out.Space == ir.Param && !d.e.frame.fn.kernel {
		return ir.Local
	}
	return d.out.Space
}

// buildCvta converts between generic addresses and addresses of a space.
func buildCvta(d *decoder) {
	if !d.need(2, 2) {
		return
	}
	base := windows[d.paramSpace()]
	d.out.Space = ir.SpaceNone
	dst, ok := d.dst(&d.in.ops[0], d.out.Type)
	src, good := d.src(&d.in.ops[1], d.out.Type)
	if !ok || !good {
		return
	}
	to := false
	for _, m := range d.in.mods {
		to = to || m.text == "to"
	}
	d.out.Dst, d.out.Src = []ir.Operand{dst}, []ir.Operand{src}
	switch {
	case base == 0: // global addresses are generic as they are
	case src.Kind == ir.KindImm && !to:
		d.out.Src[0].Imm += base
	case to:
		d.out.Op = ir.OpSub
		d.out.Src = append(d.out.Src, ir.Imm(base, d.out.Type.Words()))
	default:
		d.out.Op = ir.OpAdd
		d.out.Src = append(d.out.Src, ir.Imm(base, d.out.Type.Words()))
	}
	d.e.add(d.out)
}

// buildIsspacep tests whether a generic address lies in a window.
func buildIsspacep(d *decoder) {
	if !d.need(2, 2) {
		return
	}
	space := d.paramSpace()
	t := unsigned(d.pointer(&d.in.ops[1]))
	d.out.Space = ir.SpaceNone
	dst, ok := d.dst(&d.in.ops[0], ir.PredType)
	src, good := d.src(&d.in.ops[1], t)
	if !ok || !good {
		return
	}
	d.out.Type, d.out.Dst = t, []ir.Operand{dst}
	words := t.Words()
	if space == ir.Global {
		d.out.Mods.Cmp, d.out.Src = ir.GE, []ir.Operand{src, ir.Imm(ir.GlobalBase, words)}
		d.e.add(d.out)
		return
	}
	rel := d.e.temp(t.Size())
	sub := d.out
	sub.Op, sub.Dst, sub.Src = ir.OpSub, []ir.Operand{rel}, []ir.Operand{src, ir.Imm(windows[space], words)}
	d.e.add(sub)
	d.out.Mods.Cmp, d.out.Src = ir.LT, []ir.Operand{rel, ir.Imm(windowSizes[space], words)}
	d.e.add(d.out)
}
