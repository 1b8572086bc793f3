package control

import (
	"math"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/ir"
)

// never is an index behind every instruction of a block.
const never = math.MaxInt32

// firsts maps each variable-latency instruction of a block to the first later use of its result (used) and the
// first later overwrite of one of its sources (spoilt).
type firsts struct {
	start  int
	used   []int
	spoilt []int
	leaves bool // nothing comes behind the block
}

// counters has the users of each dependence counter.
type counters struct {
	up     [ir.Counters][]int // the instructions using it
	raised [ir.Counters]int   // when the last of them issues
}

// lookAhead sets firsts.
func (p *pass) lookAhead(b *cfg.Block) {
	f := &p.firsts
	n := b.End - b.Start
	*f = firsts{start: b.Start, used: make([]int, n), spoilt: make([]int, n),
		leaves: len(b.Succs) == 0 && cfg.Terminates(&p.insts[b.End-1])}
	var named, written [numNames]int
	for i := range named {
		named[i], written[i] = never, never
	}
	var buf [32]int
	for i := n - 1; i >= 0; i-- {
		in := &p.insts[b.Start+i]
		f.used[i], f.spoilt[i] = never, never
		dst := results(in, buf[:0])
		for _, r := range dst {
			f.used[i] = min(f.used[i], named[r])
		}
		for _, r := range in.T.Src[:in.T.NSrc] {
			f.spoilt[i] = min(f.spoilt[i], written[r])
		}
		for _, r := range dst {
			named[r], written[r] = i, i
		}
		for r := givenUp(in); r < firstPred; r++ {
			named[r], written[r] = i, i
		}
		for _, r := range sources(in, buf[:0]) {
			named[r] = i
		}
	}
}

// raise allocates the counters of a variable-latency instruction and returns its issue cycle. If no counter is free
// or shareable, the instruction first waits for one.
func (p *pass) raise(i, at int) int {
	in := &p.insts[i]
	f := &p.firsts
	used, spoilt := f.used[i-f.start], f.spoilt[i-f.start]
	result := in.T.Result()
	write := result && (used < never || !f.leaves)
	read := in.T.NSrc > 0
	switch {
	case write:
		read = read && spoilt < used
	case spoilt == never:
		read = read && !f.leaves
	}
	if write {
		in.Control.Write, at = p.take(i, at, used)
	}
	if read {
		in.Control.Read, at = p.take(i, at, spoilt)
	}
	return at
}

// take allocates a counter for instruction i: a free one, or else a shared one. until is the instruction expected
// to wait for the counter. A shared counter is the one with the wait nearest to until. take returns the counter and
// the issue cycle of i.
func (p *pass) take(i, at, until int) (uint8, int) {
	best, distance := -1, math.MaxInt
	for c := range p.up {
		if len(p.up[c]) == 0 {
			best = c
			break
		}
		if len(p.up[c]) >= ir.MostCounted {
			continue
		}
		if d := p.distanceTo(i, c, until); d < distance {
			best, distance = c, d
		}
	}
	if best < 0 {
		best = 0
		p.insts[i].Control.Wait |= 1 << best
		at = max(at, p.raised[best]+untilSeen)
		p.settle(best)
	}
	p.up[best] = append(p.up[best], i)
	p.raised[best] = at
	return uint8(best), at
}

// distanceTo returns the distance, in instructions, between until and the nearest instruction waiting for counter c. A
// user of c from another group than i counts as far away, since its latency may differ.
func (p *pass) distanceTo(i, c, until int) int {
	d := never
	for _, other := range p.up[c] {
		o := &p.insts[other]
		at := p.firsts.used[other-p.firsts.start]
		if int(o.Control.Write) != c {
			at = p.firsts.spoilt[other-p.firsts.start]
		}
		n := max(at, until) - min(at, until)
		if p.m.groupOf(o) != p.m.groupOf(&p.insts[i]) {
			n += 1 << 20
		}
		d = min(d, n)
	}
	return d
}

// settle records a wait for counter c: c has no users any more. An instruction with finished results has read its
// sources too, so its source counter is withdrawn as well.
func (p *pass) settle(c int) {
	list := p.up[c]
	p.up[c] = p.up[c][:0]
	for _, i := range list {
		in := &p.insts[i]
		if int(in.Control.Write) == c {
			p.lower(in, c, true)
			if r := in.Control.Read; r < ir.Counters && int(r) != c {
				p.withdraw(i, int(r))
			}
		}
		if int(in.Control.Read) == c {
			p.lower(in, c, false)
		}
	}
}

// withdraw removes an instruction from the users of its source counter.
func (p *pass) withdraw(i, c int) {
	rest := p.up[c][:0]
	for _, other := range p.up[c] {
		if other != i {
			rest = append(rest, other)
		}
	}
	p.up[c] = rest
	p.lower(&p.insts[i], c, false)
	for _, other := range rest {
		if in := &p.insts[other]; int(in.Control.Read) == c {
			for _, r := range in.T.Src[:in.T.NSrc] {
				p.at[r].reading |= 1 << c
			}
		}
	}
}

// lower removes counter c from the results (written) or the sources of an instruction.
func (p *pass) lower(in *ir.Inst, c int, written bool) {
	var buf [32]int
	if written {
		for _, n := range results(in, buf[:0]) {
			p.at[n].writing &^= 1 << c
		}
		return
	}
	for _, r := range in.T.Src[:in.T.NSrc] {
		p.at[r].reading &^= 1 << c
	}
}
