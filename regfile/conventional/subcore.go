package conventional

import (
	"errors"
	"fmt"

	"kumiko/components/arbiter"
	"kumiko/components/bank"
	"kumiko/components/bypass"
	"kumiko/components/collector"
	"kumiko/components/spec"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
)

// subCore is one independent part of the file.
type subCore struct {
	collectors *collector.Set
	stages     []*stage // between collectors and arbiter
	arbiter    *arbiter.Banks
	banks      []*bank.Bank
	network    *network
	writeback  *writeback
	bus        *bypass.Bus // nil without a bypass
	extension  *Extension
}

// subCore builds and joins the blocks of sub-core i.
func (b *builder) subCore(i int) (*subCore, error) {
	env, d, reg := b.env, b.env.Domain, b.env.Stats
	name := fmt.Sprintf("%s.SubCore[%d]", b.name, i)
	cs := b.collectorSpec(i)
	net, err := b.networkSpec(&cs)
	if err != nil {
		return nil, err
	}
	cs.Lines, cs.Room = net.ends()-1, net.endRoom()
	if err := cs.Check(); err != nil {
		return nil, b.withWholeKey(err)
	}
	c := &subCore{}
	if c.network, err = net.build(name, d, reg); err != nil {
		return nil, err
	}
	p := b.part(name, i, &cs)
	for k := range b.spec.OperandStages {
		c.stages = append(c.stages, newStage(fmt.Sprintf("%s.Stage[%d]", name, k), p))
	}
	if c.extension, err = b.extension(p); err != nil {
		return nil, err
	}
	if err := b.adapt(c, &cs); err != nil {
		return nil, err
	}
	if c.collectors, err = collector.New(name+".Collectors", d, cs, env.Checker, reg); err != nil {
		return nil, b.withWholeKey(err)
	}
	if c.arbiter, err = arbiter.NewBanks(name+".Arbiter", d, b.arbiterSpec(c, p), reg); err != nil {
		return nil, err
	}
	for k := 0; k < b.groups; k++ {
		bk, err := bank.New(fmt.Sprintf("%s.Bank[%d]", name, k), d, b.bank, env.Checker != nil, reg)
		if err != nil {
			return nil, err
		}
		c.banks = append(c.banks, bk)
	}
	c.writeback = newWriteback(name+".Writeback", d, writebackSpec{ports: env.Writebacks, schedulers: b.perSub,
		first: i * b.perSub, index: b.index}, reg)
	if b.spec.Bypass {
		if c.bus, err = b.bus(name + ".Bus"); err != nil {
			return nil, err
		}
	}
	b.join(c)
	return c, nil
}

func (b *builder) part(name string, i int, cs *collector.Spec) *Part {
	return &Part{
		Env: b.env, Name: name, Number: i, SubCores: b.subCores, Schedulers: b.perSub, First: i * b.perSub,
		Index: b.index, Banks: b.groups,
		Collectors: cs.Collectors(), RequestRoom: cs.RequestRoom(), WriteRoom: writeRoom(b.env.Writebacks, b.ahead),
		Writes:  max(2*b.env.Writebacks, ir.NumDests),
		Outputs: b.networkOutputs(cs), Ends: 1 + cs.Lines, EndRoom: cs.Room,
	}
}

// extension builds the design's extension of a sub-core. In a file without extensions it has no ports.
func (b *builder) extension(p *Part) (*Extension, error) {
	x := &Extension{}
	if b.extend != nil {
		var err error
		if x, err = b.extend(p); err != nil {
			return nil, err
		}
	}
	x.use(p)
	if err := x.check(p, b.extra); err != nil {
		return nil, fmt.Errorf("extension of %s: %w", p.Name, err)
	}
	return x, nil
}

// adapt adjusts the settings of collectors and banks to the stages and the extension of a sub-core.
func (b *builder) adapt(c *subCore, cs *collector.Spec) error {
	x := c.extension
	cs.Stages += len(c.stages) + x.Stages
	if cs.Bypass != nil {
		// Dependent operations reach their unit later by the stages, and so must be issued sooner by as much.
		cs.Bypass.Forward += cs.Stages
	}
	if x.Hints.Source != nil {
		cs.Hints = &x.Hints
	}
	if x.Ends != nil {
		cs.Lines = 0
	}
	if x.Operand != nil {
		cs.Lines++
		cs.Room = max(cs.Room, (x.Latency+1)*x.Operands)
	}
	cs.Fills = x.Fill != nil
	if x.Causes != 0 {
		b.bank.Causes |= 1<<bank.Operand | 1<<bank.Result | x.Causes
	}
	if x.More > 0 {
		b.bank.Room = 2*b.bank.Ports.Count() + x.More
	}
	if x.Rows > 0 {
		b.bank.Entries, b.bank.Capacity = x.Rows, x.Rows
	}
	return b.bank.Check()
}

