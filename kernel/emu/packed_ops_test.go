package emu

import (
	"math"
	"strings"
	"testing"
)

// wantWords runs one thread and compares the words it stores, one after the other. Each line leaves its result in
// %r5, or in %rd5 if it begins with ":".
func wantWords(t *testing.T, lines []string, want []uint32) {
	t.Helper()
	body := ".reg .f32 %x<4>; .reg .u16 %k<4>; "
	for _, line := range lines {
		text, wide := strings.CutPrefix(line, ":")
		body += text + " "
		if wide {
			body += "st.global.u64 [%rd0], %rd5; add.u64 %rd0, %rd0, 8;\n"
		} else {
			body += "st.global.u32 [%rd0], %r5; add.u64 %rd0, %rd0, 4;\n"
		}
	}
	for i, v := range results(t, body+"ret;", 1, 1, len(want)) {
		if v != want[i] {
			t.Errorf("word %d: %#x, want %#x", i, v, want[i])
		}
	}
}

func fbits(f float32) uint32 { return math.Float32bits(f) }

func TestPairsOfIntegersAreSeparate(t *testing.T) {
	wantWords(t, []string{
		"mov.b32 %r1, 0x0001ffff; mov.b32 %r2, 0x7fff0001; add.u16x2 %r5, %r1, %r2;",
		"sub.s16x2 %r5, %r1, %r2;",
		"min.s16x2 %r5, %r1, %r2;",
		"min.u16x2 %r5, %r1, %r2;",
		"max.s16x2 %r5, %r1, %r2;",
		"max.u16x2 %r5, %r1, %r2;",
	}, []uint32{0x80000000, 0x8002fffe, 0x0001ffff, 0x00010001, 0x7fff0001, 0x7fffffff})
}

func TestPairsOfSinglesAreSeparate(t *testing.T) {
	wantWords(t, []string{
		"mov.f32 %x0, 0f3F800000; mov.f32 %x1, 0fC0000000; mov.b64 %rd1, {%x0, %x1}; mov.f32 %x2, 0f40400000; " +
			"mov.b64 %rd2, {%x2, %x2}; " + "add.rn.f32x2 %rd5, %rd1, %rd2; mov.b64 {%r5, %r6}, %rd5;",
		"mov.b32 %r5, %r6;",
		"fma.rn.f32x2 %rd5, %rd1, %rd2, %rd1; mov.b64 {%r5, %r6}, %rd5;",
		"mov.b32 %r5, %r6;",
	}, []uint32{fbits(4), fbits(1), fbits(4), fbits(-8)})
}

func TestMinimaOfThreeAndWithSigns(t *testing.T) {
	wantWords(t, []string{
		"mov.f32 %x0, 0f3F800000; mov.f32 %x1, 0fC0000000; mov.f32 %x2, 0f40400000; min.f32 %x3, %x2, %x0, %x1; " +
			"mov.b32 %r5, %x3;",
		"max.f32 %x3, %x1, %x0, %x2; mov.b32 %r5, %x3;",
		"max.abs.f32 %x3, %x1, %x0, 0f3F000000; mov.b32 %r5, %x3;",
		"min.xorsign.abs.f32 %x3, %x1, %x2; mov.b32 %r5, %x3;",
		"max.xorsign.abs.f32 %x3, %x1, %x1; mov.b32 %r5, %x3;",
		"max.NaN.f32 %x3, %x1, 0f7FC00000, %x0; mov.b32 %r5, %x3;",
		"mov.b32 %r1, 0x3c00c000; mov.b32 %r2, 0xc2003c00; min.xorsign.abs.f16x2 %r5, %r1, %r2;",
	}, []uint32{fbits(-2), fbits(3), fbits(2), fbits(-2), fbits(2), 0x7fffffff, 0xbc00bc00})
}

func TestPackingConversionsClamp(t *testing.T) {
	wantWords(t, []string{
		"mov.b32 %r1, 70000; mov.b32 %r2, -5; cvt.pack.sat.u16.s32 %r5, %r1, %r2;",
		"cvt.pack.sat.s16.s32 %r5, %r2, %r1;",
		"mov.b32 %r3, 0x12345678; cvt.pack.sat.s8.s32.b32 %r5, %r2, %r1, %r3;",
		"cvt.pack.sat.u8.s32.b32 %r5, %r1, %r2, %r3;",
	}, []uint32{0xffff0000, 0xfffb7fff, 0x5678fb7f, 0x5678ff00})
}

func TestRegistersOfTheDriverAreZero(t *testing.T) {
	wantWords(t, []string{"mov.b32 %r5, %envreg3;", "mov.u32 %r5, %pm2;",
		"mov.u32 %r5, 7; add.u32 %r5, %r5, %envreg31;",
		"mov.u32 %r5, %envreg0;", ":mov.u64 %rd5, %pm7_64;"}, []uint32{0, 0, 7, 0, 0, 0})
}

func TestVectorsOfAtomicsActOnEachElement(t *testing.T) {
	wantWords(t, []string{
		"mov.f32 %x0, 0f3F800000; mov.f32 %x1, 0f40000000; add.u64 %rd3, %rd0, 16; red.global.add.v2.f32 [%rd3], " +
			"{%x0, %x1}; " +
			"atom.global.v2.f32.add {%x2, %x3}, [%rd3], {%x1, %x1}; mov.b32 %r5, %x2;",
		"mov.b32 %r5, %x3;",
		"ld.global.u32 %r5, [%rd3];",
		"ld.global.u32 %r5, [%rd3+4];",
		"red.global.add.L2::cache_hint.f32 [%rd3], %x0, %rd4; ld.global.u32 %r5, [%rd3];",
	}, []uint32{fbits(1), fbits(2), fbits(3), fbits(4), fbits(4), fbits(4)})
}

