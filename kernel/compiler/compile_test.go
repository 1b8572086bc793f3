package compiler

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/kernel/compiler/alloc"
	"kumiko/kernel/compiler/internal/randptx"
	"kumiko/kernel/ir"
	"kumiko/kernel/ptx"
)

// body compiles a kernel of the given body, with parameters u64 a, u64 b, u32 n and registers %r, %l, %f, %d, %p,
// and returns its instructions as text.
func body(t *testing.T, opt Options, lines ...string) string {
	t.Helper()
	src := ".version 6.3\n.target sm_52\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b, .param " +
		".u32 n)\n{\n" +
		".reg .b32 %r<20>;\n.reg .b64 %l<20>;\n.reg .f32 %f<20>;\n.reg .f64 %d<20>;\n.reg .pred %p<8>;\n" +
		strings.Join(lines, ";\n") + ";\nret;\n}\n"
	m := mustParse(t, "k.ptx", []byte(src))
	k := mustCompile(t, m.Kernels[0], opt)
	return text(k)
}

// text is a kernel's instructions.
func text(k *ir.Kernel) string {
	var out []string
	for pc := range k.Insts {
		out = append(out, k.Insts[pc].String())
	}
	return strings.Join(out, "\n")
}

// plain leaves the order of the instructions alone.
var plain = Options{Off: Schedule}

