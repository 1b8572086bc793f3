package emu

import (
	"math"
	"sync"

	"kumiko/kernel/emu/softfloat"
	"kumiko/kernel/ir"
)

// Matrix multiply-add of a warp, PTX ISA section 9.7.14.5. The lanes of a warp are eight groups of four: lane l is
// number l%4 of group l/4. The fragments of all types are as in the ISA's figures for m16n8 and m8n8 shapes. A
// register holds e = 32/w elements of w bits:
//
//	register r of A: row l/4 + 8(r mod M/8), columns 4e(r div M/8) + e(l%4) and on
//	register r of B: column l/4, rows 4e r + e(l%4) and on
//	element i of C, D: row l/4 + 8(i div 2), column 2(l%4) + i mod 2
//
// An f64 fills two registers, counted as one.

// mmaOp is the shape, the types and the rows of a matrix multiply-add.
type mmaOp struct {
	m, k       int
	ta, tb, tc ir.Type
	sat        bool
	a, b, c, d []int32 // rows, one for each word
}

// words returns the number of registers of a lane for a matrix.
func (*mmaOp) words(rows, columns int, t ir.Type) int { return rows * columns * t.Size() / 4 / 32 }

func decodeMma(p *decoder) {
	in := p.in
	x := &mmaOp{m: int(in.Mods.MatrixM), k: int(in.Mods.MatrixK), ta: in.SrcType, tb: in.Mods.MatrixB, tc: in.Type,
		sat: in.Mods.Sat}
	next := 0
	take := func(n int, t ir.Type) (rows []int32) {
		for len(rows) < n {
			first := p.source(p.src(next), t, t.Words())
			for i := range max(t.Words(), 1) {
				rows = append(rows, first+int32(i))
			}
			next++
		}
		return rows
	}
	register := func(t ir.Type) ir.Type {
		if t == ir.F64 {
			return ir.B64
		}
		return ir.B32
	}
	x.a = take(x.words(x.m, x.k, x.ta), register(x.ta))
	x.b = take(x.words(x.k, 8, x.tb), register(x.tb))
	x.c = take(x.words(x.m, 8, x.tc), register(x.tc))
	for i := range in.Dst {
		first := p.dest(i, register(x.tc).Words())
		for j := range register(x.tc).Words() {
			x.d = append(x.d, first+int32(j))
		}
	}
	if len(x.d) != len(x.c) || next != len(in.Src) {
		p.fail("%d sources and %d results of the shape m%dn8k%d", len(in.Src), len(in.Dst), x.m, x.k)
		return
	}
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		if w.allLanes(exec) {
			x.execute(w)
		}
	}
}

// allLanes checks that all lanes of a warp execute an instruction.
func (w *warp) allLanes(exec uint32) bool {
	if exec != ^uint32(0) {
		w.fail("the lanes %#x execute it, expected all 32", exec)
		return false
	}
	return true
}

// execute computes the product. The result rows may also be sources, so results are written after all reads.
func (x *mmaOp) execute(w *warp) {
	switch {
	case x.tc == ir.S32:
		x.integers(w)
	case x.tc == ir.F64:
		x.doubles(w)
	default:
		x.floats(w)
	}
}

// elements calls take for each element of A or B: its row of the warp, its lane, its lowest bit, and its place in
// the matrix: the row of A or the column of B, and k. blocks is the number of registers with the same columns of A.
func (x *mmaOp) elements(rows []int32, blocks int, t ir.Type, take func(row int32, lane, shift, line, k int)) {
	e := 4 / t.Size()
	for r, row := range rows {
		for l := range 32 {
			for i := range e {
				take(row, l, 8*t.Size()*i, l/4+8*(r%blocks), 4*e*(r/blocks)+e*(l%4)+i)
			}
		}
	}
}

// results calls take for each element of C or D, of at most 32 bits.
func (x *mmaOp) results(take func(word, lane, shift, row, column int)) {
	per := 4 / x.tc.Size()
	for r := range x.c {
		for l := range 32 {
			for h := range per {
				i := r*per + h
				take(r, l, 16*h, l/4+8*(i/2), 2*(l%4)+i%2)
			}
		}
	}
}

// maxRows and maxColumns bound A.
const maxRows, maxColumns = 16, 32

