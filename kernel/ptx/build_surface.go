package ptx

import "kumiko/kernel/ir"

// Handling of coordinates outside the surface.
const (
	surfaceTrap = iota
	surfaceClamp
	surfaceZero
)

// surfaces: PTX ISA sections 9.7.11.4 to 9.7.11.6 and 9.7.12.
func surfaces() map[string][]row {
	geometry := &group{"a geometry", map[string]int{"1d": int(ir.Tex1D), "2d": int(ir.Tex2D), "3d": int(ir.Tex3D),
		"a1d": int(ir.TexA1D), "a2d": int(ir.TexA2D)}, gTex.set}
	outside := flag(ignore, "trap", "clamp", "zero")
	bytes := flag(ignore, "b")
	access := []*group{bytes, geometry, gCache, outside}
	must := []*group{bytes, geometry, outside}
	data := types(ir.B8, ir.B16, ir.B32, ir.B64)
	texture := map[string]int{"width": int(ir.QueryWidth), "height": int(ir.QueryHeight), "depth": int(ir.QueryDepth),
		"array_size": int(ir.QueryLayers)}
	set := func(in *ir.Inst, v int) { in.Mods.Query = ir.Query(v) }
	all := merged(texture, map[string]int{"normalized_coords": int(ir.QueryNormalized),
		"filter_mode": int(ir.QueryFilter), "addr_mode_0": int(ir.QueryMode0), "addr_mode_1": int(ir.QueryMode1),
		"addr_mode_2": int(ir.QueryMode2)})
	component := &group{"a component", map[string]int{"r": 1, "g": 2, "b": 3, "a": 4},
		func(in *ir.Inst, v int) { in.Mods.Gather = uint8(v) }}
	plane := &group{"a geometry", map[string]int{"2d": int(ir.Tex2D), "a2d": int(ir.TexA2D)}, gTex.set}
	opaque := flag(ignore, "texref", "surfref", "samplerref")
	return map[string][]row{
		"suld": {{op: ir.OpLd, types: data, groups: access, need: must, build: buildSuld}},
		"sust": {{op: ir.OpSt, types: data, groups: access, need: must, build: buildSust}},
		"sured": {{op: ir.OpRed, types: types(ir.B32, ir.U32, ir.S32, ir.U64), groups: append(access, gAtomic),
			need: append(must, gAtomic), build: buildSured}},
		"suq": {{op: ir.OpTxq, types: tB32, groups: []*group{{"a property", texture, set}}, build: buildTxq}},
		"txq": {{op: ir.OpTxq, types: tB32, groups: []*group{{"a property", all, set},
			flag(ignore, "force_unnormalized_coords")}, build: buildTxq}},
		"tld4": {{op: ir.OpTex, types: types(ir.F32, ir.U32, ir.S32), src: tF32, groups: []*group{component, plane},
			need: []*group{component, plane}, build: buildTex}},
		"istypep": {{op: ir.OpSetp, groups: []*group{opaque}, need: []*group{opaque}, build: buildIstypep}},
	}
}

// surfaceParts splits the operand [surface, {coordinates}].
func (d *decoder) surfaceParts(o *operand) (handle, coord *operand, ok bool) {
	if o.kind != opAddress || len(o.elems) != 2 {
		d.errorf(o.pos, "found %s, expected [surface, {coordinates}]", o.describe())
		return nil, nil, false
	}
	return &o.elems[0], &o.elems[1], true
}

// property reads a property of the surface of d.out.
func (d *decoder) property(q ir.Query, t ir.Type) ir.Operand {
	in := d.plain(ir.OpTxq)
	in.Type, in.Guard, in.Space, in.Addr, in.Sym, in.Mods.Query = t, d.guard, ir.Texture, d.out.Addr, d.out.Sym, q
	r := d.e.temp(t.Size())
	in.Dst = []ir.Operand{r}
	d.e.add(in)
	return r
}

