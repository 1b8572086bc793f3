package randptx

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Options shape a program.
type Options struct {
	Vars   int // of each type
	Stmts  int // about
	Depth  int // of nesting
	Double bool
}

type gen struct {
	r      *rand.Rand
	b      strings.Builder
	o      Options
	labels int
	temps  map[byte]int
	budget int
	inLoop int
	locked map[string]bool // loop counters
}

// kinds are the register classes: letter, declared type.
var kinds = []struct {
	letter byte
	typ    string
}{{'r', "b32"}, {'l', "b64"}, {'f', "f32"}, {'d', "f64"}, {'h', "b16"}, {'p', "pred"}}

// Program writes the program of a seed.
func Program(seed uint64, o Options) string {
	g := &gen{r: rand.New(rand.NewPCG(seed, 1)), o: o, temps: map[byte]int{}, budget: o.Stmts,
		locked: map[string]bool{}}
	g.prologue()
	g.block(0)
	g.epilogue()
	body := g.b.String()
	var h strings.Builder
	h.WriteString(".version 6.3\n.target sm_52\n.address_size 64\n.shared .align 16 .b8 sh[8192];\n")
	h.WriteString(".const .align 8 .b8 tab[64] = " +
		"{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,200,201,202,203};\n")
	h.WriteString(".visible .entry fuzz(.param .u64 in, .param .u64 out, .param .u32 a, .param .s32 b, .param .f32 " +
		"c, .param .u64 d)\n{\n")
	for _, k := range kinds {
		fmt.Fprintf(&h, "\t.reg .%s %%%c<%d>, %%%ct<%d>;\n", k.typ, k.letter, o.Vars+1, k.letter, g.temps[k.letter]+1)
	}
	h.WriteString("\t.reg .b64 %in, %out, %atom;\n\t.reg .b32 %th, %slot, %sh, %cnt<16>;\n\t.reg .pred %pl<64>;\n")
	h.WriteString(body)
	h.WriteString("}\n")
	return h.String()
}

func (g *gen) p(format string, args ...any) { fmt.Fprintf(&g.b, "\t"+format+";\n", args...) }

// v returns a random variable of a class, t a new temporary of it.
func (g *gen) v(letter byte) string { return fmt.Sprintf("%%%c%d", letter, g.r.IntN(g.o.Vars)) }

func (g *gen) t(letter byte) string {
	g.temps[letter]++
	return fmt.Sprintf("%%%ct%d", letter, g.temps[letter])
}

func (g *gen) label() string {
	g.labels++
	return fmt.Sprintf("L%d", g.labels)
}

func (g *gen) pick(list ...string) string { return list[g.r.IntN(len(list))] }

func (g *gen) prologue() {
	g.p("ld.param.u64 %%in, [in]")
	g.p("ld.param.u64 %%out, [out]")
	g.p("cvta.to.global.u64 %%in, %%in")
	g.p("cvta.to.global.u64 %%out, %%out")
	g.p("mov.u32 %%th, %%tid.x")
	g.p("mov.u32 %%slot, %%ctaid.x")
	g.p("mov.u32 %%rt0, %%ntid.x")
	g.p("mad.lo.s32 %%slot, %%slot, %%rt0, %%th")
	g.p("shl.b32 %%sh, %%th, 6")
	g.p("mov.u32 %%rt0, sh")
	g.p("add.s32 %%sh, %%sh, %%rt0")
	g.p("mul.wide.u32 %%lt0, %%slot, %d", OutBytes)
	g.p("mov.u64 %%atom, %%out")
	g.p("add.s64 %%out, %%out, %%lt0")
	g.p("add.s64 %%out, %%out, 64")
	g.p("shl.b32 %%rt0, %%th, 3")
	g.p("cvt.u64.u32 %%lt0, %%rt0")
	g.p("add.s64 %%lt0, %%in, %%lt0")
	for i := range g.o.Vars {
		g.p("ld.global.u32 %%r%d, [%%lt0+%d]", i, 8*i)
		g.p("ld.global.u64 %%l%d, [%%lt0+%d]", i, 1024+8*i)
		g.p("ld.global.f32 %%f%d, [%%lt0+%d]", i, 2048+8*i)
		g.p("cvt.f64.f32 %%d%d, %%f%d", i, i)
		g.p("cvt.u16.u32 %%h%d, %%r%d", i, i)
		g.p("setp.gt.s32 %%p%d, %%r%d, 0", i, i)
	}
}

func (g *gen) epilogue() {
	for i := range g.o.Vars {
		g.p("st.global.u32 [%%out+%d], %%r%d", 4*i, i)
		g.p("st.global.u64 [%%out+%d], %%l%d", 64+8*i, i)
		g.p("st.global.f32 [%%out+%d], %%f%d", 192+4*i, i)
		g.p("st.global.f64 [%%out+%d], %%d%d", 256+8*i, i)
		g.p("st.global.u16 [%%out+%d], %%h%d", 384+2*i, i)
		g.p("selp.u32 %%rt0, 1, 0, %%p%d", i)
		g.p("st.global.u8 [%%out+%d], %%rt0", 416+i)
	}
	for i := range 4 {
		g.p("ld.shared.u32 %%rt0, [%%sh+%d]", 4*i)
		g.p("st.global.u32 [%%out+%d], %%rt0", 432+4*i)
	}
	g.p("ret")
}

