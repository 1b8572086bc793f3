package ptx

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/ir"
)

// FuzzParse checks that no input makes the parser panic, and that accepted input is well formed.
func FuzzParse(f *testing.F) {
	f.Add(header + ".entry k(.param .u64 a) {" + registers + "$A: @%p1 bra $A; ld.global.v2.f32 {%f1, _}, [%d1+8]; }")
	f.Add(header + square + ".entry k() { .reg .f32 %f<3>; { .param .b32 p; .param .b32 r; st.param.f32 [p], %f1; " +
		"call (r), square, (p); ld.param.f32 %f2, [r]; } }")
	f.Add(header + indirectFuncs)
	f.Add(header + ".global .b8 x[2][3] = {{1,2},{3}}; .const .f32 c = 0f3F800000; .extern .shared .b8 s[];")
	f.Add(header + ".entry k() { T: .branchtargets A; brx.idx 0, T; A: vadd4.u32.u32.u32 %r, %r, %r, %r; }")
	f.Add(header + ".entry k() {" + registers + "ld.global.v8.u8 {%h1,%h2,%h3,%h4,%h5,%h6,%h7,%h8},[%d1]; " +
		"ld.global.v4.u16 {%d1,%d2,%d3,%d4},[%d1]; alloca.u64 %d1, -16; elect.sync %r1|%p1, %r2; }")
	files, err := filepath.Glob("testdata/*.ptx")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src))
	}
	f.Fuzz(func(t *testing.T, src string) {
		m, err := Parse("f.ptx", []byte(src))
		if (m == nil) == (err == nil) || panicked(err) {
			t.Fatalf("module %v, error %v", m, err)
		}
		if m != nil {
			for _, k := range m.Kernels {
				wellFormed(t, k)
			}
		}
	})
}

// wellFormed checks the guarantees to every consumer of a kernel.
func wellFormed(t interface {
	Helper()
	Fatalf(string, ...any)
}, k *ir.Kernel) {
	t.Helper()
	operand := func(pc int, o ir.Operand) {
		switch o.Kind {
		case ir.KindReg:
			if o.Words != 1 && o.Words != 2 || o.Reg < 0 || int(o.Reg)+int(o.Words) > k.NumRegs || o.Words == 2 &&
				o.Reg%2 != 0 {
				t.Fatalf("%s: register %v of %d at %d", k.Name, o, k.NumRegs, pc)
			}
		case ir.KindPred:
			if o.Pred() < 0 || int(o.Pred()) >= k.NumPreds {
				t.Fatalf("%s: predicate %v of %d at %d", k.Name, o, k.NumPreds, pc)
			}
		case ir.KindSpecial:
			if k.Insts[pc].Op != ir.OpMov || o.Special == ir.SpecialNone {
				t.Fatalf("%s: special register at %d", k.Name, pc)
			}
		}
	}
	for pc := range k.Insts {
		in := &k.Insts[pc]
		operand(pc, in.Guard)
		operand(pc, in.Addr.Base)
		for _, o := range append(in.Dst[:len(in.Dst):len(in.Dst)], in.Src...) {
			operand(pc, o)
		}
		for _, to := range append(in.Targets[:len(in.Targets):len(in.Targets)], in.Target) {
			if to < 0 || to >= len(k.Insts) {
				t.Fatalf("%s: a branch from %d to %d of %d", k.Name, pc, to, len(k.Insts))
			}
		}
	}
	if n := len(k.Insts); n == 0 {
		t.Fatalf("%s: no instruction", k.Name)
	} else if last := &k.Insts[n-1]; last.Op != ir.OpExit && last.Op != ir.OpBra && last.Op != ir.OpBrx ||
		last.Guard.Kind != ir.KindNone {
		t.Fatalf("%s: control runs past the end", k.Name)
	}
}

