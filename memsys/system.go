package memsys

import (
	"fmt"
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/memsys/addrmap"
	"kumiko/memsys/dram"
	"kumiko/memsys/l2"
	"kumiko/memsys/noc"
	"kumiko/memsys/simple"
)

// System is the shared side of the memory system.
type System struct {
	// Req receives the packets of each SM, Rep returns the replies: see Attach.
	Req []*wire.InPort[Packet]
	Rep []*wire.OutPort[Packet]
	// LaneLatency is the latency of the links to Req, ReplyLatency of the links
	// from Rep.
	LaneLatency, ReplyLatency int

	// Domains are those beside the core clock's: of the slices, where these are divided, and then of the DRAM channels.
	// A memory of fixed latency has none.
	Domains []*wire.Domain

	Requests *noc.Crossbar // nil, as the others, where the memory is fixed
	Replies  *noc.Crossbar
	Map      *addrmap.Map
	Slices   []*l2.Slice
	Channels []*dram.Channel
	Fixed    []*simple.Memory
}

// NewSystem builds the shared side for the given number of SMs in the domain of the core clock. The DRAM channels get
// a clock domain of their own. With at least two parts, slices and channels are divided among as many partitions that
// follow the domain's, at most one for each channel, so that several workers simulate them beside each other. Results
// do not depend on it. They stay together where replies take less than half as long to the interconnect as from there
// to an SM, because the window of the simulation would become as short.
func NewSystem(d *wire.Domain, s *Spec, sms, parts int, r *stats.Registry) (*System, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	y := &System{LaneLatency: s.LaneLatency(), ReplyLatency: s.ReplyLatency()}
	var err error
	if s.Backing == "fixed" {
		err = y.buildFixed(d, s, sms, r)
	} else {
		err = y.build(d, s, sms, parts, r)
	}
	if err != nil {
		return nil, fmt.Errorf("memory system: %w", err)
	}
	return y, nil
}

func (y *System) buildFixed(d *wire.Domain, s *Spec, sms int, r *stats.Registry) error {
	for i := range sms {
		m, err := simple.New(fmt.Sprintf("FixedMemory[%d]", i), d, s.Fixed, r)
		if err != nil {
			return err
		}
		y.Fixed = append(y.Fixed, m)
		y.Req = append(y.Req, &m.In)
		y.Rep = append(y.Rep, &m.Out)
	}
	return nil
}

func (y *System) build(d *wire.Domain, s *Spec, sms, parts int, r *stats.Registry) error {
	var err error
	if y.Map, err = addrmap.New(s.Map, s.L2.Slices, s.L2.Slices/s.DRAM.Channels); err != nil {
		return err
	}
	if err := y.buildCrossbars(d, s, sms, r); err != nil {
		return err
	}
	cores, drams, err := y.divide(d, s, parts)
	if err != nil {
		return err
	}
	if err := y.buildSlices(cores, s, r); err != nil {
		return err
	}
	return y.buildChannels(drams, s, r)
}

// divide returns for each DRAM channel the domain of its slices and its own. It makes the followers.
func (y *System) divide(d *wire.Domain, s *Spec, parts int) (cores, drams []*wire.Domain, err error) {
	p := d.Partition()
	if p == nil {
		return nil, nil, fmt.Errorf("domain %s is in no partition, to which that of the DRAM could be added", d.Name())
	}
	n, clock := s.DRAM.Channels, sim.Freq(s.DRAM.Clock)*sim.MHz
	if parts = min(parts, n); parts < 2 || 2*l2.ReplyLatency(s.NoC.Latency-s.NoC.Lane) < s.LaneLatency() {
		y.Domains = []*wire.Domain{p.NewDomain("DRAM", clock)}
		return slices.Repeat([]*wire.Domain{d}, n), slices.Repeat(y.Domains, n), nil
	}
	var slow []*wire.Domain
	for k := range n {
		part := k * parts / n
		if part == len(y.Domains) {
			f := p.NewFollower(fmt.Sprintf("%s.Memory[%d]", p.Name(), part))
			y.Domains = append(y.Domains, f.NewDomain(d.Name(), d.Freq()))
			slow = append(slow, f.NewDomain("DRAM", clock))
		}
		cores, drams = append(cores, y.Domains[part]), append(drams, slow[part])
	}
	y.Domains = append(y.Domains, slow...)
	return cores, drams, nil
}

