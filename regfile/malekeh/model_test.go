package malekeh

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/bank"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
)

// model is the rules of the units, one access after the other and without time: which operands are found.
type model struct {
	spec  Spec
	units []*modelUnit
	clock int
}

type modelUnit struct {
	warp int // -1: none
	regs map[ir.RegID]*modelReg
}

type modelReg struct {
	next   int // -1: the value is dead, or far with bits
	last   int
	locked bool // missing in the present request
}

func newModel(s Spec) *model {
	m := &model{spec: s}
	for range s.Units {
		m.units = append(m.units, &modelUnit{warp: -1, regs: map[ir.RegID]*modelReg{}})
	}
	return m
}

// outlook returns the nearest distance of a unit's live values, and their number; -1 without a warp.
func (c *modelUnit) outlook() (least, live int) {
	least = 1 << 20
	if c.warp < 0 {
		return least, -1
	}
	for _, v := range c.regs {
		if v.next > 0 {
			least = min(least, v.next)
			live++
		}
	}
	return least, live
}

// unit returns the unit of a warp, which it takes from another if need be, and whether that had near values.
func (m *model) unit(warp int) (c *modelUnit, forced bool) {
	for _, c := range m.units {
		if c.warp == warp {
			return c, false
		}
	}
	c = m.units[0]
	for _, o := range m.units[1:] {
		a, n := o.outlook()
		if b, k := c.outlook(); a > b || a == b && n < k {
			c = o
		}
	}
	least, _ := c.outlook()
	c.warp = warp
	clear(c.regs)
	return c, least <= m.spec.Near
}

// touch makes a register's value the newest of a unit. It reports whether it was there.
func (m *model) touch(c *modelUnit, r ir.RegID, h bank.Hint) bool {
	m.clock++
	next := int(h)
	if h == 0 {
		next = -1
	}
	if v := c.regs[r]; v != nil {
		v.next, v.last = next, m.clock
		return true
	}
	if len(c.regs) == m.spec.Entries {
		delete(c.regs, c.victim())
	}
	c.regs[r] = &modelReg{next: next, last: m.clock, locked: true}
	return false
}

// victim returns a dead value, or that with the greatest distance; among equals the one used last. A value still on its
// way from the banks stays.
func (c *modelUnit) victim() (out ir.RegID) {
	rank := func(v *modelReg) int {
		if v.next < 0 {
			return 1 << 20
		}
		return v.next
	}
	found := false
	for r, v := range c.regs {
		o := c.regs[out]
		if v.locked {
			continue
		}
		if !found || rank(v) > rank(o) || rank(v) == rank(o) && v.last > o.last {
			out, found = r, true
		}
	}
	return out
}

// access is a request of a warp, or a result.
type access struct {
	warp   int
	result bool
	list   []source
}

func draw(t *rapid.T, s *Spec) (out []access) {
	for range rapid.IntRange(1, 60).Draw(t, "accesses") {
		a := access{warp: rapid.IntRange(0, 3).Draw(t, "warp"), result: rapid.IntRange(0, 2).Draw(t, "kind") == 0}
		n := 1
		if !a.result {
			n = rapid.IntRange(1, min(bank.MaxReads, s.Entries)).Draw(t, "sources")
		}
		used := map[ir.RegID]bool{}
		for range n {
			r := ir.RegID(rapid.IntRange(0, 7).Draw(t, "register"))
			next := rapid.SampledFrom([]uint8{0, 1, 2, 3, 5, 9, 10, 11, 12, 40, 255}).Draw(t, "next")
			if !used[r] {
				a.list, used[r] = append(a.list, source{r, s.hint(next)}), true
			}
		}
		out = append(out, a)
	}
	return out
}

// Accesses far apart from each other are found, or not, as the rules say.
func TestUnitsFindWhatTheRulesFind(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := Default()
		s.Units, s.Entries = rapid.IntRange(1, 3).Draw(rt, "units"), rapid.IntRange(4, 6).Draw(rt, "entries")
		s.Hints = rapid.SampledFrom([]string{Distance, Bit}).Draw(rt, "hints")
		s.Writes = rapid.SampledFrom([]string{All, Near}).Draw(rt, "writes")
		s.Near = rapid.IntRange(1, 20).Draw(rt, "near")
		r, m := newRig(t, func(o *Spec) { *o = s }), newModel(s)
		for i, a := range draw(rt, &s) {
			at := wire.Cycle(100 * (i + 1))
			want := m.access(a)
			if got := r.access(at, a); got != want {
				rt.Fatalf("access %d, %+v: %s, want %s", i, a, got, want)
			}
		}
	})
}

// access returns the registers found for an access, and whether it takes a unit with near values.
func (m *model) access(a access) string {
	if a.result {
		for _, c := range m.units {
			if x := a.list[0]; c.warp == a.warp &&
				(c.regs[x.reg] != nil || m.spec.Writes == All || m.spec.near(x.hint)) {
				m.touch(c, x.reg, x.hint)
				c.regs[x.reg].locked = false
			}
		}
		return "result"
	}
	c, forced := m.unit(a.warp)
	var found []ir.RegID
	for _, x := range a.list {
		if m.touch(c, x.reg, x.hint) {
			found = append(found, x.reg)
		}
	}
	for _, v := range c.regs {
		v.locked = false
	}
	return fmt.Sprintf("R%v %v", found, forced)
}

// access gives the block the same access, and the banks' values 50 cycles later.
func (r *rig) access(at wire.Cycle, a access) string {
	warp := uint16(a.warp)
	if a.result {
		r.Arrive(at, warp, a.list[0].reg, all, 1, a.list[0].hint)
		r.Domain.RunUntil(at + 90)
		return "result"
	}
	given, forced := len(r.Operand.Got), r.Stat("forced")
	tag := r.ask(at, warp, all, a.list...)
	r.Domain.RunUntil(at + 49)
	var found []ir.RegID
	there := map[uint8]bool{}
	for _, g := range r.Operand.Got[given:] {
		there[g.Msg.Slot] = true
	}
	for i, x := range a.list {
		if there[uint8(i)] {
			found = append(found, x.reg)
		} else {
			r.Bring(at+51, tag, uint8(i), all, 1)
		}
	}
	r.Domain.RunUntil(at + 90)
	return fmt.Sprintf("R%v %v", found, r.Stat("forced") > forced)
}
