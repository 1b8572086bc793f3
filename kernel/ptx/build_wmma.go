package ptx

import (
	"fmt"

	"kumiko/kernel/ir"
)

// A program has the fragments of wmma only as wholes: the place of each element is left open (PTX ISA section
// 9.7.14.4.1). Here the fragments are those of mma, 16 rows of the left matrix by 8 columns of the right one. If D
// has 8 rows, the product is computed on the transposed matrices: B is the left one.

// wmmaShape is a shape of wmma, by the types of A and B.
type wmmaShape struct{ m, n, k int }

// wmmaShapes are the supported shapes.
var wmmaShapes = map[wmmaShape]typeSet{
	{16, 16, 16}: types(ir.F16, ir.BF16, ir.S8, ir.U8), {32, 8, 16}: types(ir.F16, ir.BF16, ir.S8, ir.U8),
	{8, 32, 16}: types(ir.F16, ir.BF16, ir.S8, ir.U8), {16, 16, 8}: types(ir.TF32), {8, 8, 4}: tF64,
}

// gLayouts are the layouts of A and B, one behind the other.
var gLayouts = flag(ignore, "row", "col")

// wmma returns the rows of wmma.load, wmma.store and wmma.mma.
func wmma(sync, aligned *group) []row {
	shapes := &group{"a shape", map[string]int{}, ignore}
	for s := range wmmaShapes {
		shapes.vals[s.String()] = 1
	}
	what := flag(ignore, "load", "store", "mma")
	return []row{{op: ir.OpMma, groups: []*group{what, flag(ignore, "a", "b", "c", "d"), sync, aligned, shapes,
		gLayouts, gSpace, gSat, gFloatRound}, need: []*group{what, sync, aligned, shapes},
		build: buildWmma}}
}

func (s wmmaShape) String() string { return fmt.Sprintf("m%dn%dk%d", s.m, s.n, s.k) }

// transposed reports whether B is the left matrix.
func (s wmmaShape) transposed() bool { return s.m == 8 && s.n > 8 }

// blocks returns the numbers of left and right blocks, and the rows of a left one.
func (s wmmaShape) blocks() (left, right, rows int) {
	l, r := s.m, s.n
	if s.transposed() {
		l, r = r, l
	}
	rows = min(l, 16)
	return l / rows, r / 8, rows
}

func (d *decoder) wmmaShape() wmmaShape {
	for s := range wmmaShapes {
		if d.in.has(s.String()) {
			return s
		}
	}
	panic("ptx: wmma without a shape")
}

// buildWmma builds the instructions of wmma.
func buildWmma(d *decoder) {
	d.out.Mods.Round = ir.RoundDefault
	s := d.wmmaShape()
	switch {
	case d.in.has("mma"):
		d.wmmaMultiply(s)
	case len(d.types) != 1 || d.in.has("row") == d.in.has("col"):
		d.errorf(d.in.pos, "found %s, expected .row or .col and one type", d.in.full())
	case d.in.has("load"):
		d.wmmaMove(s, d.in.ops, 1, 0)
	default:
		d.wmmaMove(s, d.in.ops, 0, 1)
	}
}

// tile is the layout in memory of the elements of a fragment, of one register or of all: the address of element
// (line, k) is line*ld + k, or with swapped k*ld + line, in elements.
type tile struct {
	typ      ir.Type
	each     int // elements of a register
	words    int // of a register
	place    func(register, element int) (line, k int)
	count    int // registers with elements of their own
	listed   int // registers of the instruction
	swapped  bool
	pairs    bool // lanes of a group have two consecutive elements of a line, however many a register has
	pointers map[int]ir.Operand
	ld       ir.Operand
	first    ir.Operand // of the lane's elements
}