func TestAccessesOf32BytesAreTwo(t *testing.T) {
	got := results(t, `mov.b32 %r1, 1; mov.b32 %r2, 2; mov.b32 %r3, 3; mov.b32 %r4, 4;
st.global.v8.b32 [%rd0], {%r1, %r2, %r3, %r4, %r4, %r3, %r2, %r1};
ld.global.v4.b64 {%rd4, %rd5, %rd6, %rd7}, [%rd0]; mov.u64 %rd1, %rd0;
ld.global.v4.b64 {%rd1, %rd5, %rd6, %rd7}, [%rd1]; st.global.v4.b64 [%rd0+32], {%rd7, %rd6, %rd5, %rd1}; ret;`, 1, 1, 16)
	wantEach(t, got, func(i int) uint32 {
		return []uint32{1, 2, 3, 4, 4, 3, 2, 1, 2, 1, 4, 3, 3, 4, 1, 2}[i]
	})
}

// cp.async copies the bytes allowed by src-size or ignore-src, and zeros for the others. It reads nothing beyond:
// the buffer ends there.
func TestAnAsynchronousCopyMayBeShorterThanItsSize(t *testing.T) {
	for n, want := range map[string][4]uint32{
		"16":      {1, 2, 0x03030303, 4},
		"9":       {1, 2, 3, 0},
		"%r6":     {1, 2, 0x0303, 0},
		"0":       {},
		"%p1":     {},
		"%p2":     {1, 2, 0x03030303, 4},
		"4, %rd4": {1},
		"12":      {1, 2, 0x03030303, 0},
		"%r7":     {1, 2, 0x03030303, 4},
	} {
		inst := "cp.async.cg.shared.global"
		if strings.Contains(n, "rd4") {
			inst += ".L2::cache_hint"
		}
		got := results(t, `.shared .align 16 .b8 s[16]; mov.b32 %r1, 1; mov.b32 %r2, 2; mov.b32 %r3, 0x03030303; mov.b32 %r4, 4;
mov.u32 %r6, 10; mov.u32 %r7, 99; setp.eq.u32 %p1, %r1, 1; setp.eq.u32 %p2, %r1, 2;
st.global.v4.b32 [%rd0], {%r1, %r2, %r3, %r4}; mov.u32 %r8, s; `+inst+" [%r8], [%rd0], 16, "+n+`; cp.async.wait_all;
ld.shared.v4.b32 {%r1, %r2, %r3, %r4}, [s]; st.global.v4.b32 [%rd0], {%r1, %r2, %r3, %r4}; ret;`, 1, 1, 4)
		for i, v := range got {
			if v != want[i] {
				t.Errorf("%s: word %d is %#x, want %#x", n, i, v, want[i])
			}
		}
	}
}

// The numbers are from the OCP 8-bit formats: e4m3 from 2^-9 to 448, e5m2 to 57344.
func TestConversionsToNarrowFormats(t *testing.T) {
	wantWords(t, []string{
		"mov.b32 %r1, 0x3f801000; mov.b32 %r2, 0x3f800fff; mov.b32 %r3, 0xbf801000; cvt.rna.tf32.f32 %r5, %r1;",
		"cvt.rna.tf32.f32 %r5, %r2;",
		"cvt.rn.tf32.f32 %r5, %r1;",
		"cvt.rna.tf32.f32 %r5, %r3;",
		"cvt.rz.tf32.f32 %r5, %r3;",
		"cvt.rn.relu.tf32.f32 %r5, %r3;",
		"mov.b32 %r4, 0x7f7fffff; cvt.rn.tf32.f32 %r5, %r4;",
		"cvt.rn.satfinite.tf32.f32 %r5, %r4;",
		"mov.f32 %x0, 0f3F800000; mov.f32 %x1, 0fC4000000; cvt.rn.satfinite.e4m3x2.f32 %k0, %x0, %x1; cvt.u32.u16 " +
			"%r5, %k0;",
		"cvt.rn.satfinite.e5m2x2.f32 %k0, %x0, %x1; cvt.u32.u16 %r5, %k0;",
		"mov.f32 %x2, 0f3B000000; mov.f32 %x3, 0f7FC00000; cvt.rn.satfinite.e4m3x2.f32 %k0, %x2, %x3; cvt.u32.u16 " +
			"%r5, %k0;",
		"mov.b32 %r1, 0x3c00fc00; cvt.rn.satfinite.e5m2x2.f16x2 %k0, %r1; cvt.u32.u16 %r5, %k0;",
		"cvt.rn.satfinite.relu.e4m3x2.f16x2 %k0, %r1; cvt.u32.u16 %r5, %k0;",
		"mov.u16 %k1, 0x7e81; cvt.rn.f16x2.e4m3x2 %r5, %k1;",
		"cvt.rn.relu.f16x2.e4m3x2 %r5, %k1;",
		"mov.u16 %k1, 0x7f3c; cvt.rn.f16x2.e4m3x2 %r5, %k1;",
		"mov.u16 %k1, 0x7c3c; cvt.rn.f16x2.e5m2x2 %r5, %k1;",
	}, []uint32{0x3f802000, 0x3f800000, 0x3f800000, 0xbf802000, 0xbf800000, 0, 0x7f800000, 0x7f7fe000,
		0x38fe, 0x3ce0, 0x017f, 0x3cfb, 0x3800, 0x5f009800, 0x5f000000, 0x7fff3e00, 0x7c003c00})
}