// buildSlices builds the slices, those of each DRAM channel in one domain.
func (y *System) buildSlices(cores []*wire.Domain, s *Spec, r *stats.Registry) error {
	toSlice := s.NoC.Latency - s.NoC.Lane + s.L2.Latency
	per := s.L2.Slices / s.DRAM.Channels
	for i := range s.L2.Slices {
		// A lane carries one reply per command cycle, see wire.Connect.
		l, err := l2.New(fmt.Sprintf("L2[%d]", i), cores[i/per], s.L2,
			l2.Links{Map: y.Map, In: toSlice + s.L2.Queue, FromMemory: 2*s.DRAM.Back + 1}, r)
		if err != nil {
			return err
		}
		y.Slices = append(y.Slices, l)
		l.Join(&y.Requests.Out[i], toSlice, &y.Replies.In[i], s.NoC.Latency-s.NoC.Lane)
	}
	return nil
}

// buildChannels builds the DRAM channels and joins each to its slices.
func (y *System) buildChannels(drams []*wire.Domain, s *Spec, r *stats.Registry) error {
	per := s.L2.Slices / s.DRAM.Channels
	for k := range s.DRAM.Channels {
		c, err := dram.New(fmt.Sprintf("DRAM[%d]", k), drams[k], s.DRAM,
			dram.Clients{Slices: per, MissQueue: s.L2.MissQueue}, r)
		if err != nil {
			return err
		}
		y.Channels = append(y.Channels, c)
		for j := range per {
			l := y.Slices[k*per+j].Tags
			wire.Connect(&l.ToMemory, &c.In[j], s.DRAM.Latency)
			wire.Connect(&c.Out[j], &l.FromMemory, s.DRAM.Back)
		}
	}
	return nil
}

// buildCrossbars builds both directions of the interconnect. A capacity covers the buffer, the packets on the
// link, and the credits on their way back between clock domains.
func (y *System) buildCrossbars(d *wire.Domain, s *Spec, sms int, r *stats.Registry) error {
	var err error
	in := fill(sms, 2*s.NoC.Lane+s.NoC.Buffer)
	if y.Requests, err = noc.New("RequestNetwork", d, s.NoC.Requests(),
		noc.Net{Direction: "request", Inputs: in, Outputs: s.L2.Slices, Route: y.Map}, r); err != nil {
		return err
	}
	in = fill(s.L2.Slices, s.NoC.Latency-s.NoC.Lane+s.NoC.Buffer)
	if y.Replies, err = noc.New("ReplyNetwork", d, s.NoC,
		noc.Net{Direction: "reply", Inputs: in, Outputs: sms}, r); err != nil {
		return err
	}
	for i := range sms {
		y.Req = append(y.Req, &y.Requests.In[i])
		y.Rep = append(y.Rep, &y.Replies.Out[i])
	}
	return nil
}

func fill(n, v int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = v
	}
	return s
}

// Attach joins the memory side of SM i to the system.
func (y *System) Attach(i int, m *SMSide) {
	wire.Connect(&m.Port.ToNet, y.Req[i], y.LaneLatency)
	wire.Connect(y.Rep[i], &m.Port.FromNet, y.ReplyLatency)
}

// Flush drops the lines of the L2. Nothing may be in flight.
func (y *System) Flush() {
	for _, l := range y.Slices {
		l.Tags.Flush()
	}
}

// Touch updates sectors of a line of the L2 as an untimed access does.
func (y *System) Touch(addr uint64, sectors uint8, write bool) {
	if y.Map != nil {
		y.Slices[y.Map.Slice(addr)].Tags.Touch(addr, sectors, write)
	}
}
