package regpool

import (
	"fmt"

	"kumiko/components/wire"
)

// serve grants waiting requests, if possible in this cycle.
func (x *Pool) serve(now wire.Cycle) {
	left, wake, fails := x.queue[:0], wire.Cycle(0), x.spec.WhenShort == Fail
	for _, c := range x.queue {
		w := &x.warps[c]
		if w.next <= now {
			if x.allows(c, int(w.want-w.held)) {
				x.grant(c, now)
				continue
			}
			if fails {
				x.failures++
				w.next = now + wire.Cycle(x.spec.Retry)
			}
		}
		left = append(left, c)
		if wake == 0 || w.next < wake {
			wake = w.next
		}
	}
	x.queue = left
	if fails && len(left) > 0 {
		x.WakeAt(wake)
	}
}

func (x *Pool) grant(c uint16, now wire.Cycle) {
	w := &x.warps[c]
	if more := int(w.want) - int(w.held); more > 0 {
		*x.pool(c) -= int32(more)
		x.gained += uint64(more)
		x.resize(c, int(w.want))
	}
	w.want, w.given = 0, true
	x.closed.Remove(int(c))
	x.grants++
	x.waits += now - w.asked
	if now == w.asked {
		x.atOnce++
	}
}

// allows reports whether a warp may have more blocks, as many as given.
func (x *Pool) allows(c uint16, more int) bool {
	free := x.pool(c)
	switch {
	case more <= 0:
		return true
	case more > int(*free):
		return false
	case x.spec.Pool == PoolCTA || x.spec.Reserve == ReserveNone:
		return true
	}
	// The reserve is looked at with the blocks given.
	w := &x.warps[c]
	*free -= int32(more)
	w.held += int16(more)
	safe := x.safe()
	w.held -= int16(more)
	*free += int32(more)
	return safe
}

// safe reports whether one warp, or all warps of one CTA, can still have the most blocks.
func (x *Pool) safe() bool {
	if x.spec.Reserve == ReserveCTA {
		for cta := range int16(x.spec.CTAs) {
			if x.completes(cta) {
				return true
			}
		}
		return false
	}
	for i := range x.warps {
		if w := &x.warps[i]; w.cta >= 0 && x.plan.most-int(w.held) <= int(x.free[0]) {
			return true
		}
	}
	return false
}

// completes reports whether all live warps of a CTA can have the most blocks.
func (x *Pool) completes(cta int16) bool {
	warps, need := 0, 0
	for i := range x.warps {
		if w := &x.warps[i]; w.cta == cta {
			warps++
			need += x.plan.most - int(w.held)
		}
	}
	return warps > 0 && need <= int(x.free[0])
}

// Waiting reports the warps waiting for registers, and their pool.
func (x *Pool) Waiting() string {
	if len(x.queue) == 0 {
		return ""
	}
	c := x.queue[0]
	w := &x.warps[c]
	return fmt.Sprintf("warps %v wait for registers; warp %d has %d and asks for %d, of %d in the pool of its %s",
		x.queue, c, int(w.held)*x.spec.Registers, int(w.want)*x.spec.Registers, int(*x.pool(c))*x.spec.Registers,
		map[string]string{PoolCTA: "CTA", PoolSM: "SM"}[x.spec.Pool])
}
