package emu

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/stream"
)

// Values of each type are loaded from the bytes 0x81, 0x92 and so on into one or two words of a register that held 0.
// A smaller value is extended to these words.
func TestLoadsExtendToTheirRegister(t *testing.T) {
	for _, c := range []struct {
		t     ir.Type
		words int
		want  uint64
	}{
		{ir.U8, 1, 0x81}, {ir.S8, 1, 0xffffff81}, {ir.U16, 1, 0x9281}, {ir.S16, 1, 0xffff9281},
		{ir.B8, 1, 0x81}, {ir.B16, 1, 0x9281}, {ir.B32, 1, 0xb4a39281},
		{ir.U8, 2, 0x81}, {ir.S8, 2, 0xffffffffffffff81}, {ir.S16, 2, 0xffffffffffff9281},
		{ir.U32, 2, 0xb4a39281}, {ir.S32, 2, 0xffffffffb4a39281}, {ir.B64, 2, 0xf8e7d6c5b4a39281},
	} {
		for _, block := range []int{1, 32} {
			k := newKit(2)
			k.op(ir.OpMov, ir.U64, ir.R(0, 2), param(0))
			k.op(ir.OpMov, ir.U64, ir.R(2, 2), param(1))
			k.op(ir.OpMov, ir.U64, ir.R(4, 2), ir.Imm(0, 2))
			k.ld(c.t, ir.R(4, c.words), ir.Global, ir.R(0, 2), 8)
			k.st(ir.B64, ir.Global, ir.R(2, 2), 0, ir.R(4, 2))
			k.exit(ir.Operand{})
			var m mem.Memory
			in, out := m.Alloc("in", 16), m.Alloc("out", 8)
			b, _ := m.Bytes(in, 16)
			copy(b[8:], []byte{0x81, 0x92, 0xa3, 0xb4, 0xc5, 0xd6, 0xe7, 0xf8})
			if _, err := Run(prepare(t, k.kernel(), &m, launch(1, block, in, out))); err != nil {
				t.Fatal(err)
			}
			o, _ := m.Bytes(out, 8)
			if got := binary.LittleEndian.Uint64(o); got != c.want {
				t.Errorf("ld.%s into %d words is %#x, want %#x", c.t, c.words, got, c.want)
			}
		}
	}
}

// A copy kernel moves n bytes a thread, of each width and in each pattern of addresses. Its stream has these
// addresses.
func TestCopiesOfEveryWidthAndPatternMoveTheirBytes(t *testing.T) {
	patterns := map[string]func(tid int) int{
		"contiguous": func(t int) int { return t },
		"reversed":   func(t int) int { return 63 - t },
		"uniform":    func(int) int { return 5 },
		"strided":    func(t int) int { return t * 3 },
		"scattered":  func(t int) int { return t * 37 % 64 },
	}
	type width struct {
		t ir.Type
		n int
	}
	for name, index := range patterns {
		for _, w := range []width{{ir.B8, 1}, {ir.B16, 1}, {ir.B32, 1}, {ir.B64, 1}, {ir.B32, 2}, {ir.B32, 4},
			{ir.B64, 2}, {ir.B8, 4}, {ir.B16, 2}, {ir.B128, 1}} {
			for _, guarded := range []bool{false, true} {
				copyTest(t, name, index, w.t, w.n, guarded)
			}
		}
	}
}

