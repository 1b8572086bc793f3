package stream

import "kumiko/kernel/ir"

// Accesses is where a kernel's instructions access memory, so that a cursor need not look at the others.
type Accesses struct {
	next    []uint32 // by PC: the first instruction from there on that accesses memory
	guarded []uint32 // by PC: guarded instructions before it
}

// AccessesOf is that of a kernel.
func AccessesOf(k *ir.Kernel) *Accesses {
	n := len(k.Insts)
	x := &Accesses{next: make([]uint32, n+1), guarded: make([]uint32, n+1)}
	x.next[n] = uint32(n)
	for pc := n - 1; pc >= 0; pc-- {
		x.next[pc] = x.next[pc+1]
		if k.Insts[pc].T.Space != ir.SpaceNone {
			x.next[pc] = uint32(pc)
		}
	}
	for pc := range n {
		x.guarded[pc+1] = x.guarded[pc]
		if k.Insts[pc].T.Guarded {
			x.guarded[pc+1]++
		}
	}
	return x
}

// NextAccess is Next of the next instruction that accesses memory, by any lane, in the runs before one. It reports
// whether there is one. x is of the cursor's kernel.
func (c *Cursor) NextAccess(x *Accesses, until int, d *Dyn) bool {
	for !c.Done() && c.run < until {
		r := &c.w.Runs[c.run]
		pc, end := r.PC+c.i, r.PC+r.N
		to := min(x.next[pc], end)
		c.mask += int(x.guarded[to] - x.guarded[pc])
		if to == end {
			c.endRun()
			continue
		}
		c.i += to - pc
		if c.Next(d) && d.Access != nil {
			return true
		}
	}
	return false
}