// surface returns the address of an element of size bytes in global memory, computed by instructions as in Kepler's
// machine code. outside, unless the zero value, is a predicate, true for lanes with coordinates outside the
// surface.
func (d *decoder) surface(o *operand, size int) (addr, outside ir.Operand, ok bool) {
	handle, coord, ok := d.surfaceParts(o)
	if !ok || !d.texture(handle) {
		return addr, outside, false
	}
	x, layer, ok := d.coordinates(coord)
	if !ok {
		return addr, outside, false
	}
	mode := surfaceTrap
	switch {
	case d.in.has("clamp"):
		mode = surfaceClamp
	case d.in.has("zero"):
		mode = surfaceZero
	}
	row := d.property(ir.QueryRowBytes, ir.U32)
	limits := []ir.Operand{d.result(ir.OpSub, ir.U32, row, ir.Imm(uint64(size-1), 1))}
	for i := range x[1:] {
		limits = append(limits, d.property([]ir.Query{ir.QueryHeight, ir.QueryDepth}[i], ir.U32))
	}
	if mode != surfaceClamp {
		outside = ir.P(d.e.newPred())
		d.step(ir.OpMov, ir.PredType, outside, ir.Imm(0, 1))
	}
	for i := range x {
		x[i] = d.confined(x[i], limits[i], mode, outside)
	}
	offset := x[0]
	if len(x) > 1 {
		line := x[1]
		if len(x) > 2 {
			line = d.result(ir.OpMad, ir.U32, x[2], limits[1], line)
			d.low()
		}
		if layer.Kind != ir.KindNone {
			line = d.result(ir.OpMad, ir.U32, d.lowest(layer), limits[1], line)
			d.low()
		}
		offset = d.result(ir.OpMad, ir.U32, line, row, offset)
		d.low()
	} else if layer.Kind != ir.KindNone {
		offset = d.result(ir.OpMad, ir.U32, d.lowest(layer), row, offset)
		d.low()
	}
	addr = d.result(ir.OpAdd, ir.U64, d.property(ir.QueryAddress, ir.U64), d.convert(ir.U64, ir.U32, offset))
	return addr, outside, true
}

// low makes the last multiplication a multiplication of the lower halves.
func (d *decoder) low() { d.e.code[len(d.e.code)-1].in.Mods.Part = ir.Lo }

// lowest returns a layer, limited to the last one of the surface.
func (d *decoder) lowest(layer ir.Operand) ir.Operand {
	last := d.result(ir.OpSub, ir.U32, d.property(ir.QueryLayers, ir.U32), ir.Imm(1, 1))
	return d.result(ir.OpMin, ir.U32, layer, last)
}

// confined returns a coordinate below limit: clamped, or 0 in lanes outside; outside becomes true for these lanes.
func (d *decoder) confined(x, limit ir.Operand, mode int, outside ir.Operand) ir.Operand {
	if mode == surfaceClamp {
		last := d.result(ir.OpSub, ir.U32, limit, ir.Imm(1, 1))
		return d.result(ir.OpMax, ir.S32, d.result(ir.OpMin, ir.S32, x, last), ir.Imm(0, 1))
	}
	over := ir.P(d.e.newPred())
	d.step(ir.OpSetp, ir.U32, over, x, limit).Mods.Cmp = ir.GE
	d.step(ir.OpOr, ir.PredType, outside, outside, over)
	return d.result(ir.OpSelp, ir.B32, ir.Imm(0, 1), x, over)
}

// coordinates resolves the coordinates of a surface, x in bytes, and the layer of an array.
func (d *decoder) coordinates(o *operand) (x []ir.Operand, layer ir.Operand, ok bool) {
	list := d.members(o)
	n := coordinates[d.out.Mods.Tex]
	if len(list) < n {
		d.errorf(o.pos, "found %d coordinates, expected %d", len(list), n)
		return nil, layer, false
	}
	for i := range list[:n] {
		v, good := d.src(&list[i], ir.B32)
		if !good {
			return nil, layer, false
		}
		x = append(x, v)
	}
	if g := d.out.Mods.Tex; g == ir.TexA1D || g == ir.TexA2D {
		return x[1:], x[0], true
	}
	return x, layer, true
}

// touch appends an access of a surface, for the lanes with coordinates inside. With .trap other lanes stop the
// launch.
func (d *decoder) touch(in ir.Inst, addr, outside ir.Operand) {
	in.Space, in.Addr, in.Sym, in.Mods.Tex = ir.Global, ir.Addr{Base: addr}, "", 0
	if outside.Kind == ir.KindNone {
		d.e.add(in)
		return
	}
	if !d.in.has("zero") {
		trap := d.plain(ir.OpTrap)
		d.guarded(trap, outside)
		d.e.add(in)
		return
	}
	outside.Neg = true
	d.guarded(in, outside)
}