// arbiterSpec returns the shape of the arbiter: its ports, each with a capacity for the messages of two cycles.
func (b *builder) arbiterSpec(c *subCore, p *Part) arbiter.BanksSpec {
	x := c.extension
	s := arbiter.BanksSpec{
		Banks: b.groups, Bank: b.bank, Fairness: b.fair, Depth: b.spec.Queue, Readers: 1, Writers: 1,
		ReadRoom: max(p.RequestRoom, 2*x.Reads), WriteRoom: p.WriteRoom,
	}
	if len(c.stages) > 0 || x.Result != nil {
		s.WriteRoom = 2 * p.Writes
	}
	if x.Result != nil {
		s.WriteRoom += 2 * x.Writes
	} else {
		s.WriteRoom = max(s.WriteRoom, 2*x.Writes)
		s.Readers, s.Writers = s.Readers+count(x.Read != nil), s.Writers+count(x.Write != nil)
	}
	if u := &x.user; u.Read != nil {
		s.Readers, s.Writers = s.Readers+1, s.Writers+1
		s.ReadRoom, s.WriteRoom = max(s.ReadRoom, 2*u.Reads), max(s.WriteRoom, 2*u.Writes)
	}
	return s
}

func count(present bool) int {
	if present {
		return 1
	}
	return 0
}

// join makes the links within a sub-core.
func (b *builder) join(c *subCore) {
	b.joinArbiter(c)
	c.joinBanks()
	c.joinCollectors()
	x := c.extension
	c.writeback.hint = x.Hints.Result
	if u := &x.user; u.Away != nil {
		c.writeback.away = u.Away
		wire.Connect(&c.writeback.Late, u.Late, 1)
	}
	if c.bus != nil {
		wire.Connect(&c.writeback.Bus, &c.bus.In, 1)
		wire.Connect(&c.bus.Out, &c.collectors.Result, 1)
	}
}

// joinArbiter joins the collectors and the write-back stage to the arbiter, through the stages and the extension.
func (b *builder) joinArbiter(c *subCore) {
	x, a := c.extension, c.arbiter
	read, write, latency := &c.collectors.Request, &c.writeback.Write, b.ahead+1
	for _, s := range c.stages {
		wire.Connect(read, &s.Request, 1)
		wire.Connect(write, &s.Result, latency)
		read, write, latency = &s.Read, &s.Write, 1
	}
	reader, writer := 0, 0 // the next ports of the arbiter
	join := func(r *wire.OutPort[bank.Request], w *wire.OutPort[bank.Access], latency int) {
		if r != nil {
			wire.Connect(r, &a.Read[reader], 1)
			reader++
		}
		if w != nil {
			wire.Connect(w, &a.Write[writer], latency)
			writer++
		}
	}
	if x.Request != nil {
		wire.Connect(read, x.Request, 1)
		wire.Connect(write, x.Result, latency)
	} else {
		join(read, write, latency)
	}
	join(x.Read, x.Write, 1)
	join(x.user.Read, x.user.Write, 1)
}

// joinBanks joins the arbiter to the banks, through the extension if it stands between.
func (c *subCore) joinBanks() {
	x := c.extension
	for k, bk := range c.banks {
		if x.Granted != nil {
			wire.Connect(&c.arbiter.Out[k], x.Granted[k], 1)
			wire.Connect(x.Access[k], &bk.In, 1)
		} else {
			wire.Connect(&c.arbiter.Out[k], &bk.In, 1)
		}
		bk.Connect(c.network.in[k])
	}
}

// joinCollectors joins the network and the extension to the collectors. Their last line belongs to the extension.
func (c *subCore) joinCollectors() {
	x, set := c.extension, c.collectors
	lines := set.Lines
	if x.Operand != nil {
		last := len(lines) - 1
		wire.Connect(x.Operand, &lines[last], x.Latency)
		lines = lines[:last]
	}
	ends := x.Ends
	if ends == nil {
		ends = append(ends, &set.Operand)
		for i := range lines {
			ends = append(ends, &lines[i])
		}
	}
	if x.Values != nil {
		ends = append(ends, x.Values)
	}
	c.network.join(ends)
	if x.Fill != nil {
		wire.Connect(&set.Fill, x.Fill, 1)
	}
	if x.Captured != nil {
		wire.Connect(&set.Captured, x.Captured, 1)
	}
}

// withWholeKey returns an error of the file's settings with their whole keys, if a block before the banks is of another
// kind.
func (b *builder) withWholeKey(err error) error {
	var e *spec.Error
	if !errors.As(err, &e) || e.Whole || b.extend == nil {
		return err
	}
	return spec.Elsewhere("regfile.conventional."+e.Key, e.Found, "%s", e.Want)
}
