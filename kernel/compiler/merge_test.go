package compiler

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/compiler/alias"
	"kumiko/kernel/compiler/internal/randptx"
	"kumiko/kernel/ir"
	"kumiko/kernel/ptx"
)

// mergeModule has the declarations used by the kernels of merged.
const mergeModule = `.version 7.1
.target sm_80
.address_size 64
.const .align 16 .b8 cv[256] = {1, 2, 3, 4};
.global .align 16 .b8 g16[1024];
.global .align 4 .b8 g4[1024];
.shared .align 16 .b8 sv[1024];
.shared .align 4 .b8 odd[20];
.shared .align 4 .b8 behind[1024];
.extern .shared .align 4 .b8 dyn[];
.visible .entry k(.param .u64 a, .param .u64 .ptr .global .align 16 b, .param .u32 n)
{
.local .align 16 .b8 lv[256];
.reg .b32 %r<32>; .reg .b64 %l<20>; .reg .f32 %f<20>; .reg .f64 %d<8>; .reg .b16 %h<8>; .reg .pred %p<4>;
mov.u32 %r20, %tid.x; mov.u32 %r21, sv; shl.b32 %r22, %r20, 6; add.u32 %r21, %r21, %r22;
setp.lt.u32 %p0, %r20, 7; setp.lt.u32 %p1, %r20, 9; cvt.u64.u32 %l19, %r22;
`

// merged compiles a body, with %r21 a multiple of 64 in shared memory. It counts the body's loads and stores by
// bytes per lane, without those at the kernel's end.
func merged(t *testing.T, opt Options, lines ...string) map[string]int {
	t.Helper()
	keep := "st.global.u32 [%l18+3], %r19" // is not aligned, and so never joined
	src := mergeModule + "ld.param.u64 %l18, [a];\n" + strings.Join(lines, ";\n") + ";\n" +
		"mov.u32 %r19, 0;\n"
	for i := range 16 {
		src += fmt.Sprintf("xor.b32 %%r19, %%r19, %%r%d;\n", i)
	}
	for i := range 8 {
		src += fmt.Sprintf("mov.b32 %%r18, %%f%d; xor.b32 %%r19, %%r19, %%r18;\n", i)
	}
	for i := range 4 {
		src += fmt.Sprintf("cvt.rzi.u32.f64 %%r18, %%d%d; xor.b32 %%r19, %%r19, %%r18;\n", i)
	}
	for i := range 4 {
		src += fmt.Sprintf("cvt.u32.u16 %%r18, %%h%d; xor.b32 %%r19, %%r19, %%r18;\n", i)
	}
	m, err := ptx.Parse("k.ptx", []byte(src+keep+";\nret;\n}\n"))
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	k := mustCompile(t, m.Kernels[0], opt)
	out := map[string]int{}
	for pc := range k.Insts {
		in := &k.Insts[pc]
		if (in.Op == ir.OpLd || in.Op == ir.OpSt) && in.Addr.Offset != 3 {
			out[fmt.Sprintf("%s%d", map[ir.Op]string{ir.OpLd: "ld", ir.OpSt: "st"}[in.Op], 8*alias.Bytes(in))]++
		}
	}
	return out
}

// row are loads of consecutive words to registers from %r0 on.
func row(form string, words int) []string {
	var out []string
	for i := range words {
		out = append(out, fmt.Sprintf(form, i, 4*i))
	}
	return out
}

func check(t *testing.T, name string, got map[string]int, want string) {
	t.Helper()
	if s := strings.TrimPrefix(fmt.Sprint(got), "map"); s != "["+want+"]" {
		t.Errorf("%s: %s, want [%s]", name, s, want)
	}
}

