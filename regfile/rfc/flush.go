package rfc

import (
	"kumiko/components/bank"
	"kumiko/components/wire"
)

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
