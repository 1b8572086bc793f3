package control

import (
	"math/bits"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/ir"
)

const (
	mostStall  = 15 // of a control word
	leastYield = 12 // stall counts from here on need the flag of yielding
	untilSeen  = 2  // from the issue of an instruction raising a counter to one waiting for it
)

// Numbers of registers, predicates and uniform registers in one name space. Dependences are tracked by these names.
const (
	firstPred    = 256
	firstUniform = firstPred + 32
	numNames     = firstUniform + 64
)

// times has the earliest issue times of instructions using a register.
type times struct {
	ready [numReaders + 1]int // to read it, by kind of reader
	carry [numReaders]int     // to read it as a carry
	done  int                 // when the value is there for everybody
	soon  int                 // when the value is there for the earliest reader
	read  [2]int              // to write it: by an instruction of fixed latency, and by another
	// Bit sets of counters in use: until the register is written, and until it is read.
	writing, reading uint8
}

// pass makes the words of a kernel.
type pass struct {
	m     *Machine
	insts []ir.Inst
	at    [numNames]times

	issue   int // of the last placed instruction
	next    int // the earliest issue of the one behind it
	settled int // when all results of fixed latency are there

	gap    []int  // by instruction: the distance to the next one
	firsts firsts // of the block
	counters
}

// sources appends the names read by an instruction. Predicates have names in [firstPred, firstUniform).
func sources(in *ir.Inst, buf []int) []int {
	for _, r := range in.T.Src[:in.T.NSrc] {
		buf = append(buf, int(r))
	}
	return appendFlags(buf, in.T.SrcPreds, in.T.SrcUniform)
}

// results appends the names written by an instruction.
func results(in *ir.Inst, buf []int) []int {
	for _, r := range in.T.Dst[:in.T.NDst] {
		buf = append(buf, int(r))
	}
	return appendFlags(buf, in.T.DstPreds, in.T.DstUniform)
}

// givenUp returns the first register given up by an instruction, firstPred for none. Nothing may read or write such a
// register afterwards.
func givenUp(in *ir.Inst) int {
	if in.Op != ir.OpSetmaxnreg || in.Mods.Grow || len(in.Src) == 0 {
		return firstPred
	}
	return int(in.Src[0].Imm)
}

func appendFlags(buf []int, preds uint32, uniform uint64) []int {
	for ; preds != 0; preds &= preds - 1 {
		buf = append(buf, firstPred+bits.TrailingZeros32(preds))
	}
	for ; uniform != 0; uniform &= uniform - 1 {
		buf = append(buf, firstUniform+bits.TrailingZeros64(uniform))
	}
	return buf
}

// distancesTo returns the distances for a result of the group, by the kind of the result's name: register,
// predicate, uniform register.
func (g *group) distancesTo(name int) *distances {
	switch {
	case name < firstPred:
		return &g.result
	case name < firstUniform:
		return &g.predict
	}
	return &g.uniform
}

// block sets the control words of a block's instructions. The first instruction does not yet wait for counters
// raised in earlier blocks. block returns the counters in use at the end of the block.
func (p *pass) block(b *cfg.Block) (up uint8) {
	p.lookAhead(b)
	for i := b.Start; i < b.End; i++ {
		at := p.place(i, p.first(b, i))
		if i > b.Start {
			p.gap[i-1] = at - p.issue
		}
		p.write(i, at)
	}
	for c := range p.up {
		if len(p.up[c]) > 0 {
			up |= 1 << c
			p.next = max(p.next, p.raised[c]+untilSeen)
			p.settle(c)
		}
	}
	p.leave(b)
	return up
}

// first returns the earliest issue cycle of an instruction as allowed by the one before it. It is the same cycle if
// the machine issues both as a pair, and the one before is not itself the second of a pair.
func (p *pass) first(b *cfg.Block, i int) int {
	second := i > b.Start+1 && p.gap[i-2] == 0
	if p.m.pairs && i > b.Start && !second && p.next == p.issue+1 && ir.Pairs(&p.insts[i-1], &p.insts[i]) {
		return p.issue
	}
	return p.next
}

// leave delays the end of the block until all results of fixed latency are there. NOPs for the delay go in front of
// a branch, since behind the branch they would not execute.
func (p *pass) leave(b *cfg.Block) {
	last := b.End - 1
	if late := p.settled - p.issue - mostStall; late > 0 && cfg.Ends(&p.insts[last]) && last > b.Start {
		p.gap[last-1] += late
		p.issue += late
		p.next += late
	}
	p.next = max(p.next, p.settled)
	p.gap[last] = p.next - p.issue
}

// place returns the issue cycle of instruction i, which is no earlier than at. It sets the counters to wait for and
// the counters to raise.
func (p *pass) place(i, at int) int {
	in := &p.insts[i]
	g := p.m.groupOf(in)
	in.Control = ir.Plain(1)
	wait := uint8(0)
	var buf [32]int
	for _, n := range sources(in, buf[:0]) {
		t := &p.at[n]
		wait |= t.writing
		switch {
		case in.Guard.Kind == ir.KindPred && n == firstPred+int(in.Guard.Reg):
			at = max(at, t.ready[byGuard])
		case in.Mods.CarryIn && n >= firstPred:
			at = max(at, t.carry[g.reads])
		default:
			at = max(at, t.ready[g.reads])
		}
	}
	for _, n := range results(in, buf[:0]) {
		t := &p.at[n]
		wait |= t.writing | t.reading
		if g.fixed {
			at = max(at, t.read[0], t.soon-g.distancesTo(n).least()-p.m.reads.extra(in)+1)
		} else {
			at = max(at, t.read[1], t.done)
		}
	}
	for n := givenUp(in); n < firstPred; n++ {
		t := &p.at[n]
		wait |= t.writing | t.reading
		at = max(at, t.read[1], t.done)
	}
	for c := range p.up {
		if wait>>c&1 != 0 {
			at = max(at, p.raised[c]+untilSeen)
			p.settle(c)
		}
	}
	in.Control.Wait = wait
	if !g.fixed {
		at = p.raise(i, at)
	}
	return at
}

// write records the effects of an instruction issued at cycle at on later instructions.
func (p *pass) write(i, at int) {
	in := &p.insts[i]
	g := p.m.groupOf(in)
	p.issue, p.next = at, max(p.next, at+g.stall)
	extra := p.m.reads.extra(in)
	var buf [32]int
	for _, n := range sources(in, buf[:0]) {
		t := &p.at[n]
		switch {
		case g.fixed || n >= firstPred:
			t.read[0] = max(t.read[0], at+max(p.m.war[0]+extra, g.read))
			t.read[1] = max(t.read[1], at+max(p.m.war[1]+extra, g.read))
			p.settled = max(p.settled, t.read[1])
		case in.Control.Read < ir.Counters:
			t.reading |= 1 << in.Control.Read
		}
	}
	for _, n := range results(in, buf[:0]) {
		t := &p.at[n]
		if !g.fixed {
			if in.Control.Write < ir.Counters {
				t.writing |= 1 << in.Control.Write
			}
			continue
		}
		d := g.distancesTo(n)
		for k := range t.ready {
			t.ready[k] = max(t.ready[k], at+d.to[k]+extra)
		}
		carry := d
		if in.Mods.CarryOut {
			carry = &g.result
		}
		for k := range t.carry {
			t.carry[k] = max(t.carry[k], at+carry.to[k]+extra)
		}
		t.done = max(t.done, at+d.worst+extra)
		t.soon = max(t.soon, at+d.least()+extra)
		p.settled = max(p.settled, t.done)
	}
}
