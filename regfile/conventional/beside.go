package conventional

import (
	"kumiko/components/arbiter"
	"kumiko/components/bank"
	"kumiko/components/collector"
	"kumiko/components/spec"
	"kumiko/components/wire"
	"kumiko/regfile"
)

// Guest is a block that uses the banks of a sub-core beside its collectors and its
// write-back stage, by its ports. Each is optional.
//
// Contract: messages on Read and Write reach the arbiter one cycle later, and are arbitrated
// there with the others. Values that it reads with To = Part.Collectors arrive at Values, in
// the order of their bank.
type Guest struct {
	Read   []*wire.OutPort[bank.Request]
	Write  []*wire.OutPort[bank.Access]
	Room   int                      // messages that the arbiter holds of each of these ports
	Values *wire.InPort[bank.Value] // an end of the operand network
	// A block that has values itself gives them to the collectors: at most Operands per cycle,
	// which arrive after Latency cycles.
	Operand  *wire.OutPort[bank.Value]
	Operands int
	Latency  int
	// Granted and Access, a pair for each bank, put the block between the arbiter and the
	// banks: it takes the arbiter's grants, and sends the banks their accesses. Stages is the
	// cycles between the two.
	Granted []*wire.InPort[bank.Access]
	Access  []*wire.OutPort[bank.Access]
	Stages  int
	More    int // accesses that a bank holds beside those that a stream from the arbiter needs
	Rows    int // entries of each bank, if they are not those of Part.Index; 0: they are
	// Away, if not nil, are contexts of which no register lies in the banks. The writes of
	// their results come to Late, with Bank and Entry left open.
	Away   *wire.Signal[regfile.WarpSet]
	Late   *wire.InPort[bank.Access]
	Words  bank.Words // words of requests and writes for the block
	Causes uint8      // a bit per bank.Cause of its accesses
}

// Beside makes the guest of a sub-core.
type Beside func(p *Part) (*Guest, error)

// NewBeside builds a conventional register file in each of whose sub-cores a guest
// uses the banks too.
func NewBeside(env *regfile.Env, s Spec, beside Beside) (*File, error) {
	b, err := prepare(env, s)
	if err != nil {
		return nil, err
	}
	if s.Network != "crossbar" {
		return nil, spec.Errorf("network", s.Network, "crossbar, where something else than collectors reads the banks")
	}
	b.beside = beside
	return b.file()
}

// guest builds the guest of a sub-core, before its network is built, and tells the
// collectors of it.
func (b *builder) guest(name string, i int, cs *collector.Spec) (*Guest, error) {
	if b.beside == nil {
		return nil, nil
	}
	if err := cs.CheckKinds(); err != nil {
		return nil, err
	}
	g, err := b.beside(b.part(name, i, cs))
	if err != nil {
		return nil, err
	}
	if g.Words.Source != nil {
		cs.Words = &g.Words
	}
	cs.Stages += g.Stages
	if g.Causes != 0 {
		b.bank.Causes |= 1<<bank.Operand | 1<<bank.Result | g.Causes
	}
	if g.More > 0 {
		b.bank.Room = 2*b.bank.Ports.Count() + g.More
	}
	if g.Rows > 0 {
		b.bank.Entries, b.bank.Capacity = g.Rows, g.Rows
	}
	return g, b.bank.Check()
}

// hear gives the collectors of a sub-core a port for the guest's own values.
func (g *Guest) hear(cs *collector.Spec) {
	if g != nil && g.Operand != nil {
		cs.Lines++
		cs.Room = max(cs.Room, (g.Latency+1)*g.Operands)
	}
}

// apart is the number of ends of the operand network beside the collectors'.
func (g *Guest) apart() int {
	if g == nil || g.Values == nil {
		return 0
	}
	return 1
}

// admit lets the guest's reads and writes into the arbiter's settings.
func (g *Guest) admit(s *arbiter.BanksSpec) {
	if g == nil {
		return
	}
	s.Readers += len(g.Read)
	s.Writers += len(g.Write)
	s.ReadRoom = max(s.ReadRoom, g.Room)
	s.WriteRoom = max(s.WriteRoom, g.Room)
}

// join joins the guest to the arbiter, the network and the collectors of its sub-core.
func (g *Guest) join(c *subCore) {
	for i, out := range g.Read {
		wire.Connect(out, &c.arbiter.Read[1+i], 1)
	}
	for i, out := range g.Write {
		wire.Connect(out, &c.arbiter.Write[1+i], 1)
	}
	if g.Values != nil {
		c.network.crossbar.Connect(1, g.Values)
	}
	if g.Operand != nil {
		wire.Connect(g.Operand, &c.collectors.Lines[len(c.collectors.Lines)-1], g.Latency)
	}
	if g.Words.Result != nil {
		c.writeback.word = g.Words.Result
	}
	if g.Away != nil {
		c.writeback.away = g.Away
		wire.Connect(&c.writeback.Late, g.Late, 1)
	}
}

// joinBanks joins the arbiter to the banks, through the guest if it stands between.
func (c *subCore) joinBanks() {
	for k, bk := range c.banks {
		if g := c.guest; g != nil && g.Granted != nil {
			wire.Connect(&c.arbiter.Out[k], g.Granted[k], 1)
			wire.Connect(g.Access[k], &bk.In, 1)
		} else {
			wire.Connect(&c.arbiter.Out[k], &bk.In, 1)
		}
		bk.Connect(c.network.in[k])
	}
}
