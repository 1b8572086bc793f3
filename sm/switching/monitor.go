package switching

import (
	"iter"
	"math/bits"

	"kumiko/components/wire"
	"kumiko/kernel/compiler/bitset"
)

// Location is the place of the context or the registers of a CTA, in two bits (FineReg,
// section V.B).
type Location uint8

// Locations. Registers are in the pipeline's register file as long as nothing moves them.
const (
	Nowhere  Location = iota // the CTA is not resident
	Pending                  // of a context: in shared memory; of registers: where a mover has put them
	Pipeline                 // where warps issue from
)

// nobody is the owner of a free slot.
const nobody = -1

// monitor is the CTA status monitor: the place of each CTA, and its stalls.
type monitor struct {
	ctas  []ctaState  `row:"Switcher: status monitor"`
	owner [][64]int16 `row:"Switcher: owners of slots"` // by scheduler and slot
	seen  []Status    `bits:"type"`                     // by scheduler, of the cycle before

	resident, active, stalled uint64
	gated                     uint64 // CTAs waiting for gates of the register file
	held                      uint64 // with their registers in the register file
	filled                    uint64 // their sizes together
	launched                  uint64
	unmeasured                bool // a CTA stalls, perhaps for the first time

	// waits has the CTAs of each kind of wait, and able those without slots that have a warp ready to issue. They are
	// few, so that a choice, which is made in every cycle, looks at these alone.
	waits [numStalls]bitset.Set `soft:"known from the counts of waiting warps"`
	able  bitset.Set            `soft:"known from the status of CTAs"`
}

// ctaState is the monitor's state of one CTA.
type ctaState struct {
	context, registers Location
	refused            [numComing]bool // by the entering CTA's kind: the mover has refused this CTA's registers

	size     Size
	launch   uint64   // number of its start
	contexts []uint16 // of its warps
	moving   uint16   // warps with a slot, not stopped
	gated    uint16   // of these, waiting for a gate of the register file
	long     uint16   // waiting for a long-latency result
	live     uint16   // warps with a slot
	drained  uint16   // of these, waiting for their stores alone
	issued   bool     // since it has its slots
	warps    [MostSchedulers]uint8
	since    wire.Cycle // of its stall
	first    wire.Cycle // of its first issue; 0: none yet
	measured bool       // its first complete stall is counted
}

func newMonitor(ctas, schedulers int) monitor {
	m := monitor{ctas: make([]ctaState, ctas), owner: make([][64]int16, schedulers), seen: make([]Status, schedulers)}
	for k := range m.waits {
		m.waits[k] = bitset.New(ctas)
	}
	m.able = bitset.New(ctas)
	for s := range m.owner {
		m.seen[s].Stopped = ^uint64(0)
		for i := range m.owner[s] {
			m.owner[s][i] = nobody
		}
	}
	return m
}

// stalls reports whether every unfinished warp of a CTA waits, one for a result.
func (c *ctaState) stalls() bool { return c.stall() == complete }

// stall is the kind of a CTA's wait.
type stall uint8

const (
	running  stall = iota // some warp could go on
	atGates               // every unfinished warp waits, some of them for gates of the register file
	complete              // every unfinished warp waits, for results and at barriers, or for stores after its end
	numStalls
)

// stall returns the kind of a CTA's wait, running without slots.
func (c *ctaState) stall() stall {
	switch {
	case c.context != Pipeline || c.moving > c.gated:
		return running
	case c.gated+c.long == 0 && (c.drained == 0 || c.drained < c.live):
		return running
	case c.gated > 0:
		return atGates
	}
	return complete
}

// mayGo reports whether a CTA may give up its slots for an entering CTA. A completely stalled CTA may go if it
// has issued since it entered. A CTA waiting for gates may go only for a resident CTA able to issue, since the
// gates may be waiting for registers of the entering CTA. Such a leaving CTA need not have issued, because a
// gate may have prevented this.
func (c *ctaState) mayGo(in int) bool {
	switch c.stall() {
	case complete:
		return c.issued
	case atGates:
		return in != none
	}
	return false
}

// leavers returns the CTAs that may give up their slots for an entering CTA, in the order of their numbers.
func (m *monitor) leavers(in int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for w, set := range m.waits[complete] {
			for set |= m.waits[atGates][w]; set != 0; set &= set - 1 {
				if i := w<<6 + bits.TrailingZeros64(set); m.ctas[i].mayGo(in) && !yield(i) {
					return
				}
			}
		}
	}
}

// count adds n times a slot's contribution to the counts of its CTA. st has the slot's bits.
func (c *ctaState) count(st *Status, slot int, n int) {
	if st.Stopped>>slot&1 == 0 {
		c.moving += uint16(n)
	}
	if st.Long>>slot&1 != 0 {
		c.long += uint16(n)
	}
	if st.Gated>>slot&1 != 0 {
		c.gated += uint16(n)
	}
	if st.Live>>slot&1 != 0 {
		c.live += uint16(n)
	}
	if st.Drained>>slot&1 != 0 {
		c.drained += uint16(n)
	}
}

