package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// The shape of a kernel, for some thousand cycles of a machine.
const (
	mostVars    = 24 // live in a thread from its beginning to its end
	mostDepth   = 3  // of nested statements
	mostLoops   = 2  // of them loops
	mostTrips   = 3
	mostResults = 3 // variables made by the sides of a branch
	fuel        = 4 // branches backward by a lane, together with its calls
	arrayLen    = 8 // words of the local array of a frame
	tableLen    = 64

	mostThreads   = 256 // of a CTA, with setmaxnreg
	mostRegisters = 60  // of a thread: the variables, and the compiler's own
)

// The first lines of the kernel and of its function.
const (
	entryHead    = ".visible .entry random(.param .u64 table, .param .u64 out)"
	functionHead = ".func (.param .u32 result) f(.param .u32 x, .param .u32 depth, .param .u64 from)"
)

// A program is a random kernel with its launch.
type program struct {
	seed        uint64
	text        string // PTX
	grid, block int
	registers   int // charged to a thread; 0: as many as it needs
	vars        int // words stored by each thread
}

// gen writes a kernel. Variables have their values from the thread's number, and each way out of the kernel stores
// them all, to show a wrong value in memory.
type gen struct {
	r      *rand.Rand
	b      strings.Builder
	vars   int
	labels int
	budget int // statements still to be written
	loops  int // loops around the present statement
	marks  [][]string
	ahead  []string // labels with branches to them, still to be placed
	within string   // label behind the innermost loop or switch
	funcs  bool     // the kernel has a function
	inFunc bool
	moves  bool // warpgroups change their registers at the beginning
	leaves bool // lanes may already have left
	has    style
	quits  bool // the function ends lanes
}

// style has the kinds of statements of a kernel. With all kinds, nearly every value may still be read somewhere, and an
// analysis may overlook ways without harm. Kernels without loops, or without early ends, show its mistakes.
type style struct{ loops, jumps, back, ends, quits, meets, memory bool }

func (g *gen) style() style {
	yes := func() bool { return g.chance(2) }
	return style{loops: yes(), jumps: yes(), back: yes(), ends: yes(), quits: yes(), meets: yes(), memory: !g.chance(4)}
}

