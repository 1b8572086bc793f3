package emu

import (
	"encoding/binary"
	"math"
	"testing"

	"kumiko/kernel/emu/internal/exact"
	"kumiko/kernel/mem"
)

// Lanes with a common cell perform their operations in lane order.
func TestAtomicsReturnTheOldValueAndWorkInLaneOrder(t *testing.T) {
	for _, c := range []struct {
		inst  string
		start uint32
		step  func(old uint32, lane int) uint32
	}{
		{"atom.global.add.u32 %r5, [%rd1], %r1;", 7, func(o uint32, l int) uint32 { return o + uint32(l*3) }},
		{"atom.global.min.s32 %r5, [%rd1], %r2;", 5,
			func(o uint32, l int) uint32 { return uint32(min(int32(o), int32(10-l))) }},
		{"atom.global.max.s32 %r5, [%rd1], %r2;", 0,
			func(o uint32, l int) uint32 { return uint32(max(int32(o), int32(10-l))) }},
		{"atom.global.min.u32 %r5, [%rd1], %r2;", 5, func(o uint32, l int) uint32 { return min(o, uint32(10-l)) }},
		{"atom.global.max.u32 %r5, [%rd1], %r2;", 5, func(o uint32, l int) uint32 { return max(o, uint32(10-l)) }},
		{"atom.global.inc.u32 %r5, [%rd1], 9;", 3, func(o uint32, l int) uint32 {
			if o >= 9 {
				return 0
			}
			return o + 1
		}},
		{"atom.global.dec.u32 %r5, [%rd1], 9;", 3, func(o uint32, l int) uint32 {
			if o == 0 || o > 9 {
				return 9
			}
			return o - 1
		}},
		{"atom.global.and.b32 %r5, [%rd1], %r2;", 0xffff, func(o uint32, l int) uint32 { return o & uint32(10-l) }},
		{"atom.global.or.b32 %r5, [%rd1], %r1;", 1, func(o uint32, l int) uint32 { return o | uint32(l*3) }},
		{"atom.global.xor.b32 %r5, [%rd1], %r1;", 1, func(o uint32, l int) uint32 { return o ^ uint32(l*3) }},
		{"atom.global.exch.b32 %r5, [%rd1], %r1;", 77, func(o uint32, l int) uint32 { return uint32(l * 3) }},
		{"atom.global.cas.b32 %r5, [%rd1], %r0, %r3;", 4, func(o uint32, l int) uint32 {
			if o == uint32(l) {
				return uint32(l + 2)
			}
			return o
		}},
		{"atom.global.add.f32 %f5, [%rd1], 0f3E99999A; mov.b32 %r5, %f5;", 0x3f800000, func(o uint32, l int) uint32 {
			return uint32(exact.F32.Add(uint64(o), 0x3e99999a, 'n'))
		}},
	} {
		t.Run(c.inst, func(t *testing.T) {
			var m mem.Memory
			out, cell := m.Alloc("out", 128), m.Alloc("cell", 4)
			b, _ := m.Bytes(cell, 4)
			binary.LittleEndian.PutUint32(b, c.start)
			err := runText(t, "mul.lo.u32 %r1, %r0, 3; sub.u32 %r2, 10, %r0; add.u32 %r3, %r0, 2;\n"+c.inst+storeR5, 1,
				32, &m, out, cell)
			if err != nil {
				t.Fatal(err)
			}
			v := c.start
			got := words(t, &m, out, 32)
			for l := range 32 {
				if got[l] != v {
					t.Fatalf("lane %d found %#x, want %#x", l, got[l], v)
				}
				v = c.step(v, l)
			}
			if end := binary.LittleEndian.Uint32(b); end != v {
				t.Errorf("the cell ends as %#x, want %#x", end, v)
			}
		})
	}
}

