// Package program has kernels as an SM sees them: the needs of each instruction at the scoreboard and the issue
// stage, and its place in memory.
package program

import (
	"math/bits"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/sm/message"
)

// RegSet is a set of the allocated warp registers of one warp.
type RegSet [4]uint64

// Add puts a register into the set.
func (s *RegSet) Add(r ir.RegID) { s[r>>6] |= 1 << (r & 63) }

// Remove removes a register from the set.
func (s *RegSet) Remove(r ir.RegID) { s[r>>6] &^= 1 << (r & 63) }

// Has reports whether a register is in the set.
func (s *RegSet) Has(r ir.RegID) bool { return s[r>>6]>>(r&63)&1 != 0 }

// Join puts all registers of another set into the set.
func (s *RegSet) Join(o *RegSet) {
	s[0] |= o[0]
	s[1] |= o[1]
	s[2] |= o[2]
	s[3] |= o[3]
}

// Meets reports whether two sets have a register in common.
func (s *RegSet) Meets(o *RegSet) bool {
	return s[0]&o[0]|s[1]&o[1]|s[2]&o[2]|s[3]&o[3] != 0
}

// Inst has the properties of a static instruction needed by the scoreboard and the issue stage.
// They are computed once per kernel.
type Inst struct {
	Uses   RegSet // sources and destinations: must not be pending
	Writes RegSet // destinations: must not be waiting to be read
	Preds  uint32 // predicates read or written
	Wpreds uint32
	// Uniform registers read or written, and written
	Uniform, Wuniform uint64
	Kind              uint8 // kind of execution unit; NoKind: ends at issue
	Class             ir.Class
	Mem               bool // its result comes from the memory system
	Far               bool // from beyond the SM's own memories: global, local or texture memory
	Result            bool // it writes registers or predicates
	Store             bool // it is acknowledged without a result
	Long              bool // it uses the result of a long-latency operation first
	Warp              bool // bar.warp: synchronises within the warp alone
	Bar               Barrier
	Flags             uint8 // of reuse, how many
	// Pair: the next instruction may issue in the same cycle.
	Pair bool
	// Properties of operations inserted by a register file's design.
	Inserted bool
	Drained  bool // waits until the warp's operations have read their operands
	Free     bool // takes no issue slot
	// Constant: the instruction has an operand from the constant bank, at ConstantAt.
	Constant   bool
	ConstantAt uint64
	// Indexed: the operand's address is that of the instruction's own access, as in an ULDC with an index, which is no
	// access to memory.
	Indexed bool
}

// Barrier is a barrier instruction as the barrier unit needs it.
type Barrier struct {
	id    uint8
	warps uint16 // arrivals needed to release the barrier; 0: every live warp of the CTA
	Stay  bool
	Phase message.Phase
}

// NoKind is the kind of an instruction ending at issue.
const NoKind = 255

// Program is a kernel as the schedulers of an SM see it.
type Program struct {
	Kernel *ir.Kernel
	Code   uint64 // address, for the instruction cache
	// Info is indexed by PC. Inserted operations follow the instructions of the kernel.
	Info   []Inst
	live   []uint16 // registers live before each instruction; nil: not computed
	Layout Layout
	Insert *regfile.Insertions // nil: none
}

// Target has the properties of the SMs on which a program depends.
type Target struct {
	Bytes int // of an instruction in memory
	// Kinds has the kind of execution unit of each class, an index into the sorted names of the
	// units; NoKind for a class ending at issue.
	Kinds  [ir.NumClasses]uint8
	Paired bool // control words may let two instructions issue in a cycle
}

