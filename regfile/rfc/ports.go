package rfc

import "kumiko/components/wire"

// readPorts counts the reads that can still start in a cycle.
type readPorts struct {
	per  int
	left int
	at   wire.Cycle
}

func (p *readPorts) take(now wire.Cycle) bool {
	if p.at != now {
		p.at, p.left = now, p.per
	}
	if p.left == 0 {
		return false
	}
	p.left--
	return true
}

// writePorts counts the outstanding writes: in each cycle as many start as there are ports, and a few more wait in
// a buffer.
type writePorts struct {
	per, buffer int
	under       int // writes starting in cycle at or later
	at          wire.Cycle
}

// room reports whether a write can be accepted.
func (p *writePorts) room(now wire.Cycle) bool {
	if p.at != now {
		if gone := (now - p.at) * wire.Cycle(p.per); gone >= wire.Cycle(p.under) {
			p.under = 0
		} else {
			p.under -= int(gone)
		}
		p.at = now
	}
	return p.under < p.per+p.buffer
}

// take accepts a write and returns its wait for a port, in cycles. room must have returned true.
func (p *writePorts) take() uint64 {
	wait := p.under / p.per
	p.under++
	return uint64(wait)
}