// statements are drawn by the property test; %s are registers of the kind.
var statements = []struct {
	text string
	args string // r b32, d b64, f f32, p predicate, h b16
}{
	{"add.s32 %s, %s, %s;", "rrr"}, {"mul.wide.u32 %s, %s, %s;", "drr"}, {"mad.wide.s32 %s, %s, %s, %s;", "drrd"},
	{"setp.lt.f32 %s, %s, %s;", "pff"}, {"@%s bra L;", "p"}, {"@!%s add.f32 %s, %s, %s;", "pfff"},
	{"mov.b64 {%s, %s}, %s;", "rrd"}, {"mov.b64 %s, {%s, %s};", "drr"}, {"cvt.u16.u32 %s, %s;", "hr"},
	{"cvt.s64.s16 %s, %s;", "dh"},
	{"ld.global.v2.f32 {%s, %s}, [%s+8];", "ffd"}, {"st.shared.u16 [%s], %s;", "rh"},
	{"selp.b32 %s, %s, %s, %s;", "rrrp"},
	{"shfl.sync.up.b32 %s|%s, %s, 1, 0, -1;", "rpr"}, {"add.cc.u32 %s, %s, %s;", "rrr"},
	{"addc.u32 %s, %s, %s;", "rrr"},
	{"{ .reg .b32 %%q; mov.u32 %%q, %s; }", "r"}, {"call (%s), sq, (%s);", "ff"},
}

// TestEveryMixOfStatementsIsWellFormed draws programs; each statement becomes at
// least one instruction, and the same source always the same program.
func TestEveryMixOfStatementsIsWellFormed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		var b strings.Builder
		b.WriteString(header + ".func (.reg .f32 %o) sq(.reg .f32 %i) { mul.f32 %o, %i, %i; ret; }\n.entry k() {" +
			registers)
		for range n {
			s := statements[rapid.IntRange(0, len(statements)-1).Draw(t, "statement")]
			var args []any
			for _, kind := range s.args {
				args = append(args, fmt.Sprintf("%%%c%d", kind, rapid.IntRange(0, 7).Draw(t, "register")))
			}
			fmt.Fprintf(&b, s.text+"\n", args...)
		}
		b.WriteString("L: ret; }\n")
		m, err := Parse("p.ptx", []byte(b.String()))
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		k := m.Kernels[0]
		wellFormed(t, k)
		if len(k.Insts) < n+1 {
			t.Fatalf("%d instructions of %d statements", len(k.Insts), n)
		}
		again, err := Parse("p.ptx", []byte(b.String()))
		if err != nil || text(again.Kernels[0]) != text(k) {
			t.Fatalf("parsed twice, two programs: %v", err)
		}
	})
}

// TestTruncatedSourcesNeverPanic cuts a source at every byte.
func TestTruncatedSourcesNeverPanic(t *testing.T) {
	src := header + square + indirectFuncs + ".entry k(.param .u64 a) {" + registers +
		"tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%d1, {%f1,%f2}]; @!%p1 ld.global.v4.u32 {%r1,_,%r2,_}, [%d1+-8]; " +
		"mov.u32 %r1, (3*-4); }"
	for i := range src {
		if m, err := Parse("c.ptx", []byte(src[:i])); m == nil && err == nil {
			t.Fatalf("cut at %d: neither module nor error", i)
		}
	}
}

func TestCompiledKernelsParse(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.ptx")
	if len(files) == 0 {
		t.Fatal("no testdata")
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Parse(f, src)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, k := range m.Kernels {
			wellFormed(t, k)
		}
	}
}

// BenchmarkParse reads a kernel of 3,000 instructions.
func BenchmarkParse(b *testing.B) {
	var s strings.Builder
	s.WriteString(header + ".entry k(.param .u64 a) { .reg .f32 %f<4000>; .reg .b64 %d<3000>; .reg .pred %p<3000>;\n")
	for i := range 1000 {
		fmt.Fprintf(&s, "fma.rn.f32 %%f%d, %%f%d, %%f%d, 0f3F800000;\nld.global.f32 %%f%d, [%%d%d+%d];\n@%%p%d bra "+
			"$L%d;\n$L%d:\n", i, i+1, i+2, i+3, i, 4*i, i, i, i)
	}
	s.WriteString("ret; }")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse("b.ptx", []byte(s.String())); err != nil {
			b.Fatal(err)
		}
	}
}
