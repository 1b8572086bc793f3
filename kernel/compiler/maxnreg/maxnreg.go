// Package maxnreg finds how many registers of a thread a warp has at each instruction of a kernel that changes the
// number while it runs (setmaxnreg, PTX ISA section 9.7.19.5).
//
// A warp begins with the registers of its launch. Where paths with different numbers meet, the warp has the least of
// them for certain. The numbers count from the low end of the register file, because a change happens at its tail.
package maxnreg

import (
	"fmt"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/ir"
)

// Changes reports whether a kernel has an instruction that changes the number of registers.
func Changes(k *ir.Kernel) bool {
	for pc := range k.Insts {
		if k.Insts[pc].Op == ir.OpSetmaxnreg {
			return true
		}
	}
	return false
}

// Limits has the registers of a thread around each instruction of a kernel.
type Limits struct {
	before []held // by basic block
	g      *cfg.Graph
	k      *ir.Kernel
}

// held is the state of warps at a point: the least and the most registers by any path, and whether a path has changed
// the number without a wait for other warps since. most is 0 where no path leads.
type held struct {
	least, most int
	changed     bool
}

// join returns the state where paths of two states meet.
func (h held) join(o held) held {
	switch {
	case h.most == 0:
		return o
	case o.most == 0:
		return h
	}
	return held{min(h.least, o.least), max(h.most, o.most), h.changed || o.changed}
}

// after returns the state behind an instruction.
func (h held) after(in *ir.Inst) held {
	switch {
	case h.most == 0:
	case in.Op == ir.OpSetmaxnreg:
		return held{int(in.Src[0].Imm), int(in.Src[0].Imm), true}
	case in.Op == ir.OpBar && in.Mods.Bar != ir.BarArrive, in.Op == ir.OpMbarWait:
		h.changed = false
	}
	return h
}

// Of returns the limits of a kernel launched with k.Launched registers of a thread; nil for a kernel that does not
// change them.
func Of(k *ir.Kernel, g *cfg.Graph) *Limits {
	if k.Launched == 0 {
		return nil
	}
	l := &Limits{before: make([]held, len(g.Blocks)), g: g, k: k}
	if len(g.Blocks) == 0 {
		return l
	}
	l.before[0] = held{least: k.Launched, most: k.Launched}
	for again := true; again; {
		again = false
		for b := range g.Blocks {
			h := l.before[b]
			for pc := g.Blocks[b].Start; pc < g.Blocks[b].End; pc++ {
				h = h.after(&k.Insts[pc])
			}
			for _, s := range g.Blocks[b].Succs {
				if to := l.before[s].join(h); to != l.before[s] {
					l.before[s], again = to, true
				}
			}
		}
	}
	return l
}

// Each calls yield with every instruction of block b in order, with the registers that a warp has for certain before
// it and behind it. An instruction that no path reaches has all.
func (l *Limits) Each(b int, yield func(pc, before, after int)) {
	h := l.before[b]
	for pc := l.g.Blocks[b].Start; pc < l.g.Blocks[b].End; pc++ {
		next := h.after(&l.k.Insts[pc])
		yield(pc, h.registers(), next.registers())
		h = next
	}
}

func (h held) registers() int {
	if h.most == 0 {
		return all
	}
	return h.least
}

// all is the number of registers that an instruction can name.
const all = 256

// Least returns the fewest registers of a warp within block b.
func (l *Limits) Least(b int) int {
	n := all
	l.Each(b, func(_, before, after int) { n = min(n, before, after) })
	return n
}

// Check returns an error with the place of a change that PTX leaves undefined: to more registers where the direction
// is down or fewer where it is up, or a second change before the warps have waited for one another.
func (l *Limits) Check() error {
	for b := range l.g.Blocks {
		h := l.before[b]
		for pc := l.g.Blocks[b].Start; pc < l.g.Blocks[b].End; pc++ {
			if in := &l.k.Insts[pc]; in.Op == ir.OpSetmaxnreg && h.most > 0 {
				if err := l.check(in, h); err != nil {
					return err
				}
			}
			h = h.after(&l.k.Insts[pc])
		}
	}
	return nil
}

func (l *Limits) check(in *ir.Inst, h held) error {
	n := int(in.Src[0].Imm)
	at := fmt.Sprintf("%s:%d:%d: kernel %s", l.k.File, in.Line, in.Col, l.k.Name)
	switch {
	case in.Mods.Grow && h.least > n:
		return fmt.Errorf("%s: found setmaxnreg.inc to %d registers where a warp has %d (from .maxnreg, "+
			"compiler.registers or the setmaxnreg before), expected at least as many as it has", at, n, h.least)
	case !in.Mods.Grow && h.most < n:
		return fmt.Errorf("%s: found setmaxnreg.dec to %d registers where a warp has %d (from .maxnreg, "+
			"compiler.registers or the setmaxnreg before), expected at most as many as it has", at, n, h.most)
	case h.changed:
		return fmt.Errorf("%s: found a second setmaxnreg behind another one, expected a barrier or a wait for an "+
			"mbarrier between them: the warps of a warpgroup synchronise before they change their registers again", at)
	}
	return nil
}