// tileOf describes the fragment of matrix a, b, c or d.
func (d *decoder) tileOf(s wmmaShape, t ir.Type) (*tile, bool) {
	left, right, rows := s.blocks()
	x := &tile{typ: t, each: max(1, 4/t.Size()), words: max(1, t.Size()/4), pointers: map[int]ir.Operand{}}
	byRow := d.in.has("row")
	var role string
	for _, m := range []string{"a", "b", "c", "d"} {
		if d.in.has(m) {
			role = m
		}
	}
	e := x.each
	operand := role == "a" || role == "b"
	switch leftOne := (role == "a") != s.transposed(); {
	case role == "c" && d.in.has("load") || role == "d" && d.in.has("store"):
		per := rows * 8 / 32 / e // registers of a block
		x.count, x.pairs = left*right*per, true
		x.place = func(r, i int) (int, int) {
			block, n := r/per, (r%per)*e+i
			return block/right*16 + 8*(n/2), block%right*8 + n%2
		}
		x.swapped = byRow == s.transposed()
	case !operand || d.in.has("store"):
		d.errorf(d.in.pos, "found %s, expected .load.a, .load.b, .load.c or .store.d", d.in.full())
		return nil, false
	case leftOne:
		per := rows / 8 * s.k / 4 / e
		x.count = left * per
		x.place = func(r, i int) (int, int) {
			block, n := r/per, r%per
			return block*16 + 8*(n%(rows/8)), 4*e*(n/(rows/8)) + i
		}
		x.swapped = byRow == (role == "b")
	default:
		per := s.k / 4 / e
		x.count = right * per
		x.place = func(r, i int) (int, int) { return r / per * 8, 4*e*(r%per) + i }
		x.swapped = byRow == (role == "b")
	}
	x.listed = x.count
	if operand && t == ir.F16 {
		x.listed = 8 // the ISA's number, whatever the shape
	}
	ok := wmmaShapes[s].has(t)
	if !operand {
		ok = accumulators(s).has(t)
	}
	if !ok {
		d.errorf(d.in.pos, "found %s, whose type .%s the shape does not have", d.in.full(), t)
	}
	return x, ok
}

// accumulators returns the types of C and D of a shape.
func accumulators(s wmmaShape) typeSet {
	switch s {
	case wmmaShape{16, 16, 8}:
		return tF32
	case wmmaShape{8, 8, 4}:
		return tF64
	}
	return types(ir.F16, ir.F32, ir.S32)
}

// wmmaMove builds wmma.load r, [a]{, stride} and wmma.store [a], r{, stride}.
func (d *decoder) wmmaMove(s wmmaShape, ops []operand, at, regs int) {
	if !d.need(2, 3) {
		return
	}
	x, ok := d.tileOf(s, d.types[0])
	if !ok {
		return
	}
	d.out.Type = d.types[0]
	list, ok := d.fragment(&ops[regs], x.listed*x.words, x.typ, at == 1)
	p, good := d.memory(&ops[at])
	if !ok || !good {
		return
	}
	if x.ld, ok = d.stride(s); !ok {
		return
	}
	d.lanePointer(x, p.addr)
	for r := range x.count {
		if at == 1 {
			d.loadRegister(x, r, list[r])
		} else {
			d.storeRegister(x, r, list[r])
		}
	}
	for r := x.count; r < x.listed && at == 1; r++ {
		d.step(ir.OpMov, ir.B32, list[r], list[r%x.count])
	}
}

// stride returns the distance of rows, or of columns with .col, in elements. Without an operand the matrix is
// contiguous in memory.
func (d *decoder) stride(s wmmaShape) (ir.Operand, bool) {
	if len(d.in.ops) == 3 {
		return d.src(&d.in.ops[2], ir.U32)
	}
	rows, columns := s.m, s.n
	switch {
	case d.in.has("a"):
		columns = s.k
	case d.in.has("b"):
		rows = s.k
	}
	if d.in.has("col") {
		columns = rows
	}
	return ir.Imm(uint64(columns), 1), true
}

