package conventional

import (
	"cmp"

	"kumiko/components/bank"
	"kumiko/components/collector"
	"kumiko/components/crossbar"
	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/wire"
)

// networkSpec is the shape of the operand network of a sub-core: either field is set.
type networkSpec struct {
	crossbar  *crossbar.Spec
	butterfly *crossbar.ButterflySpec
}

// network carries operands from the banks of a sub-core to its collectors.
type network struct {
	in        []*wire.InPort[bank.Value] // by bank
	crossbar  *crossbar.Crossbar         // this or butterfly is nil
	butterfly *crossbar.Butterfly
}

// networkSpec returns the shape of the operand network before collectors.
func (b *builder) networkSpec(cs *collector.Spec) (*networkSpec, error) {
	outputs := b.networkOutputs(cs)
	room := (b.bank.ReadLatency + 1) * b.bank.Ports.Reads() // of an input, for a stream from its bank
	switch b.spec.Network {
	case "crossbar":
		s := &crossbar.Spec{
			Paths: b.spec.Paths, Inputs: b.groups, Outputs: outputs + b.extra, Apart: b.extra,
			InputWidth: b.bank.Ports.Reads(), InputRoom: room, Bundled: true,
		}
		return &networkSpec{crossbar: s}, s.Check()
	case "butterfly":
		if b.extra > 0 {
			return nil, spec.Errorf("network", b.spec.Network,
				"crossbar, where something else than collectors reads the banks")
		}
		s := &crossbar.ButterflySpec{
			Paths: b.spec.Paths, Mesh: b.spec.Mesh, Inputs: b.groups, Outputs: outputs,
			InputWidth: b.bank.Ports.Reads(), InputRoom: room,
		}
		return &networkSpec{butterfly: s}, s.Check()
	}
	return nil, spec.Errorf("network", b.spec.Network, "crossbar or butterfly")
}

// networkOutputs returns the number of requesters of the operand network, without extra ones.
func (b *builder) networkOutputs(cs *collector.Spec) int { return cmp.Or(b.outputs, cs.Collectors()) }

// ends returns the number of network ports at the collectors.
func (s *networkSpec) ends() int {
	if s.crossbar != nil {
		return 1
	}
	return s.butterfly.Rows * s.butterfly.Columns
}

// endRoom returns the capacity, in values, that each network port at the collectors needs so that values can arrive in
// every cycle.
func (s *networkSpec) endRoom() int {
	if x := s.crossbar; x != nil {
		return (x.Latency + x.Cycles) * x.PerCycle()
	}
	return s.butterfly.LocalRoom()
}

// build builds the network of a sub-core.
func (s *networkSpec) build(name string, d *wire.Domain, reg *stats.Registry) (*network, error) {
	if s.butterfly != nil {
		x, err := crossbar.NewButterfly(name+".Network", d, *s.butterfly, reg)
		if err != nil {
			return nil, err
		}
		return &network{in: x.In, butterfly: x}, nil
	}
	x, err := crossbar.New(name+".Crossbar", d, *s.crossbar, reg)
	if err != nil {
		return nil, err
	}
	n := &network{crossbar: x}
	for i := range x.In {
		n.in = append(n.in, &x.In[i])
	}
	return n, nil
}

// join joins the network to its ports at the collectors.
func (n *network) join(ends []*wire.InPort[bank.Value]) {
	for i, in := range ends {
		if n.crossbar != nil {
			n.crossbar.Connect(i, in)
		} else {
			n.butterfly.Connect(i, in)
		}
	}
}
