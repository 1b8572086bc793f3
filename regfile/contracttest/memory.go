package contracttest

import (
	"kumiko/components/wire"
	"kumiko/memsys/req"
	"kumiko/regfile"
)

// memory answers the requests of a design to the L2 and the DRAM, out of order.
type memory struct {
	wire.Comp
	in    wire.InPort[req.Packet]
	out   wire.OutPort[req.Packet]
	queue []answer
}

type answer struct {
	due wire.Cycle
	p   req.Packet
}

// memory joins a design with traffic of its own to a memory.
func (r *rig) memory(u regfile.MemoryUser) {
	m := &memory{}
	m.Init("Memory", r.d, m)
	m.in.Init(&m.Comp, "In", 4)
	m.out.Init(&m.Comp, "Out")
	requests, replies := u.Memory()
	wire.Connect(requests, &m.in, 1)
	wire.Connect(&m.out, replies, 1)
}

// Tick accepts a packet and answers the due packets.
func (m *memory) Tick(now wire.Cycle) bool {
	if p := m.in.Head(); p != nil {
		if !p.Posted() {
			m.queue = append(m.queue, answer{now + 20 + scatter(p.Tag*31+uint32(now), 90), p.Answer()})
		}
		m.in.Pop()
	}
	for i := range m.queue {
		if a := m.queue[i]; a.due <= now && m.out.CanPut() {
			m.out.Put(a.p)
			m.queue = append(m.queue[:i], m.queue[i+1:]...)
			break
		}
	}
	return len(m.queue) > 0 || m.in.Head() != nil
}
