package simple

import (
	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// Spec is the timing of the memory.
type Spec struct {
	Latency   int `toml:"latency" unit:"cycles" range:"2 to 65536" doc:"from a request at an SM's port to its reply there"`
	Bandwidth int `toml:"bandwidth" unit:"bytes per cycle" range:"1 to 1073741824" doc:"data of an SM, both directions together"`
	Lane      int `toml:"lane_latency" unit:"cycles" range:"1 to 65536" doc:"part of the latency that lies on the link from the SM"`
	Buffer    int `toml:"buffer" unit:"packets" range:"1 to 65536" doc:"requests that may wait in front of the memory"`
}

// Check returns an error for settings outside their ranges.
func (s *Spec) Check() error {
	if err := spec.Ranges(s); err != nil {
		return err
	}
	if s.Latency < 2*s.Lane {
		return spec.Errorf("latency", s.Latency, "at least twice the lane latency of %d", s.Lane)
	}
	return nil
}

// Memory serves one SM.
type Memory struct {
	wire.Comp
	In  wire.InPort[req.Packet]
	Out wire.OutPort[req.Packet]

	bandwidth int
	held      req.Packet // in transfer
	busy      bool
	until     wire.Cycle // last cycle of the transfer

	bytes [req.NumCauses]uint64 `soft:"statistics"`
	used  uint64
}

// New builds the memory of one SM.
func New(name string, d *wire.Domain, s Spec, r *stats.Registry) (*Memory, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	m := &Memory{bandwidth: s.Bandwidth}
	m.Init(name, d, m)
	m.In.Init(&m.Comp, "In", 2*s.Lane+s.Buffer)
	m.Out.Init(&m.Comp, "Out")
	for c := range req.NumCauses {
		r.Count("mem.fixed.bytes."+c.String(), stats.Bytes, "data moved to and from memory of fixed latency: "+
			c.String(), name, &m.bytes[c])
	}
	r.Count("mem.fixed.busy", stats.Cycles, "cycles in which an SM's channel to memory of fixed latency was occupied",
		name, &m.used)
	return m, nil
}

// Tick ends the transfer of a packet and starts the next transfer.
func (m *Memory) Tick(now wire.Cycle) bool {
	if !m.busy && !m.begin(now) {
		return false
	}
	if now < m.until {
		m.WakeAt(m.until)
		return false
	}
	if !m.held.Posted() {
		if !m.Out.CanPut() {
			return false
		}
		m.Out.Put(m.held)
	}
	m.busy = false
	return m.In.Head() != nil
}

func (m *Memory) begin(now wire.Cycle) bool {
	p := m.In.Head()
	if p == nil {
		return false
	}
	m.In.Pop()
	m.held = p.Answer()
	n := max(p.Data(), m.held.Data())
	m.bytes[p.Cause] += uint64(n)
	cycles := max(1, (n+m.bandwidth-1)/m.bandwidth)
	m.used += uint64(cycles)
	m.busy, m.until = true, now+wire.Cycle(cycles-1)
	return true
}

// Waiting reports how long the channel is busy.
func (m *Memory) Waiting() string {
	if !m.busy && m.In.Head() == nil {
		return ""
	}
	return "a reply waits for " + m.Out.Name()
}