func copyTest(t *testing.T, name string, index func(int) int, ty ir.Type, n int, guarded bool) {
	t.Helper()
	const threads = 64
	size := ty.Size() * n
	k := newKit(3)
	k.op(ir.OpMov, ir.U32, ir.R(0, 1), special(ir.TidX))
	k.element(2, 2, 0, 4)
	k.ld(ir.B32, ir.R(1, 1), ir.Global, ir.R(2, 2), 0)
	k.element(2, 0, 1, uint64(size))
	k.element(4, 1, 0, uint64(size))
	k.op(ir.OpAnd, ir.B32, ir.R(6, 1), ir.R(0, 1), ir.Imm(5, 1))
	k.add(ir.Inst{Op: ir.OpSetp, Type: ir.U32, SrcType: ir.U32, Mods: ir.Mods{Cmp: ir.NE}, Dst: []ir.Operand{ir.P(0)},
		Src: []ir.Operand{ir.R(6, 1), ir.Imm(0, 1)}})
	regs := make([]ir.Operand, n)
	words := max(ty.Words(), 1)
	for i := range regs {
		regs[i] = ir.R(ir.Reg(8+4*i), words)
	}
	guard := ir.Operand{}
	if guarded {
		guard = ir.P(0)
	}
	k.add(ir.Inst{Op: ir.OpLd, Type: ty, Dst: regs, Space: ir.Generic, Addr: ir.Addr{Base: ir.R(2, 2)}, Guard: guard})
	k.add(ir.Inst{Op: ir.OpSt, Type: ty, Src: regs, Space: ir.Global, Addr: ir.Addr{Base: ir.R(4, 2)}, Guard: guard})
	k.exit(ir.Operand{})

	var m mem.Memory
	in, out, ix := m.Alloc("in", 256*size), m.Alloc("out", threads*size), m.Alloc("ix", 4*threads)
	src, _ := m.Bytes(in, 256*size)
	for i := range src {
		src[i] = byte(i*7 + i>>8)
	}
	b, _ := m.Bytes(ix, 4*threads)
	for i := range threads {
		binary.LittleEndian.PutUint32(b[4*i:], uint32(index(i)))
	}
	ctas := collect(t, prepare(t, k.kernel(), &m, launch(1, threads, in, out, ix)))
	dst, _ := m.Bytes(out, threads*size)
	for i := range threads {
		want := string(src[index(i)*size:][:size])
		if guarded && i&5 == 0 {
			want = strings.Repeat("\x00", size)
		}
		if got := string(dst[i*size:][:size]); got != want {
			t.Fatalf("%s %s x%d guarded %v: thread %d has %x, want %x", name, ty, n, guarded, i, got, want)
		}
		for _, e := range walk(t, ctas[0], i/32, i%32) {
			if in := &ctas[0].Kernel.Insts[e.pc]; in.Op == ir.OpLd && in.Space == ir.Generic && e.exec {
				if want := inAddr(&m, "in") + uint64(index(i)*size); e.addr != want {
					t.Fatalf("%s: the stream has thread %d load %#x, want %#x", name, i, e.addr, want)
				}
			}
		}
	}
}

func inAddr(m *mem.Memory, name string) uint64 {
	for _, r := range m.Regions() {
		if r.Name == name {
			return r.Addr
		}
	}
	return 0
}

func TestAddressesThatAreFarApartAreListed(t *testing.T) {
	var m mem.Memory
	r := Runner{Mem: &m}
	a := m.AllocApart("a", 4, 3<<30)
	b := m.Alloc("b", 4)
	u := kernelText(t, 1, fmt.Sprintf(`
	cvt.u64.u32 %%rd2, %%r0;
	mul.lo.u64 %%rd2, %%rd2, %d;
	add.u64 %%rd2, %%rd0, %%rd2;
	ld.global.u32 %%r1, [%%rd2];
	ret;`, b-a))
	e := begin(t, r, textLaunch(u, 1, 2, a))
	acc := collect(t, e)[0].Warps[0].Accesses
	if len(acc) != 1 || !slices.Equal(acc[0].List(), []uint64{a, b}) {
		t.Errorf("%+v, want one with the list %#x", acc, []uint64{a, b})
	}
}

func TestEquidistantAddressesAreRecordedWithoutAList(t *testing.T) {
	var m mem.Memory
	u := kernelText(t, 1, `
	mul.wide.u32 %rd2, %r0, 12;
	add.u64 %rd2, %rd0, %rd2;
	ld.u32 %r1, [%rd2];
	and.b32 %r2, %r0, 3;
	setp.eq.u32 %p1, %r2, 1;
	@%p1 st.global.u32 [%rd2+4], %r1;
	mul.lo.u32 %r3, %r0, %r0;
	mul.wide.u32 %rd3, %r3, 4;
	add.u64 %rd3, %rd0, %rd3;
	ld.global.u32 %r1, [%rd3];
	ret;`)
	a := m.Alloc("a", 4096)
	e := begin(t, Runner{Mem: &m}, textLaunch(u, 1, 32, a))
	acc := collect(t, e)[0].Warps[0].Accesses
	if len(acc) != 3 {
		t.Fatalf("%d accesses, want 3", len(acc))
	}
	if got := acc[0]; !got.Regular() || got.Base != a || got.Stride != 12 || got.Space != ir.Global {
		t.Errorf("a generic load of a strided row is %+v", got)
	}
	if got := acc[1]; !got.Regular() || got.Base != a+4 || got.Stride != 12 {
		t.Errorf("a guarded store is %+v", got)
	}
	if got := acc[2].List(); len(got) != 32 || got[5] != a+100 {
		t.Errorf("a quadratic load is %+v", got)
	}
}

