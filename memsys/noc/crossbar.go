package noc

import (
	"cmp"
	"fmt"
	"math/bits"

	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/memsys/addrmap"
	"kumiko/memsys/port"
	"kumiko/memsys/req"
)

// Spec is the geometry and timing of the interconnect.
type Spec struct {
	Flit    int  `toml:"flit_bytes" unit:"bytes" range:"1 to 1073741824" doc:"size of a flit. Each port moves one flit per cycle in each direction"`
	Request int  `toml:"request_flit_bytes" unit:"bytes" range:"0 to 1073741824" doc:"size of a flit on the way to the L2, where it is not flit_bytes. 0: it is"`
	Sectors bool `toml:"port_sectors" unit:"-" doc:"a request with data takes the link from an SM to the crossbar for a cycle each sector, and one more for a sector written in part or the operation of an atomic. false: a cycle each flit"`
	// Combine bounds the packets that a store is compared with.
	Combine int `toml:"port_combine" unit:"packets" range:"0 to 64" doc:"packets of an SM's L1 that may wait for the link to the crossbar, beyond its queue. A store joins one of its line among them, and leaves with it. 0: stores stand alone"`
	Atomic  int `toml:"port_atomic" unit:"cycles" range:"0 to 65536" doc:"for which the values that an atomic returns for a line take the link from the crossbar to an SM. 0: as another reply, a cycle"`
	Latency int `toml:"latency" unit:"cycles" doc:"from an SM's port to a slice, or back, for a packet of one flit without contention, the link between them included" when:"../backing=dram"`
	Lane    int `toml:"lane_latency" unit:"cycles" doc:"part of the latency that lies on the link between an SM and the crossbar" when:"../backing=dram"`
	Buffer  int `toml:"buffer" unit:"packets" doc:"packets that may wait in front of each input and behind each output" when:"../backing=dram"`
}

// Check returns an error for settings outside their ranges.
func (s *Spec) Check() error {
	if s.Lane >= 1 && s.Latency <= s.Lane {
		return spec.Errorf("latency", s.Latency, "more than the lane latency of %d", s.Lane)
	}
	return cmp.Or(
		spec.Ranges(s),
		spec.InRange("lane_latency", s.Lane, 1, spec.MostCycles),
		spec.InRange("latency", s.Latency, 2, spec.MostCycles),
		spec.InRange("buffer", s.Buffer, 1, spec.MostQueue),
	)
}

// Requests returns the settings of the request network.
func (s Spec) Requests() Spec {
	if s.Request != 0 {
		s.Flit = s.Request
	}
	return s
}

// maxPorts bounds the inputs, and the outputs, of a crossbar: the SMs of a chip.
const maxPorts = 1024

// Crossbar is one direction of the interconnect.
type Crossbar struct {
	wire.Comp
	In  []wire.InPort[req.Packet]
	Out []wire.OutPort[req.Packet]

	flit  int
	route *addrmap.Map // nil: by the requesting SM

	offered set          `bits:"64"` // inputs with their head counted in wanted
	heads   int          // number of inputs in offered
	holding set          `bits:"64"`      // outputs with a packet passing
	wanted  set          `bits:"64"`      // outputs with a waiting input
	waiting []set        `bits:"64"`      // inputs, by output
	turn    []int        `bits:"log(In)"` // by output: the input to serve first
	inFree  []wire.Cycle `bits:"16"`
	outFree []wire.Cycle `bits:"16"`
	leaves  []wire.Cycle `bits:"16"` // by output: cycle at which the passing packet leaves
	passing []req.Packet `bits:"type"`

	packets, flits uint64
	bytes          [req.NumCauses]uint64 `soft:"statistics"`
	queued         uint64                // waiting heads x cycles
	since          wire.Cycle
}

// Net describes the ends of one crossbar.
type Net struct {
	Direction string       // names the statistics: "request" or "reply"
	Inputs    []int        // capacity of each input's queue, packets
	Outputs   int          // at least 1
	Route     *addrmap.Map // maps requests to slices; nil: packets go to the requesting SM
}

