package ptx

import (
	"slices"

	"kumiko/kernel/ir"
)

// coordinates is the number of coordinates of each geometry, with the layer. The padding of the vector is dropped.
var coordinates = [...]int{ir.Tex1D: 1, ir.Tex2D: 2, ir.Tex3D: 3, ir.TexA1D: 2, ir.TexA2D: 3, ir.TexCube: 3,
	ir.TexACube: 4}

// buildTex builds tex.geom.v4.dtype.ctype {d}, [t{, s}, {c}]{, lod}, tex.grad, and tld4.
func buildTex(d *decoder) {
	grad := d.in.has("grad")
	if grad && !d.need(4, 4) || !grad && !d.need(2, 3) {
		return
	}
	at := &d.in.ops[1]
	if !d.texels(&d.in.ops[0]) {
		return
	}
	if at.kind != opAddress || len(at.elems) < 2 || len(at.elems) > 3 {
		d.errorf(at.pos, "found %s, expected [texture, {coordinates}]", at.describe())
		return
	}
	if !d.texture(&at.elems[0]) {
		return
	}
	coord := &at.elems[len(at.elems)-1]
	elems := d.members(coord)
	n := coordinates[d.out.Mods.Tex]
	if len(elems) < n {
		d.errorf(coord.pos, "found %d coordinates, expected %d", len(elems), n)
		return
	}
	layered := d.out.Mods.Tex == ir.TexA1D || d.out.Mods.Tex == ir.TexA2D || d.out.Mods.Tex == ir.TexACube
	for i := range elems[:n] {
		t := d.out.SrcType
		if layered && i == 0 {
			t = ir.U32
		}
		v, ok := d.src(&elems[i], t)
		if !ok {
			return
		}
		d.out.Src = append(d.out.Src, v)
	}
	if grad {
		if !d.gradients() {
			return
		}
	} else if len(d.in.ops) == 3 {
		v, ok := d.src(&d.in.ops[2], d.out.SrcType)
		if !ok {
			return
		}
		d.out.Src = append(d.out.Src, v)
	}
	d.e.add(d.out)
}

// gradients resolves dPdx and dPdy of tex.grad. Textures have one level of detail, so the registers are read
// without an effect. More than two coordinates would exceed the number of sources of an instruction.
func (d *decoder) gradients() bool {
	n := map[ir.Tex]int{ir.Tex1D: 1, ir.TexA1D: 1, ir.Tex2D: 2}[d.out.Mods.Tex]
	if n == 0 {
		d.errorf(d.in.pos, "found %s, expected the geometry 1d, a1d or 2d of one with gradients", d.in.full())
		return false
	}
	for i := 2; i < 4; i++ {
		list := []operand{d.in.ops[i]}
		if d.in.ops[i].kind == opVector {
			list = d.in.ops[i].elems
		}
		if len(list) != n {
			d.errorf(d.in.ops[i].pos, "found %d gradients, expected %d", len(list), n)
			return false
		}
		for j := range list {
			v, ok := d.src(&list[j], ir.F32)
			if !ok {
				return false
			}
			d.out.Src = append(d.out.Src, v)
		}
	}
	return true
}

// texels resolves the destinations.
func (d *decoder) texels(o *operand) bool {
	if d.vec == 1 {
		d.vec = max(1, len(o.elems))
	}
	list := d.elements(o)
	for i := range list {
		if list[i].kind == opSink {
			d.out.Dst = append(d.out.Dst, ir.Operand{})
			continue
		}
		r, ok := d.dst(&list[i], d.out.Type)
		if !ok {
			return false
		}
		d.out.Dst = append(d.out.Dst, r)
	}
	return list != nil
}

// texture resolves a texture by name or through a handle in a register.
func (d *decoder) texture(o *operand) bool {
	sym := d.e.lookup(d.s, o.name)
	d.out.Space = ir.Texture
	if o.kind == opName && sym != nil && sym.kind == symReg {
		r, ok := d.src(o, ir.B64)
		d.out.Addr.Base = r
		return ok
	}
	if o.kind != opName || sym == nil || sym.kind != symVar || !sym.v.tex {
		d.errorf(o.pos, "found %s, expected a texture or a register with its handle", o.describe())
		return false
	}
	if sym.v.space == ir.Param { // the launch passes the handle
		d.out.Addr.Base = ir.Operand{Kind: ir.KindParam, Words: 2, Imm: sym.v.addr}
		return sym.slot == nil || d.noTexture(o)
	}
	if sym.v.extern {
		return d.noTexture(o)
	}
	d.out.Sym = o.name
	d.out.Addr.Offset = int64(sym.v.addr)
	d.uses(o.name)
	return true
}

func (d *decoder) noTexture(o *operand) bool {
	d.errorf(o.pos, "found %s, which is not a texture of this module or a parameter of the kernel", o.name)
	return false
}

// uses records a texture reference of the module as used by the kernel.
func (d *decoder) uses(name string) {
	if slices.Contains(d.e.k.Textures, name) {
		return
	}
	d.e.k.Textures = append(d.e.k.Textures, name)
}
