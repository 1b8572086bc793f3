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

// allows reports whether a warp may have so many more blocks.
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

// safe reports whether all warps can come to their ends one after the other, or all CTAs, even if each asks for the
// most blocks.
//
// Of warps it is enough that one can have the most. At its end it returns as many blocks as any other warp can still
// ask for. Of CTAs it is not enough. Where some warps of a CTA have ended, those left return fewer blocks than another
// CTA may ask for. So the CTAs are taken in an order in which each can have the most once those before it have ended
// (the banker's algorithm: Dijkstra, EWD 623).
func (x *Pool) safe() bool {
	if x.spec.Reserve == ReserveCTA {
		return x.inSomeOrder()
	}
	for i := range x.warps {
		if w := &x.warps[i]; w.cta >= 0 && x.plan.most-int(w.held) <= int(x.free[0]) {
			return true
		}
	}
	return false
}

// inSomeOrder reports whether the CTAs can come to their ends in some order.
func (x *Pool) inSomeOrder() bool {
	clear(x.claims)
	left := 0
	for i := range x.warps {
		w := &x.warps[i]
		if w.cta < 0 {
			continue
		}
		c := &x.claims[w.cta]
		if !c.waits {
			c.waits = true
			left++
		}
		c.need += int32(x.plan.most) - int32(w.held)
		c.returns += int32(w.held) - int32(x.plan.start)
	}
	for free := x.free[0]; left > 0; {
		before := left
		for i := range x.claims {
			if c := &x.claims[i]; c.waits && c.need <= free {
				c.waits = false
				free += c.returns
				left--
			}
		}
		if left == before {
			return false
		}
	}
	return true
}

// claim is a CTA's part in the search for an order.
type claim struct {
	need    int32 // most blocks that its warps may still ask for
	returns int32 // blocks of the pool that its warps hold
	waits   bool  // it has live warps, and its turn has not come
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
