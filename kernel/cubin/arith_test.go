package cubin

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"kumiko/kernel/cubin/tools"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/ptx"
)

// operations are instructions that ptxas makes sequences or calls of. x and y are the operands; the divisor is not
// zero, since PTX leaves the quotient undefined then.
var operations = []string{
	"div.u32 %r4, %r1, %r2", "rem.u32 %r4, %r1, %r2", "div.s32 %r4, %r1, %r2", "rem.s32 %r4, %r1, %r2",
	"mul.hi.u32 %r4, %r1, %r2", "mul.hi.s32 %r4, %r1, %r2", "div.u32 %r4, %r1, 7", "rem.s32 %r4, %r1, 1000",
	"shf.l.wrap.b32 %r4, %r1, %r2, %r3", "shf.r.clamp.b32 %r4, %r1, %r2, %r3", "abs.s32 %r4, %r1",
	"popc.b32 %r4, %r1", "clz.b32 %r4, %r1", "brev.b32 %r4, %r1", "bfind.s32 %r4, %r1",
	"prmt.b32 %r4, %r1, %r2, %r3",
	"bfe.u32 %r4, %r1, 5, 9", "bfe.s32 %r4, %r1, 3, 17", "bfi.b32 %r4, %r1, %r2, 7, 11", "min.u32 %r4, %r1, %r2",
	"lop3.b32 %r4, %r1, %r2, %r3, 0x1b", "mad.lo.s32 %r4, %r1, %r2, %r3", "max.s32 %r4, %r1, %r2",
	"div.u64 %l4, %l1, %l2", "rem.u64 %l4, %l1, %l2", "div.s64 %l4, %l1, %l2", "rem.s64 %l4, %l1, %l2",
	"mul.hi.u64 %l4, %l1, %l2", "mul.hi.s64 %l4, %l1, %l2", "mul.lo.u64 %l4, %l1, %l2",
	"mad.lo.s64 %l4, %l1, %l2, %l3",
	"add.s64 %l4, %l1, %l2", "sub.s64 %l4, %l1, %l2", "min.s64 %l4, %l1, %l2", "max.u64 %l4, %l1, %l2",
	"abs.s64 %l4, %l1", "neg.s64 %l4, %l1", "shl.b64 %l4, %l1, %r3", "shr.s64 %l4, %l1, %r3",
	"shr.u64 %l4, %l1, %r3",
	"div.rn.f32 %f4, %f1, %f2", "rcp.rn.f32 %f4, %f1", "sqrt.rn.f32 %f4, %f1", "fma.rm.f32 %f4, %f1, %f2, %f3",
	"div.rn.f64 %d4, %d1, %d2", "rcp.rn.f64 %d4, %d1", "sqrt.rn.f64 %d4, %d1", "fma.rn.f64 %d4, %d1, %d2, %d3",
	"cvt.rzi.s32.f32 %r4, %f1", "cvt.rni.u32.f32 %r4, %f1", "cvt.rn.f32.s32 %f4, %r1", "cvt.rp.f32.u32 %f4, %r1",
	"cvt.rn.f32.f64 %f4, %d1", "cvt.f64.f32 %d4, %f1", "cvt.rn.f64.s64 %d4, %l1", "cvt.rn.f32.u64 %f4, %l1",
	"cvt.rmi.f32.f32 %f4, %f1", "add.rz.f32 %f4, %f1, %f2", "mul.ftz.f32 %f4, %f1, %f2",
	"sad.s32 %r4, %r1, %r2, %r3", "sad.u32 %r4, %r1, %r2, %r3", "min.f64 %d4, %d1, %d2", "max.f64 %d4, %d2, %d1",
	"setp.lt.s64 %p1, %l1, %l2; selp.u32 %r4, 1, 0, %p1", "setp.geu.f64 %p1, %d1, %d2; selp.u32 %r4, 1, 0, %p1",
	"setp.hs.u64 %p1, %l1, %l2; selp.u32 %r4, 1, 0, %p1", "setp.ne.s64 %p1, %l1, %l2; selp.u32 %r4, 1, 0, %p1",
	"max.f64 %d3, %d1, 0dC7F0000000000000; cvt.rzi.s16.f64 %h4, %d3; cvt.s32.s16 %r4, %h4",
	"max.f64 %d3, %d1, 0dC7F0000000000000; cvt.rzi.u16.f64 %h4, %d3; cvt.u32.u16 %r4, %h4",
	"cvt.u16.u32 %h1, %r1; cvt.s16.s8 %h4, %h1; cvt.u32.u16 %r4, %h4",
	"cvt.u16.u32 %h1, %r1; cvt.s16.s8 %h4, %h1; cvt.s32.s16 %r4, %h4",
	"max.u32 %r4, %r1, %r2; min.u32 %r4, %r4, %r3", "min.u32 %r4, %r1, 77; max.u32 %r4, %r4, %r3",
	"or.b64 %l3, %l1, %l2; setp.ne.s64 %p1, %l3, 0; selp.u32 %r4, 1, 0, %p1",
	"setp.gt.f32 %p1, %f3, 0f00000000; selp.f32 %f4, %f1, %f2, %p1",
	"cvt.rmi.s16.f32 %h4, %f1; cvt.s32.s16 %r4, %h4", "cvt.rpi.u16.f32 %h4, %f1; cvt.u32.u16 %r4, %h4",
	"max.f64 %d3, %d1, 0dC7F0000000000000; cvt.rni.s8.f64 %h4, %d3; cvt.s32.s8 %r4, %h4",
	"max.f64 %d3, %d1, 0dC7F0000000000000; cvt.rzi.u8.f64 %h4, %d3; cvt.u32.u8 %r4, %h4",
	"cvt.rni.s8.f32 %h4, %f1; cvt.s32.s8 %r4, %h4", "cvt.rzi.u8.f32 %h4, %f1; cvt.u32.u8 %r4, %h4",
	"cvt.rzi.s64.f64 %l4, %d1", "cvt.rni.u64.f64 %l4, %d1", "cvt.rpi.s32.f64 %r4, %d1", "cvt.rmi.u32.f64 %r4, %d1",
	"cvt.rzi.s64.f32 %l4, %f1", "cvt.rni.u64.f32 %l4, %f1", "cvt.sat.s8.s32 %r4, %r1", "cvt.sat.u8.s32 %r4, %r1",
	"cvt.sat.u16.s64 %h4, %l1; cvt.u32.u16 %r4, %h4", "cvt.sat.s16.u64 %h4, %l1; cvt.s32.s16 %r4, %h4",
	"cvt.sat.u32.s64 %r4, %l1", "cvt.sat.s32.s64 %r4, %l1", "cvt.rn.f16.f32 %h4, %f1; cvt.u32.u16 %r4, %h4",
	"cvt.rn.f16.f64 %h4, %d1; cvt.u32.u16 %r4, %h4", "cvt.rz.f16.f32 %h4, %f1; cvt.u32.u16 %r4, %h4",
	"cvt.u16.u32 %h1, %r1; cvt.f32.f16 %f4, %h1", "cvt.u16.u32 %h1, %r1; cvt.f64.f16 %d4, %h1",
	"cvt.rn.f16.u32 %h4, %r1; cvt.u32.u16 %r4, %h4", "cvt.rn.f16.s64 %h4, %l1; cvt.u32.u16 %r4, %h4",
	"cvt.u16.u32 %h1, %r1; cvt.rzi.s32.f16 %r4, %h1", "cvt.u16.u32 %h1, %r1; cvt.rni.u64.f16 %l4, %h1",
	"add.sat.s32 %r4, %r1, %r2", "sub.sat.s32 %r4, %r1, %r2", "vabsdiff4.u32.u32.u32.add %r4, %r1, %r2, %r3",
	"vadd4.u32.u32.u32.sat %r4, %r1, %r2, %r3", "vmin2.s32.s32.s32 %r4, %r1, %r2, %r3",
	"prmt.b32.f4e %r4, %r1, %r2, %r3", "prmt.b32.b4e %r4, %r1, %r2, %r3", "prmt.b32.rc8 %r4, %r1, %r2, %r3",
	"prmt.b32.ecl %r4, %r1, %r2, %r3", "prmt.b32.ecr %r4, %r1, %r2, %r3", "prmt.b32.rc16 %r4, %r1, %r2, %r3",
	"bfe.u32 %r4, %r1, %r2, %r3", "bfe.s32 %r4, %r1, %r2, %r3", "bfi.b32 %r4, %r1, %r2, %r3, %r1",
	"and.b32 %r2, %r2, 127; and.b32 %r3, %r3, 127; bfe.s64 %l4, %l1, %r2, %r3",
	"and.b32 %r2, %r2, 127; and.b32 %r3, %r3, 127; bfe.u64 %l4, %l1, %r2, %r3",
	"and.b32 %r2, %r2, 127; and.b32 %r3, %r3, 127; bfi.b64 %l4, %l1, %l2, %r3, %r2",
	"bfind.shiftamt.u32 %r4, %r1", "bfind.shiftamt.s64 %r4, %l1", "bfind.u64 %r4, %l1",
	"not.b32 %r3, %r1; clz.b32 %r4, %r3",
	"shr.s32 %r4, %r1, %r2", "shl.b32 %r4, %r1, %r2", "shr.u32 %r4, %r1, %r2",
	"and.b32 %r3, %r2, 31; shr.s32 %r4, %r1, %r3",
	"sad.u64 %l4, %l1, %l2, %l3", "mul24.lo.s32 %r4, %r1, %r2", "mul24.hi.u32 %r4, %r1, %r2", "cnot.b32 %r4, %r1",
	"mad24.hi.u32 %r4, %r1, %r2, %r3", "mad.hi.u32 %r4, %r1, %r2, %r3", "slct.u32.s32 %r4, %r1, %r2, %r3",
	"div.rz.f32 %f4, %f1, %f2", "div.rm.f64 %d4, %d1, %d2", "sqrt.rp.f32 %f4, %f1", "sqrt.rm.f64 %d4, %d1",
	"rcp.rp.f32 %f4, %f1", "rcp.rz.f64 %d4, %d1", "cvt.sat.f32.f32 %f4, %f1", "copysign.f32 %f4, %f1, %f2",
	"cvt.rpi.f64.f64 %d4, %d1", "cvt.rni.f64.f64 %d4, %d1", "cvt.rz.f32.f64 %f4, %d1", "cvt.rp.f32.s64 %f4, %l1",
	"div.rn.f64 %d4, %d1, 0dC0779FACC9B20CD0", "div.rm.f64 %d4, %d1, 0dC03F11FA41B5F30D",
	"div.rn.f64 %d4, 0d7E37E43C8800759C, %d2", "mul.wide.s16 %r4, %h1, %h2",
	"setp.lt.f32 %p1, %f1, 0f00000000; selp.u32 %r4, 3, 5, %p1",
	"mov.b32 {%h1, %h2}, %r1; cvt.u32.u16 %r2, %h1; cvt.u32.u16 %r3, %h2; sub.u32 %r2, %r2, %r3; sub.u32 %r4, %r2, %r1",
	"setp.lt.s32 %p1, %r1, 0; setp.lt.s32 %p2, %r2, 0; and.pred %p1, %p1, %p2; selp.u32 %r4, 3, 5, %p1",
}