func (x *mmaOp) integers(w *warp) {
	var a [maxRows][maxColumns]int32
	var b [8][maxColumns]int32
	value := func(t ir.Type, v uint32) int32 {
		if t == ir.S8 {
			return int32(int8(v))
		}
		return int32(v & 0xff)
	}
	x.elements(x.a, x.m/8, x.ta, func(row int32, l, shift, line, k int) {
		a[line][k] = value(x.ta, w.rows[row][l]>>shift)
	})
	x.elements(x.b, 1, x.tb, func(row int32, l, shift, line, k int) {
		b[line][k] = value(x.tb, w.rows[row][l]>>shift)
	})
	var out [4]row
	x.results(func(word, l, _, line, column int) {
		sum := int64(int32(w.rows[x.c[word]][l]))
		for k := range x.k {
			sum += int64(a[line][k]) * int64(b[column][k])
		}
		if x.sat {
			sum = min(max(sum, math.MinInt32), math.MaxInt32)
		}
		out[word][l] = uint32(sum)
	})
	x.write(w, &out)
}

func (x *mmaOp) write(w *warp, out *[4]row) {
	for i, d := range x.d {
		w.rows[d] = out[i]
	}
}

// halves has the value of every half-precision number.
var halves = sync.OnceValue(func() *[1 << 16]float32 {
	t := new([1 << 16]float32)
	for i := range t {
		t[i] = math.Float32frombits(uint32(softfloat.F32.Round(softfloat.F16.Unpack(uint64(i)), softfloat.NearestEven)))
	}
	return t
})

// valueOf returns the value of an element. For tf32, the lower 13 bits of the register are ignored.
func valueOf(t ir.Type, v uint32) float64 {
	switch t {
	case ir.F16:
		return float64(halves()[v&0xffff])
	case ir.BF16:
		return float64(math.Float32frombits(v << 16))
	case ir.TF32:
		return float64(math.Float32frombits(v &^ 0x1fff))
	}
	return float64(math.Float32frombits(v))
}

// floats multiplies exactly and adds in double precision: the element of C first, and then by ascending k. It
// rounds the sum to the type of D, to nearest even.
func (x *mmaOp) floats(w *warp) {
	var a [maxRows][maxColumns]float64
	var b [8][maxColumns]float64
	x.elements(x.a, x.m/8, x.ta, func(row int32, l, shift, line, k int) {
		a[line][k] = valueOf(x.ta, w.rows[row][l]>>shift)
	})
	x.elements(x.b, 1, x.tb, func(row int32, l, shift, line, k int) {
		b[line][k] = valueOf(x.tb, w.rows[row][l]>>shift)
	})
	var out [4]row
	x.results(func(word, l, shift, line, column int) {
		sum := valueOf(x.tc, w.rows[x.c[word]][l]>>shift)
		for k := range x.k {
			sum += a[line][k] * b[column][k]
		}
		out[word][l] |= roundedTo(x.tc, sum) << shift
	})
	x.write(w, &out)
}

func roundedTo(t ir.Type, v float64) uint32 {
	if t == ir.F16 {
		return uint32(softfloat.F16.Round(softfloat.F64.Unpack(math.Float64bits(v)), softfloat.NearestEven))
	}
	return fromF32(float32(v))
}

// doubles adds by ascending k with fused multiply-adds, each rounded.
func (x *mmaOp) doubles(w *warp) {
	var a, b [8][4]float64
	for l := range 32 {
		a[l/4][l%4] = math.Float64frombits(lane64(w.pair(x.a[0]), l))
		b[l/4][l%4] = math.Float64frombits(lane64(w.pair(x.b[0]), l))
	}
	var out [4]row
	for l := range 32 {
		for i := range 2 {
			sum := math.Float64frombits(lane64(w.pair(x.c[2*i]), l))
			for k := range x.k {
				sum = math.FMA(a[l/4][k], b[2*(l%4)+i][k], sum)
			}
			v := math.Float64bits(sum)
			if sum != sum {
				v = softfloat.F64.NaN()
			}
			out[2*i][l], out[2*i+1][l] = uint32(v), uint32(v>>32)
		}
	}
	x.write(w, &out)
}
