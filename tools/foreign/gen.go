package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// inputs has the number of elements, a power of two, of each read-only buffer in_T.
var inputs = map[typ]int{tI32: 256, tU32: 256, tF32: 256, tF64: 128, tI64: 128, tU64: 128, tU8: 512, tI16: 256}

const (
	ownWords  = 8  // elements per thread of the buffers io_T
	sumWords  = 72 // elements of sum32 and sum64, the buffers changed by atomics, and from word 64 on under a lock
	mostTrips = 60 // iterations of all loops around a statement, multiplied
)

// A function is a device function called by the kernel.
type function struct {
	name   string
	result typ
	params []typ
}

// A gen generates one kernel.
type gen struct {
	r     *rand.Rand
	k     *kernel
	vars  map[typ][]string // readable variables
	lvals map[typ][]string // assignable variables
	reads map[typ][]string // readable arrays: formats with one %s for the index
	cells map[typ][]string // assignable arrays, as reads
	fns   []function
	bytes []fixed // structures assignable as a whole
	// changes is the name of a function of a structure and a number; "" without a structure.
	changes string
	n       int // names generated so far
	left    int // statements left to generate
	exits   int // of them, statements by which lanes may end
	// mayLeave: lanes may end before others meet. gone: a statement before may have ended some.
	mayLeave, gone bool
	lock           string // the block's lock; "" without one
	code           bool   // the kernel is for machine code
}

// A fixed is a variable of structure type.
type fixed struct{ name, structure string }

// generateFor generates the kernel of a seed for GPUs of a compute capability, with code for a run as machine code. In
// machine code lanes meet where the code says so, also lanes that end. CUDA C++ Programming Guide, section 7.19, leaves
// undefined what a membermask with lanes that have ended means. So with code the only way to end is at once. And before
// Volta no lane waits for a lane of its own warp.
func generateFor(seed uint64, arch int, code bool) *kernel {
	g := &gen{code: code, r: rand.New(rand.NewPCG(seed, 0x6b756d696b6f)), vars: map[typ][]string{},
		lvals: map[typ][]string{},
		reads: map[typ][]string{}, cells: map[typ][]string{}}
	g.k = &kernel{seed: seed, name: fmt.Sprintf("k%d", seed), arch: arch}
	g.launch()
	g.parameters()
	g.functions()
	g.structures()
	g.variables()
	if g.code {
		g.k.vars = append(g.k.vars, line("u32 kept = 0;"))
	}
	g.leaving()
	g.left = 8 + g.r.IntN(45)
	for g.left > 0 {
		g.k.body = append(g.k.body, g.statements(ctx{uniform: true, mask: "all", trips: 1}, 1+g.r.IntN(4))...)
	}
	if g.mayLeave && !g.code && g.r.IntN(2) == 0 {
		g.k.body = append(g.k.body, g.leaveLoop())
	}
	g.left = g.r.IntN(5)
	g.k.body = append(g.k.body, g.statements(ctx{returns: true, trips: 1}, g.left)...)
	g.stores()
	return g.k
}

// fresh returns an unused name.
func (g *gen) fresh(prefix string) string {
	g.n++
	return fmt.Sprintf("%s%d", prefix, g.n)
}

// launch chooses the grid and the block. Most blocks consist of whole warps.
func (g *gen) launch() {
	shapes := [][3]int{{32, 1, 1}, {64, 1, 1}, {96, 1, 1}, {128, 1, 1}, {8, 8, 1}, {16, 4, 1}, {4, 4, 4}, {2, 16, 2},
		{32, 2, 1}, {64, 1, 1}, {256, 1, 1}, {1, 1, 1}, {37, 1, 1}, {7, 3, 2}, {33, 2, 1}, {5, 5, 3}, {31, 1, 1}}
	g.k.block = pick(g.r, shapes...)
	g.k.grid = pick(g.r, [3]int{1, 1, 1}, [3]int{2, 1, 1}, [3]int{3, 1, 1}, [3]int{2, 2, 1}, [3]int{1, 2, 1},
		[3]int{1, 1, 2})
}

// parameters adds the kernel's buffers and scalars, in random order.
func (g *gen) parameters() {
	restrict := pick(g.r, "", "__restrict__ ")
	var list []param
	for _, t := range allTypes {
		if _, ok := inputs[t]; ok && !strings.Contains(fmt.Sprint(list), "in_"+string(t)+" ") {
			list = append(list, param{decl: fmt.Sprintf("const %s *%sin_%s ", t, restrict, t), buffer: "in_" +
				string(t)})
		}
	}
	for _, t := range []typ{tI32, tF32, tU64} {
		list = append(list, param{decl: fmt.Sprintf("%s *io_%s", t, t), buffer: "io_" + string(t)})
	}
	list = append(list, param{decl: "u32 *sum32", buffer: "sum32"}, param{decl: "u64 *sum64", buffer: "sum64"},
		param{decl: "u64 *out_i", buffer: "out_i"}, param{decl: "f32 *out_f", buffer: "out_f"},
		param{decl: "f64 *out_d", buffer: "out_d"})
	for range 2 + g.r.IntN(4) {
		t := pick(g.r, allTypes[:len(allTypes)-1]...)
		name := g.fresh("p")
		g.vars[t] = append(g.vars[t], name)
		list = append(list, param{decl: string(t) + " " + name, bytes: g.scalar(t), align: t.bits() / 8})
	}
	g.r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	g.k.params = list
}