// partOperations are those on halves and bytes. PTX has them from sm_61 on.
var partOperations = []string{
	"add.f16 %h4, %h1, %h2; cvt.u32.u16 %r4, %h4", "sub.f16 %h4, %h1, %h2; cvt.u32.u16 %r4, %h4",
	"mul.f16 %h4, %h1, %h2; cvt.u32.u16 %r4, %h4", "fma.rn.f16 %h4, %h1, %h2, %h3; cvt.u32.u16 %r4, %h4",
	"add.f16x2 %r4, %r1, %r2", "mul.f16x2 %r4, %r1, %r2", "fma.rn.f16x2 %r4, %r1, %r2, %r3",
	"add.f16 %h4, %h1, %h2; cvt.f32.f16 %f4, %h4", "mul.f16 %h4, %h1, %h2; cvt.f32.f16 %f4, %h4",
	"cvt.f32.f16 %f1, %h1; cvt.f32.f16 %f2, %h2; mul.f32 %f4, %f1, %f2",
	"cvt.f32.f16 %f1, %h1; cvt.f32.f16 %f2, %h2; add.f32 %f4, %f1, %f2",
	"cvt.f32.f16 %f1, %h1; cvt.f32.f16 %f2, %h2; fma.rn.f32 %f4, %f1, %f2, %f3",
	"setp.lt.f16 %p1, %h1, %h2; selp.u32 %r4, 3, 5, %p1", "setp.geu.f16 %p1, %h1, %h2; selp.u32 %r4, 3, 5, %p1",
	"setp.nan.f16 %p1, %h1, %h2; selp.u32 %r4, 3, 5, %p1",
	"setp.gt.f16x2 %p1|%p2, %r1, %r2; selp.u32 %r4, 3, 5, %p1; selp.u32 %r3, 8, 16, %p2; xor.b32 %r4, %r4, %r3",
	"dp4a.u32.u32 %r4, %r1, %r2, %r3", "dp4a.s32.s32 %r4, %r1, %r2, %r3", "dp4a.s32.u32 %r4, %r1, %r2, %r3",
	"dp2a.lo.s32.u32 %r4, %r1, %r2, %r3", "dp2a.hi.u32.u32 %r4, %r1, %r2, %r3",
}

