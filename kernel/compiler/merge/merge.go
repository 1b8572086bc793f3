package merge

import (
	"kumiko/kernel/compiler/alias"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/ir"
)

// Run joins the loads of k, and then the stores, as long as the live values need no more than the given registers.
func Run(k *ir.Kernel, registers int) {
	for _, op := range []ir.Op{ir.OpLd, ir.OpSt} {
		if p := newPass(k, op, registers); p != nil {
			p.run()
		}
	}
}

// pass joins the accesses of one kind.
type pass struct {
	k         *ir.Kernel
	op        ir.Op
	registers int
	known     *residues
	l         *liveness.Info
	// By PC: the instruction of a joined access, and whether an access has been joined into another one.
	made map[int]ir.Inst
	gone map[int]bool
}

// newPass returns nil if there is nothing to join.
func newPass(k *ir.Kernel, op ir.Op, registers int) *pass {
	n := 0
	for pc := range k.Insts {
		if candidate(&k.Insts[pc], op) {
			n++
		}
	}
	if n < 2 {
		return nil
	}
	return &pass{k: k, op: op, registers: registers, known: newResidues(k), l: liveness.Analyze(k, cfg.Build(k.Insts)),
		made: map[int]ir.Inst{}, gone: map[int]bool{}}
}

func (p *pass) run() {
	for b := range p.l.G.Blocks {
		if w := newBlock(p, b); w != nil {
			w.join()
		}
	}
	if len(p.made) == 0 {
		return
	}
	code.Rewrite(p.k, func(e *code.Editor, pc int, in ir.Inst) {
		switch made, ok := p.made[pc]; {
		case ok:
			e.Emit(made)
		case !p.gone[pc]:
			e.Emit(in)
		}
	})
}

// widest returns the size of the widest access to a space, in bytes. There is LDC.64, and no LDC.128
// before compute capability 10.
func widest(s ir.Space) int64 {
	if s == ir.Const {
		return 8
	}
	return 16
}

// candidate reports whether an instruction could be joined with others.
func candidate(in *ir.Inst, op ir.Op) bool {
	if in.Op != op || in.Mods.Volatile || in.Mods.Ordered || in.SrcType != ir.TypeNone || in.Type.Size() < 4 ||
		alias.Bytes(in) >= widest(in.Space) {
		return false
	}
	switch in.Space {
	case ir.Shared, ir.Global, ir.Local, ir.Const:
	default:
		return false
	}
	list := alias.Elements(in)
	for i := range list {
		o := &list[i]
		if o.Kind != ir.KindReg || o.Neg || o.Abs || code.Words(o) != in.Type.Words() {
			return false
		}
		for j := range i {
			if code.SameReg(o, &list[j]) {
				return false
			}
		}
	}
	return len(list) > 0
}

// kind has the common properties of joined accesses.
type kind struct {
	space ir.Space
	base  ir.Operand
	// The last instructions of the block to write the base's registers and the guard, or -1.
	written [3]int
	guard   ir.Operand
	size    int
	mods    ir.Mods
}

// access is a candidate of a block.
type access struct {
	alias.Access
	kind
	pc int
	at int64 // of its first byte, the unknown part of the base left out
	// known is the number of low bits of the base known to be low bits of the address too.
	known int
	live  int // words of the elements
}

// block joins the accesses of one basic block.
type block struct {
	*pass
	start, end int
	list       []access
	groups     map[group][]int // of list, in program order
	memory     []alias.Access  // per instruction of the block; instructions without memory have no In
	live       []int           // words live before each instruction of the block
	writes     map[int]int     // per register, and predicate behind, the last write so far
}

// group has the common kind and the aligned 16 bytes of accesses to be joined.
type group struct {
	kind
	line int64 // of 16 bytes
}

// newBlock returns nil for a block with nothing to join.
func newBlock(p *pass, b int) *block {
	g := &p.l.G.Blocks[b]
	w := &block{pass: p, start: g.Start, end: g.End, groups: map[group][]int{}, writes: map[int]int{},
		memory: make([]alias.Access, g.End-g.Start)}
	several := false
	for pc := g.Start; pc < g.End; pc++ {
		several = w.note(pc) || several
	}
	if !several {
		return nil
	}
	w.live = make([]int, g.End-g.Start)
	p.l.ScanWords(b, func(pc, after int) {
		if pc+1 < g.End {
			w.live[pc+1-g.Start] = after
		}
	})
	return w
}

// each calls f with the number of each register of an operand, or of its predicate.
func (w *block) each(o *ir.Operand, f func(int)) {
	switch o.Kind {
	case ir.KindReg:
		for i := range code.Words(o) {
			f(int(o.Reg) + i)
		}
	case ir.KindPred:
		f(w.l.Regs + int(o.Reg))
	}
}

// note records an instruction, and reports whether another access could be joined with it.
func (w *block) note(pc int) (joins bool) {
	in := &w.k.Insts[pc]
	if in.Space != ir.SpaceNone {
		x := alias.Access{In: in, Base: [2]int{-1, -1}}
		n := 0
		w.each(&in.Addr.Base, func(r int) {
			if n < len(x.Base) {
				x.Base[n] = w.written(r)
			}
			n++
		})
		w.memory[pc-w.start] = x
		joins = candidate(in, w.op) && w.add(x, pc)
	}
	code.Defs(in, func(o *ir.Operand) { w.each(o, func(r int) { w.writes[r] = pc }) })
	return joins
}

func (w *block) written(r int) int {
	if pc, ok := w.writes[r]; ok {
		return pc
	}
	return -1
}

// add adds a candidate, and reports whether there are others near it.
func (w *block) add(x alias.Access, pc int) bool {
	in := x.In
	a := access{Access: x, pc: pc, at: in.Addr.Offset, known: wordBits, live: int(alias.Bytes(in)) / 4}
	a.kind = kind{space: in.Space, base: in.Addr.Base, written: [3]int{x.Base[0], x.Base[1], -1}, guard: in.Guard,
		size: in.Type.Size(), mods: in.Mods}
	w.each(&in.Guard, func(r int) { a.written[2] = w.written(r) })
	switch b := &in.Addr.Base; b.Kind {
	case ir.KindNone, ir.KindImm:
		a.at, a.base = a.at+int64(b.Imm), ir.Operand{}
		if in.Space == ir.Global {
			a.known = w.known.immediate(uint32(a.at)).bits
		}
	default:
		r, _ := w.known.operand(b)
		a.at, a.known = a.at+int64(r.value), r.bits
	}
	g := group{a.kind, a.at >> 4}
	w.groups[g] = append(w.groups[g], len(w.list))
	w.list = append(w.list, a)
	return len(w.groups[g]) > 1
}