// buildSuld builds suld.b.geometry.vec.type.outside {d}, [surface, {coordinates}].
func buildSuld(d *decoder) {
	if !d.need(2, 2) {
		return
	}
	list := d.elements(&d.in.ops[0])
	if list == nil {
		return
	}
	ld := d.out
	for i := range list {
		sym, r, ok := d.reg(&list[i])
		if !ok || !d.sized(&list[i], sym, d.out.Type, true) {
			return
		}
		if sym.typ.Size() > d.out.Type.Size() {
			d.widen(sym.typ.Size())
		}
		ld.Dst = append(ld.Dst, r)
	}
	ld.Type, ld.SrcType = d.out.Type, d.out.SrcType
	addr, outside, ok := d.surface(&d.in.ops[1], d.vec*d.out.Type.Size())
	if !ok {
		return
	}
	if d.in.has("zero") {
		for _, r := range ld.Dst {
			zero := d.plain(ir.OpMov)
			zero.Type = map[uint8]ir.Type{1: ir.B32, 2: ir.B64}[r.Words]
			zero.Dst, zero.Src = []ir.Operand{r}, []ir.Operand{ir.Imm(0, int(r.Words))}
			d.guarded(zero, outside)
		}
	}
	d.touch(ld, addr, outside)
}

// buildSust builds sust.b.geometry.vec.type.outside [surface, {coordinates}], {c}.
func buildSust(d *decoder) {
	if !d.need(2, 2) {
		return
	}
	list := d.elements(&d.in.ops[1])
	if list == nil {
		return
	}
	st := d.out
	for i := range list {
		v, ok := d.source(&list[i], d.out.Type, true)
		if !ok {
			return
		}
		st.Src = append(st.Src, v)
	}
	if addr, outside, ok := d.surface(&d.in.ops[0], d.vec*d.out.Type.Size()); ok {
		d.touch(st, addr, outside)
	}
}

// buildSured builds sured.b.op.geometry.type.outside [surface, {coordinates}], c.
func buildSured(d *decoder) {
	if !d.need(2, 2) {
		return
	}
	if m := d.out.Mods.Atomic; !atomicTypes[m].has(d.out.Type) || m == ir.AtomExch || m == ir.AtomCas {
		d.errorf(d.in.pos, "found %s, expected an operation that the type has", d.in.full())
		return
	}
	red := d.out
	v, ok := d.src(&d.in.ops[1], d.out.Type)
	red.Src = []ir.Operand{v}
	if !ok {
		return
	}
	if addr, outside, ok := d.surface(&d.in.ops[0], d.out.Type.Size()); ok {
		d.touch(red, addr, outside)
	}
}

// buildTxq builds txq.property.b32 and suq.property.b32 d, [texture].
func buildTxq(d *decoder) {
	if !d.need(2, 2) {
		return
	}
	at := &d.in.ops[1]
	if at.kind != opAddress || len(at.elems) != 1 {
		d.errorf(at.pos, "found %s, expected a texture or a surface in brackets", at.describe())
		return
	}
	dst, ok := d.dst(&d.in.ops[0], ir.B32)
	o := &at.elems[0]
	if sym := d.e.lookup(d.s, o.name); ok && o.kind == opName && sym != nil && sym.kind == symVar &&
		sym.v.opaque == "samplerref" {
		d.querySampler(dst, o, sym.v)
		return
	}
	if d.in.has("force_unnormalized_coords") {
		d.errorf(d.in.pos, "found %s of %s, expected a .samplerref", d.in.full(), o.describe())
		return
	}
	if ok && d.texture(o) {
		d.out.Dst = []ir.Operand{dst}
		d.e.add(d.out)
	}
}

// buildIstypep builds istypep.type p, a. It tests whether a is a variable of the module with this opaque type. a is
// its name or its value from a mov.
func buildIstypep(d *decoder) {
	if !d.need(2, 2) {
		return
	}
	p, ok := d.dst(&d.in.ops[0], ir.PredType)
	if !ok {
		return
	}
	kind := d.in.mods[0].text
	o := &d.in.ops[1]
	if sym := d.e.lookup(d.s, o.name); o.kind == opName && sym != nil && sym.kind == symVar {
		is := uint64(0)
		if sym.v.opaque == kind {
			is = 1
		}
		d.step(ir.OpMov, ir.PredType, p, ir.Imm(is, 1))
		return
	}
	a, ok := d.src(o, ir.B64)
	if !ok {
		return
	}
	found := ir.P(d.e.newPred())
	d.step(ir.OpMov, ir.PredType, found, ir.Imm(0, 1))
	for _, m := range d.e.m.peers {
		for _, v := range m.vars {
			if v.opaque == kind && v.tex && !v.extern {
				one := ir.P(d.e.newPred())
				d.step(ir.OpSetp, ir.B64, one, a, ir.Imm(v.addr, 2)).Mods.Cmp = ir.EQ
				d.step(ir.OpOr, ir.PredType, found, found, one)
			}
		}
	}
	d.step(ir.OpMov, ir.PredType, p, found)
}