// lanePointer computes the address of lane l's first element. The line is l/4. The element is e(l%4) with e
// elements per register, or 2(l%4) for the pairs of C and D.
func (d *decoder) lanePointer(x *tile, a ir.Addr) {
	lane := d.result(ir.OpMov, ir.U32, ir.Operand{Kind: ir.KindSpecial, Special: ir.LaneID, Words: 1})
	line := d.result(ir.OpShr, ir.U32, lane, ir.Imm(2, 1))
	k := d.result(ir.OpAnd, ir.B32, lane, ir.Imm(3, 1))
	e := x.each
	if x.pairs {
		e = 2
	}
	if e > 1 {
		k = d.result(ir.OpMul, ir.U32, k, ir.Imm(uint64(e), 1))
		d.low()
	}
	if x.swapped {
		line, k = k, line
	}
	index := d.result(ir.OpMad, ir.U32, line, x.ld, k)
	d.low()
	base := d.result(ir.OpMov, ir.U64, ir.Imm(0, 2))
	if a.Base.Kind != ir.KindNone {
		base = a.Base
	}
	x.first = d.advanced(base, index, x.typ.Size(), a.Offset)
	x.pointers[0] = x.first
}

// advanced returns the address the given numbers of elements and bytes behind another one.
func (d *decoder) advanced(base, elements ir.Operand, size int, bytes int64) ir.Operand {
	off := d.result(ir.OpMad, ir.U32, elements, ir.Imm(uint64(size), 1), ir.Imm(uint64(uint32(bytes)), 1))
	d.low()
	if base.Words == 1 {
		return d.result(ir.OpAdd, ir.U32, base, off)
	}
	return d.result(ir.OpAdd, ir.U64, base, d.convert(ir.S64, ir.S32, off))
}

// elementAt returns the address of an element of a register.
func (d *decoder) elementAt(x *tile, register, element int) ir.Addr {
	line, k := x.place(register, element)
	if x.swapped {
		line, k = k, line
	}
	p, ok := x.pointers[line]
	if !ok {
		n := d.result(ir.OpMul, ir.U32, x.ld, ir.Imm(uint64(line), 1))
		d.low()
		p = d.advanced(x.first, n, x.typ.Size(), 0)
		x.pointers[line] = p
	}
	return ir.Addr{Base: p, Offset: int64(k * x.typ.Size())}
}

// accessElement appends a load or a store of one value of a fragment.
func (d *decoder) accessElement(op ir.Op, t ir.Type, at ir.Addr, v ir.Operand) {
	in := d.plain(op)
	in.Type, in.Space, in.Guard, in.Addr = t, d.out.Space, d.guard, at
	if op == ir.OpLd {
		in.Dst = []ir.Operand{v}
	} else {
		in.Src = []ir.Operand{v}
	}
	d.e.add(in)
}

// wordType returns the type of a whole register.
func (x *tile) wordType() ir.Type {
	if x.words == 2 {
		return ir.B64
	}
	return ir.B32
}

func (d *decoder) loadRegister(x *tile, r int, to ir.Operand) {
	if x.each == 1 || !x.swapped {
		d.accessElement(ir.OpLd, x.wordType(), d.elementAt(x, r, 0), to)
		return
	}
	part := map[int]ir.Type{2: ir.U16, 4: ir.U8}[x.each]
	var whole ir.Operand
	for i := range x.each {
		v := d.e.temp(4)
		d.accessElement(ir.OpLd, part, d.elementAt(x, r, i), v)
		if i > 0 {
			bits := 32 / x.each
			v = d.result(ir.OpBfi, ir.B32, v, whole, ir.Imm(uint64(bits*i), 1), ir.Imm(uint64(bits), 1))
		}
		whole = v
	}
	d.step(ir.OpMov, ir.B32, to, whole)
}

func (d *decoder) storeRegister(x *tile, r int, from ir.Operand) {
	if x.each == 1 || !x.swapped {
		d.accessElement(ir.OpSt, x.wordType(), d.elementAt(x, r, 0), from)
		return
	}
	for i := range x.each {
		bits := 32 / x.each
		v := d.result(ir.OpShr, ir.U32, from, ir.Imm(uint64(bits*i), 1))
		d.accessElement(ir.OpSt, map[int]ir.Type{2: ir.U16, 4: ir.U8}[x.each], d.elementAt(x, r, i), v)
	}
}