// New computes the issue table of an allocated kernel for a target, with the
// operations inserted by a register file's design; nil: none.
func New(k *ir.Kernel, to *Target, insert *regfile.Insertions) *Program {
	p := &Program{Kernel: k, Info: make([]Inst, len(k.Insts)), Insert: insert,
		Layout: NewLayout(k, insert, to.Bytes)}
	kinds := &to.Kinds
	for i := range k.Insts {
		in := &k.Insts[i]
		x := &p.Info[i]
		for _, r := range in.T.Src[:in.T.NSrc] {
			x.Uses.Add(r)
		}
		for _, r := range in.T.Dst[:in.T.NDst] {
			x.Uses.Add(r)
			x.Writes.Add(r)
		}
		x.Preds = in.T.SrcPreds | in.T.DstPreds
		x.Wpreds = in.T.DstPreds
		x.Uniform, x.Wuniform = in.T.SrcUniform|in.T.DstUniform, in.T.DstUniform
		x.Class = in.T.Class
		x.Flags = uint8(bits.OnesCount8(in.Control.Reuse))
		x.Result = in.T.Result()
		x.Kind = kinds[in.T.Class]
		x.Mem = FromMemory(in.T.Class)
		x.Store = x.Mem && !x.Result
		x.Far = x.Mem && x.Result && fromAfar(in)
		x.Long = in.T.LongConsumer
		x.ConstantAt, x.Constant = ConstantOf(in)
		x.Indexed = in.Uniform && in.T.Space == ir.Const && !x.Mem
		switch in.T.Class {
		case ir.ClassStore:
			x.Store = true
		case ir.ClassBarrier:
			x.Warp = in.Op == ir.OpBarWarp
			x.Bar = barrierInfo(in)
			if x.Result {
				x.Kind = kinds[ir.ClassMove]
			}
		case ir.ClassAtomic:
			if in.Mods.Atomic == ir.AtomArrive {
				x.Bar.Phase = message.PhaseOperation
			}
		}
	}
	if to.Paired {
		p.pair()
	}
	if insert != nil {
		for i := range insert.Ops {
			o := &insert.Ops[i]
			p.Info = append(p.Info, Inst{Kind: NoKind, Inserted: true, Drained: o.Drained, Free: !o.Slot})
		}
	}
	return p
}

// pair marks the instructions whose control words let the next instruction issue in the same cycle.
func (p *Program) pair() {
	for i := range max(len(p.Info)-1, 0) {
		first, second := &p.Kernel.Insts[i], &p.Kernel.Insts[i+1]
		p.Info[i].Pair = first.Control.Stall == 0 && !first.Control.Yield && ir.Pairs(first, second) &&
			p.Info[i].Kind != p.Info[i+1].Kind
	}
}

// End returns the address behind the program.
func (p *Program) End() uint64 {
	n := len(p.Kernel.Insts)
	if n == 0 {
		return p.Code
	}
	return p.Code + p.Layout.Offset(uint32(n-1)) + uint64(p.Layout.Bytes)
}

// Inserts reports whether the program was made with these operations.
func (p *Program) Inserts(x *regfile.Insertions) bool { return p.Insert == x }

// fromAfar reports whether an instruction of a memory class reads global, local or
// texture memory. A generic address may be one of these.
func fromAfar(in *ir.Inst) bool {
	switch in.T.Space {
	case ir.Shared, ir.Const, ir.Param:
		return false
	}
	return true
}

func barrierInfo(in *ir.Inst) Barrier {
	b := Barrier{id: in.T.BarID, Stay: in.Mods.Bar == ir.BarArrive}
	if in.Op == ir.OpMbarWait {
		b.Phase = message.PhaseWait
		return b
	}
	if len(in.Src) > 1 && in.Src[1].Kind == ir.KindImm {
		b.warps = uint16((in.Src[1].Imm + 31) / 32)
	}
	return b
}

// Arrival returns the message to the barrier unit for an instruction of a warp of a CTA. Values
// known only by execution come with the fetched instruction.
func (b *Barrier) Arrival(f *message.Fetched, cta uint16) message.Arrive {
	a := message.Arrive{Warp: f.Warp, CTA: cta, Bar: b.id, Stay: b.Stay, Warps: b.warps, Phase: b.Phase}
	switch {
	case b.Phase != message.PhaseNone:
		a.Object, a.Needed = objectOf(f), uint32(f.Access.Stride)
	case f.Access != nil:
		a.Bar, a.Warps = uint8(f.Access.Base), uint16(f.Access.Stride)
	}
	return a
}

// objectOf returns the mbarrier address of the lowest lane of an instruction.
func objectOf(f *message.Fetched) uint32 {
	if list := f.Access.List(); list != nil {
		return uint32(list[0])
	}
	return uint32(f.Access.Base + uint64(int64(bits.TrailingZeros32(f.Exec))*int64(f.Access.Stride)))
}

// ConstantOf returns the address of an instruction's operand from the constant bank, if known.
// Launch constants lie before the parameters.
func ConstantOf(in *ir.Inst) (addr uint64, ok bool) {
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

// FromMemory reports whether results of a class come from the memory system.
func FromMemory(c ir.Class) bool {
	return c == ir.ClassLoad || c == ir.ClassAtomic || c == ir.ClassTexture
}

// LiveCounts returns the number of registers live before each instruction: registers written before
// the instruction and possibly read by it or a later instruction.
func (p *Program) LiveCounts() []uint16 {
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