// source returns a module with a kernel for each operation: operands of 64 bits in three arrays, results in a fourth.
func source(target int, operations []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".version 7.5\n.target sm_%d\n.address_size 64\n", target)
	for i, op := range operations {
		store := map[byte]string{'r': "b32", 'l': "b64", 'f': "f32", 'd': "f64"}
		kind := op[strings.LastIndex(op, "4, ")-1]
		fmt.Fprintf(&b, `.visible .entry k%d(.param .u64 p) {
.reg .b16 %%h<9>; .reg .b32 %%r<9>; .reg .b64 %%l<9>, %%a<9>; .reg .f32 %%f<9>; .reg .f64 %%d<9>; .reg .pred %%p<3>;
ld.param.u64 %%a1, [p]; mov.u32 %%r8, %%tid.x; mul.wide.u32 %%a2, %%r8, 32; add.s64 %%a1, %%a1, %%a2;
`, i)
		for n := 1; n <= 3; n++ {
			fmt.Fprintf(&b, "ld.global.u64 %%l%d, [%%a1+%d]; cvt.u32.u64 %%r%d, %%l%d;\n", n, 8*(n-1), n, n)
			fmt.Fprintf(&b, "cvt.u16.u32 %%h%d, %%r%d;\n", n, n)
			fmt.Fprintf(&b, "mov.b32 %%f%d, %%r%d; mov.b64 %%d%d, %%l%d;\n", n, n, n, n)
		}
		fmt.Fprintf(&b, "%s;\nst.global.%s [%%a1+24], %%%c4;\nret;\n}\n", op, store[kind], kind)
	}
	return b.String()
}