func TestAtomicsOf64BitsAndReductions(t *testing.T) {
	var m mem.Memory
	out, cells := m.Alloc("out", 4), m.Alloc("cells", 40)
	b, _ := m.Bytes(cells, 40)
	binary.LittleEndian.PutUint64(b[16:], math.Float64bits(0.5))
	binary.LittleEndian.PutUint64(b[24:], 1<<63)
	err := runText(t, `
	.reg .f64 %fd<4>;
	cvt.u64.u32 %rd3, %r0;
	shl.b64 %rd4, %rd3, 33;
	red.global.add.u64 [%rd1], %rd4;
	red.global.max.u64 [%rd1+8], %rd4;
	cvt.rn.f64.u32 %fd1, %r0;
	red.global.add.f64 [%rd1+16], %fd1;
	red.global.max.s64 [%rd1+24], %rd3;
	atom.global.cas.b64 %rd5, [%rd1+32], %rd3, %rd4;
	atom.global.cas.b64 %rd5, [%rd1+32], 0, -1;
	ret;`, 2, 64, &m, out, cells)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []uint64{2 * 2016 << 33, 63 << 33, math.Float64bits(2*2016 + 0.5), 63, 1<<64 - 1} {
		if got := binary.LittleEndian.Uint64(b[8*i:]); got != want {
			t.Errorf("cell %d is %#x, want %#x", i, got, want)
		}
	}
}

func TestSharedAtomicsMakeAHistogram(t *testing.T) {
	got := results(t, `
	.shared .align 4 .b8 h[16];
	mov.u32 %r1, h;
	and.b32 %r2, %r0, 3;
	shl.b32 %r2, %r2, 2;
	add.u32 %r2, %r1, %r2;
	setp.lt.u32 %p1, %r0, 70;
	@%p1 red.shared.add.u32 [%r2], 1;
	bar.sync 0;
	ld.shared.u32 %r5, [%r2];`+storeR5, 1, 96, 96)
	wantEach(t, got, func(i int) uint32 { return []uint32{18, 18, 17, 17}[i%4] })
}

// Spinning on a lock by one lane after the other works. CUDA programs aware of divergence do this.
func TestALockTakenLaneByLaneProtectsItsSection(t *testing.T) {
	got := results(t, `
	mov.u32 %r1, 0;
AGAIN:
	atom.global.cas.b32 %r2, [%rd0], 0, 1;
	setp.ne.u32 %p1, %r2, 0;
	@%p1 bra NEXT;
	ld.volatile.global.u32 %r3, [%rd0+4];
	add.u32 %r3, %r3, 1;
	st.volatile.global.u32 [%rd0+4], %r3;
	atom.global.exch.b32 %r4, [%rd0], 0;
	mov.u32 %r1, 1;
NEXT:
	setp.eq.u32 %p2, %r1, 0;
	@%p2 bra AGAIN;
	ret;`, 3, 96, 2)
	if got[0] != 0 || got[1] != 3*96 {
		t.Errorf("lock %d, counter %d; want 0 and %d", got[0], got[1], 3*96)
	}
}

func TestAWarpThatCountsForeverIsStoppedAtTheLimit(t *testing.T) {
	var m mem.Memory
	err := runText(t, `
LOOP:
	add.u64 %rd3, %rd3, 1;
	bra LOOP;`, 1, 32, &m, m.Alloc("a", 8))
	wantError(t, err, "test.ptx:13", "kernel k", "CTA (0,0,0)", "warp 0", "without end")
}

// Warp 0 waits for a flag set by warp 1.
func TestAWarpMayWaitForAFlagOfAnotherWarp(t *testing.T) {
	got := results(t, `
	setp.ge.u32 %p1, %r0, 32;
	@%p1 bra SET;
WAIT:
	ld.volatile.global.u32 %r1, [%rd0+508];
	setp.eq.u32 %p2, %r1, 0;
	@%p2 bra WAIT;
	add.u32 %r5, %r1, %r0;
	bra STORE;
SET:
	mov.u32 %r5, 3;
	st.volatile.global.u32 [%rd0+508], 1000;
STORE:`+storeR5, 1, 64, 128)
	wantEach(t, got[:64], func(i int) uint32 { return []uint32{uint32(1000 + i), 3}[i/32] })
}

