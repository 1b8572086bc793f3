package ptx

import (
	"fmt"

	"kumiko/kernel/ir"
)

// mmaShape is a shape of mma for elements of A and B of some types, and of C and D.
type mmaShape struct {
	m, k int
	ab   typeSet
	cd   typeSet
}

// mmaShapes are the supported shapes of PTX ISA section 9.7.14.5.14.
var mmaShapes = []mmaShape{
	{16, 8, types(ir.F16), types(ir.F16, ir.F32)}, {16, 16, types(ir.F16), types(ir.F16, ir.F32)},
	{16, 8, types(ir.BF16), tF32}, {16, 16, types(ir.BF16), tF32},
	{16, 4, types(ir.TF32), tF32}, {16, 8, types(ir.TF32), tF32},
	{8, 4, tF64, tF64},
	{8, 16, types(ir.S8, ir.U8), types(ir.S32)}, {16, 16, types(ir.S8, ir.U8), types(ir.S32)},
	{16, 32, types(ir.S8, ir.U8), types(ir.S32)},
}

// matrices: PTX ISA section 9.7.14.
func matrices() map[string][]row {
	shapes := &group{"a shape", map[string]int{}, func(in *ir.Inst, v int) {
		in.Mods.MatrixM, in.Mods.MatrixK = uint8(v>>8), uint16(v&0xff)
	}}
	for _, s := range mmaShapes {
		shapes.vals[fmt.Sprintf("m%dn8k%d", s.m, s.k)] = s.m<<8 | s.k
	}
	sync, aligned := flag(ignore, "sync"), flag(ignore, "aligned")
	square := flag(ignore, "m8n8")
	trans := flag(func(in *ir.Inst, _ int) { in.Mods.Trans = true }, "trans")
	count := flag(ignore, "x1", "x2", "x4")
	shared := &group{"a state space", map[string]int{"shared": int(ir.Shared), "shared::cta": int(ir.Shared)},
		gSpace.set}
	move := []*group{sync, aligned, square, count, trans, shared}
	must := []*group{sync, aligned, square, count}
	out := map[string][]row{
		"mma": {{op: ir.OpMma, groups: []*group{sync, aligned, shapes, flag(ignore, "row"), flag(ignore, "col"), gSat},
			need: []*group{sync, aligned, shapes}, build: buildMma}},
		"ldmatrix": {{op: ir.OpLdmatrix, types: types(ir.B16), groups: move, need: must, build: buildLdmatrix}},
		"stmatrix": {{op: ir.OpStmatrix, types: types(ir.B16), groups: move, need: must, build: buildLdmatrix}},
		"movmatrix": {{op: ir.OpMovmatrix, types: types(ir.B16), groups: []*group{sync, aligned, square, trans},
			need: []*group{sync, aligned, square, trans}, build: buildMovmatrix}},
	}
	out["wmma"] = wmma(sync, aligned)
	return out
}

// fragment resolves n words of a matrix: registers of 32 bits, or of 64 for f64.
func (d *decoder) fragment(o *operand, words int, t ir.Type, dst bool) ([]ir.Operand, bool) {
	r := ir.B32
	if t == ir.F64 {
		r, words = ir.B64, words/2
	}
	list := []operand{*o}
	if o.kind == opVector {
		list = o.elems
	}
	if len(list) != words {
		d.errorf(o.pos, "found %d registers of a matrix in %s, expected %d", len(list), d.in.full(), words)
		return nil, false
	}
	out := make([]ir.Operand, words)
	for i := range list {
		var ok bool
		if dst {
			out[i], ok = d.dst(&list[i], r)
		} else {
			out[i], ok = d.src(&list[i], r)
		}
		if !ok {
			return nil, false
		}
	}
	return out, true
}

// matrixWords returns the number of registers of a lane for a matrix.
func matrixWords(rows, columns int, t ir.Type) int { return rows * columns * t.Size() / 4 / 32 }

// buildMma builds mma.sync.aligned.shape.row.col{.satfinite}.dtype.atype.btype.ctype d, a, b, c.
func buildMma(d *decoder) {
	if !d.need(4, 4) {
		return
	}
	m, k := int(d.out.Mods.MatrixM), int(d.out.Mods.MatrixK)
	if !d.in.has("row") || !d.in.has("col") || len(d.types) != 4 || !d.mmaTypes(m, k) {
		d.errorf(d.in.pos, "found %s, expected .row.col and the types of D, A, B and C of a form that is supported",
			d.in.full())
		return
	}
	td, ta, tb := d.types[0], d.types[1], d.types[2]
	to, ok := d.fragment(&d.in.ops[0], matrixWords(m, 8, td), td, true)
	a, okA := d.fragment(&d.in.ops[1], matrixWords(m, k, ta), ta, false)
	b, okB := d.fragment(&d.in.ops[2], matrixWords(k, 8, tb), tb, false)
	c, okC := d.fragment(&d.in.ops[3], matrixWords(m, 8, td), td, false)
	if ok && okA && okB && okC {
		d.multiply(td, ta, tb, to, a, b, c)
	}
}

// mmaTypes reports whether a shape allows the types of the instruction.
func (d *decoder) mmaTypes(m, k int) bool {
	td, ta, tb, tc := d.types[0], d.types[1], d.types[2], d.types[3]
	if d.out.Mods.Sat && td != ir.S32 {
		return false
	}
	for _, s := range mmaShapes {
		if s.m == m && s.k == k && s.ab.has(ta) && s.ab.has(tb) && s.cd.has(td) && td == tc &&
			(ta == tb || td == ir.S32) {
			return true
		}
	}
	return false
}

// multiply appends D = A B + C.
func (d *decoder) multiply(td, ta, tb ir.Type, to, a, b, c []ir.Operand) {
	in := d.out
	in.Type, in.SrcType, in.Mods.MatrixB = td, ta, tb
	in.Dst = to
	in.Src = append(append(append([]ir.Operand(nil), a...), b...), c...)
	d.e.add(in)
}

// buildLdmatrix builds ldmatrix r, [a] and stmatrix [a], r.
func buildLdmatrix(d *decoder) {
	if !d.need(2, 2) {
		return
	}
	at, regs := &d.in.ops[1], &d.in.ops[0]
	store := d.out.Op == ir.OpStmatrix
	if store {
		at, regs = regs, at
	}
	n := 1
	switch {
	case d.in.has("x2"):
		n = 2
	case d.in.has("x4"):
		n = 4
	}
	list, ok := d.fragment(regs, n, ir.B32, !store)
	p, good := d.memory(at)
	if !ok || !good {
		return
	}
	d.out.Addr, d.out.Type = p.addr, ir.B32
	if store {
		d.out.Src = list
	} else {
		d.out.Dst = list
	}
	d.e.add(d.out)
}

// buildMovmatrix builds movmatrix.sync.aligned.m8n8.trans.b16 d, a.
func buildMovmatrix(d *decoder) {
	if !d.need(2, 2) {
		return
	}
	dst, ok := d.dst(&d.in.ops[0], ir.B32)
	src, good := d.src(&d.in.ops[1], ir.B32)
	if ok && good {
		d.out.Type, d.out.Dst, d.out.Src = ir.B32, []ir.Operand{dst}, []ir.Operand{src}
		d.e.add(d.out)
	}
}
