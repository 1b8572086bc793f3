package stream

import "kumiko/kernel/ir"

// Accesses has the places of a kernel's memory instructions. With it a cursor skips all other instructions.
type Accesses struct {
	next    []uint32 // by PC: the first memory instruction from there on
	guarded []uint32 // by PC: guarded instructions before it
}

// AccessesOf returns the Accesses of a kernel.
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

// NextAccess is Next for the next instruction with a memory access by any lane, in the runs before until. It
// reports whether there is one. x belongs to the cursor's kernel.
func (c *Cursor) NextAccess(x *Accesses, until int, d *Dyn) bool {
	for !c.Done() && c.run < until {
		r := &c.r
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