// sample updates the monitor by a scheduler's report about its slots.
func (m *monitor) sample(sched int, st *Status, now wire.Cycle) {
	old := &m.seen[sched]
	for d := (old.Stopped ^ st.Stopped) | (old.Long ^ st.Long) | (old.Gated ^ st.Gated) | (old.Live ^ st.Live) |
		(old.Drained ^ st.Drained) | old.Fresh&^st.Fresh; d != 0; d &= d - 1 {
		slot := bits.TrailingZeros64(d)
		o := m.owner[sched][slot]
		if o == nobody {
			continue
		}
		c := &m.ctas[o]
		was := c.stall()
		c.count(old, slot, -1)
		c.count(st, slot, 1)
		if (old.Fresh&^st.Fresh)>>slot&1 != 0 {
			c.issue(now)
		}
		m.turn(int(o), was, now)
	}
	*old = *st
}

// issue records an issue of a CTA.
func (c *ctaState) issue(now wire.Cycle) {
	c.issued = true
	if c.first == 0 {
		c.first = now
	}
}

// turn updates the counts and sets of stalled CTAs after a change of a CTA.
func (m *monitor) turn(cta int, was stall, now wire.Cycle) {
	c := &m.ctas[cta]
	is := c.stall()
	m.waits[was].Remove(cta)
	m.waits[is].Add(cta)
	switch {
	case is == complete && was != complete:
		m.stalled++
		m.unmeasured = m.unmeasured || !c.measured
	case was == complete && is != complete:
		m.stalled--
	}
	switch {
	case is == atGates && was != atGates:
		m.gated++
	case was == atGates && is != atGates:
		m.gated--
	}
	switch {
	case is != running && was == running:
		c.since = now
	case was != running && is == running:
		c.refused = [numComing]bool{}
	}
}

// assign gives a CTA slots.
func (m *monitor) assign(cta uint16, slots *[MostSchedulers]uint64, now wire.Cycle) {
	c := &m.ctas[cta]
	c.context, c.issued = Pipeline, false
	m.able.Remove(int(cta))
	m.active++
	for s := range m.owner {
		for set := slots[s]; set != 0; set &= set - 1 {
			slot := bits.TrailingZeros64(set)
			m.free(s, slot, now)
			m.owner[s][slot] = int16(cta)
			c.count(&m.seen[s], slot, 1)
		}
	}
	m.turn(int(cta), running, now)
}

// free removes the owner of a slot.
func (m *monitor) free(s, slot int, now wire.Cycle) {
	if o := m.owner[s][slot]; o != nobody {
		c := &m.ctas[o]
		was := c.stall()
		c.count(&m.seen[s], slot, -1)
		m.owner[s][slot] = nobody
		m.turn(int(o), was, now)
	}
}

// leave records that a CTA is giving up its slots.
func (m *monitor) leave(cta uint16, now wire.Cycle) {
	c := &m.ctas[cta]
	was := c.stall()
	c.context = Pending
	m.able.Remove(int(cta))
	m.turn(int(cta), was, now)
}

// unassign removes all slots from a CTA.
func (m *monitor) unassign(cta uint16, now wire.Cycle) {
	for s := range m.owner {
		for slot := range m.owner[s] {
			if m.owner[s][slot] == int16(cta) {
				m.free(s, slot, now)
			}
		}
	}
	m.active--
}

// start records a new CTA.
func (m *monitor) start(x *CTAEvent, now wire.Cycle) {
	m.launched++
	m.resident++
	m.held++
	m.filled += x.Size.count()
	m.ctas[x.CTA] = ctaState{registers: Pipeline, size: x.Size, launch: m.launched, contexts: x.Contexts}
	m.assign(x.CTA, &x.Slots, now)
}

// finish forgets a CTA.
func (m *monitor) finish(cta uint16, now wire.Cycle) {
	if m.ctas[cta].context == Pipeline {
		m.unassign(cta, now)
	}
	m.resident--
	if c := &m.ctas[cta]; c.registers == Pipeline {
		m.held--
		m.filled -= c.size.count()
	}
	m.ctas[cta] = ctaState{}
	m.able.Remove(int(cta))
	m.reconsider()
}

// moved records the new place of a CTA's registers.
func (m *monitor) moved(cta int, to Location) {
	if n := m.ctas[cta].size.count(); to == Pipeline {
		m.held++
		m.filled += n
	} else {
		m.held--
		m.filled -= n
	}
	m.ctas[cta].registers = to
}

// reconsider clears all refusals, because there may be room now.
func (m *monitor) reconsider() {
	for i := range m.ctas {
		m.ctas[i].refused = [numComing]bool{}
	}
}

// slots counts the slots of a CTA's unfinished warps, by scheduler.
func (m *monitor) slots(cta int, out *[MostSchedulers]uint8) {
	for s := range m.owner {
		n := 0
		for set := m.seen[s].Live; set != 0; set &= set - 1 {
			if m.owner[s][bits.TrailingZeros64(set)] == int16(cta) {
				n++
			}
		}
		out[s] = uint8(n)
	}
}