// edges are operands of every type with something special about them.
var edges = []uint64{1, 2, 3, 0xffffffff, 0x80000000, 0x7fffffff, 0xffffffffffffffff, 1 << 63, 1<<63 - 1, 1 << 32,
	0x3ff0000000000000, 0x3ff000003f800000, 0x7fe0000000000001, 0x0010000000000000, 0x0000000000000001 << 52 >> 3,
	0x7ff0000000000000 | 0x7f800000, 0x4008000040400000, 0xc0590000c2c80000, 0x00000000007fffff, 0x7f7fffff, 0x34000000}

const trials = 512

func run(t *testing.T, m *ir.Module, kernel string, compile func(*host.Launch) (*ir.Kernel, error)) []byte {
	t.Helper()
	memory := &mem.Memory{}
	a := memory.Alloc("data", 32*trials)
	data, _ := memory.Bytes(a, 32*trials)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range trials {
		for j := range 3 {
			v := edges[r.IntN(len(edges))]
			switch r.IntN(4) {
			case 0:
				v = r.Uint64() >> r.IntN(64)
			case 1:
				v = math.Float64bits(r.NormFloat64())&^0xffffffff | uint64(math.Float32bits(float32(r.NormFloat64())))
			case 2:
				v = -(r.Uint64() >> r.IntN(64))
			}
			if j == 1 && uint32(v) == 0 {
				v |= 5
			}
			binary.LittleEndian.PutUint64(data[32*i+8*j:], v)
		}
	}
	e := &emu.Runner{Mem: memory, Compile: compile}
	if err := e.Launch(&host.Launch{Module: m, Kernel: kernel, Grid: [3]int{1, 1, 1}, Block: [3]int{trials, 1, 1},
		Args: []host.Arg{host.U64(a)}}); err != nil {
		t.Fatal(err)
	}
	return data
}

// same reports whether two results are the same. The sign and the contents of a NaN are not defined.
func same(op string, got, want uint64) bool {
	nan32 := func(x uint64) bool { v := math.Float32frombits(uint32(x)); return v != v }
	nan64 := func(x uint64) bool { v := math.Float64frombits(x); return v != v }
	return got == want || strings.Contains(op, "%f4") && nan32(got) && nan32(want) ||
		strings.Contains(op, "%d4") && nan64(got) && nan64(want)
}

func TestArithmeticOfMachineCodeIsThatOfItsPTX(t *testing.T) {
	for _, arch := range []int{52, 61, 75, 86, 90} {
		sameArithmetic(t, arch, 52, operations)
	}
}

func TestArithmeticOnPartsOfWordsIsThatOfItsPTX(t *testing.T) {
	for _, arch := range []int{61, 70, 75, 80, 90} {
		sameArithmetic(t, arch, 61, partOperations)
	}
}

// sameArithmetic compares operations as PTX for a target with their machine code for an architecture.
func sameArithmetic(t *testing.T, arch, target int, operations []string) {
	t.Helper()
	if _, err := tools.Find(); errors.Is(err, tools.ErrAbsent) {
		t.Skip(err)
	}
	code, err := New(arch)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ptx.Parse("operations.ptx", []byte(source(target, operations)))
	if err != nil {
		t.Fatal(err)
	}
	for i, op := range operations {
		name := fmt.Sprintf("k%d", i)
		t.Run(fmt.Sprintf("sm_%d/%s", arch, op), func(t *testing.T) {
			got, want := run(t, m, name, code.Kernel), run(t, m, name, nil)
			bad := 0
			for j := 0; j < len(want) && bad < 3; j += 32 {
				word := func(b []byte, k int) uint64 { return binary.LittleEndian.Uint64(b[j+8*k:]) }
				if g, w := word(got, 3), word(want, 3); !same(op, g, w) {
					bad++
					t.Errorf("of %#x, %#x and %#x it is %#x, want %#x", word(want, 0), word(want, 1),
						word(want, 2), g, w)
				}
			}
		})
	}
}
