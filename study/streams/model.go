package streams

// Model is the register file cache of one warp, in the plainest form. It defines
// what a Collector counts, and what a timed design is compared with.
//
// The registers are warp registers, masks are of lanes. Of an instruction the
// caller gives the registers that it reads, each once, in operand order, then
// those that it writes; one that no lane executes neither reads nor writes.
//
// An entry holds some lanes of a register, all of them newer than the main
// file's or, if it was allocated for a read, the same.
type Model struct {
	Config Config
	Counts Counts
	// entries from the one that was allocated first (FIFO, Aware), or accessed
	// last the longest ago (LRU).
	entries []entry
}

type entry struct {
	reg   uint8
	lanes uint32
	dirty bool // newer than the main file's
	dead  bool // no lane needs it any more
}

// Near tells which registers are read before the warp's next suspension.
type Near [4]uint64

// Has tells whether register r is among them.
func (n *Near) Has(r uint8) bool { return n[r>>6]>>(r&63)&1 != 0 }

func (m *Model) find(r uint8) int {
	for i := range m.entries {
		if m.entries[i].reg == r {
			return i
		}
	}
	return -1
}

// Read is an operand read of the lanes of mask. last says that no lane of the
// warp needs the register after it. It returns whether the cache had every lane
// of mask; otherwise the main file is read. An entry with some of the lanes is
// written back for that and dropped.
func (m *Model) Read(r uint8, mask uint32, last bool) bool {
	m.Counts.Reads.add(mask)
	i := m.find(r)
	if i >= 0 && mask&^m.entries[i].lanes == 0 {
		m.Counts.Hits.add(mask)
		e := &m.entries[i]
		if last && e.lanes&^mask == 0 {
			e.dead = true
		}
		m.touch(i)
		return true
	}
	if i >= 0 {
		m.writeBack(&m.entries[i], &m.Counts.Partial, &m.Counts.PartialDead)
		m.remove(i)
	}
	if m.Config.Source && m.Config.Entries > 0 {
		m.Counts.Fills.add(mask)
		m.allocate(entry{reg: r, lanes: mask}, nil)
	}
	return false
}

// Write is a result for the lanes of mask; long says that a long-latency
// operation makes it. near are the registers that are read before the next
// suspension, needed by policy Aware alone.
func (m *Model) Write(r uint8, mask uint32, long bool, near *Near) {
	m.Counts.Writes.add(mask)
	i := m.find(r)
	if m.Config.Entries == 0 || long && m.Config.Bypass || m.Config.Policy == Aware && !near.Has(r) {
		m.Counts.Bypass.add(mask)
		if i >= 0 { // what it has of other lanes is not to be lost
			e := &m.entries[i]
			e.lanes &^= mask
			m.writeBack(e, &m.Counts.Partial, &m.Counts.PartialDead)
			m.remove(i)
		}
		return
	}
	m.Counts.Results.add(mask)
	if i < 0 {
		m.allocate(entry{reg: r, lanes: mask, dirty: true}, near)
		return
	}
	e := &m.entries[i]
	e.lanes |= mask
	e.dirty, e.dead = true, false
	m.touch(i)
}

// Suspend empties the cache, where it is one that is flushed.
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
func (m *Model) allocate(e entry, near *Near) {
	if len(m.entries) == m.Config.Entries {
		victim := 0
		if m.Config.Policy == Aware {
			for i := range m.entries {
				if !near.Has(m.entries[i].reg) {
					victim = i
					break
				}
			}
		}
		m.writeBack(&m.entries[victim], &m.Counts.Evict, &m.Counts.EvictDead)
		m.remove(victim)
	}
	m.entries = append(m.entries, e)
}

func (m *Model) touch(i int) {
	if m.Config.Policy == LRU {
		e := m.entries[i]
		m.remove(i)
		m.entries = append(m.entries, e)
	}
}

func (m *Model) remove(i int) { m.entries = append(m.entries[:i], m.entries[i+1:]...) }

// writeBack counts the write of an entry to the main file under its cause,
// apart if the value is dead.
func (m *Model) writeBack(e *entry, live, dead *Accesses) {
	if !e.dirty || e.lanes == 0 {
		return
	}
	if e.dead {
		live = dead
	}
	live.add(e.lanes)
}
