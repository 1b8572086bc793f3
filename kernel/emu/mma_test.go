package emu

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/kernel/emu/softfloat"
	"kumiko/kernel/mem"
)

// kindOf is how a type of elements is held in memory, by the bits of a small integer.
type kindOf struct {
	bits  int
	value func(v int) uint64
}

func asFloat(f *softfloat.Format) func(v int) uint64 {
	return func(v int) uint64 { return f.Round(softfloat.Int(uint64(int64(v)), true), softfloat.NearestEven) }
}

var elementKinds = map[string]kindOf{
	"f16": {16, asFloat(softfloat.F16)}, "bf16": {16, asFloat(softfloat.BF16)}, "tf32": {32, asFloat(softfloat.F32)},
	"f32": {32, asFloat(softfloat.F32)}, "f64": {64, asFloat(softfloat.F64)},
	"s8":  {8, func(v int) uint64 { return uint64(uint8(v)) }},
	"u8":  {8, func(v int) uint64 { return uint64(uint8(v)) }},
	"s32": {32, func(v int) uint64 { return uint64(uint32(v)) }},
}

// matrix is small integers by rows.
type matrix [][]int

func randomMatrix(t *rapid.T, rows, columns, low, high int) matrix {
	m := make(matrix, rows)
	for i := range m {
		m[i] = make([]int, columns)
		for j := range m[i] {
			m[i][j] = rapid.IntRange(low, high).Draw(t, "element")
		}
	}
	return m
}

// store writes a matrix by rows, or by columns, ld elements apart.
func (m matrix) store(data []byte, k kindOf, ld int, byColumns bool) {
	for i := range m {
		for j, v := range m[i] {
			at := i*ld + j
			if byColumns {
				at = j*ld + i
			}
			at *= k.bits / 8
			switch x := k.value(v); k.bits {
			case 8:
				data[at] = byte(x)
			case 16:
				binary.LittleEndian.PutUint16(data[at:], uint16(x))
			case 32:
				binary.LittleEndian.PutUint32(data[at:], uint32(x))
			default:
				binary.LittleEndian.PutUint64(data[at:], x)
			}
		}
	}
}