func TestGenericAddressesReachEverySpace(t *testing.T) {
	var m mem.Memory
	u := kernelText(t, 1, `
	.shared .align 8 .b8 s[256];
	.local .align 8 .b8 l[16];
	mov.u64 %rd1, s; cvta.shared.u64 %rd1, %rd1;
	mov.u64 %rd2, l; cvta.local.u64 %rd2, %rd2;
	mul.wide.u32 %rd3, %r0, 4;
	add.u64 %rd4, %rd1, %rd3;
	add.u32 %r1, %r0, 11;
	st.u32 [%rd4], %r1;
	add.u32 %r2, %r0, 500;
	st.u32 [%rd2+8], %r2;
	add.u64 %rd6, %rd0, %rd3;
	st.u32 [%rd6], %r0;
	rem.u32 %r3, %r0, 3;
	setp.eq.u32 %p0, %r3, 0;
	setp.eq.u32 %p1, %r3, 1;
	mov.u64 %rd7, %rd6;
	@%p0 mov.u64 %rd7, %rd4;
	@%p1 add.u64 %rd7, %rd2, 8;
	ld.u32 %r5, [%rd7];`+storeR5)
	a := m.Alloc("a", 256)
	e := begin(t, Runner{Mem: &m}, textLaunch(u, 1, 64, a))
	ctas := collect(t, e)
	wantEach(t, words(t, &m, a, 64),
		func(i int) uint32 { return []uint32{uint32(i + 11), uint32(i + 500), uint32(i)}[i%3] })
	var spaces []ir.Space
	var cur stream.Cursor
	cur.Start(ctas[0].Kernel, &ctas[0].Warps[0])
	for d := (stream.Dyn{}); cur.Next(&d); {
		if d.Access != nil && d.Inst.Space == ir.Generic {
			spaces = append(spaces, d.Access.Space)
		}
	}
	want := []ir.Space{ir.Shared, ir.Local, ir.Global, ir.Generic}
	if len(spaces) != len(want) {
		t.Fatalf("generic accesses went to %v, want %v", spaces, want)
	}
	for i := range want {
		if spaces[i] != want[i] {
			t.Errorf("access %d went to %s, want %s", i, spaces[i], want[i])
		}
	}
}

func TestConstantsAndModuleVariables(t *testing.T) {
	m := &mem.Memory{}
	src := `.version 6.3
.target sm_52
.address_size 64
.const .align 4 .u32 table[4] = {10, 20, 30, 40};
.global .align 4 .u32 counter = 5;
.visible .entry k(.param .u64 p0)
{
.reg .b32 %r<8>; .reg .b64 %rd<8>;
mov.u32 %r0, %tid.x;
ld.param.u64 %rd0, [p0];
and.b32 %r1, %r0, 3;
mul.wide.u32 %rd1, %r1, 4;
mov.u64 %rd2, table;
add.u64 %rd2, %rd2, %rd1;
ld.const.u32 %r2, [%rd2];
ld.const.u32 %r3, [table+4];
atom.global.add.u32 %r4, [counter], 1;
add.u32 %r2, %r2, %r3;
mul.wide.u32 %rd3, %r0, 4;
add.u64 %rd3, %rd0, %rd3;
st.global.u32 [%rd3], %r2;
ret;
}`
	u := parseText(t, src)
	if err := m.LoadModule(u); err != nil {
		t.Fatal(err)
	}
	a := m.Alloc("a", 128)
	table, err := m.Symbol(u, "table")
	if err != nil {
		t.Fatal(err)
	}
	table[4] = 21 // as a host writes to a constant
	r := Runner{Mem: m}
	for range 2 {
		mustRun(t, &r, textLaunch(u, 1, 32, a))
	}
	wantEach(t, words(t, m, a, 32), func(i int) uint32 { return []uint32{31, 42, 51, 61}[i%4] })
	counter, err := m.Symbol(u, "counter")
	if err != nil {
		t.Fatal(err)
	}
	if got := binary.LittleEndian.Uint32(counter); got != 5+64 {
		t.Errorf("the counter is %d, want 69", got)
	}
}