func TestNeighbouringAccessesAreMergedWhereTheAlignmentIsProved(t *testing.T) {
	const shared = "ld.shared.u32 %%r%d, [%%r21+%d]"
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"four words of shared memory", row(shared, 4), "ld128:1"},
		{"two words", row(shared, 2), "ld64:1"},
		{"three words", row(shared, 3), "ld32:1 ld64:1"},
		{"sixteen words", row(shared, 16), "ld128:4"},
		{"four words, the last first", []string{"ld.shared.u32 %r3, [%r21+12]", "ld.shared.u32 %r2, [%r21+8]",
			"ld.shared.u32 %r1, [%r21+4]", "ld.shared.u32 %r0, [%r21]"}, "ld128:1"},
		{"words of several types", []string{"ld.shared.f32 %f0, [%r21]", "ld.shared.u32 %r1, [%r21+4]"}, "ld64:1"},
		{"two doubles", []string{"ld.shared.f64 %d0, [%r21+16]", "ld.shared.f64 %d1, [%r21+24]"}, "ld128:1"},
		{"two vectors", []string{"ld.shared.v2.u32 {%r0, %r1}, [%r21]", "ld.shared.v2.u32 {%r2, %r3}, [%r21+8]"},
			"ld128:1"},
		{"under one guard", row("@%%p0 ld.shared.u32 %%r%d, [%%r21+%d]", 4), "ld128:1"},
		{"a fixed address", row("ld.shared.u32 %%r%d, [sv+%d]", 4), "ld128:1"},
		{"dynamic shared memory", row("ld.shared.u32 %%r%d, [dyn+%d]", 4), "ld128:1"},
		{"local memory", row("ld.local.u32 %%r%d, [lv+%d]", 4), "ld128:1"},
		{"a global array of alignment 16", row("ld.global.u32 %%r%d, [g16+%d]", 4), "ld128:1"},
		{"a pointer of declared alignment", append([]string{"ld.param.u64 %l0, [b]", "add.u64 %l0, %l0, %l19"},
			row("ld.global.u32 %%r%d, [%%l0+%d]", 4)...), "ld128:1"},
		{"constant memory", append([]string{"mov.u32 %r16, cv", "add.u32 %r16, %r16, %r22"},
			row("ld.const.u32 %%r%d, [%%r16+%d]", 4)...), "ld64:2"},
		{"an address that a loop moves on", append(append([]string{"LOOP: add.u32 %r21, %r21, 32"}, row(shared, 4)...),
			"setp.lt.u32 %p3, %r21, %r3", "@%p3 bra LOOP"), "ld128:1"},
		{"a store of other bytes between", []string{"ld.shared.u32 %r0, [%r21]", "st.shared.u32 [%r21+8], %r20",
			"ld.shared.u32 %r1, [%r21+4]"}, "ld64:1 st32:1"},
		{"four stores", row("st.shared.u32 [%%r21+%[2]d], %%r%[1]d", 4), "st128:1"},
		{"stores under one guard", row("@!%%p0 st.shared.u32 [%%r21+%[2]d], %%r%[1]d", 4), "st128:1"},
	} {
		regs := append([]string{}, c.lines...)
		if strings.HasPrefix(c.want, "st128") {
			regs = append(row("add.u32 %%r%d, %%r20, %d", 4), c.lines...)
		}
		check(t, c.name, merged(t, Options{}, regs...), c.want)
	}
}

