package conventional

import (
	"cmp"

	"kumiko/components/bank"
	"kumiko/components/collector"
	"kumiko/components/crossbar"
	"kumiko/components/spec"
	"kumiko/components/wire"
)

// network carries operands from the banks of a sub-core to its collectors.
type network struct {
	in        []*wire.InPort[bank.Value] // by bank
	crossbar  *crossbar.Crossbar         // one of the two
	butterfly *crossbar.Butterfly
}

// network builds the operand network of a sub-core, with the given number of ends apart from
// the collectors', and tells the collectors the shape of its end there.
func (b *builder) network(name string, cs *collector.Spec, apart int) (*network, error) {
	switch b.spec.Network {
	case "crossbar":
		return b.crossbar(name, cs, apart)
	case "butterfly":
		return b.butterfly(name, cs)
	}
	return nil, spec.Errorf("network", b.spec.Network, "crossbar or butterfly")
}

// networkOutputs is the number of requesters that the operand network serves.
func (b *builder) networkOutputs(cs *collector.Spec) int { return cmp.Or(b.outputs, cs.Collectors()) }

// inputRoom is the capacity that an input of the network needs for a stream from its bank.
func (b *builder) inputRoom() int { return (b.bank.ReadLatency + 1) * b.bank.Ports.Reads() }

func (b *builder) crossbar(name string, cs *collector.Spec, apart int) (*network, error) {
	s := crossbar.Spec{
		Inputs: b.groups, Outputs: b.networkOutputs(cs) + apart, Width: b.spec.CrossbarWidth,
		InputWidth: b.bank.Ports.Reads(), OutputWidth: b.spec.CrossbarOutput,
		Cycles: b.spec.CrossbarCycles, Latency: b.spec.CrossbarLatency, InputRoom: b.inputRoom(), Bundled: true,
		Apart: apart,
	}
	x, err := crossbar.New(name+".Crossbar", b.env.Domain, s, b.env.Stats)
	if err != nil {
		return nil, err
	}
	cs.Room = (x.Latency() + 1) * s.PerCycle()
	n := &network{crossbar: x}
	for i := range x.In {
		n.in = append(n.in, &x.In[i])
	}
	return n, nil
}

func (b *builder) butterfly(name string, cs *collector.Spec) (*network, error) {
	if b.spec.CrossbarWidth != 0 {
		return nil, spec.Errorf("crossbar_width", b.spec.CrossbarWidth,
			"0 with network = butterfly, whose channels are what limits it")
	}
	s := crossbar.ButterflySpec{
		Inputs: b.groups, Outputs: b.networkOutputs(cs), Rows: b.spec.NetworkRows, Columns: b.spec.NetworkColumns,
		InputWidth: b.bank.Ports.Reads(), OutputWidth: b.spec.CrossbarOutput, ChannelWidth: b.spec.HopWidth,
		Cycles: b.spec.CrossbarCycles, Latency: b.spec.CrossbarLatency, HopLatency: b.spec.HopLatency,
		InputRoom: b.inputRoom(),
	}
	x, err := crossbar.NewButterfly(name+".Network", b.env.Domain, s, b.env.Stats)
	if err != nil {
		return nil, err
	}
	cs.Lines, cs.Room = len(x.Routers)-1, s.LocalRoom()
	return &network{in: x.In, butterfly: x}, nil
}

// join joins the network to the ports in which it ends.
func (n *network) join(ends []*wire.InPort[bank.Value]) {
	for i, in := range ends {
		if n.crossbar != nil {
			n.crossbar.Connect(i, in)
		} else {
			n.butterfly.Connect(i, in)
		}
	}
}