// product returns a*b + c in integers, which all the types represent exactly.
func product(a, b, c matrix) matrix {
	d := make(matrix, len(c))
	for i := range c {
		d[i] = append([]int(nil), c[i]...)
		for j := range d[i] {
			for k := range b {
				d[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return d
}

// A fragment by the figures of PTX ISA section 9.7.14.5: the row and the column of element i of
// a lane, for A of m x k, B of k x 8 and C of m x 8 elements of some bits.

func rowOfA(bits, m, l, i int) (row, column int) {
	e := max(32/bits, 1)
	register, part := i/e, i%e
	if m == 8 {
		return l / 4, register*4*e + l%4*e + part
	}
	return l/4 + 8*(register%2), register/2*4*e + l%4*e + part
}

func rowOfB(bits, l, i int) (row, column int) {
	e := max(32/bits, 1)
	return i/e*4*e + l%4*e + i%e, l / 4
}

func rowOfC(l, i int) (row, column int) { return l/4 + 8*(i/2), 2*(l%4) + i%2 }

// runMma runs a kernel that loads the fragments of A, B and C, multiplies them, and stores the fragment of D. The
// elements are in memory in the order of the ISA's figures.
func runMma(t *testing.T, form string, m, k int, td, ta, tb string, a, b, c matrix) matrix {
	kd, ka, kb := elementKinds[td], elementKinds[ta], elementKinds[tb]
	na, nb, nc := m*k/32, 8*k/32, m*8/32
	var buf []byte
	lane := func(l int) {
		put := func(k kindOf, v int) {
			buf = binary.LittleEndian.AppendUint64(buf, k.value(v))[:len(buf)+k.bits/8]
		}
		for i := range na {
			r, col := rowOfA(ka.bits, m, l, i)
			put(ka, a[r][col])
		}
		for len(buf)%8 != 0 {
			buf = append(buf, 0)
		}
		for i := range nb {
			r, col := rowOfB(kb.bits, l, i)
			put(kb, b[r][col])
		}
		for len(buf)%8 != 0 {
			buf = append(buf, 0)
		}
		for i := range nc {
			r, col := rowOfC(l, i)
			put(kd, c[r][col])
		}
		for len(buf)%8 != 0 {
			buf = append(buf, 0)
		}
	}
	for l := range 32 {
		lane(l)
	}
	per := len(buf) / 32
	up := func(n int) int { return (n + 7) / 8 * 8 }
	load := func(name string, n, bits, at int) (text, list string) {
		var regs []string
		if bits == 64 {
			for i := range n {
				text += fmt.Sprintf("ld.global.b64 %%w%s%d, [%%rd2+%d];\n", name, i, at+8*i)
				regs = append(regs, fmt.Sprintf("%%w%s%d", name, i))
			}
			return text, "{" + strings.Join(regs, ", ") + "}"
		}
		for i := range n * bits / 32 {
			text += fmt.Sprintf("ld.global.b32 %%x%s%d, [%%rd2+%d];\n", name, i, at+4*i)
			regs = append(regs, fmt.Sprintf("%%x%s%d", name, i))
		}
		return text, "{" + strings.Join(regs, ", ") + "}"
	}
	la, fa := load("a", na, ka.bits, 0)
	lb, fb := load("b", nb, kb.bits, up(na*ka.bits/8))
	atC := up(na*ka.bits/8) + up(nb*kb.bits/8)
	lc, fc := load("c", nc, kd.bits, atC)
	text := fmt.Sprintf(`.reg .b32 %%xa<9>, %%xb<9>, %%xc<9>; .reg .b64 %%wa<9>, %%wb<9>, %%wc<9>;
	mul.lo.u32 %%r1, %%r0, %d; cvt.u64.u32 %%rd1, %%r1; add.u64 %%rd2, %%rd0, %%rd1;
	%s%s%smma.sync.aligned.m%dn8k%d.row.col%s.%s.%s.%s.%s %s, %s, %s, %s;
	`, per, la, lb, lc, m, k, form, td, ta, tb, td, fc, fa, fb, fc)
	for i := range nc * kd.bits / max(32, min(64, kd.bits)) {
		if kd.bits == 64 {
			text += fmt.Sprintf("st.global.b64 [%%rd2+%d], %%wc%d;\n", atC+8*i, i)
		} else {
			text += fmt.Sprintf("st.global.b32 [%%rd2+%d], %%xc%d;\n", atC+4*i, i)
		}
	}
	var dev mem.Memory
	addr := dev.Alloc("fragments", len(buf))
	data, _ := dev.Bytes(addr, len(buf))
	copy(data, buf)
	if err := runText(t, text, 1, 32, &dev, addr); err != nil {
		t.Fatal(err)
	}
	out := make(matrix, m)
	for i := range out {
		out[i] = make([]int, 8)
	}
	for l := range 32 {
		for i := range nc {
			r, col := rowOfC(l, i)
			out[r][col] = kd.read(data[per*l+atC+i*kd.bits/8:], td)
		}
	}
	return out
}

// read returns an element as an integer.
func (k kindOf) read(data []byte, t string) int {
	switch t {
	case "f16":
		return int(halves()[binary.LittleEndian.Uint16(data)])
	case "f32":
		return int(math.Float32frombits(binary.LittleEndian.Uint32(data)))
	case "f64":
		return int(math.Float64frombits(binary.LittleEndian.Uint64(data)))
	}
	return int(int32(binary.LittleEndian.Uint32(data)))
}

func TestAMatrixProductIsThatOfTheFragmentsOfTheFigures(t *testing.T) {
	type shape struct {
		m, k       int
		td, ta, tb string
		low, high  int // of the elements of A and B
	}
	shapes := []shape{
		{16, 8, "f32", "f16", "f16", -9, 9}, {16, 16, "f32", "f16", "f16", -9, 9}, {16, 8, "f16", "f16", "f16", -9, 9},
		{16, 16, "f16", "f16", "f16", -9, 9}, {16, 8, "f32", "bf16", "bf16", -9, 9},
		{16, 16, "f32", "bf16", "bf16", -9, 9},
		{16, 4, "f32", "tf32", "tf32", -99, 99}, {16, 8, "f32", "tf32", "tf32", -99, 99},
		{8, 4, "f64", "f64", "f64", -99, 99},
		{8, 16, "s32", "s8", "s8", -128, 127}, {16, 16, "s32", "u8", "u8", 0, 255},
		{16, 32, "s32", "s8", "s8", -128, 127},
		{16, 32, "s32", "u8", "u8", 0, 255},
	}
	rapid.Check(t, func(r *rapid.T) {
		f := rapid.SampledFrom(shapes).Draw(r, "shape")
		a, b := randomMatrix(r, f.m, f.k, f.low, f.high), randomMatrix(r, f.k, 8, f.low, f.high)
		c := randomMatrix(r, f.m, 8, -50, 50)
		want := product(a, b, c)
		if d := cmp.Diff(want, runMma(t, "", f.m, f.k, f.td, f.ta, f.tb, a, b, c)); d != "" {
			r.Fatalf("m%dn8k%d %s %s: %s", f.m, f.k, f.td, f.ta, d)
		}
	})
}

func TestAnIntegerProductIsClampedWithSatfinite(t *testing.T) {
	a, b, c := make(matrix, 8), make(matrix, 16), make(matrix, 8)
	for i := range a {
		a[i], c[i] = make([]int, 16), make([]int, 8)
		for j := range c[i] {
			a[i][0], c[i][j] = 127, math.MaxInt32-3
		}
	}
	for i := range b {
		b[i] = []int{1, -1, 0, 1, 1, 1, 1, 1}
	}
	for form, want := range map[string]int{"": math.MinInt32 + 123, ".satfinite": math.MaxInt32} {
		got := runMma(t, form, 8, 16, "s32", "s8", "s8", a, b, c)
		if got[3][0] != want || got[3][1] != math.MaxInt32-130 || got[3][2] != math.MaxInt32-3 {
			t.Errorf("%q: %v, want %d first", form, got[3], want)
		}
	}
}

// 1 + 2^-24 + 2^-24 is rounded once: in single precision after each addition it would be 1.
func TestASumOfProductsIsRoundedOnce(t *testing.T) {
	got := results(t, `mov.b32 %r1, 0x00003c00; mov.b32 %r2, 0x00010001; mov.b32 %r3, 0x3c003c00;
	.reg .b32 %d<4>; and.b32 %r4, %r0, 3; setp.ne.u32 %p1, %r4, 0; @%p1 mov.b32 %r3, 0;
	mov.b32 %d0, 0x3f800000; mov.b32 %d1, 0x3f800000; mov.b32 %d2, 0x3f800000; mov.b32 %d3, 0x3f800000;
	mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%d0, %d1, %d2, %d3}, {%r2, %r2}, {%r3}, {%d0, %d1, %d2, %d3};
	mov.b32 %r5, %d0;`+storeR5, 1, 32, 32)
	wantEach(t, got, func(int) uint32 { return 0x3f800001 }) // 2 * 2^-24 more
}

func TestAMatrixProductOfAPartOfAWarpIsRefused(t *testing.T) {
	err := runText(t, `setp.lt.u32 %p1, %r0, 31; @%p1 mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1, %r2}, {%r3}, {%r4}, {%r1, %r2};`,
		1, 32, &mem.Memory{})
	wantError(t, err, "the lanes 0x7fffffff execute it, expected all 32")
}