// wmmaMultiply builds wmma.mma.sync.aligned.alayout.blayout.shape.types d, a, b, c: an mma for
// each left and right block.
func (d *decoder) wmmaMultiply(s wmmaShape) {
	if !d.need(4, 4) {
		return
	}
	ts := d.types
	if len(ts) == 2 { // of D and C: A and B are f16
		ts = []ir.Type{ts[0], ir.F16, ir.F16, ts[1]}
	}
	if len(ts) != 4 || ts[0] != ts[3] || ts[1] != ts[2] && ts[0] != ir.S32 || !wmmaShapes[s].has(ts[1]) ||
		!wmmaShapes[s].has(ts[2]) || !d.accumulates(s, ts) {
		d.errorf(d.in.pos, "found %s, expected the types of a form that is supported", d.in.full())
		return
	}
	left, right, rows := s.blocks()
	lw, rw, cw := matrixWords(rows, s.k, ts[1]), matrixWords(s.k, 8, ts[1]), matrixWords(rows, 8, ts[0])
	aw, bw := left*lw, right*rw
	if s.transposed() {
		aw, bw = bw, aw
	}
	if ts[1] == ir.F16 {
		aw, bw = 8, 8
	}
	to, ok := d.fragment(&d.in.ops[0], left*right*cw, ts[0], true)
	a, okA := d.fragment(&d.in.ops[1], aw, ts[1], false)
	b, okB := d.fragment(&d.in.ops[2], bw, ts[2], false)
	c, okC := d.fragment(&d.in.ops[3], left*right*cw, ts[0], false)
	if !ok || !okA || !okB || !okC {
		return
	}
	if ta := ts[1]; s.transposed() {
		a, b, ts[1], ts[2] = b, a, ts[2], ta
	}
	per := 1
	if ts[0] == ir.F64 {
		per = 2
	}
	d.out.Mods.MatrixM, d.out.Mods.MatrixK = uint8(rows), uint16(s.k)
	d.blocks(ts, to, a, b, c, [3]int{lw / per, rw / per, cw / per}, right)
}

// accumulates reports whether C and D may have their type.
func (d *decoder) accumulates(s wmmaShape, ts []ir.Type) bool {
	integer := ts[1].Size() == 1
	return accumulators(s).has(ts[0]) && integer == (ts[0] == ir.S32) && (ts[0] != ir.F16 || ts[1] == ir.F16) &&
		(!d.out.Mods.Sat || integer)
}

// blocks multiplies block by block. n has the numbers of registers of a block of the left matrix, of the right one
// and of the result. If a result would overwrite a source of a later block, the results go through registers of
// their own.
func (d *decoder) blocks(ts []ir.Type, to, a, b, c []ir.Operand, n [3]int, right int) {
	clash := false
	for i, r := range to {
		for j, v := range c {
			clash = clash || i < j && i/n[2] != j/n[2] && v.Kind == ir.KindReg && r.Reg == v.Reg
		}
		for _, v := range append(append([]ir.Operand(nil), a...), b...) {
			clash = clash || v.Kind == ir.KindReg && r.Reg == v.Reg
		}
	}
	results := to
	if clash {
		results = make([]ir.Operand, len(to))
		for i := range to {
			results[i] = d.e.temp(4 * int(to[i].Words))
		}
	}
	for block := range len(to) / n[2] {
		i, j, at := block/right*n[0], block%right*n[1], block*n[2]
		d.multiply(ts[0], ts[1], ts[2], results[at:at+n[2]:at+n[2]], a[i:i+n[0]], b[j:j+n[1]], c[at:at+n[2]])
	}
	for i := range to {
		if clash {
			d.step(ir.OpMov, map[uint8]ir.Type{1: ir.B32, 2: ir.B64}[to[i].Words], to[i], results[i])
		}
	}
}
