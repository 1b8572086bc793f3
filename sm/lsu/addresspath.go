package lsu

import (
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/memsys/req"
	"kumiko/sm/execute"
)

// addressPath is the address pipeline of the load/store unit: every operation passes its stages. The interval
// until the next operation may enter depends on the operation's timing class.
//
// An operation entering at t is visible to the memory side at t + latency - 1. The last cycle of the unit's
// latency is the writeback stage, passed by results. The cycle before is the link to the memory side.
type addressPath struct {
	stages     wire.Cycle            // before the link
	initiation [ir.NumClasses]uint16 `soft:"constants"`
	next       wire.Cycle            // from when an operation may enter

	ring  []underWay `bits:"type"`
	first int
	n     int
}

type underWay struct {
	at wire.Cycle // when it goes to the link
	a  req.Access
}

// minMemoryLatency is the latency of a load/store unit without stages of its own:
// the link to the memory side, and the writeback stage.
const minMemoryLatency = 2

func newAddressPath(u *execute.UnitSpec) addressPath {
	p := addressPath{stages: wire.Cycle(u.Latency - minMemoryLatency)}
	for c, t := range u.Times().Class {
		p.initiation[c] = t.Initiation
	}
	p.ring = make([]underWay, p.stages)
	return p
}

// leave sends the oldest operation if it is due and there is room.
func (p *addressPath) leave(now wire.Cycle, to *wire.OutPort[req.Access]) bool {
	if p.n == 0 || p.ring[p.first].at > now || !to.CanPut() {
		return false
	}
	*to.Slot() = p.ring[p.first].a
	to.PutSlot()
	p.first = (p.first + 1) % len(p.ring)
	p.n--
	return true
}

// full reports whether the first stage has no room.
func (p *addressPath) full(to *wire.OutPort[req.Access]) bool {
	if p.stages == 0 {
		return !to.CanPut()
	}
	return p.n == len(p.ring)
}

// slot returns the slot for an operation entering now. A call of taken must follow.
func (p *addressPath) slot(now wire.Cycle, to *wire.OutPort[req.Access]) *req.Access {
	if p.stages == 0 {
		return to.Slot()
	}
	x := &p.ring[(p.first+p.n)%len(p.ring)]
	x.at = now + p.stages
	return &x.a
}

// taken completes the entry begun by slot.
func (p *addressPath) taken(now wire.Cycle, c ir.Class, to *wire.OutPort[req.Access]) {
	p.next = now + wire.Cycle(p.initiation[c])
	if p.stages == 0 {
		to.PutSlot()
		return
	}
	p.n++
}

// due returns the cycle at which the oldest operation leaves. The path must not be empty.
func (p *addressPath) due() wire.Cycle { return p.ring[p.first].at }
