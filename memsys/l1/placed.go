package l1

import (
	"kumiko/memsys/cache"
	"kumiko/memsys/req"
)

// NoLine stands for no line.
const NoLine = ^uint64(0)

// Placed is called for a line that a cache has a place for from now on, because of a miss or a store by a warp context.
// victim is the line that has lost its place to it, or NoLine.
type Placed func(addr, victim uint64, warp uint16)

// OnPlaced makes the cache call f for each line that gets a place, on the goroutine that simulates the SM; nil: no
// longer. No cycle depends on it. Nothing may be in flight.
func (c *Tags) OnPlaced(f Placed) {
	c.placed = f
	if f != nil && c.asked == nil {
		c.asked = make([]uint16, c.spec.MSHR.Entries)
	}
}

// missed follows a miss that found entry i, or none (-1): its line may have got a place, or gets one when it comes.
func (c *Tags) missed(t *req.Txn, i int, m *cache.Miss) {
	if m.Ask != 0 {
		c.asked[m.Register] = t.Warp
	}
	if i < 0 && m.Entry >= 0 && m.Ask != 0 {
		c.place(t.Addr, &m.Victim, t.Warp)
	}
}

// place tells the observer of a line that takes the place of a victim.
func (c *Tags) place(addr uint64, v *cache.Victim, warp uint16) {
	victim := NoLine
	if v.Valid|v.Dirty != 0 {
		victim = v.Addr
	}
	c.placed(addr, victim, warp)
}