// block writes statements until the budget or chance ends it.
func (g *gen) block(depth int) {
	for n := 2 + g.r.IntN(8); g.budget > 0 && (n > 0 || depth == 0); n-- {
		g.budget--
		switch c := g.r.IntN(20); {
		case c < 2 && depth < g.o.Depth:
			g.ifElse(depth)
		case c == 2 && depth < g.o.Depth && g.inLoop < 2:
			g.loop(depth)
		case c == 3:
			g.memory()
		case c == 4 && depth == 0:
			g.across()
		case c == 5:
			g.guarded()
		default:
			g.compute("")
		}
	}
}

func (g *gen) ifElse(depth int) {
	els, end := g.label(), g.label()
	g.p("@%s%s bra %s", g.pick("", "!"), g.v('p'), els)
	g.block(depth + 1)
	if g.r.IntN(2) == 0 {
		g.p("bra.uni %s", end)
		fmt.Fprintf(&g.b, "%s:\n", els)
		g.block(depth + 1)
		fmt.Fprintf(&g.b, "%s:\n", end)
		return
	}
	fmt.Fprintf(&g.b, "%s:\n", els)
}

// loop writes a loop with a trip count differing between threads.
func (g *gen) loop(depth int) {
	top, end := g.label(), g.label()
	n := g.inLoop
	g.inLoop++
	c, p := fmt.Sprintf("%%cnt%d", n), fmt.Sprintf("%%pl%d", n)
	switch g.r.IntN(3) {
	case 0:
		g.p("and.b32 %s, %s, 3", c, g.v('r'))
	case 1:
		g.p("and.b32 %s, %%th, %d", c, 1+g.r.IntN(3))
	default:
		g.p("mov.u32 %s, %d", c, g.r.IntN(4))
	}
	fmt.Fprintf(&g.b, "%s:\n", top)
	early := g.r.IntN(3) == 0
	g.block(depth + 1)
	if early {
		g.p("@%s bra %s", g.v('p'), end)
		g.block(depth + 1)
	}
	g.p("add.s32 %s, %s, -1", c, c)
	g.p("setp.gt.s32 %s, %s, 0", p, c)
	g.p("@%s bra %s", p, top)
	fmt.Fprintf(&g.b, "%s:\n", end)
	g.inLoop--
}

func (g *gen) guarded() {
	g.compute(fmt.Sprintf("@%s%s ", g.pick("", "!"), g.v('p')))
}

// memory reads the input, or writes and reads the thread's shared memory.
func (g *gen) memory() {
	switch g.r.IntN(7) {
	case 0:
		t, a := g.t('r'), g.t('l')
		g.p("and.b32 %s, %s, 1020", t, g.v('r'))
		g.p("cvt.s64.s32 %s, %s", a, t)
		g.p("add.s64 %s, %s, %%in", a, a)
		g.p("ld.global.%s %s, [%s+%d]", g.pick("u32", "s32", "b32"), g.v('r'), a, 4*g.r.IntN(64))
	case 1:
		t, a, b := g.t('r'), g.t('l'), g.t('l')
		g.p("and.b32 %s, %s, 63", t, g.v('r'))
		g.p("mul.wide.s32 %s, %s, 16", a, t)
		g.p("add.s64 %s, %%in, %s", b, a)
		x := g.r.Perm(g.o.Vars)
		g.p("ld.global.v4.f32 {%%f%d,%%f%d,%%f%d,%%f%d}, [%s]", x[0], x[1], x[2], x[3], b)
		g.p("ld.global.v2.u32 {%%r%d,%%r%d}, [%s+16]", x[1], x[0], b)
	case 2:
		g.p("st.shared.u32 [%%sh+%d], %s", 4*g.r.IntN(4), g.v('r'))
		g.p("ld.shared.u32 %s, [%%sh+%d]", g.v('r'), 4*g.r.IntN(4))
	case 3:
		g.p("st.shared.v4.f32 [%%sh], {%s,%s,%s,%s}", g.v('f'), g.v('f'), g.v('f'), g.v('f'))
		g.p("ld.shared.%s %s, [%%sh+%d]", g.pick("u8", "s8", "u16", "s16"), g.v('r'), 2*g.r.IntN(8))
	case 4:
		g.p("st.shared.u64 [%%sh+%d], %s", 8*g.r.IntN(2), g.v('l'))
		g.p("ld.shared.v2.u32 {%%r0,%%r1}, [%%sh+8]")
	case 5:
		g.p("red.global.add.u32 [%%atom+%d], %s", 4*g.r.IntN(8), g.v('r'))
		g.p("atom.global.max.u32 %s, [%%atom+32], %s", g.t('r'), g.v('r'))
	default:
		g.p("ld.const.u32 %s, [tab+%d]", g.v('r'), 4*g.r.IntN(16))
		g.p("ld.const.u64 %s, [tab+%d]", g.v('l'), 8*g.r.IntN(8))
	}
}

// across writes an operation across lanes, only where all lanes of the warp are together.
func (g *gen) across() {
	switch g.r.IntN(4) {
	case 0:
		g.p("shfl.sync.%s.b32 %s, %s, %d, 31, -1", g.pick("bfly", "down"), g.v('r'), g.v('r'), 1+g.r.IntN(31))
	case 1:
		g.p("vote.sync.ballot.b32 %s, %s, -1", g.v('r'), g.v('p'))
	case 2:
		g.p("vote.sync.%s.pred %s, %s, -1", g.pick("any", "all"), g.v('p'), g.v('p'))
	default:
		g.p("bar.sync 0")
	}
}