func TestAccessesOutsideEveryBufferNameThePlaceAndTheNearestBuffer(t *testing.T) {
	var m mem.Memory
	a := m.Alloc("input", 100)
	b := m.Alloc("output", 128)
	err := runText(t, `
	mul.wide.u32 %rd2, %r0, 4;
	add.u64 %rd2, %rd0, %rd2;
	ld.global.u32 %r1, [%rd2];
	ret;`, 2, 32, &m, a, b)
	wantError(t, err, "test.ptx:13", "kernel k", "CTA (0,0,0)", "thread (25,0,0)",
		`100 bytes past the start of "input"`, "which has 100")
	err = runText(t, "st.global.u32 [%rd1+-4], %r0;\nret;", 1, 32, &m, a, b)
	wantError(t, err, "test.ptx:10", `4 bytes before the start of "output"`)
	err = runText(t, "mov.u64 %rd2, 64;\nld.global.u32 %r1, [%rd2];\nret;", 1, 1, &m, a, b)
	wantError(t, err, "test.ptx:11", "address 0x40")
}

func TestMisalignedAccessesAreErrors(t *testing.T) {
	var m mem.Memory
	a := m.Alloc("a", 1024)
	err := runText(t, "ld.global.u32 %r1, [%rd0+2];\nret;", 1, 32, &m, a)
	wantError(t, err, "test.ptx:10", "thread (0,0,0)", "not aligned to the 4 bytes")
	err = runText(t, `
	mul.wide.u32 %rd2, %r0, 4;
	add.u64 %rd2, %rd0, %rd2;
	ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd2];
	ret;`, 1, 32, &m, a)
	wantError(t, err, "test.ptx:13", "thread (1,0,0)", "not aligned to the 16 bytes")
}

func TestAccessesBeyondSharedAndLocalMemoryAreErrors(t *testing.T) {
	var m mem.Memory
	a := m.Alloc("a", 4)
	err := runText(t, `
	.shared .align 4 .b8 s[64];
	mov.u32 %r1, s;
	shl.b32 %r2, %r0, 2;
	add.u32 %r1, %r1, %r2;
	st.shared.u32 [%r1], %r0;
	ret;`, 1, 32, &m, a)
	wantError(t, err, "test.ptx:15", "thread (16,0,0)", "address 0x40", "shared space, which has 64 bytes")
	err = runText(t, `
	.local .align 4 .b8 l[8];
	mov.u32 %r1, l;
	shl.b32 %r2, %r0, 2;
	add.u32 %r1, %r1, %r2;
	st.local.u32 [%r1], %r0;
	ret;`, 1, 32, &m, a)
	wantError(t, err, "test.ptx:15", "thread (2,0,0)", "local space, which has 8 bytes")
}

// An access with lanes in two buffers is no error.
func TestOneAccessMayTouchSeveralBuffers(t *testing.T) {
	var m mem.Memory
	a, b := m.Alloc("a", 256), m.Alloc("b", 256)
	err := runText(t, `
	mul.wide.u32 %rd2, %r0, 4;
	add.u64 %rd3, %rd0, %rd2;
	add.u64 %rd4, %rd1, %rd2;
	and.b32 %r1, %r0, 1;
	setp.eq.u32 %p1, %r1, 0;
	selp.b64 %rd5, %rd3, %rd4, %p1;
	st.global.u32 [%rd5], %r0;
	ld.global.u32 %r2, [%rd5];
	atom.global.add.u32 %r3, [%rd5], %r2;
	ret;`, 1, 32, &m, a, b)
	if err != nil {
		t.Fatal(err)
	}
	wantEach(t, words(t, &m, a, 32), func(i int) uint32 { return uint32(2 * i * (1 - i&1)) })
	wantEach(t, words(t, &m, b, 32), func(i int) uint32 { return uint32(2 * i * (i & 1)) })
}
