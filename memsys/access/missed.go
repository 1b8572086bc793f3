package access

import (
	"fmt"

	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// mostCaches is the largest number of caches reporting misses.
const mostCaches = 2

// missedQueue is the number of misses waiting for room in Out, per cache.
const missedQueue = 4

// Hear adds a port for a cache reporting misses, over a link of one
// cycle. The unit passes on the first miss of each access with a result.
func (u *Unit) Hear() *wire.InPort[req.Missed] {
	if u.Missed == nil {
		u.Missed = make([]wire.InPort[req.Missed], 0, mostCaches) // ports must not move
	}
	u.Missed = append(u.Missed, wire.InPort[req.Missed]{})
	in := &u.Missed[len(u.Missed)-1]
	in.Init(&u.Comp, fmt.Sprintf("Missed[%d]", len(u.Missed)-1), missedQueue)
	return in
}

// passOn reports misses, each before the answer to its access.
func (u *Unit) passOn() {
	for i := range u.Missed {
		in := &u.Missed[i]
		for m := in.Head(); m != nil; m = in.Head() {
			if s := &u.slots[m.Slot]; !s.store && !s.told {
				if !u.Out.CanPut() {
					return
				}
				u.Out.Put(req.Reply{Tag: s.tag, Warp: s.warp, Missed: true})
				s.told = true
			}
			in.Pop()
		}
	}
}