// waitForNext is a chain: every CTA waits until the one after it has passed.
const waitForNext = `
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %nctaid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.u64 %rd2, %rd0, %rd2;
	add.u32 %r3, %r1, 1;
	setp.ge.u32 %p1, %r3, %r2;
	@%p1 bra PASS;
WAIT:
	ld.volatile.global.u32 %r4, [%rd2+4];
	setp.eq.u32 %p2, %r4, 0;
	@%p2 bra WAIT;
PASS:
	add.u32 %r4, %r4, 1;
	st.volatile.global.u32 [%rd2], %r4;
	ret;`

func TestCTAsThatWaitForLaterOnesRunInTurns(t *testing.T) {
	const n = 20
	var m mem.Memory
	a := m.Alloc("flags", 4*n)
	u := kernelText(t, 1, waitForNext)
	e := begin(t, Runner{Mem: &m}, textLaunch(u, n, 64, a))
	ctas := collect(t, e)
	wantEach(t, words(t, &m, a, n), func(i int) uint32 { return uint32(n - i) })
	insts := uint64(0)
	for i, c := range ctas {
		if c.Index != i {
			t.Fatalf("CTA %d was handed over as number %d", c.Index, i)
		}
		for _, w := range c.Warps {
			insts += w.Insts
		}
	}
	// What a warp polls is bounded: it stops when nothing has changed.
	if most := uint64(2 * n * n * 4 * spinAfter); insts > most {
		t.Errorf("%d instructions, at most %d expected", insts, most)
	}
}

func TestMoreWaitingCTAsThanMayBeResidentAreADeadlock(t *testing.T) {
	var m mem.Memory
	u := kernelText(t, 1, waitForNext)
	r := Runner{Mem: &m, Limits: Limits{ResidentCTAs: 4}}
	err := r.Launch(textLaunch(u, 20, 32, m.Alloc("flags", 80)))
	wantError(t, err, "CTA (0,0,0)",
		"4 CTAs are resident, the limit (--max-resident-ctas 4), and 16 have not begun", "warp 0 spins (test.ptx:")
}

func TestAGridBarrierOfAtomicsWorks(t *testing.T) {
	const n = 8
	var m mem.Memory
	a := m.Alloc("a", 4*(n+1))
	err := runText(t, `
	mov.u32 %r1, %ctaid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.u64 %rd2, %rd0, %rd2;
	setp.ne.u32 %p1, %r0, 0;
	@%p1 bra JOIN;
	atom.global.add.u32 %r2, [%rd0+32], 1;
WAIT:
	ld.volatile.global.u32 %r3, [%rd0+32];
	setp.lt.u32 %p2, %r3, 8;
	@%p2 bra WAIT;
JOIN:
	bar.sync 0;
	st.global.u32 [%rd2], %r3;
	ret;`, n, 64, &m, a)
	if err != nil {
		t.Fatal(err)
	}
	if got := words(t, &m, a, n+1)[n]; got != n {
		t.Errorf("%d arrivals, want %d", got, n)
	}
}

func TestATrapIsAnErrorWithItsThread(t *testing.T) {
	var m mem.Memory
	err := runText(t, "setp.eq.u32 %p1, %r0, 5;\n@%p1 trap;\nret;", 1, 32, &m, m.Alloc("a", 4))
	wantError(t, err, "test.ptx:11", "thread (5,0,0)", "trap")
}

func TestStoresToOneAddressKeepTheHighestLane(t *testing.T) {
	if got := results(t, "st.global.u32 [%rd0], %r0;\nret;", 1, 32, 1); got[0] != 31 {
		t.Errorf("the word is %d, want 31", got[0])
	}
}