// New builds a crossbar.
func New(name string, d *wire.Domain, s Spec, net Net, r *stats.Registry) (*Crossbar, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	n, outputs := len(net.Inputs), net.Outputs
	if n < 1 || n > maxPorts || outputs < 1 || outputs > maxPorts {
		return nil, spec.Errorf("ports", fmt.Sprintf("%d x %d", n, outputs), "1 to %d inputs and outputs", maxPorts)
	}
	x := &Crossbar{
		In: make([]wire.InPort[req.Packet], n), Out: make([]wire.OutPort[req.Packet], outputs), flit: s.Flit,
		route:   net.Route,
		offered: newSet(n), holding: newSet(outputs), wanted: newSet(outputs), waiting: make([]set, outputs),
		turn: make([]int, outputs), inFree: make([]wire.Cycle, n),
		outFree: make([]wire.Cycle, outputs), leaves: make([]wire.Cycle, outputs), passing: make([]req.Packet, outputs),
	}
	x.Init(name, d, x)
	for i := range x.In {
		x.In[i].Init(&x.Comp, fmt.Sprintf("In[%d]", i), net.Inputs[i])
	}
	for i := range x.Out {
		x.Out[i].Init(&x.Comp, fmt.Sprintf("Out[%d]", i))
		x.waiting[i] = newSet(n)
	}
	direction := net.Direction
	k := "mem.noc." + direction + "."
	r.Count(k+"packets", stats.Messages, "packets of the "+direction+" network", name, &x.packets)
	r.Count(k+"flits", stats.Messages, "flits of the "+direction+" network", name, &x.flits)
	r.Count(k+"waiting", stats.Cycles, "packets at the head of an input of the "+direction+
		" network that were not granted, summed over cycles", name, &x.queued)
	for c := range req.NumCauses {
		r.Count(k+"bytes."+c.String(), stats.Bytes, "bytes on the "+direction+" network, headers included: "+c.String(),
			name, &x.bytes[c])
	}
	return x, nil
}

// Tick sends leaving packets, looks at the heads of the inputs, and grants outputs.
func (x *Crossbar) Tick(now wire.Cycle) bool {
	next := x.leave(now)
	next = min(next, x.offer(now))
	next = min(next, x.grant(now))
	if next != wire.Never {
		x.WakeAt(next)
	}
	return false
}

// leave sends packets after their last flit, and returns the cycle at which the next one
// will leave.
func (x *Crossbar) leave(now wire.Cycle) wire.Cycle {
	next := wire.Never
	for w, m := range x.holding {
		for ; m != 0; m &= m - 1 {
			o := w<<6 + bits.TrailingZeros64(m)
			if x.leaves[o] > now {
				next = min(next, x.leaves[o])
				continue
			}
			if x.Out[o].CanPut() {
				x.Out[o].Put(x.passing[o])
				x.holding.remove(o)
			}
		}
	}
	return next
}

// offer requests an output for the head of each free input, and returns the cycle at which
// the next non-empty input will be free.
func (x *Crossbar) offer(now wire.Cycle) wire.Cycle {
	next := wire.Never
	for i := range x.In {
		if x.offered.has(i) {
			continue
		}
		p := x.In[i].Head()
		if p == nil {
			continue
		}
		if x.inFree[i] > now {
			next = min(next, x.inFree[i])
			continue
		}
		o := int(p.SM)
		if x.route != nil {
			o = x.route.Slice(p.Addr)
		}
		x.account(now)
		x.heads++
		x.offered.add(i)
		x.wanted.add(o)
		x.waiting[o].add(i)
	}
	return next
}

// grant starts a packet on every free output with a request. It returns the cycle of the crossbar's next work.
func (x *Crossbar) grant(now wire.Cycle) wire.Cycle {
	next := wire.Never
	for w := range x.wanted {
		for m := x.wanted[w] &^ x.holding[w]; m != 0; m &= m - 1 {
			o := w<<6 + bits.TrailingZeros64(m)
			if x.outFree[o] > now {
				next = min(next, x.outFree[o])
				continue
			}
			if x.Out[o].CanPut() {
				next = min(next, x.start(now, o))
			}
		}
	}
	return next
}

// start moves a packet from the next input in turn to output o, and returns the cycle of the
// crossbar's next work.
func (x *Crossbar) start(now wire.Cycle, o int) wire.Cycle {
	w := x.waiting[o]
	i := w.firstFrom(x.turn[o])
	p := x.In[i].Head()
	n := port.Flits(p, x.flit)
	end := now + wire.Cycle(n)
	x.account(now)
	x.heads--
	x.offered.remove(i)
	w.remove(i)
	again := !w.empty()
	if !again {
		x.wanted.remove(o)
	}
	if x.turn[o] = i + 1; x.turn[o] == len(x.In) {
		x.turn[o] = 0
	}
	x.inFree[i], x.outFree[o] = end, end
	x.packets++
	x.flits += uint64(n)
	x.bytes[p.Cause] += uint64(p.Size())
	next := wire.Never
	if n == 1 {
		x.Out[o].Put(*p)
	} else {
		x.passing[o], x.leaves[o] = *p, end-1
		x.holding.add(o)
		next = end - 1
	}
	x.In[i].Pop()
	if again || x.In[i].Head() != nil {
		next = min(next, end)
	}
	return next
}

// account counts the wait of each packet at the head of an input, for the cycles since the last change.
func (x *Crossbar) account(now wire.Cycle) {
	x.queued += uint64(x.heads) * (now - x.since)
	x.since = now
}

// Waiting names the outputs for which packets wait.
func (x *Crossbar) Waiting() string {
	passing := x.holding.len()
	if x.heads+passing == 0 {
		return ""
	}
	for o := range x.Out {
		if !x.waiting[o].empty() || x.holding.has(o) {
			return fmt.Sprintf("%d packets wait, the first for %s", x.heads+passing, x.Out[o].Name())
		}
	}
	return ""
}