func TestAccessesAreNotMergedIfTheirEffectCouldChange(t *testing.T) {
	const first, second = "ld.shared.u32 %r0, [%r21]", "ld.shared.u32 %r1, [%r21+4]"
	between := func(lines ...string) []string { return append(append([]string{first}, lines...), second) }
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"a store through another base", between("st.shared.u32 [%r20], %r22"), "ld32:2 st32:1"},
		{"a store of the same word", between("st.shared.u32 [%r21+4], %r22"), "ld32:2 st32:1"},
		{"a generic store", between("st.u32 [%l18], %r22"), "ld32:2 st32:1"},
		{"an atomic", between("atom.shared.add.u32 %r2, [%r20], 1"), "ld32:2"},
		{"a reduction", between("red.shared.add.u32 [%r20], 1"), "ld32:2"},
		{"a barrier", between("bar.sync 0"), "ld32:2"},
		{"a barrier of the warp", between("bar.warp.sync 0xffffffff"), "ld32:2"},
		{"a fence", between("membar.cta"), "ld32:2"},
		{"a shuffle", between("shfl.sync.bfly.b32 %r2, %r20, 1, 31, -1"), "ld32:2"},
		{"a clock", between("mov.u32 %r2, %clock"), "ld32:2"},
		{"a volatile load between", between("ld.volatile.shared.u32 %r2, [%r20+512]"), "ld32:3"},
		{"another block", between("NEXT: add.u32 %r2, %r2, 1", "setp.lt.u32 %p3, %r2, %r20", "@%p3 bra NEXT"),
			"ld32:2"},
		{"a new base", between("add.u32 %r21, %r21, %r0"), "ld32:2"},
		{"another guard", []string{"@%p0 " + first, "@%p1 " + second}, "ld32:2"},
		{"the opposite guard", []string{"@%p0 " + first, "@!%p0 " + second}, "ld32:2"},
		{"a guard and none", []string{"@%p0 " + first, second}, "ld32:2"},
		{"a new guard", []string{"@%p0 " + first, "setp.lt.u32 %p0, %r20, 5", "@%p0 " + second}, "ld32:2"},
		{"a destination that is read between", []string{"add.u32 %r1, %r20, 5", first, "xor.b32 %r2, %r1, 3",
			"@%p1 " + second}, "ld32:2"},
		{"one destination", []string{first, "xor.b32 %r2, %r0, 3", "ld.shared.u32 %r0, [%r21+4]"}, "ld32:2"},
		{"no multiple of the size", []string{"ld.shared.u32 %r0, [%r21+4]", "ld.shared.u32 %r1, [%r21+8]"}, "ld32:2"},
		{"the end of one line and the beginning of the next", []string{"ld.shared.v2.u32 {%r0, %r1}, [%r21+8]",
			"ld.shared.v2.u32 {%r2, %r3}, [%r21+16]"}, "ld64:2"},
		{"an array at no multiple of eight", append(row("ld.shared.u32 %%r%d, [behind+%d]", 2),
			"st.shared.u32 [odd], %r20"), "ld32:2 st32:1"},
		{"an address of which nothing is known", row("ld.shared.u32 %%r%d, [%%r20+%d]", 4), "ld32:4"},
		{"a pointer of which nothing is known", row("ld.global.u32 %%r%d, [%%l18+%d]", 4), "ld32:4"},
		{"a global array of alignment 4", row("ld.global.u32 %%r%d, [g4+%d]", 4), "ld32:4"},
		{"volatile loads", row("ld.volatile.shared.u32 %%r%d, [%%r21+%d]", 4), "ld32:4"},
		{"relaxed loads", row("ld.relaxed.cta.shared.u32 %%r%d, [%%r21+%d]", 4), "ld32:4"},
		{"cache operators", []string{"ld.global.ca.u32 %r0, [g16]", "ld.global.cg.u32 %r1, [g16+4]"}, "ld32:2"},
		{"generic addresses", append([]string{"cvta.shared.u64 %l0, %l19"}, row("ld.u32 %%r%d, [%%l0+%d]", 4)...),
			"ld32:4"},
		{"halves", []string{"ld.shared.u16 %h0, [%r21]", "ld.shared.u16 %h1, [%r21+2]"}, "ld16:2"},
		{"a load that extends", []string{"ld.shared.u32 %l0, [%r21]", "ld.shared.u32 %l1, [%r21+4]",
			"cvt.u32.u64 %r0, %l0", "cvt.u32.u64 %r1, %l1"}, "ld32:2"},
		{"stores with a load of the first between", []string{"st.shared.u32 [%r21], %r20", "ld.shared.u32 %r2, [%r22]",
			"st.shared.u32 [%r21+4], %r22"}, "ld32:1 st32:2"},
		{"stores with another of the first between", []string{"st.shared.u32 [%r21], %r20",
			"st.shared.u32 [%r22], %r20", "st.shared.u32 [%r21+4], %r22"}, "st32:3"},
		{"stores with a new value between", []string{"add.u32 %r0, %r20, 1", "st.shared.u32 [%r21], %r0",
			"add.u32 %r0, %r0, 1", "st.shared.u32 [%r21+4], %r22"}, "st32:2"},
		{"stores of one register", []string{"st.shared.u32 [%r21], %r20", "st.shared.u32 [%r21+4], %r20"}, "st32:2"},
	} {
		check(t, c.name, merged(t, Options{}, c.lines...), c.want)
	}
}

func TestMergingIsLeftOutByItsName(t *testing.T) {
	off, err := ParseSteps("merge")
	if err != nil {
		t.Fatal(err)
	}
	check(t, "four words", merged(t, Options{Off: off}, row("ld.shared.u32 %%r%d, [%%r21+%d]", 4)...), "ld32:4")
}

// chain multiplies sixteen words of shared memory one by one, while twelve other values wait for the end.
func chain() []string {
	lines := []string{".reg .b32 %x<16>", "mov.u32 %r19, %tid.x", "shl.b32 %r1, %r19, 6", "mov.u32 %r0, 1",
		"ld.param.u64 %l0, [a]"}
	for i := 2; i < 14; i++ {
		lines = append(lines, fmt.Sprintf("ld.volatile.global.u32 %%r%d, [%%l0+%d]", i, 4*i))
	}
	for i := range 16 {
		lines = append(lines, fmt.Sprintf("ld.shared.u32 %%x%d, [%%r1+%d]", i, 4*i),
			fmt.Sprintf("mad.lo.u32 %%r0, %%r0, %%x%d, %%r1", i))
	}
	for i := 2; i < 14; i++ {
		lines = append(lines, fmt.Sprintf("xor.b32 %%r0, %%r0, %%r%d", i))
	}
	return append(lines, "st.shared.u32 [%r1], %r0")
}

