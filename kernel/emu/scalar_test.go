package emu

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/stream"
)

// scalar executes the instructions of random programs for one thread, one after the other, as if there were no
// warps.
type scalar struct {
	regs  [12]uint32
	preds [4]bool
	trace []event
	out   map[uint64]uint32
}

// event is an instruction met by a thread.
type event struct {
	pc   int
	exec bool
	addr uint64 // of a memory instruction
}

func (s *scalar) value(o ir.Operand, tid uint32) uint32 {
	switch o.Kind {
	case ir.KindReg:
		return s.regs[o.Reg]
	case ir.KindImm:
		return uint32(o.Imm)
	case ir.KindSpecial:
		return tid
	}
	panic("operand kind")
}

// run executes a program until the thread exits.
func (s *scalar) run(insts []ir.Inst, tid uint32, base uint64) {
	s.out = map[uint64]uint32{}
	for pc := 0; pc < len(insts); {
		in := &insts[pc]
		exec := in.Guard.Kind == ir.KindNone || s.preds[in.Guard.Reg] != in.Guard.Neg
		e := event{pc: pc, exec: exec}
		next := pc + 1
		var x, y uint32
		if len(in.Src) > 0 {
			x = s.value(in.Src[0], tid)
		}
		if len(in.Src) > 1 {
			y = s.value(in.Src[1], tid)
		}
		if exec {
			switch in.Op {
			case ir.OpMov:
				s.regs[in.Dst[0].Reg] = x
			case ir.OpAdd:
				s.regs[in.Dst[0].Reg] = x + y
			case ir.OpXor:
				s.regs[in.Dst[0].Reg] = x ^ y
			case ir.OpShr:
				s.regs[in.Dst[0].Reg] = x >> min(y, 32)
			case ir.OpAnd:
				s.regs[in.Dst[0].Reg] = x & y
			case ir.OpSetp:
				s.preds[in.Dst[0].Reg] = x < y
			case ir.OpSt:
				e.addr = base + uint64(s.regs[in.Addr.Base.Reg])
				s.out[e.addr] = x
			case ir.OpBra:
				next = in.Target
			case ir.OpBrx:
				next = in.Targets[x]
			case ir.OpExit:
				next = len(insts)
			}
		}
		s.trace = append(s.trace, e)
		pc = next
	}
}

// program generates a random kernel. Register 0 is fuel: every backward branch needs some, so the program ends.
// Register 10 has the thread's address.
type program struct {
	*kit
	t *rapid.T
	n int // blocks
}

func (p *program) draw(name string, hi int) int { return rapid.IntRange(0, hi).Draw(p.t, name) }

func (p *program) guard() ir.Operand {
	g := ir.P(ir.Pred(1 + p.draw("guard", 1)))
	g.Neg = p.draw("neg", 1) == 0
	return g
}

func word(i int) ir.Operand { return ir.R(ir.Reg(i), 1) }

func (p *program) less(d int, x, y ir.Operand) *ir.Inst {
	return p.add(ir.Inst{Op: ir.OpSetp, Type: ir.U32, SrcType: ir.U32, Mods: ir.Mods{Cmp: ir.LT},
		Dst: []ir.Operand{ir.P(ir.Pred(d))}, Src: []ir.Operand{x, y}})
}

// compute adds arithmetic, some of it guarded, and new predicates.
func (p *program) compute() {
	for range p.draw("ops", 3) {
		op := rapid.SampledFrom([]ir.Op{ir.OpAdd, ir.OpXor, ir.OpShr}).Draw(p.t, "op")
		in := p.op(op, ir.B32, word(1+p.draw("d", 3)), word(1+p.draw("a", 3)), word(1+p.draw("b", 3)))
		if p.draw("guarded", 2) == 0 {
			in.Guard = p.guard()
		}
	}
	p.op(ir.OpShr, ir.B32, word(5), word(1+p.draw("bits", 3)), ir.Imm(uint64(p.draw("shift", 5)), 1))
	p.op(ir.OpAnd, ir.B32, word(5), word(5), ir.Imm(3, 1))
	p.less(1+p.draw("p", 1), word(5), ir.Imm(uint64(p.draw("limit", 4)), 1))
	if p.draw("store", 1) == 0 {
		p.st(ir.B32, ir.Shared, word(10), 0, word(1+p.draw("value", 3))).Guard = p.guard()
	}
}