// generate writes the program of a seed.
func generate(seed uint64) *program {
	g := &gen{r: rand.New(rand.NewPCG(seed, 7))}
	g.vars = 4 + g.r.IntN(mostVars-3)
	p := &program{seed: seed, grid: 1 + g.r.IntN(5), block: pick(g.r, 32, 50, 64, 96), vars: g.vars}
	g.has = g.style()
	g.funcs = g.r.IntN(3) == 0
	var text strings.Builder
	head := ".version 7.0\n.target sm_52"
	if !g.funcs && g.chance(6) {
		g.moves, p.block, head = true, 256, ".version 8.3\n.target sm_90a"
	}
	if !g.moves {
		p.registers = pick(g.r, 0, 0, 28, mostRegisters, mostRegisters)
	}
	fmt.Fprintf(&text, "// random kernel, seed %d\n%s\n.address_size 64\n", seed, head)
	if g.funcs {
		text.WriteString(g.function())
	}
	text.WriteString(g.kernel())
	p.text = text.String()
	return p
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

func (g *gen) chance(n int) bool { return g.r.IntN(n) == 0 }

func (g *gen) p(format string, args ...any) { fmt.Fprintf(&g.b, "\t"+format+";\n", args...) }

func (g *gen) label() string {
	g.labels++
	return fmt.Sprintf("L%d", g.labels)
}

func (g *gen) place(label string) { fmt.Fprintf(&g.b, "%s:\n", label) }

// v returns a variable.
func (g *gen) v() string { return fmt.Sprintf("%%v%d", g.r.IntN(g.vars)) }

// src returns a variable or an immediate.
func (g *gen) src() string {
	if g.chance(4) {
		return fmt.Sprint(g.r.IntN(1 << 16))
	}
	return g.v()
}

// declarations are the registers of the kernel and of the function.
func (g *gen) declarations() string {
	return fmt.Sprintf("\t.local .align 4 .b8 array[%d];\n\t.reg .b32 %%v<%d>, %%w<%d>, %%t<8>, %%chance, %%fuel, "+
		"%%lanes, %%loop<%d>;\n\t.reg .b64 %%a<4>, %%out, %%table;\n\t.reg .pred %%p, %%q;\n", 4*arrayLen, g.vars,
		mostResults*(mostDepth+1), mostLoops)
}

// kernel writes the kernel: segments of statements, with barriers of the CTA between them as long as no lane has left.
func (g *gen) kernel() string {
	g.b.Reset()
	g.budget = 12 + g.r.IntN(28)
	g.p("ld.param.u64 %%table, [table]")
	g.p("ld.param.u64 %%out, [out]")
	g.p("mov.u32 %%t0, %%ctaid.x")
	g.p("mov.u32 %%t1, %%ntid.x")
	g.p("mov.u32 %%t2, %%tid.x")
	g.p("mad.lo.u32 %%t0, %%t0, %%t1, %%t2")
	g.p("mul.wide.u32 %%a0, %%t0, %d", 4*g.vars)
	g.p("add.u64 %%out, %%out, %%a0")
	g.p("mad.lo.u32 %%chance, %%t0, 2654435761, %d", g.r.IntN(1<<30))
	g.p("mov.u32 %%fuel, %d", fuel)
	if g.moves {
		g.move()
	}
	g.begin()
	for i := range g.vars {
		g.p("mad.lo.u32 %%v%d, %%t0, %d, %d", i, 2*g.r.IntN(1<<20)+1, g.r.IntN(1<<20))
	}
	for g.chance(3) {
		g.barrier()
	}
	for n := g.r.IntN(3); n >= 0; n-- {
		g.segment()
		if n > 0 {
			g.together()
		}
	}
	g.leave("ret")
	bound := ""
	if g.moves {
		bound = fmt.Sprintf(".maxnreg %d\n", launched)
	}
	return fmt.Sprintf("%s\n%s{\n%s%s}\n", entryHead, bound, g.declarations(), g.b.String())
}

// Registers of a thread at the launch of a kernel with setmaxnreg, in its first warpgroup, and in the other one. The
// first group gives the other as many as it asks for.
const (
	launched = 56
	fewer    = 24
	more     = 88
)

// move lets the first warpgroup give registers up and the others gain some. Each then waits for the others.
func (g *gen) move() {
	other, end := g.label(), g.label()
	g.p("mov.u32 %%t1, %%tid.x")
	g.p("setp.ge.u32 %%p, %%t1, 128")
	g.p("@%%p bra %s", other)
	g.p("setmaxnreg.dec.sync.aligned.u32 %d", fewer)
	g.p("bra %s", end)
	g.place(other)
	g.p("setmaxnreg.inc.sync.aligned.u32 %d", more)
	g.place(end)
	g.p("bar.sync 0")
}

// begin writes the beginning of the kernel or the function.
func (g *gen) begin() {
	for _, p := range []string{"%p", "%q"} {
		g.p("setp.ne.u32 %s, %%fuel, %%fuel", p)
	}
	for i := range mostLoops {
		g.p("mov.u32 %%loop%d, 0", i)
	}
	for i := range mostResults * (mostDepth + 1) {
		g.p("mov.u32 %%w%d, 0", i)
	}
	for i := range arrayLen {
		g.p("st.local.u32 [array+%d], %d", 4*i, i+1)
	}
}

// function writes a recursive function of two variables.
func (g *gen) function() string {
	g.b.Reset()
	g.inFunc = true
	g.budget = 5 + g.r.IntN(10)
	g.p("ld.param.u32 %%v0, [x]")
	g.p("ld.param.u32 %%fuel, [depth]")
	g.p("ld.param.u64 %%table, [from]")
	g.p("mad.lo.u32 %%chance, %%v0, 2654435761, %d", g.r.IntN(1<<30))
	g.begin()
	for i := 1; i < g.vars; i++ {
		g.p("mad.lo.u32 %%v%d, %%v0, %d, %d", i, 2*g.r.IntN(1<<20)+1, g.r.IntN(1<<20))
	}
	g.segment()
	g.call()
	g.segment()
	for i := 1; i < g.vars; i++ {
		g.p("mad.lo.u32 %%v0, %%v0, 33, %%v%d", i)
	}
	g.p("st.param.u32 [result], %%v0")
	g.p("ret")
	g.inFunc, g.leaves = false, g.quits
	return fmt.Sprintf("%s;\n%s\n{\n%s%s}\n", functionHead, functionHead, g.declarations(), g.b.String())
}

// leave stores the variables and ends the lanes.
func (g *gen) leave(how string) {
	for i := range g.vars {
		g.p("st.global.u32 [%%out+%d], %%v%d", 4*i, i)
	}
	g.p("%s", how)
}

// segment writes statements with branches among them, and all their labels.
func (g *gen) segment() {
	g.marks = nil
	g.block(0)
	for _, l := range g.ahead {
		g.place(l)
	}
	g.ahead = nil
}

// together writes a barrier of the CTA, where no lane has left.
func (g *gen) together() {
	if g.leaves {
		return
	}
	g.p("bar.sync 0")
	if g.chance(2) {
		g.across()
	}
}
