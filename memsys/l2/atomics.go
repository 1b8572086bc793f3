package l2

import (
	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// atomics is the atomic unit: a pipeline for packets in order. Lanes on
// different words are served at `rate` per cycle, lanes on one word one per cycle.
type atomics struct {
	rate    int
	latency wire.Cycle
	free    wire.Cycle // from when the next packet can start
	ring    []pending  `bits:"type"`
	first   int
	n       int
}

type pending struct {
	p   req.Packet
	due wire.Cycle // cycle of the answer
}

func (a *atomics) init(s *Spec) {
	a.rate, a.latency, a.ring = s.AtomicRate, wire.Cycle(s.AtomicLatency), make([]pending, s.AtomicQueue)
}

func (a *atomics) full() bool { return a.n == len(a.ring) }

// push starts a packet as soon as the unit is free.
func (a *atomics) push(now wire.Cycle, p *req.Packet) {
	start := max(now, a.free)
	turns := wire.Cycle(max((int(p.Ops)+a.rate-1)/a.rate, int(p.Depth), 1))
	a.free = start + turns
	a.ring[(a.first+a.n)%len(a.ring)] = pending{p: *p, due: start + turns + a.latency}
	a.n++
}

// head returns the oldest packet and the cycle at which it leaves, or nil.
func (a *atomics) head() (*req.Packet, wire.Cycle) {
	if a.n == 0 {
		return nil, 0
	}
	h := &a.ring[a.first]
	return &h.p, h.due
}

func (a *atomics) pop() {
	a.first = (a.first + 1) % len(a.ring)
	a.n--
}
