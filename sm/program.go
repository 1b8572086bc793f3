package sm

import (
	"math/bits"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// regSet is a set of the allocated warp registers of one warp.
type regSet [4]uint64

func (s *regSet) add(r ir.RegID)      { s[r>>6] |= 1 << (r & 63) }
func (s *regSet) remove(r ir.RegID)   { s[r>>6] &^= 1 << (r & 63) }
func (s *regSet) has(r ir.RegID) bool { return s[r>>6]>>(r&63)&1 != 0 }
func (s *regSet) meets(o *regSet) bool {
	return s[0]&o[0]|s[1]&o[1]|s[2]&o[2]|s[3]&o[3] != 0
}

// instInfo is what the scoreboard and the issue stage need of a static
// instruction, computed once per kernel.
type instInfo struct {
	uses   regSet // sources and destinations: must not be pending
	writes regSet // destinations: must not be waiting to be read
	preds  uint32 // predicates read or written
	wpreds uint32
	// uniform registers read or written, and written
	uniform, wuniform uint64
	kind              uint8 // kind of execution unit; kindNone: ends at issue
	class             ir.Class
	mem               bool // its result comes from the memory system
	far               bool // from beyond the SM's own memories: global, local or texture memory
	result            bool // it writes registers or predicates
	store             bool // it is acknowledged without a result
	long              bool // it uses the result of a long-latency operation first
	warp              bool // bar.warp: synchronises within the warp alone
	bar               barInfo
	flags             uint8 // of reuse, how many
	// pair: the next instruction may issue in the same cycle.
	pair bool
	// Of operations that a register file's design has put into the stream.
	inserted bool
	drained  bool // waits until the warp's operations have read their operands
	free     bool // takes no issue slot
	// constant: it has an operand from the constant bank, at constantAt.
	constant   bool
	constantAt uint64
}

type barInfo struct {
	id    uint8
	warps uint16 // arrivals that release the barrier; 0: every live warp of the CTA
	stay  bool
	phase Phase
}

const kindNone = 255

// Program is a kernel as the schedulers of an SM see it.
type Program struct {
	Kernel *ir.Kernel
	Code   uint64 // address, for the instruction cache
	// info is by PC. Those of inserted operations follow those of the instructions.
	info   []instInfo
	live   []uint16 // registers live before each instruction; nil: not computed
	layout layout
	insert *regfile.Insertions // nil: none
}

// Target is what a program depends on of the SMs executing the program.
type Target struct {
	Bytes int // of an instruction in memory
	// Kinds has the kind of execution unit of each class, an index into the sorted names of the
	// units; NoKind for a class ending at issue.
	Kinds  [ir.NumClasses]uint8
	Paired bool // control words may let two instructions issue in a cycle
}

// NewProgram computes the issue table of an allocated kernel for a target, with the
// operations inserted by a register file's design; nil: none.
func NewProgram(k *ir.Kernel, to *Target, insert *regfile.Insertions) *Program {
	p := &Program{Kernel: k, info: make([]instInfo, len(k.Insts)), insert: insert,
		layout: newLayout(k, insert, to.Bytes)}
	kinds := &to.Kinds
	for i := range k.Insts {
		in := &k.Insts[i]
		x := &p.info[i]
		for _, r := range in.T.Src[:in.T.NSrc] {
			x.uses.add(r)
		}
		for _, r := range in.T.Dst[:in.T.NDst] {
			x.uses.add(r)
			x.writes.add(r)
		}
		x.preds = in.T.SrcPreds | in.T.DstPreds
		x.wpreds = in.T.DstPreds
		x.uniform, x.wuniform = in.T.SrcUniform|in.T.DstUniform, in.T.DstUniform
		x.class = in.T.Class
		x.flags = uint8(bits.OnesCount8(in.Control.Reuse))
		x.result = in.T.Result()
		x.kind = kinds[in.T.Class]
		x.mem = fromMemory(in.T.Class)
		x.store = x.mem && !x.result
		x.far = x.mem && x.result && fromAfar(in)
		x.long = in.T.LongConsumer
		x.constantAt, x.constant = constantOf(in)
		switch in.T.Class {
		case ir.ClassStore:
			x.store = true
		case ir.ClassBarrier:
			x.warp = in.Op == ir.OpBarWarp
			x.bar = barrierInfo(in)
			if x.result {
				x.kind = kinds[ir.ClassMove]
			}
		case ir.ClassAtomic:
			if in.Mods.Atomic == ir.AtomArrive {
				x.bar.phase = PhaseOperation
			}
		}
	}
	if to.Paired {
		p.pair()
	}
	if insert != nil {
		for i := range insert.Ops {
			o := &insert.Ops[i]
			p.info = append(p.info, instInfo{kind: kindNone, inserted: true, drained: o.Drained, free: !o.Slot})
		}
	}
	return p
}

// pair finds the instructions whose control words let the next one issue in the same cycle.
func (p *Program) pair() {
	for i := range max(len(p.info)-1, 0) {
		first, second := &p.Kernel.Insts[i], &p.Kernel.Insts[i+1]
		p.info[i].pair = first.Control.Stall == 0 && !first.Control.Yield && ir.Pairs(first, second) &&
			p.info[i].kind != p.info[i+1].kind
	}
}

// end is the address behind the program.
func (p *Program) end() uint64 {
	n := len(p.Kernel.Insts)
	if n == 0 {
		return p.Code
	}
	return p.Code + p.layout.offset(uint32(n-1)) + uint64(p.layout.bytes)
}

// Inserts reports whether the program was made with these operations.
func (p *Program) Inserts(x *regfile.Insertions) bool { return p.insert == x }

// fromAfar reports whether an instruction of a memory class reads global, local or
// texture memory. A generic address may be one of these.
func fromAfar(in *ir.Inst) bool {
	switch in.T.Space {
	case ir.Shared, ir.Const, ir.Param:
		return false
	}
	return true
}

func barrierInfo(in *ir.Inst) barInfo {
	b := barInfo{id: in.T.BarID, stay: in.Mods.Bar == ir.BarArrive}
	if in.Op == ir.OpMbarWait {
		b.phase = PhaseWait
		return b
	}
	if len(in.Src) > 1 && in.Src[1].Kind == ir.KindImm {
		b.warps = uint16((in.Src[1].Imm + 31) / 32)
	}
	return b
}

// arrival is what the barrier unit is told of an instruction of a warp of a CTA. What
// only the execution knows comes with the instruction.
func (b *barInfo) arrival(f *Fetched, cta uint16) Arrive {
	a := Arrive{Warp: f.Warp, CTA: cta, Bar: b.id, Stay: b.stay, Warps: b.warps, Phase: b.phase}
	switch {
	case b.phase != PhaseNone:
		a.Object, a.Needed = objectOf(f), uint32(f.Access.Stride)
	case f.Access != nil:
		a.Bar, a.Warps = uint8(f.Access.Base), uint16(f.Access.Stride)
	}
	return a
}

// objectOf is the address of the mbarrier that the lowest lane of an instruction names.
func objectOf(f *Fetched) uint32 {
	if list := f.Access.List(); list != nil {
		return uint32(list[0])
	}
	return uint32(f.Access.Base + uint64(int64(bits.TrailingZeros32(f.Exec))*int64(f.Access.Stride)))
}

// constantOf is the address of an instruction's operand from the constant bank, as far as one is
// known; launch constants lie before the parameters.
func constantOf(in *ir.Inst) (addr uint64, ok bool) {
	const params, special = 0x160, 4
	for i := range in.Src {
		switch o := &in.Src[i]; {
		case o.Kind == ir.KindConst:
			return 1<<32 + o.Imm, true
		case o.Kind == ir.KindParam:
			return params + o.Imm, true
		case o.Kind == ir.KindSpecial && o.Special.LaunchConstant():
			return special * uint64(o.Special), true
		}
	}
	return 0, false
}

// fromMemory reports whether results of a class come from the memory system.
func fromMemory(c ir.Class) bool {
	return c == ir.ClassLoad || c == ir.ClassAtomic || c == ir.ClassTexture
}

// liveCounts is the number of registers live before each instruction: what the
// instructions from there on may read of what is written before.
func (p *Program) liveCounts() []uint16 {
	if p.live != nil {
		return p.live
	}
	p.live = make([]uint16, len(p.Kernel.Insts))
	l := liveness.Analyze(p.Kernel, cfg.Build(p.Kernel.Insts))
	for pc, set := range l.Vectors() {
		set.Each(func(i int) {
			if i < l.Regs {
				p.live[pc]++
			}
		})
	}
	return p.live
}
