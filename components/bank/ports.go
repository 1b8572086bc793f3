package bank

import (
	"kumiko/components/spec"
	"kumiko/components/wire"
)

// Ports are the SRAM ports of a bank.
type Ports uint8

// Kinds of port sets.
const (
	Single          Ports = iota // one port for reads and writes
	OneReadOneWrite              // one read and one write port
	TwoReadOneWrite              // two read ports and a write port
	Dual                         // two ports, each for reads and writes
	numPorts
)

const (
	canRead = 1 << iota
	canWrite
)

var portInfo = [numPorts]struct {
	name string
	can  []uint8
}{
	Single:          {"1rw", []uint8{canRead | canWrite}},
	OneReadOneWrite: {"1r1w", []uint8{canRead, canWrite}},
	TwoReadOneWrite: {"2r1w", []uint8{canRead, canRead, canWrite}},
	Dual:            {"2rw", []uint8{canRead | canWrite, canRead | canWrite}},
}

// String returns the port set's name in configurations.
func (p Ports) String() string { return portInfo[p].name }

// Count returns the number of ports, the most accesses started in one cycle.
func (p Ports) Count() int { return len(portInfo[p].can) }

// Reads returns the most reads started in one cycle.
func (p Ports) Reads() int {
	n := 0
	for _, c := range portInfo[p].can {
		n += int(c & canRead)
	}
	return n
}

// ParsePorts returns the port set of a name: 1rw, 1r1w, 2r1w or 2rw.
func ParsePorts(key, name string) (Ports, error) {
	for p := range portInfo {
		if portInfo[p].name == name {
			return Ports(p), nil
		}
	}
	return 0, spec.Errorf(key, name, "1rw, 1r1w, 2r1w or 2rw")
}

// Budget counts the accesses a pipelined bank can still start in one cycle. The bank and the arbiter before it both
// keep one.
type Budget struct{ reads, writes, total int8 }

// Budget returns the full budget at the beginning of a cycle.
func (p Ports) Budget() Budget {
	b := Budget{reads: int8(p.Reads()), total: int8(p.Count())}
	for _, c := range portInfo[p].can {
		b.writes += int8(c / canWrite)
	}
	return b
}

// TakeRead starts a read, or returns false when no port is left for it.
func (b *Budget) TakeRead() bool {
	if b.reads == 0 || b.total == 0 {
		return false
	}
	b.reads--
	b.total--
	return true
}

// TakeWrite starts a write, or returns false when no port is left for it.
func (b *Budget) TakeWrite() bool {
	if b.writes == 0 || b.total == 0 {
		return false
	}
	b.writes--
	b.total--
	return true
}

// Calendar records which SRAM ports of a blocking bank are free. The bank and the arbiter before it both keep one.
type Calendar struct {
	n    uint8
	can  [3]uint8      `soft:"constants"`
	busy [2]wire.Cycle `soft:"constants"` // occupancy of a read and of a write
	free [3]wire.Cycle `bits:"8"`         // first cycle in which each port is free
}

// NewCalendar returns the calendar of a blocking bank with all ports free.
func NewCalendar(s *Spec) Calendar {
	c := Calendar{n: uint8(s.Ports.Count()), busy: [2]wire.Cycle{wire.Cycle(s.ReadLatency), wire.Cycle(s.WriteLatency)}}
	copy(c.can[:], portInfo[s.Ports].can)
	return c
}

// Take occupies a port from cycle now on for one access. It returns false when no suitable port is free.
func (c *Calendar) Take(now wire.Cycle, k Kind) bool {
	need, busy := uint8(canRead), c.busy[0]
	if k != Read {
		need, busy = canWrite, c.busy[1]
	}
	for i := uint8(0); i < c.n; i++ {
		if c.can[i]&need != 0 && c.free[i] <= now {
			c.free[i] = now + busy
			return true
		}
	}
	return false
}