func TestMergingTakesNoMoreRegistersThanThereAre(t *testing.T) {
	for registers, want := range map[int]int{0: 4, 16: 8} {
		got := body(t, Options{Registers: registers}, chain()...)
		if n := strings.Count(got, "ld.shared"); n != want || strings.Contains(got, "local") {
			t.Errorf("with %d registers %d loads, want %d, and no spills:\n%s", registers, n, want, got)
		}
	}
}

// mergeCase is a random program of accesses to a region of each thread in three spaces, through bases with possibly
// overlapping accesses.
type mergeCase struct {
	t *rapid.T
	b strings.Builder
}

var mergeBases = map[string][]string{"shared": {"%s0", "%s1", "%s2"}, "global": {"%g0", "%g1", "%g2"},
	"local": {"%q0", "%q1", "%q2"}}

func (c *mergeCase) p(format string, args ...any) { fmt.Fprintf(&c.b, format+";\n", args...) }

func (c *mergeCase) n(most int, what string) int { return rapid.IntRange(0, most-1).Draw(c.t, what) }

// run writes accesses to neighbouring words, and some things between them.
func (c *mergeCase) run() {
	space := rapid.SampledFrom([]string{"shared", "global", "local"}).Draw(c.t, "space")
	base := mergeBases[space][c.n(3, "base")]
	guard := rapid.SampledFrom([]string{"", "", "@%p0 ", "@!%p0 ", "@%p1 "}).Draw(c.t, "guard")
	kind := rapid.SampledFrom([]string{"ld.", "ld.", "st.", "ld.volatile."}).Draw(c.t, "kind")
	if kind == "ld.volatile." && c.n(3, "volatile") > 0 {
		kind = "ld."
	}
	from, reg := c.n(12, "offset"), c.n(16, "register")
	for _, i := range rapid.Permutation([]int{0, 1, 2, 3}).Draw(c.t, "order")[:2+c.n(3, "words")] {
		access := fmt.Sprintf("%%r%d, [%s+%d]", (reg+i)%16, base, 4*(from+i))
		if kind == "st." {
			access = fmt.Sprintf("[%s+%d], %%r%d", base, 4*(from+i), (reg+i)%16)
		}
		c.p("%s%s%s.b32 %s", guard, kind, space, access)
		if c.n(4, "between") == 0 {
			c.other()
		}
	}
}

// other writes an instruction that may stand between accesses.
func (c *mergeCase) other() {
	switch c.n(9, "other") {
	case 0:
		c.p("setp.lt.s32 %%p%d, %%r%d, %%r%d", c.n(2, "p"), c.n(16, "r"), c.n(16, "r"))
	case 1:
		c.p("bar.sync 0")
	case 2:
		c.p("atom.shared.add.u32 %%r%d, [%s+%d], %%r%d", c.n(16, "r"), mergeBases["shared"][c.n(3, "base")],
			4*c.n(16, "offset"), c.n(16, "r"))
	case 3:
		base := c.n(3, "base")
		c.p("st.shared.b32 [%s+%d], %%r%d", mergeBases["shared"][base], 4*c.n(16, "offset"), c.n(16, "r"))
	case 4:
		c.p("st.b32 [%%g1+%d], %%r%d", 4*c.n(16, "offset"), c.n(16, "r"))
	case 5: // another base, the same bytes: the thread's own, since no barrier orders those of others
		c.p("sub.u32 %%t7, %%s1, %%s0; xor.b32 %%t7, %%t7, 16; add.u32 %%s1, %%s0, %%t7; xor.b64 %%q2, %%q2, 4")
	default:
		c.p("add.u32 %%r%d, %%r%d, %%r%d", c.n(16, "r"), c.n(16, "r"), c.n(16, "r"))
	}
}

