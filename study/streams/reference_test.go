package streams

import "slices"

// Model is the register file cache of one warp, in the plainest form. It defines
// the counts of a Collector, and is the reference for timed designs.
//
// The registers are warp registers, masks are of lanes. For an instruction the caller passes the registers
// read, each once, in operand order, then the registers written. An instruction executed by no lane neither
// reads nor writes.
//
// An entry holds some lanes of a register. They are newer than the main
// file's or, in an entry allocated for a read, the same.
type Model struct {
	Config Config
	Counts Counts
	// entries in order: the first allocated first (FIFO, Aware), or the least recently accessed
	// first (LRU).
	entries []entry
}

type entry struct {
	reg   uint8
	lanes uint32
	dirty bool // newer than the main file's
	dead  bool // no lane needs it any more
	far   bool // read next, if at all, after the warp's next suspension
}

func (m *Model) find(r uint8) int {
	for i := range m.entries {
		if m.entries[i].reg == r {
			return i
		}
	}
	return -1
}

// Read is an operand read of the lanes of mask. last: no lane of the warp needs the register afterwards. far:
// its next read is after the next suspension. Read returns whether the cache had every lane of mask; otherwise
// the main file is read. An entry with only some of these lanes is written back first, and stays; with Source
// the read lanes are added to it.
func (m *Model) Read(r uint8, mask uint32, last, far bool) bool {
	m.Counts.Reads.add(mask)
	i := m.find(r)
	if i < 0 {
		if m.Config.Source && m.Config.Entries > 0 {
			m.Counts.Fills.add(mask)
			m.allocate(entry{reg: r, lanes: mask, far: far})
		}
		return false
	}
	i = m.touch(i)
	e := &m.entries[i]
	e.far = far
	if mask&^e.lanes == 0 {
		m.Counts.Hits.add(mask)
		e.dead = e.dead || last && e.lanes&^mask == 0
		return true
	}
	if mask&e.lanes != 0 {
		m.writeBack(e, &m.Counts.Partial, &m.Counts.PartialDead)
		e.dirty = false
	}
	if m.Config.Source {
		m.Counts.Fills.add(mask)
		e.lanes |= mask
	}
	return false
}

// Write is a result for the lanes of mask. long: it comes from a long-latency
// operation. far: it is not read before the next suspension.
func (m *Model) Write(r uint8, mask uint32, long, far bool) {
	m.Counts.Writes.add(mask)
	i := m.find(r)
	if i >= 0 {
		i = m.touch(i)
	}
	if m.Config.Entries == 0 || long && m.Config.Bypass || far && m.Config.Policy == Aware {
		m.Counts.Bypass.add(mask)
		if i >= 0 {
			e := &m.entries[i]
			e.far = far
			if e.lanes &^= mask; e.lanes == 0 {
				m.remove(i)
			}
		}
		return
	}
	m.Counts.Results.add(mask)
	if i < 0 {
		m.allocate(entry{reg: r, lanes: mask, dirty: true, far: far})
		return
	}
	e := &m.entries[i]
	e.lanes |= mask
	e.dirty, e.dead, e.far = true, false, far
}

// Suspend empties the cache, if it is one with flush.
func (m *Model) Suspend() {
	if !m.Config.Flush {
		return
	}
	for i := range m.entries {
		m.writeBack(&m.entries[i], &m.Counts.Flush, &m.Counts.FlushDead)
	}
	m.entries = m.entries[:0]
}

// End forgets everything: the warp has ended, and nobody needs its registers.
func (m *Model) End() { m.entries = m.entries[:0] }

// allocate puts an entry in as the youngest.
func (m *Model) allocate(e entry) {
	if len(m.entries) == m.Config.Entries {
		victim := 0
		if m.Config.Policy == Aware {
			victim = max(0, slices.IndexFunc(m.entries, func(e entry) bool { return e.far }))
		}
		m.writeBack(&m.entries[victim], &m.Counts.Evict, &m.Counts.EvictDead)
		m.remove(victim)
	}
	m.entries = append(m.entries, e)
}

// touch makes an entry the youngest where accesses do. It returns its new place.
func (m *Model) touch(i int) int {
	if m.Config.Policy != LRU {
		return i
	}
	e := m.entries[i]
	m.remove(i)
	m.entries = append(m.entries, e)
	return len(m.entries) - 1
}

func (m *Model) remove(i int) { m.entries = slices.Delete(m.entries, i, i+1) }

// writeBack counts the write of an entry to the main file under its cause,
// apart if the value is dead.
func (m *Model) writeBack(e *entry, live, dead *Accesses) {
	if !e.dirty {
		return
	}
	if e.dead {
		live = dead
	}
	live.add(e.lanes)
}
