package opcode

import (
	"strings"

	"kumiko/kernel/ir"
)

// Build returns the instruction of a trace's line. addressed reports whether the line has addresses, imms are its
// immediates. The caller sets Reconv, Target, Dead and the guard, since they depend on the program.
//
// Operands beyond the capacity of ir.Timing are left out: only matrices larger than any in use have such operands.
func (c *Code) Build(dst, src []Reg, addressed bool, imms []int64) ir.Inst {
	in := ir.Inst{Op: c.op, Type: c.typ, SrcType: c.typ, Sym: c.Name}
	in.T.Class = c.class
	if c.konst {
		in.T.Consts = 1
	}
	switch {
	case c.space == ir.SpaceNone:
		c.plain(&in, dst, src, imms)
	case !addressed:
		c.withoutAddress(&in, dst, src)
	default:
		c.memory(&in, dst, src)
	}
	if c.width == matrix {
		c.product(&in)
	}
	if c.class == ir.ClassIntMul && c.has("HI") {
		in.Mods.Part = ir.Hi
	}
	c.modifiers(&in)
	if in.Op == ir.OpBar {
		c.barrier(&in, imms)
	}
	ir.SetSlots(&in)
	ir.SetProduct(&in)
	return in
}

func (c *Code) plain(in *ir.Inst, dst, src []Reg, imms []int64) {
	d, s := c.spans(len(src), imms)
	for i, r := range src {
		read(in, r, s(i))
		if r.Kind == Uniform {
			in.Src = append(in.Src, ir.Imm(0, 1)) // it has a slot, and nothing in the register file
		}
	}
	for _, r := range dst {
		write(in, r, d)
	}
}

// withoutAddress builds a memory instruction without addresses in the trace: constant loads, textures and surfaces.
// The instruction occupies a pipeline for a fixed time instead.
func (c *Code) withoutAddress(in *ir.Inst, dst, src []Reg) {
	in.Op, in.Type, in.SrcType, in.T.Class = ir.OpMov, ir.B32, ir.B32, ir.ClassMove
	if c.space == ir.Texture {
		in.T.Class = ir.ClassSFU
	}
	for _, r := range src {
		read(in, r, 1)
	}
	for _, r := range dst {
		write(in, r, c.words())
	}
}

func (c *Code) memory(in *ir.Inst, dst, src []Reg) {
	in.Space, in.T.Space = c.space, c.space
	bytes := c.Bytes()
	in.T.Bytes = uint8(bytes)
	in.Type = map[int]ir.Type{1: ir.B8, 2: ir.B16, 4: ir.B32, 8: ir.B64, 16: ir.B128}[bytes]
	in.SrcType = in.Type
	if len(src) > 0 {
		n := 1
		if c.has("E") && !c.copies() {
			n = 2 // extended: a 64-bit address
		}
		if r := src[0]; r.Kind == Uniform {
			in.T.SrcUniform |= uniformSet(r, n)
		} else if r.Kind == General {
			n = fit(r, n)
			in.Addr.Base = ir.R(ir.Reg(r.N), n)
			for i := range n {
				in.T.Src[in.T.NSrc] = ir.RegID(int(r.N) + i)
				in.T.NSrc++
			}
			in.T.NAddr = in.T.NSrc
		}
		data := c.words()
		if c.width == loadW {
			data = 1
			if c.copies() {
				data = 2 // the global address, behind the shared one
			}
		}
		for _, r := range src[1:] {
			read(in, r, data)
		}
	}
	for _, r := range dst {
		write(in, r, c.words())
	}
	if in.Op == ir.OpAtom && len(in.Dst) == 0 {
		in.Op = ir.OpRed // ATOM to RZ returns nothing
	}
}

// copies reports whether the instruction copies from global to shared memory.
func (c *Code) copies() bool { return strings.HasPrefix(c.Name, "LDGSTS") }

// fit returns the number of existing registers among the n from r on.
func fit(r Reg, n int) int { return min(n, 255-int(r.N)) }

func read(in *ir.Inst, r Reg, n int) {
	switch r.Kind {
	case Zero:
		in.Src = append(in.Src, ir.Imm(0, 1))
	case Constant:
		in.Src = append(in.Src, ir.Operand{Kind: ir.KindConst, Words: 1, Imm: uint64(r.At)})
	case Predicate:
		in.Src = append(in.Src, ir.P(ir.Pred(r.N)))
		in.T.SrcPreds |= 1 << r.N
	case UniformPredicate:
		in.T.SrcPreds |= 1 << (ir.UniformPreds + r.N)
	case Uniform:
		in.T.SrcUniform |= uniformSet(r, n)
	case General:
		n = min(fit(r, n), ir.NumSources-int(in.T.NSrc))
		if n <= 0 {
			return
		}
		in.Src = append(in.Src, ir.R(ir.Reg(r.N), n))
		for i := range n {
			in.T.Src[in.T.NSrc] = ir.RegID(int(r.N) + i)
			in.T.NSrc++
		}
	}
}