// scalar returns the bytes of a number of a type.
func (g *gen) scalar(t typ) []byte {
	v := g.r.Uint64() >> g.r.IntN(64)
	switch t {
	case tF32:
		v = uint64(math.Float32bits(float32(g.r.NormFloat64() * 10)))
	case tF64:
		v = math.Float64bits(g.r.NormFloat64() * 10)
	}
	out := make([]byte, t.bits()/8)
	for i := range out {
		out[i] = byte(v >> (8 * i))
	}
	return out
}

// functions generates functions of numbers: inlined, called, and recursive ones.
func (g *gen) functions() {
	outer, saved := g.vars, g.reads
	for range g.r.IntN(3) {
		f := function{name: g.k.name + "_" + g.fresh("f"), result: pick(g.r, allTypes...)}
		g.vars, g.reads = map[typ][]string{}, map[typ][]string{}
		var decls []string
		for i := range 1 + g.r.IntN(4) {
			p := pick(g.r, allTypes...)
			f.params = append(f.params, p)
			decls = append(decls, fmt.Sprintf("%s a%d", p, i))
			g.vars[p] = append(g.vars[p], fmt.Sprintf("a%d", i))
		}
		g.k.before = append(g.k.before, fmt.Sprintf("%s %s %s(%s) {\n%s}", pick(g.r, "FN", "CALLED", "CALLED"),
			f.result,
			f.name, strings.Join(decls, ", "), g.functionBody(f)))
		g.fns = append(g.fns, f)
	}
	if g.r.IntN(8) == 0 {
		g.recursion()
	}
	g.vars, g.reads = outer, saved
}

// functionBody returns a few statements and the result. Functions do not read buffers, since buffers are not passed
// to them.
func (g *gen) functionBody(f function) string {
	var b strings.Builder
	noBuffers := func(make func() string) string {
		for {
			if s := make(); !strings.Contains(s, "in_") {
				return s
			}
		}
	}
	t := pick(g.r, allTypes...)
	fmt.Fprintf(&b, "  %s v = %s;\n", t, noBuffers(func() string { return g.expr(t, 2) }))
	g.vars[t] = append(g.vars[t], "v")
	if g.r.IntN(2) == 0 {
		c := noBuffers(func() string { return g.cond(1) })
		e := noBuffers(func() string { return g.expr(f.result, 2) })
		fmt.Fprintf(&b, "  if (%s) return %s;\n", c, e)
	}
	if g.r.IntN(3) == 0 {
		e := noBuffers(func() string { return g.expr(t, 2) })
		fmt.Fprintf(&b, "  for (u32 i = 0; i < %d; i++) v = %s;\n", 1+g.r.IntN(5), e)
	}
	fmt.Fprintf(&b, "  return %s;\n", noBuffers(func() string { return g.expr(f.result, 2) }))
	return b.String()
}

// recursion generates a recursive function, with a depth varying from lane to lane.
func (g *gen) recursion() {
	name := g.k.name + "_" + g.fresh("f")
	g.k.before = append(g.k.before, fmt.Sprintf(`CALLED u32 %s_deep(u32 n, u32 a) {
  if (n == 0) return a;
  u32 b = %s_deep(n - 1, a * %du + n) ^ n;
  return b & 1 ? b + a : %s_deep(n / 2, b >> 1) + 3;
}
FN u32 %s(u32 n, u32 a) { return %s_deep(n & 3, a); }`, name, name, 3+g.r.IntN(100), name, name, name))
	g.fns = append(g.fns, function{name: name, result: tU32, params: []typ{tU32, tU32}})
}