// forward is a block behind block b.
func (p *program) forward(b int) string { return fmt.Sprint(b + 1 + p.draw("target", p.n-b-1)) }

// end adds the end of block b.
func (p *program) end(b int) {
	switch p.draw("end", 6) {
	case 0:
		p.bra(p.guard(), p.forward(b))
	case 1:
		p.bra(ir.Operand{}, p.forward(b))
	case 2:
		p.brx(p.guard(), word(5), p.forward(b), p.forward(b), p.forward(b), p.forward(b))
	case 3:
		p.exit(p.guard())
	case 4, 5:
		p.less(3, ir.Imm(0, 1), word(0))
		p.op(ir.OpAdd, ir.U32, word(0), word(0), ir.Imm(0xffffffff, 1)).Guard = ir.P(3)
		p.less(3, word(5), word(0)) // a limit that depends on the thread
		p.bra(ir.P(3), fmt.Sprint(p.draw("back", b)))
	}
}

func randomProgram(t *rapid.T) *kit {
	p := &program{kit: newKit(0), t: t}
	p.op(ir.OpMov, ir.U32, word(0), ir.Imm(uint64(p.draw("fuel", 20)+4), 1))
	p.op(ir.OpMov, ir.U32, word(1), special(ir.TidX))
	p.op(ir.OpAdd, ir.U32, word(10), special(ir.TidX), special(ir.TidX))
	p.op(ir.OpAdd, ir.U32, word(10), word(10), word(10))
	p.n = p.draw("blocks", 8) + 1
	for b := range p.n {
		p.label(fmt.Sprint(b))
		p.compute()
		p.end(b)
	}
	p.label(fmt.Sprint(p.n))
	p.op(ir.OpXor, ir.B32, word(2), word(2), word(1))
	p.exit(ir.Operand{})
	p.shared = 4 * 64
	return p.kit
}

// Every thread of a warp computes the same as it would alone, whatever the control flow, and the stream has exactly
// its instructions.
func TestDivergentWarpsExecuteEveryThreadAsIfAlone(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		k := randomProgram(rt)
		kernel := k.kernel()
		threads := rapid.SampledFrom([]int{1, 7, 32, 33, 64}).Draw(rt, "threads")
		var m mem.Memory
		ctas := collect(t, prepare(t, kernel, &m, launch(1, threads)))
		for tid := range threads {
			var s scalar
			s.run(kernel.Insts, uint32(tid), 0)
			got := walk(t, ctas[0], tid/32, tid%32)
			if !slices.Equal(got, s.trace) {
				rt.Fatalf("thread %d: the stream says\n%v\nalone it does\n%v", tid, got, s.trace)
			}
		}
	})
}

// walk follows a stream with a cursor and returns the instructions met by one lane. It also checks the cursor's
// contract.
func walk(t testing.TB, c *stream.CTA, warp, lane int) []event {
	t.Helper()
	var cur stream.Cursor
	w := &c.Warps[warp]
	cur.Start(c.Kernel, w)
	var got []event
	var d stream.Dyn
	insts, lanes := uint64(0), uint64(0)
	for cur.Next(&d) {
		insts++
		lanes += uint64(bits.OnesCount32(d.Exec))
		if d.Exec&^d.Active != 0 || d.Active == 0 {
			t.Fatalf("pc %d: lanes %#x execute of %#x", d.PC, d.Exec, d.Active)
		}
		if (d.Access != nil) != (d.Exec != 0 && isMemory(d.Inst.Op)) {
			t.Fatalf("pc %d: access %v with lanes %#x", d.PC, d.Access, d.Exec)
		}
		if d.Active>>lane&1 == 0 {
			continue
		}
		e := event{pc: int(d.PC), exec: d.Exec>>lane&1 != 0}
		if d.Access != nil && e.exec {
			var a [32]uint64
			d.Access.Lanes(d.Exec, &a)
			e.addr = a[lane]
		}
		got = append(got, e)
	}
	if insts != w.Insts || lanes != w.Lanes {
		t.Fatalf("the cursor gives %d instructions of %d lanes, the warp says %d and %d", insts, lanes, w.Insts,
			w.Lanes)
	}
	return got
}