// program is the whole kernel. The arrays have any alignment, and lie behind others of odd sizes.
func (c *mergeCase) program() string {
	align := func() int { return 4 << c.n(3, "align") }
	fmt.Fprintf(&c.b, `.version 7.1
.target sm_80
.address_size 64
.shared .align 4 .b8 pad[%d];
.shared .align %d .b8 sh[8192];
.global .align %d .b8 gl[16384];
.visible .entry fuzz(.param .u64 in, .param .u64 out, .param .u32 a, .param .s32 b, .param .f32 c, .param .u64 d)
{
.local .align 4 .b8 lpad[%d];
.local .align %d .b8 lv[128];
.reg .b32 %%r<16>, %%s<3>, %%t<8>; .reg .b64 %%in, %%out, %%v, %%g<3>, %%q<3>; .reg .pred %%p<4>;
mov.u32 %%t0, %%tid.x; mov.u32 %%t1, %%ctaid.x; mad.lo.u32 %%t1, %%t1, 64, %%t0;
ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out]; mul.wide.u32 %%v, %%t1, %d; add.u64 %%out, %%out, %%v;
mul.wide.u32 %%v, %%t0, 4; add.u64 %%in, %%in, %%v;
st.shared.u32 [pad], %%t0; st.local.u32 [lpad], %%t0;
mov.u32 %%s0, sh; shl.b32 %%t2, %%t0, 7; add.u32 %%s0, %%s0, %%t2;
mov.u64 %%g0, gl; mul.wide.u32 %%v, %%t1, 128; add.u64 %%g0, %%g0, %%v; mov.u64 %%q0, lv;
ld.global.u32 %%t3, [%%in]; and.b32 %%t3, %%t3, 3;
shl.b32 %%t4, %%t3, 4; add.u32 %%s1, %%s0, %%t4; cvt.u64.u32 %%v, %%t4;
add.u64 %%g1, %%g0, %%v; add.u64 %%q1, %%q0, %%v;
shl.b32 %%t4, %%t3, 2; add.u32 %%s2, %%s0, %%t4; cvt.u64.u32 %%v, %%t4;
add.u64 %%g2, %%g0, %%v; add.u64 %%q2, %%q0, %%v;
`, 4+4*c.n(4, "pad"), align(), align(), 4+4*c.n(4, "pad"), align(), randptx.OutBytes)
	for i := range 16 {
		c.p("ld.global.u32 %%r%d, [%%in+%d]", i, 256*i)
	}
	c.p("setp.lt.s32 %%p0, %%r0, %%r1; setp.lt.s32 %%p1, %%r2, 0")
	for i := range 32 {
		c.p("st.local.u32 [lv+%d], %%r%d; st.global.u32 [%%g0+%d], %%r%d; st.shared.u32 [%%s0+%d], %%r%d", 4*i, i%16,
			4*i, (i+5)%16, 4*i, (i+11)%16)
	}
	for range 3 + c.n(10, "runs") {
		c.run()
	}
	for i := range 16 {
		c.p("st.global.u32 [%%out+%d], %%r%d", 4*i, i)
	}
	for i, from := range []string{"local.u32 %%t5, [lv+%d]", "global.u32 %%t5, [%%g0+%d]",
		"shared.u32 %%t5, [%%s0+%d]"} {
		for w := range 32 {
			c.p("ld."+from, 4*w)
			c.p("st.global.u32 [%%out+%d], %%t5", 64+128*i+4*w)
		}
	}
	c.b.WriteString("ret;\n}\n")
	return c.b.String()
}

func TestMergedAccessesLeaveTheSameMemory(t *testing.T) {
	wide, cases := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		cases++
		c := &mergeCase{t: t}
		src := c.program()
		m, err := ptx.Parse("merge.ptx", []byte(src))
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		want, err := execute(m, source(m), 7)
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		want = bytes.Clone(want)
		more := rapid.SampledFrom([]Options{{Off: Wide}, {Registers: 24}, {Registers: 16},
			{Ahead: true, Registers: 64}})
		for _, opt := range []Options{{}, {Off: Merge}, {Off: AllSteps() &^ Merge}, more.Draw(t, "options")} {
			k := mustCompile(t, m.Kernels[0], opt)
			got, err := execute(m, k, 7)
			if err != nil {
				t.Fatalf("without %s: %v\n%s\n%s", opt.Off, err, src, listing(k))
			}
			if !bytes.Equal(got, want) {
				t.Fatalf("without %s, %d registers: the memory differs\n%s\n%s", opt.Off, opt.Registers, src,
					listing(k))
			}
			if opt.Off&Merge == 0 {
				wide += vectors(k)
			} else if n := vectors(k); n != 0 {
				t.Fatalf("%d wide accesses although none are merged", n)
			}
		}
	})
	if wide < 20*cases {
		t.Errorf("%d accesses of %d programs were wide, want at least 20 of each", wide, cases)
	}
}

func vectors(k *ir.Kernel) (n int) {
	for pc := range k.Insts {
		if in := &k.Insts[pc]; (in.Op == ir.OpLd || in.Op == ir.OpSt) && len(alias.Elements(in)) > 1 {
			n++
		}
	}
	return n
}