func TestAParameterIsAnOperandAndCostsNoRegister(t *testing.T) {
	got := body(t, plain, "mov.u32 %r1, %tid.x", "ld.param.u32 %r2, [n]", "add.s32 %r3, %r1, %r2",
		"st.shared.u32 [%r1], %r3")
	want := "mov.u32 R0, %tid.x\nadd.s32 R1, R0, c[param+16]\nst.shared.u32 [R0], R1\nexit"
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestOnlyOneConstantIsAnOperand(t *testing.T) {
	got := body(t, plain, "ld.param.u32 %r2, [n]", "add.s32 %r3, %r2, 5", "st.shared.u32 [0], %r3")
	want := "mov.u32 R0, c[param+16]\nadd.s32 R0, R0, 0x5\nst.shared.u32 [0], R0\nexit"
	got = strings.ReplaceAll(got, "[0x0]", "[0]")
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestAnArrayAddressTakesFourInstructions(t *testing.T) {
	// The shifts and the two halves of the sum in NVIDIA's code for base + 4*i, compute capability 5.2.
	got := body(t, plain, "mov.u32 %r1, %tid.x", "ld.param.u64 %l1, [a]", "cvta.to.global.u64 %l2, %l1",
		"mul.wide.u32 %l3, %r1, 4",
		"add.s64 %l4, %l2, %l3", "st.global.u32 [%l4+8], %r1")
	want := "mov.u32 R0, %tid.x\nshr.u32 R1, R0, 0x1e\nshl.b32 R2, R0, 0x2\nadd.u32 R2, P0, c[param], R2\n" +
		"add.u32 R3, c[param+4], R1, P0\nst.global.u32 [R2:R3+8], R0\nexit"
	got = strings.ReplaceAll(got, "c[param+0]", "c[param]")
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestNegationsAreFoldedIntoFloatingPointOperands(t *testing.T) {
	got := body(t, plain, "ld.shared.f32 %f1, [0]", "ld.shared.f32 %f2, [4]", "neg.f32 %f3, %f1",
		"fma.rn.f32 %f4, %f3, %f2, %f1", "st.shared.f32 [8], %f4")
	if strings.Contains(got, "neg") || !strings.Contains(got, "-R") {
		t.Errorf("the negation is not folded:\n%s", got)
	}
}

func TestMultiplicationAndAdditionOfIntegersAreFusedAndOfFloatsAreNot(t *testing.T) {
	ints := body(t, plain, "ld.shared.u32 %r1, [0]", "ld.shared.u32 %r2, [4]", "mul.lo.s32 %r3, %r1, %r2",
		"add.s32 %r4, %r3, %r1", "st.shared.u32 [8], %r4")
	if !strings.Contains(ints, "mad.lo") {
		t.Errorf("no multiply-add:\n%s", ints)
	}
	floats := body(t, plain, "ld.shared.f32 %f1, [0]", "ld.shared.f32 %f2, [4]", "mul.f32 %f3, %f1, %f2",
		"add.f32 %f4, %f3, %f1", "st.shared.f32 [8], %f4")
	if strings.Contains(floats, "fma") {
		t.Errorf("contracted:\n%s", floats)
	}
}

func TestAnAtomicWhoseResultNobodyReadsIsAReduction(t *testing.T) {
	got := body(t, plain, "mov.u32 %r1, %tid.x", "ld.param.u64 %l1, [a]", "atom.global.add.u32 %r2, [%l1], %r1")
	if !strings.Contains(got, "red.global.add") {
		t.Errorf("no reduction:\n%s", got)
	}
}

func TestTheFootprintIsTheLimitOrWhatIsUsedRoundedUpToFour(t *testing.T) {
	src := randptx.Program(5, randptx.Options{Vars: 4, Stmts: 20, Depth: 2})
	m := mustParse(t, "k.ptx", []byte(src))
	for _, limit := range []int{0, 18, 40, 63} {
		k, r, err := CompileReport(m.Kernels[0], Options{Registers: limit})
		if err != nil {
			t.Fatal(err)
		}
		want := limit
		if limit == 0 {
			want = (r.Used + 3) / 4 * 4
		}
		if k.Footprint != want || r.Alloc4 != (r.Used+3)/4*4 || r.AllocHW != (r.Used+7)/8*8 || !k.Allocated {
			t.Errorf("limit %d: footprint %d, want %d; report %+v", limit, k.Footprint, want, r)
		}
	}
}

func TestCompilingTwiceGivesTheSameKernelAndLeavesTheSourceAlone(t *testing.T) {
	n := uint64(20)
	if testing.Short() {
		n = 5
	}
	for seed := range n {
		m := parseFuzz(t, seed)
		before := listing(m.Kernels[0])
		for _, opt := range []Options{{}, {Policy: alloc.LeastConflict}, {Registers: 16}} {
			a := mustCompile(t, m.Kernels[0], opt)
			b, _ := Compile(m.Kernels[0], opt)
			if d := cmp.Diff(a, b); d != "" {
				t.Fatalf("seed %d: %s", seed, d)
			}
		}
		if listing(m.Kernels[0]) != before {
			t.Fatalf("seed %d: the source changed", seed)
		}
	}
}

func TestStepNamesAreReadBack(t *testing.T) {
	for i := range stepNames {
		s := Step(1<<i) | Thread
		if got, err := ParseSteps(s.String()); err != nil || got != s {
			t.Errorf("%s: %v, %v", s, got, err)
		}
	}
	if _, err := ParseSteps("fold,foo"); err == nil || !strings.Contains(err.Error(), `"foo"`) {
		t.Errorf("error %v", err)
	}
}

func TestAPanicOfAPassIsAnInternalErrorWithThePlace(t *testing.T) {
	in := ir.Inst{Op: ir.OpLd, Type: ir.U8, Space: ir.Shared, Addr: ir.Addr{Base: ir.Imm(0, 1)}, Line: 7, Col: 3}
	for i := range 8 {
		in.Dst = append(in.Dst, ir.R(ir.Reg(i), 1))
	}
	use := ir.Inst{Op: ir.OpSt, Type: ir.U32, Space: ir.Shared, Src: in.Dst[:1], Addr: in.Addr}
	k := &ir.Kernel{Name: "k", File: "k.ptx", NumRegs: 8, Insts: []ir.Inst{in, use, {Op: ir.OpExit}}}
	_, err := Compile(k, Options{})
	var internal *ir.InternalError
	if !errors.As(err, &internal) {
		t.Fatalf("found %v, expected an InternalError", err)
	}
	if want := "internal error: k.ptx:7:3: kernel k: ir: ld writes more than 4 registers"; err.Error() != want {
		t.Errorf("found %q, want %q", err, want)
	}
}

func TestAPanicOfAPassHasThePlaceOfTheKernelAndTheNameOfThePass(t *testing.T) {
	k := &ir.Kernel{File: "k.ptx", Name: "k", Insts: []ir.Inst{{Line: 7, Col: 3}}}
	defer func() {
		want := `internal error: k.ptx:7:3: kernel k: bang (in a pass of compiler.off = ["merge"])`
		if err, ok := recover().(error); !ok || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}()
	(&pass{Merge, func(*ir.Kernel) { panic("bang") }}).apply(k)
}

// mustParse returns the module of a text.
func mustParse(t testing.TB, name string, text []byte) *ir.Module {
	t.Helper()
	m, err := ptx.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// mustCompile compiles a kernel.
func mustCompile(t rapid.TB, k *ir.Kernel, opt Options) *ir.Kernel {
	t.Helper()
	out, err := Compile(k, opt)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
