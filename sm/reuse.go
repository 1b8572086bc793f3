package sm

import (
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/sm/message"
)

// Reuse distances counted beside their distribution, in cycles.
const (
	near = 100
	far  = 1000
)

// reuseCount counts the reads of the values of warps' registers, and their distances in cycles. The distance of
// a read is measured between the issues of two instructions of a warp: from the last instruction writing or
// reading the register to the reading one. A register named twice by an instruction is read once.
type reuseCount struct {
	last []wire.Cycle // by warp context and register: since when it has not been used
	uses []uint32     // reads of its value so far
	held []bool       // it has a value

	distances, reads        stats.Histogram
	all, withinNear, within uint64
}

const mostRegisters = 256

// Issued implements sched.IssueListener.
func (c *reuseCount) Issued(now wire.Cycle, f *message.Fetched, _ uint32) {
	t, row := &f.Inst.T, int(f.Warp)*mostRegisters
	for i, r := range t.Src[:t.NSrc] {
		if !named(t.Src[:i], r) {
			c.read(row+int(r), now)
		}
	}
	for _, r := range t.Dst[:t.NDst] {
		c.end(row + int(r))
		c.held[row+int(r)], c.last[row+int(r)] = true, now
	}
	if f.Last {
		for i := row; i < row+mostRegisters; i++ {
			c.end(i)
		}
	}
}

func named(list []ir.RegID, r ir.RegID) bool {
	for _, x := range list {
		if x == r {
			return true
		}
	}
	return false
}

func (c *reuseCount) read(i int, now wire.Cycle) {
	if !c.held[i] {
		return // never written
	}
	d := now - c.last[i]
	c.distances.Add(d)
	c.all++
	if d <= near {
		c.withinNear++
	}
	if d <= far {
		c.within++
	}
	c.uses[i]++
	c.last[i] = now
}

// end records the read count of an overwritten or dead value.
func (c *reuseCount) end(i int) {
	if c.held[i] {
		c.reads.Add(uint64(c.uses[i]))
	}
	c.held[i], c.uses[i] = false, 0
}

// CountReuse enables the counting of register reuse from now on.
func (m *SM) CountReuse(reg *stats.Registry) {
	n := m.spec.WarpContexts() * mostRegisters
	c := &reuseCount{last: make([]wire.Cycle, n), uses: make([]uint32, n), held: make([]bool, n)}
	name := m.Residency.Name()
	reg.Histogram("sm.reuse.register_distance", stats.Cycles,
		"cycles from the issue of an instruction that writes or reads a register to the issue of the warp's next "+
			"instruction that reads it", &c.distances)
	reg.Histogram("sm.reuse.register_reads", stats.Accesses,
		"instructions that read a value before its register is written again or its warp ends", &c.reads)
	reg.Count("sm.reuse.registers", stats.Accesses, "reads of registers that the warp has written before", name, &c.all)
	reg.Count("sm.reuse.registers_within_100", stats.Accesses,
		"reads of registers at most 100 cycles after the register's last write or read", name, &c.withinNear)
	reg.Count("sm.reuse.registers_within_1000", stats.Accesses,
		"reads of registers at most 1000 cycles after the register's last write or read", name, &c.within)
	m.observers.Count(c)
}
