package cache

import (
	"kumiko/components/mshr"
	"kumiko/components/wire"
)

// Miss is the outcome of a miss.
type Miss struct {
	Reason Reason // Ready: the access waits for its sectors
	// Ask are the sectors to request under the number of the register, after
	// the victim's write-back; empty if all are in flight.
	Ask      uint8
	Register uint32
	Entry    int // entry of the line, or -1
	Victim   Victim
}

// Miss makes v wait for sectors missing from entry i, or from the cache (i is -1). It merges with the register
// of an outstanding line. Otherwise it allocates a register, and a place for the line unless places are
// allocated at the fill.
func (c *Core[T]) Miss(now wire.Cycle, i int, a *Access, room int, v T) Miss {
	if e := c.mshr.Find(a.Addr); e >= 0 {
		return c.join(i, e, a, room, v)
	}
	return c.open(now, i, a, room, v)
}

// join merges an access with the register of an outstanding line, and requests further sectors
// if needed.
func (c *Core[T]) join(i, e int, a *Access, room int, v T) Miss {
	if i < 0 && c.resident && !a.NoPlace || c.mshr.CanAdd(e) != mshr.Accepted {
		return Miss{Reason: NoMerge}
	}
	want := c.widen(c.narrow(a.Sectors))
	ask := want &^ c.mshr.Expected(e)
	if i >= 0 {
		ask &^= c.widen(c.tags.Valid(i))
	}
	switch {
	case ask == 0:
		c.Merged[a.Cause]++
	case room < 1:
		return Miss{Reason: Full}
	default:
		c.expect(e, i, ask)
		c.Misses[a.Cause]++
	}
	c.mshr.Add(e, want&c.mshr.Expected(e), v)
	if i >= 0 {
		c.tags.Touch(i)
	}
	return Miss{Ask: ask, Register: uint32(e), Entry: i}
}

// open starts the fetch of a line, or of missing sectors of a present line.
func (c *Core[T]) open(now wire.Cycle, i int, a *Access, room int, v T) Miss {
	if c.mshr.CanOpen() != mshr.Accepted {
		return Miss{Reason: NoEntry}
	}
	if room < 1 {
		return Miss{Reason: Full}
	}
	var victim Victim
	if i < 0 && !c.onFill && !a.NoPlace {
		var r Reason
		if i, r = c.claim(a.Addr, room-1); r != Ready {
			return Miss{Reason: r}
		}
		victim = c.replace(i, a.Addr, a.Kind)
	}
	ask := c.widen(c.narrow(a.Sectors))
	if i >= 0 {
		ask &^= c.widen(c.tags.Valid(i))
		c.tags.Touch(i)
	}
	e := c.mshr.Open(now, a.Addr)
	c.expect(e, i, ask)
	c.mshr.Add(e, ask, v)
	c.Misses[a.Cause]++
	return Miss{Ask: ask, Register: uint32(e), Entry: i, Victim: victim}
}

// expect marks sectors as in flight, to entry i if the line has a place.
func (c *Core[T]) expect(e, i int, sectors uint8) {
	c.mshr.Expect(e, sectors)
	if i >= 0 {
		c.tags.Reserve(i, c.narrow(sectors))
	}
}

// Fill accepts the arrived sectors of a register. If places are allocated at the fill, a line without a place
// gets one. If none can be allocated, the line is not kept, since a fill does not wait. Fill must not be called
// while accesses of an earlier fill are being answered.
func (c *Core[T]) Fill(register uint32, kind uint8, sectors uint8, room int) (victim Victim) {
	e := int(register)
	c.mshr.Arrive(e, sectors)
	c.drain = e
	c.Fills++
	line := c.mshr.Line(e)
	i := c.tags.Find(line)
	if i < 0 && c.onFill {
		if v, r := c.claim(line, room); r == Ready {
			victim = c.replace(v, line, kind)
			i = v
		}
	}
	if i >= 0 {
		c.tags.Fill(i, c.narrow(sectors))
	} else {
		c.Unkept++
	}
	return victim
}

// Draining reports whether waiting accesses are being answered. Meanwhile
// nothing may be filled.
func (c *Core[T]) Draining() bool { return c.drain >= 0 }

// Due returns the oldest access of the filled register with all its sectors arrived,
// or nil. The access stays until Answered.
func (c *Core[T]) Due(now wire.Cycle) *T {
	if c.drain < 0 {
		return nil
	}
	v := c.mshr.Next(c.drain)
	if v == nil {
		c.settle(now)
	}
	return v
}

// Answered removes the access returned by Due, and reports whether another one
// is due.
func (c *Core[T]) Answered(now wire.Cycle) bool {
	c.mshr.Drop(c.drain)
	if c.mshr.Next(c.drain) != nil {
		return true
	}
	c.settle(now)
	return false
}

// settle frees the register if nothing of it is outstanding.
func (c *Core[T]) settle(now wire.Cycle) {
	if c.mshr.Done(c.drain) {
		c.mshr.Close(now, c.drain)
	}
	c.drain = -1
}
