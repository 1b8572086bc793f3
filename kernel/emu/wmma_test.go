package emu

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/kernel/mem"
)

// list is n registers of a name.
func list(name string, n int) string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("%%%s%d", name, i))
	}
	return "{" + strings.Join(out, ", ") + "}"
}

// Loads with either layout and strides of their own, the product, and a store with either layout give the product
// of the matrices, whatever the places of the elements in the fragments.
func TestWmmaMultipliesMatricesOfMemory(t *testing.T) {
	type form struct {
		m, n, k        int
		td, ta         string
		ra, rb, rc     int // registers
		low, high, cap int
	}
	forms := []form{
		{16, 16, 16, "f32", "f16", 8, 8, 8, -9, 9, 99}, {32, 8, 16, "f32", "f16", 8, 8, 8, -9, 9, 99},
		{8, 32, 16, "f32", "f16", 8, 8, 8, -9, 9, 99}, {16, 16, 16, "f16", "f16", 8, 8, 4, -9, 9, 99},
		{32, 8, 16, "f16", "f16", 8, 8, 4, -9, 9, 99}, {8, 32, 16, "f16", "f16", 8, 8, 4, -9, 9, 99},
		{16, 16, 16, "f32", "bf16", 4, 4, 8, -9, 9, 99}, {8, 32, 16, "f32", "bf16", 2, 8, 8, -9, 9, 99},
		{32, 8, 16, "f32", "bf16", 8, 2, 8, -9, 9, 99}, {16, 16, 8, "f32", "tf32", 4, 4, 8, -99, 99, 99},
		{16, 16, 16, "s32", "s8", 2, 2, 8, -128, 127, 999}, {32, 8, 16, "s32", "u8", 4, 1, 8, 0, 255, 999},
		{8, 32, 16, "s32", "s8", 1, 4, 8, -128, 127, 999}, {8, 8, 4, "f64", "f64", 1, 1, 2, -99, 99, 99},
	}
	rapid.Check(t, func(r *rapid.T) {
		f := rapid.SampledFrom(forms).Draw(r, "form")
		layout := func(name string) (string, bool) {
			byColumns := rapid.Bool().Draw(r, name+" by columns")
			return map[bool]string{false: "row", true: "col"}[byColumns], byColumns
		}
		const ld = 40
		a, b := randomMatrix(r, f.m, f.k, f.low, f.high), randomMatrix(r, f.k, f.n, f.low, f.high)
		c := randomMatrix(r, f.m, f.n, -f.cap, f.cap)
		la, colA := layout("A")
		lb, colB := layout("B")
		lc, colC := layout("C")
		ldd, colD := layout("D")
		var dev mem.Memory
		room := func(m matrix, kind string, byColumns bool) uint64 {
			at := dev.Alloc("m", 8*40*40)
			data, _ := dev.Bytes(at, 8*40*40)
			m.store(data, elementKinds[kind], ld, byColumns)
			return at
		}
		pa, pb, pc := room(a, f.ta, colA), room(b, f.ta, colB), room(c, f.td, colC)
		pd := dev.Alloc("d", 8*40*40)
		shape := fmt.Sprintf("m%dn%dk%d", f.m, f.n, f.k)
		kinds := fmt.Sprintf("%s.%s.%s.%s", f.td, f.ta, f.ta, f.td)
		if f.ta == "f16" {
			kinds = f.td + "." + f.td
		}
		size := map[bool]string{false: "b32", true: "b64"}[f.ta == "f64"]
		text := fmt.Sprintf(`.reg .%s %%a<8>, %%b<8>, %%c<8>, %%d<8>; mov.u32 %%r1, %d;
		wmma.load.a.sync.aligned.%s.%s.global.%s %s, [%%rd0], %%r1;
		wmma.load.b.sync.aligned.%s.%s.%s %s, [%%rd1], %d;
		wmma.load.c.sync.aligned.%s.%s.global.%s %s, [%%rd2], %%r1;
		wmma.mma.sync.aligned.%s.%s.%s.%s %s, %s, %s, %s;
		wmma.store.d.sync.aligned.%s.%s.global.%s [%%rd3], %s, %%r1;
		ret;`, size, ld, la, shape, f.ta, list("a", f.ra), lb, shape, f.ta, list("b", f.rb), ld, lc, shape, f.td,
			list("c", f.rc), la, lb, shape, kinds, list("d", f.rc), list("a", f.ra), list("b", f.rb), list("c", f.rc),
			ldd, shape, f.td, list("d", f.rc))
		if err := runText(t, text, 1, 32, &dev, pa, pb, pc, pd); err != nil {
			r.Fatal(err)
		}
		data, _ := dev.Bytes(pd, 8*40*40)
		got := make(matrix, f.m)
		for i := range got {
			for j := range f.n {
				at := i*ld + j
				if colD {
					at = j*ld + i
				}
				got[i] = append(got[i], elementKinds[f.td].read(data[at*elementKinds[f.td].bits/8:], f.td))
			}
		}
		if d := cmp.Diff(product(a, b, c), got); d != "" {
			r.Fatalf("%s %s, layouts %s %s %s %s: %s", shape, kinds, la, lb, lc, ldd, d)
		}
	})
}

