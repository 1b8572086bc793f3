package rfc

import (
	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile/conventional"
)

// version0 is the version carried by messages without checking.
var version0 version.Content

// maxWaiters is the most reads waiting for fills at once.
const maxWaiters = 8

// fills are the registers on their way from the main file into the cache, and the reads waiting for them. A read of
// such a register gets its value when the fill arrives.
type fills struct {
	of      []fillID           `bits:"type"` // by entry: the awaited fill, if some of its lanes are filling
	list    []expected         `bits:"type" room:"limit"`
	waiters [maxWaiters]waiter `bits:"type"`
	n       int                // of waiters
	under   int                // outstanding reads of the main file, until their value is received from Fill
	limit   int                // bound of under: the capacity of Fill
}

// fillID identifies the read bringing a register: its operation and source.
type fillID uint64

func fillOf(tag uint32, slot uint8) fillID { return fillID(tag)<<8 | fillID(slot) }

type expected struct {
	id    fillID
	entry int
	k     key
}

type waiter struct {
	id       fillID
	tag      uint32
	lanes    uint32
	to, slot uint8
}

func (f *fills) init(c *Cache, p *conventional.Part) {
	f.limit = p.Collectors * ir.PlainSources
	if c.spec.AllocateReads {
		f.of = make([]fillID, len(c.store.key))
		f.list = make([]expected, 0, f.limit)
	}
}

// expect records that register i of a request will be filled into entry e.
func (f *fills) expect(e int, k key, r *bank.Request, i uint8) {
	f.of[e] = fillOf(r.Tag, r.Slot[i])
	f.list = append(f.list, expected{f.of[e], e, k})
}

// join makes a read wait for a fill.
func (f *fills) join(id fillID, r *bank.Request, i uint8, n *counters) outcome {
	if f.n == maxWaiters {
		return wait
	}
	f.waiters[f.n] = waiter{id, r.Tag, r.Lanes, r.To, r.Slot[i]}
	f.n++
	n.fillHits++
	return hit
}

// takeFills receives copies of the values sent by the main file to collectors. It returns true when one must wait.
func (c *Cache) takeFills(now wire.Cycle) (held bool) {
	for v := c.Fill.Head(); v != nil; v = c.Fill.Head() {
		if i := c.fills.expects(fillOf(v.Tag, v.Slot)); i >= 0 {
			if !c.fill(i, v, now) {
				return true
			}
		}
		c.fills.under--
		c.Fill.Pop()
	}
	return false
}

func (f *fills) expects(id fillID) int {
	for i := range f.list {
		if f.list[i].id == id {
			return i
		}
	}
	return -1
}

// fill puts an expected value into its entry, if the entry still waits for it, and sends it to the waiting reads.
func (c *Cache) fill(i int, v *bank.Value, now wire.Cycle) bool {
	f, x := &c.fills, c.fills.list[i]
	if n := f.waiting(x.id); !c.writes.room(now) || c.Operand.Room(n) < n {
		return false
	}
	for w := 0; w < f.n; {
		if f.waiters[w].id != x.id {
			w++
			continue
		}
		c.answer(&f.waiters[w], v)
		f.n--
		copy(f.waiters[w:f.n], f.waiters[w+1:f.n+1])
	}
	e := x.entry
	if lanes := c.store.filling[e]; c.store.key[e] == x.k && f.of[e] == x.id && lanes != 0 {
		c.count.writeConflicts += c.writes.take()
		c.count.filled++
		c.count.groupWrites += bank.LaneGroups(lanes)
		c.store.fill(e, v.Content)
	}
	last := len(f.list) - 1
	f.list[i] = f.list[last]
	f.list = f.list[:last]
	return true
}

// waiting counts the reads waiting for a fill.
func (f *fills) waiting(id fillID) (n int) {
	for i := range f.waiters[:f.n] {
		if f.waiters[i].id == id {
			n++
		}
	}
	return n
}

func (c *Cache) answer(w *waiter, v *bank.Value) {
	o := c.Operand.Slot()
	o.Content, o.Tag, o.To, o.Slot, o.Cause = v.Content, w.tag, w.to, w.slot, v.Cause
	c.Operand.PutSlot()
	c.count.groupReads += bank.LaneGroups(w.lanes)
}

// fill writes the awaited lanes of entry e.
func (s *store) fill(e int, v version.Content) {
	lanes := s.filling[e]
	s.valid[e] |= lanes
	s.filling[e] = 0
	if s.content != nil {
		s.content[e] = s.content[e].Overlay(v.Only(lanes))
	}
}

// flushJob is the queue of warps whose registers are being written back, one warp after the other.
type flushJob struct {
	warps []uint16 `bits:"9" room:"64"`
	n     int      // of warps
	at    int      // entries of the first warp already done
}

func (j *flushJob) add(warp uint16) {
	j.warps = append(j.warps[:j.n], warp)
	j.n++
}

// cancel removes a warp from the queue.
func (j *flushJob) cancel(warp uint16) {
	for i, w := range j.warps[:j.n] {
		if w != warp {
			continue
		}
		if i == 0 {
			j.at = 0
		}
		copy(j.warps[i:], j.warps[i+1:j.n])
		j.n--
		return
	}
}

// flush writes back registers of warps outside the active set, using the read ports left free by operands. It
// returns true if there is more to do.
func (c *Cache) flush(now wire.Cycle) (more bool) {
	for left := c.spec.FlushWidth; c.job.n > 0; left-- {
		warp := c.job.warps[0]
		i := c.nextToFlush(warp)
		if i < 0 {
			c.places.away.Remove(int(warp))
			c.job.cancel(warp)
			c.vacate(warp)
			left++ // finding that all is done takes no cycle
			continue
		}
		if left == 0 || !c.Write.CanPut() || !c.reads.take(now) {
			return true
		}
		c.writeBack(i, bank.Flush)
		c.store.free(i)
		c.count.flushed++
	}
	return false
}

// nextToFlush returns the next entry of a warp to be written back, or -1. It drops dead and clean entries.
func (c *Cache) nextToFlush(warp uint16) int {
	from, to := c.entries(warp)
	for ; from+c.job.at < to; c.job.at++ {
		i := from + c.job.at
		if c.store.key[i] == 0 || c.store.key[i].warp() != warp {
			continue
		}
		if c.store.owes(i) {
			return i
		}
		if c.store.flags[i]&dirty != 0 {
			c.count.deadElided++
		}
		c.store.free(i)
	}
	return -1
}