func write(in *ir.Inst, r Reg, n int) {
	switch r.Kind {
	case Predicate:
		in.Dst = append(in.Dst, ir.P(ir.Pred(r.N)))
		in.T.DstPreds |= 1 << r.N
	case UniformPredicate:
		in.T.DstPreds |= 1 << (ir.UniformPreds + r.N)
	case Uniform:
		in.T.DstUniform |= uniformSet(r, n)
	case General:
		n = min(fit(r, n), ir.NumDests-int(in.T.NDst))
		if n <= 0 {
			return
		}
		in.Dst = append(in.Dst, ir.R(ir.Reg(r.N), n))
		for i := range n {
			in.T.Dst[in.T.NDst] = ir.RegID(int(r.N) + i)
			in.T.NDst++
		}
	}
}

// uniformSet returns the bit set of n uniform registers from r on.
func uniformSet(r Reg, n int) uint64 { return (1<<n - 1) << r.N &^ (1 << 63) }

// modifiers applies the modifiers of memory instructions, such as the cache operator.
func (c *Code) modifiers(in *ir.Inst) {
	for _, m := range c.mods {
		switch m {
		case "CONSTANT", "CI", "NC":
			in.Mods.Cache = ir.CacheNC
		case "CG":
			in.Mods.Cache = ir.CacheCG
		case "CV":
			in.Mods.Cache = ir.CacheCV
		case "CS":
			in.Mods.Cache = ir.CacheCS
		case "GPU", "VC", "MMIO":
			in.Mods.Volatile = in.Op == ir.OpLd || in.Op == ir.OpSt // .STRONG.GPU goes past the L1
		case "CTA", "SYS":
			in.Mods.Scope = scope(in, m)
		case "ADD":
			in.Mods.Atomic = ir.AtomAdd
		case "MIN":
			in.Mods.Atomic = ir.AtomMin
		case "MAX":
			in.Mods.Atomic = ir.AtomMax
		case "AND":
			in.Mods.Atomic = ir.AtomAnd
		case "OR":
			in.Mods.Atomic = ir.AtomOr
		case "XOR":
			in.Mods.Atomic = ir.AtomXor
		case "EXCH":
			in.Mods.Atomic = ir.AtomExch
		case "CAS":
			in.Mods.Atomic = ir.AtomCas
		}
	}
}

// scope returns the scope of a fence with a suffix; other instructions have none.
func scope(in *ir.Inst, suffix string) ir.Scope {
	switch {
	case in.Op != ir.OpMembar:
		return ir.ScopeGPU
	case suffix == "CTA":
		return ir.ScopeCTA
	}
	return ir.ScopeSystem
}

// barrier interprets the immediates of BAR. Tracers up to version 5 show one of its two operands, the barrier's
// number or the thread count: numbers are below 16, counts are larger multiples of 32. If only the count is known,
// barriers with different counts are assumed to be different.
func (c *Code) barrier(in *ir.Inst, imms []int64) {
	if c.has("ARV") {
		in.Mods.Bar = ir.BarArrive
	}
	number, threads := int64(0), int64(0)
	switch {
	case len(imms) == 2 && imms[0] >= 0 && imms[0] < 16 && threadCount(imms[1]):
		number, threads = imms[0], imms[1]
	case len(imms) > 0 && imms[0] > 0 && imms[0] < 16:
		number = imms[0]
	case len(imms) > 0 && threadCount(imms[0]):
		threads = imms[0]
		number = 1 + threads/32%15
	}
	in.T.BarID = uint8(number)
	in.Src = []ir.Operand{ir.Imm(uint64(number), 1)}
	if threads > 0 {
		in.Src = append(in.Src, ir.Imm(uint64(threads), 1))
	}
	if c.has("RED") && len(in.Dst) > 0 {
		in.Mods.Bar = ir.BarRedPopc
	}
}

// threadCount reports whether an operand of a barrier can be its number of threads: whole warps, up to the size of
// a CTA.
func threadCount(n int64) bool { return n >= 32 && n <= 1024 && n%32 == 0 }
