package wire

import (
	"math"
	"math/bits"

	"github.com/sarchlab/akita/v3/sim"
)

// edge is a clock edge as a time: cycle at of a clock of hz. Edges of
// different clocks are compared as integers, so that two clocks never drift.
type edge struct {
	at Cycle
	hz uint64
}

// compare returns a negative number, zero or a positive number if a is before, at or after b.
func (a edge) compare(b edge) int {
	if a.hz == b.hz {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	}
	ahi, alo := bits.Mul64(a.at, b.hz)
	bhi, blo := bits.Mul64(b.at, a.hz)
	switch {
	case ahi != bhi && ahi < bhi, ahi == bhi && alo < blo:
		return -1
	case ahi == bhi && alo == blo:
		return 0
	}
	return 1
}

// floorTo returns the last cycle of a clock of hz at or before the edge.
func (a edge) floorTo(hz uint64) Cycle {
	if a.hz == hz {
		return a.at
	}
	c, _ := a.divide(hz)
	return c
}

// ceilTo returns the first cycle of a clock of hz at or after the edge.
func (a edge) ceilTo(hz uint64) Cycle {
	if a.hz == hz {
		return a.at
	}
	c, rest := a.divide(hz)
	if rest != 0 {
		c++
	}
	return c
}

func (a edge) divide(hz uint64) (quotient, rest uint64) {
	hi, lo := bits.Mul64(a.at, hz)
	if hi >= a.hz {
		panic("wire: simulated time exceeds 64 bits of cycles")
	}
	return bits.Div64(hi, lo, a.hz)
}

// seconds returns the time of the edge, rounded once.
func (a edge) seconds() sim.VTimeInSec {
	return sim.VTimeInSec(float64(a.at) / float64(a.hz))
}

// lastEdgeAt returns the last cycle of a clock of hz with a time in seconds at or before t.
func lastEdgeAt(t sim.VTimeInSec, hz uint64) Cycle {
	c := Cycle(math.Floor(float64(t) * float64(hz)))
	for (edge{c + 1, hz}).seconds() <= t {
		c++
	}
	for c > 0 && (edge{c, hz}).seconds() > t {
		c--
	}
	return c
}

// bound is the end of a stretch of time. The edge itself belongs to the stretch if closed.
type bound struct {
	edge
	closed bool
}

// last returns the last cycle of a clock of hz within the bound.
func (b bound) last(hz uint64) Cycle {
	if b.closed {
		return b.floorTo(hz)
	}
	return b.ceilTo(hz) - 1
}

// covers reports whether an event at time t is within the bound.
func (b bound) covers(t sim.VTimeInSec) bool {
	end := b.seconds()
	return t < end || b.closed && t == end
}

// excludes reports whether an edge is beyond the bound.
func (b bound) excludes(x edge) bool {
	c := x.compare(b.edge)
	return c > 0 || c == 0 && !b.closed
}

// earlier returns the earlier of two bounds.
func (b bound) earlier(other bound) bound {
	c := b.compare(other.edge)
	if c < 0 || c == 0 && !b.closed {
		return b
	}
	return other
}
