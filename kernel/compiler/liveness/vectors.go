package liveness

import (
	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/ir"
)

// Vectors returns the live set before each instruction: the registers and predicates needed by a lane about to
// execute it. They are indexed as in Info.
func (l *Info) Vectors() []bitset.Set {
	out := make([]bitset.Set, len(l.K.Insts))
	for b := range l.G.Blocks {
		l.Scan(b, func(pc int, after bitset.Set) {
			if pc+1 < l.G.Blocks[b].End {
				out[pc+1] = after.Clone()
			}
		})
		out[l.G.Blocks[b].Start] = l.In[b]
	}
	return out
}

// MaxLive returns the largest number of registers, in words, and of predicates live at once. The set before an
// instruction has everything read by the instruction and its successors. The set behind it also has its results,
// read or not.
func (l *Info) MaxLive() (regs, preds int) {
	c := counter{l: l, seen: make([]int, l.Regs+l.Preds)}
	for b := range l.G.Blocks {
		c.n = [2]int{}
		l.Out[b].Each(func(i int) { c.n[c.file(i)]++ })
		c.changed = c.changed[:0]
		l.Scan(b, func(pc int, after bitset.Set) {
			c.update(after)
			c.visit(&l.K.Insts[pc], after)
		})
		c.update(l.In[b])
	}
	return c.most[0], c.most[1]
}

// counter counts the live registers and predicates during the scan of a block. Only registers named by an
// instruction change at it.
type counter struct {
	l       *Info
	n, most [2]int // registers, predicates
	changed []member
	seen    []int // number of the last instruction to name an index
	visits  int
}

// member records, for an index named by an instruction, whether it was in the live set behind the instruction.
type member struct {
	i  int
	in bool
}

// file returns 0 for registers and 1 for predicates.
func (c *counter) file(i int) int {
	if i < c.l.Regs {
		return 0
	}
	return 1
}

// update applies the changes made to the live set by the last visited instruction.
func (c *counter) update(live bitset.Set) {
	for _, m := range c.changed {
		switch now := live.Has(m.i); {
		case now && !m.in:
			c.n[c.file(m.i)]++
		case !now && m.in:
			c.n[c.file(m.i)]--
		}
	}
	for i, n := range c.n {
		c.most[i] = max(c.most[i], n)
	}
}

// visit counts the results of an instruction, read or not, together with the live set behind it.
func (c *counter) visit(in *ir.Inst, after bitset.Set) {
	c.visits++
	c.changed = c.changed[:0]
	n := c.n
	note := func(i int) {
		if c.seen[i] != c.visits {
			c.seen[i] = c.visits
			c.changed = append(c.changed, member{i, after.Has(i)})
		}
	}
	c.l.Defs(in, func(i int) {
		note(i)
		if !after.Has(i) {
			n[c.file(i)]++
		}
	})
	c.l.Uses(in, note)
	for i := range n {
		c.most[i] = max(c.most[i], n[i])
	}
}

// Registers lists the registers of a live set, in ascending order.
func (l *Info) Registers(s bitset.Set) []ir.Reg {
	var out []ir.Reg
	s.Each(func(i int) {
		if i < l.Regs {
			out = append(out, ir.Reg(i))
		}
	})
	return out
}