// structures declares a structure, variables of it, and an array.
func (g *gen) structures() {
	if g.r.IntN(2) == 0 {
		return
	}
	name := "S_" + g.k.name
	var fields []string
	one, many := map[string]typ{}, map[string]typ{}
	for i := range 2 + g.r.IntN(4) {
		t, f := pick(g.r, allTypes...), fmt.Sprintf("m%d", i)
		if g.r.IntN(4) == 0 {
			fields = append(fields, fmt.Sprintf("%s %s[4];", t, f))
			many[f] = t
			continue
		}
		fields = append(fields, fmt.Sprintf("%s %s;", t, f))
		one[f] = t
	}
	g.k.before = append(g.k.before, fmt.Sprintf("struct %s { %s };", name, strings.Join(fields, " ")))
	for range 1 + g.r.IntN(2) {
		v := g.fresh("st")
		g.k.vars = append(g.k.vars, line("%s %s = {};", name, v))
		g.bytes = append(g.bytes, fixed{v, name})
		for i := range fields {
			f := fmt.Sprintf("m%d", i)
			if t, ok := one[f]; ok {
				g.addVar(t, v+"."+f)
			} else {
				g.addCell(many[f], fmt.Sprintf("%s.%s[%%s & 3]", v, f))
			}
		}
	}
	f := g.k.name + "_" + g.fresh("f")
	change := ""
	for i := range fields {
		if t, ok := one[fmt.Sprintf("m%d", i)]; ok {
			change += fmt.Sprintf(" a.m%d = (%s)(a.m%d + (%s)(b & 63));", i, t, i, t)
		}
	}
	g.k.before = append(g.k.before, fmt.Sprintf("%s %s %s(%s a, u32 b) {%s return a; }", pick(g.r, "CALLED", "FN"),
		name, f,
		name, change))
	g.changes = f
	list := g.fresh("st")
	g.k.vars = append(g.k.vars, line("%s %s[4] = {};", name, list))
	for i := range fields {
		f := fmt.Sprintf("m%d", i)
		if t, ok := one[f]; ok {
			g.addCell(t, fmt.Sprintf("%s[%%s & 3].%s", list, f))
		}
	}
	g.bytes = append(g.bytes, fixed{fmt.Sprintf("%s[%s & 3]", list, g.index(1)), name})
}

func (g *gen) addVar(t typ, name string) {
	g.vars[t], g.lvals[t] = append(g.vars[t], name), append(g.lvals[t], name)
}

func (g *gen) addCell(t typ, format string) {
	g.reads[t], g.cells[t] = append(g.reads[t], format), append(g.cells[t], format)
}

// variables declares scalars of all types, local arrays, and a table of constants.
func (g *gen) variables() {
	g.k.vars = append(g.k.vars, line("const u32 all = present();"),
		line("const u32 gid = cta() * threads() + linear();"))
	for _, t := range []typ{tI32, tU32, tF32, tI64, tF64, tU64, tU8, tI16, tI8, tU16, tF16} {
		for range 1 + g.r.IntN(3) {
			v := g.fresh("v")
			g.k.vars = append(g.k.vars, line("%s %s = %s;", t, v, g.expr(t, 1)))
			g.addVar(t, v)
		}
	}
	for range g.r.IntN(3) {
		t, n, v := pick(g.r, allTypes...), 1<<(1+g.r.IntN(4)), g.fresh("w")
		g.k.vars = append(g.k.vars, line("%s %s[%d];\nfor (u32 i = 0; i < %d; i++) %s[i] = (%s)(%s);", t, v, n, n, v, t,
			pick(g.r, "i * 3", "linear() + i", "0")))
		g.addCell(t, fmt.Sprintf("%s[%%s & %d]", v, n-1))
	}
	if g.r.IntN(3) == 0 {
		t, v := pick(g.r, allTypes[:len(allTypes)-1]...), g.k.name+"_"+g.fresh("table")
		list := make([]string, 16)
		for i := range list {
			list[i] = constant(g.r, t)
		}
		g.k.before = append(g.k.before, fmt.Sprintf("CONSTANT %s %s[16] = {%s};", t, v, strings.Join(list, ", ")))
		g.reads[t] = append(g.reads[t], v+"[%s & 15]")
	}
	for _, t := range []typ{tI32, tF32, tU64} {
		g.addCell(t, fmt.Sprintf("io_%s[gid * %d + (%%s & %d)]", t, ownWords, ownWords-1))
	}
}

// stores writes every variable to the thread's part of the outputs.
func (g *gen) stores() {
	g.k.ends = append(g.k.ends, line("%s:;", lastLabel))
	out := map[string][]string{}
	for _, t := range []typ{tI8, tU8, tI16, tU16, tI32, tU32, tI64, tU64, tF16, tF32, tF64} {
		to := "out_i"
		switch t {
		case tF16, tF32:
			to = "out_f"
		case tF64:
			to = "out_d"
		}
		for _, v := range g.lvals[t] {
			if to == "out_i" {
				v = "(u64)" + v
			}
			out[to] = append(out[to], v)
		}
	}
	if g.code { // the results of groups of lanes
		out["out_i"] = append(out["out_i"], "(u64)kept")
	}
	for _, to := range []string{"out_i", "out_f", "out_d"} {
		for i, v := range out[to] {
			g.k.ends = append(g.k.ends, line("%s[gid * %d + %d] = %s;", to, len(out[to]), i, v))
		}
		g.k.outs = append(g.k.outs, len(out[to]))
	}
}