// The kernel loads the fragments of n matrices from shared memory, with rows 48 bytes apart, and stores register i
// of lane l at 4*(32i+l).
func TestLdmatrixGivesEachLaneTwoElementsOfARow(t *testing.T) {
	for _, n := range []int{1, 2, 4} {
		for _, trans := range []string{"", ".trans"} {
			got := results(t, fmt.Sprintf(`.shared .align 16 .b8 room[1536]; .reg .b32 %%m<4>;
			mov.u32 %%r1, 0;
	FILL:	shl.b32 %%r2, %%r1, 1; cvt.u16.u32 %%h1, %%r1; mov.u32 %%r3, room; add.u32 %%r3, %%r3, %%r2; st.shared.u16 [%%r3], %%h1;
			add.u32 %%r1, %%r1, 1; setp.lt.u32 %%p1, %%r1, 768; @%%p1 bra FILL;
			mov.u32 %%r3, room; mad.lo.u32 %%r3, %%r0, 48, %%r3;
			ldmatrix.sync.aligned.m8n8.x%d%s.shared.b16 %s, [%%r3];
			mov.b32 %%r5, %%m%d;`, n, trans, list("m", n), n-1)+storeR5, 1, 32, 32)
			wantEach(t, got, func(l int) uint32 {
				element := func(e int) uint32 {
					row, column := l/4, 2*(l%4)+e
					if trans != "" {
						row, column = column, row
					}
					return uint32((8*(n-1)+row)*24 + column)
				}
				return element(0) | element(1)<<16
			})
		}
	}
}

func TestStmatrixIsTheInverseOfLdmatrix(t *testing.T) {
	for _, trans := range []string{"", ".trans"} {
		got := results(t, fmt.Sprintf(`.shared .align 16 .b8 room[512]; .reg .b32 %%m<8>;
		mov.u32 %%r3, room; shl.b32 %%r2, %%r0, 4; add.u32 %%r3, %%r3, %%r2;
		mul.lo.u32 %%m0, %%r0, 77777; add.u32 %%m1, %%m0, 1; add.u32 %%m2, %%m0, 2; xor.b32 %%m3, %%m0, 99;
		stmatrix.sync.aligned.m8n8.x4%s.shared.b16 [%%r3], {%%m0, %%m1, %%m2, %%m3};
		ldmatrix.sync.aligned.m8n8.x4%s.shared.b16 {%%m4, %%m5, %%m6, %%m7}, [%%r3];
		sub.u32 %%r5, %%m4, %%m0; mad.lo.u32 %%r5, %%r5, 10, %%m7; sub.u32 %%r5, %%r5, %%m3;`, trans, trans)+storeR5, 1, 32, 32)
		wantEach(t, got, func(int) uint32 { return 0 })
	}
}

func TestMovmatrixTransposes(t *testing.T) {
	got := results(t, `shl.b32 %r1, %r0, 17; shl.b32 %r2, %r0, 1; add.u32 %r1, %r1, 65536; or.b32 %r1, %r1, %r2;
	movmatrix.sync.aligned.m8n8.trans.b16 %r5, %r1;`+storeR5, 1, 32, 32)
	wantEach(t, got, func(l int) uint32 { // element (i, j) is 8i + j
		row, column := l/4, 2*(l%4)
		return uint32(8*column+row) | uint32(8*(column+1)+row)<<16
	})
}
