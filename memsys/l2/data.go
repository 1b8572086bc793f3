package l2

import (
	"fmt"
	"math/bits"

	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// Data is the data array of a slice.
type Data struct {
	wire.Comp
	In  wire.InPort[Access]
	Out wire.OutPort[req.Packet]

	port port
}

// Access is a packet's access to the data array, with the answer to the packet.
type Access struct {
	Reply req.Packet
	// Port: the sectors pass the data port. Otherwise they come from the DRAM channel or from
	// the atomic unit.
	Port bool
}

// toData is the latency of the link from the tags to the data array. The link to
// the interconnect is one cycle shorter for it.
const toData = 1

// mostAccesses is the most answers of the tags in a cycle: to a hit, to a waiting packet,
// and to an atomic.
const mostAccesses = 3

// newData builds the data array of a slice.
func newData(name string, d *wire.Domain, s *Spec) *Data {
	x := &Data{port: port{width: s.Port}}
	x.Init(name, d, x)
	x.In.Init(&x.Comp, "In", (toData+1)*mostAccesses)
	x.Out.Init(&x.Comp, "Out")
	return x
}

// port is the data port of a slice: one packet at a time, for its sectors.
type port struct {
	width int        // bytes per cycle
	free  wire.Cycle // from when the port is free
}

// take occupies the port for sectors. The port must be free.
func (p *port) take(now wire.Cycle, sectors uint8) {
	p.free = now + wire.Cycle(max(1, (bits.OnesCount8(sectors)*req.SectorBytes+p.width-1)/p.width))
}

// Tick answers packets in order. One that needs the port waits until the port is free. The tags send no access before,
// nor without room for its answer.
func (x *Data) Tick(now wire.Cycle) bool {
	for a := x.In.Head(); a != nil; a = x.In.Head() {
		if a.Port && now < x.port.free {
			x.WakeAt(x.port.free)
			return false
		}
		if !x.Out.CanPut() {
			return false
		}
		if a.Port {
			x.port.take(now, a.Reply.Sectors)
		}
		x.Out.Put(a.Reply)
		x.In.Pop()
	}
	return false
}

// Waiting describes the packets waiting for the port, or for room towards the interconnect.
func (x *Data) Waiting() string {
	if n := x.In.Len(); n > 0 {
		return fmt.Sprintf("%d replies wait for %s", n, x.Out.Name())
	}
	return ""
}
