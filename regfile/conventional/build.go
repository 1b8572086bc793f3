package conventional

import (
	"fmt"

	"kumiko/components/arbiter"
	"kumiko/components/bank"
	"kumiko/components/collector"
	"kumiko/components/op"
	"kumiko/components/spec"
	"kumiko/components/storage"
	"kumiko/components/wire"
	"kumiko/regfile"
)

// Kind is the conventional register file, on which other kinds stand.
var Kind = regfile.Register(regfile.Kind{
	Name:   "conventional",
	Doc:    "single-level register file: banks, arbiter, crossbar, operand collectors",
	Serves: []regfile.Service{regfile.Switching, regfile.Placing, regfile.Vacating, regfile.Moving},
}, regfile.Builder[Spec]{
	Default: Default,
	Build:   func(env *regfile.Env, s *Spec) (regfile.Design, error) { return New(env, s) },
})

// File is a conventional register file.
type File struct {
	ports regfile.Ports
	subs  []*subCore
	index *bank.Index

	bankPorts string
}

// DataPorts implements regfile.Design.
func (f *File) DataPorts() *regfile.Ports { return &f.ports }

// builder holds the common state of the parts of a file.
type builder struct {
	env      *regfile.Env
	spec     *Spec
	name     string
	subCores int
	groups   int // banks, or groups of banks stepping together, per sub-core
	perSub   int // schedulers per sub-core
	bank     bank.Spec
	index    *bank.Index
	fair     arbiter.Fairness
	ahead    int                             // cycles by which a Result precedes its value
	extend   func(*Part) (*Extension, error) // nil: no extension
	outputs  int                             // of the operand network; 0: one per collector
	extra    int                             // outputs of the operand network besides: 1 with ExtraOutput or Env.User
}

// New builds a conventional register file into an SM.
func New(env *regfile.Env, s *Spec, options ...Option) (*File, error) {
	b, err := prepare(env, s)
	if err != nil {
		return nil, err
	}
	for _, o := range options {
		o(b)
	}
	if env.User != nil {
		b.extra++
	}
	if env.Places > 0 {
		b.index.AddPlaces(env.Places)
		b.bank.Entries = b.index.Entries()
	}
	return b.file()
}

// Beneath builds the register file beside the blocks of a kind of residency: a conventional one, unless the GPU has
// another kind.
func Beneath(env *regfile.Env, s *Spec) (regfile.File, error) {
	if env.Path == nil {
		return New(env, s)
	}
	d, err := env.Path(env)
	if err != nil {
		return nil, err
	}
	return d.(regfile.File), nil
}

// Begin implements regfile.Planned: where registers are dealt linearly to banks, it takes the number of registers
// per warp from the launch.
func (f *File) Begin(plan any) {
	if l, ok := plan.(*regfile.Launch); ok {
		f.index.Registers(l.Registers)
	}
}

// Index returns the map from registers to banks. A design may change the places of warps without an operation in
// flight.
func (f *File) Index() *bank.Index { return f.index }

func (b *builder) file() (*File, error) {
	f := &File{index: b.index, bankPorts: b.bank.Ports.String(), ports: regfile.Ports{
		Ready: make([]*wire.OutPort[op.Op], len(b.env.Units)), SubCores: b.subCores, Forward: b.ahead,
		Registers: b.spec.Registers,
	}}
	for i := 0; i < b.subCores; i++ {
		c, err := b.subCore(i)
		if err != nil {
			return nil, err
		}
		f.subs = append(f.subs, c)
		f.offer(c, b.env.ReadNotice)
	}
	return f, b.joinUnits(f)
}

// Index returns the map from the registers of an SM's warp contexts to banks within a sub-core. registers is the
// most per warp.
func (s *Spec) Index(warps, registers, schedulers int) (*bank.Index, error) {
	_, groups, err := s.layout(schedulers)
	if err != nil {
		return nil, err
	}
	policy, err := bank.ParsePolicy("bank_index", s.BankIndex)
	if err != nil {
		return nil, err
	}
	return bank.NewIndex(policy, groups, warps, registers, schedulers)
}

func prepare(env *regfile.Env, s *Spec) (*builder, error) {
	if err := env.Check(); err != nil {
		return nil, err
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	if err := s.checkKinds(env.Units); err != nil {
		return nil, err
	}
	b := &builder{env: env, spec: s, name: env.Name + ".RegFile", ahead: min(s.Forward, MaxForward)}
	var err error
	if b.subCores, b.groups, err = s.layout(env.Schedulers); err != nil {
		return nil, err
	}
	b.perSub = env.Schedulers / b.subCores
	ports, err := bank.ParsePorts("bank_ports", s.BankPorts)
	if err != nil {
		return nil, err
	}
	if b.fair, err = arbiter.ParseFairness("arbitration", s.Arbitration); err != nil {
		return nil, err
	}
	if b.index, err = s.Index(env.Warps, env.Registers, env.Schedulers); err != nil {
		return nil, err
	}
	b.bank = bank.Spec{
		Timing: s.Timing, Entries: b.index.Entries(), Ports: ports, Slices: s.slices(),
	}
	if all := b.groups * b.subCores; env.Capacity > 0 {
		b.bank.Capacity = min((env.Capacity+all-1)/all, b.bank.Entries)
	}
	if err := b.bank.Check(); err != nil { // before the network: the sizes of its queues depend on the banks
		return nil, err
	}
	return b, nil
}

// inSub reports whether a unit executes operations of sub-core i.
func (b *builder) inSub(i int) func(regfile.Unit) bool {
	return func(u regfile.Unit) bool { return u.Sched == regfile.Shared || u.Sched/b.perSub == i }
}

func (b *builder) collectorSpec(i int) collector.Spec {
	c := collector.Spec{
		Intake: b.spec.Intake, Accept: b.env.IssueWidth, Schedulers: b.perSub, First: i * b.perSub,
		Units: len(b.env.Units), Notice: b.env.ReadNotice, Index: b.index,
	}
	for _, set := range b.spec.CollectorSets {
		c.Kinds = append(c.Kinds, collector.Kind{Count: set.Count, Units: unitMask(b.env.Units, b.inSub(i), set.Units)})
	}
	if b.spec.Collectors > 0 {
		c.Kinds = append(c.Kinds, collector.Kind{Count: b.spec.Collectors,
			Units: unitMask(b.env.Units, b.inSub(i), nil)})
	}
	if b.spec.Bypass {
		c.Bypass = b.bypassSpec()
	}
	return c
}

// offer adds the outer ports of a sub-core to the ports of the file.
func (f *File) offer(c *subCore, notice bool) {
	for s := range c.collectors.Issue {
		f.ports.Issue = append(f.ports.Issue, &c.collectors.Issue[s])
		f.ports.Done = append(f.ports.Done, &c.writeback.Done[s])
		if c.collectors.Taken != nil {
			f.ports.Taken = append(f.ports.Taken, &c.collectors.Taken[s])
		}
		if c.bus != nil {
			f.ports.Early = append(f.ports.Early, &c.collectors.Early[s])
		}
		if notice {
			f.ports.Read = append(f.ports.Read, &c.collectors.Read[s])
		}
	}
	for r := range c.writeback.Result {
		f.ports.Result = append(f.ports.Result, &c.writeback.Result[r])
	}
}

// joinUnits assigns each execution unit its port: the port of its sub-core, or, for a shared unit, the port of an
// arbiter over the sub-cores.
func (b *builder) joinUnits(f *File) error {
	for u, unit := range b.env.Units {
		var from []*subCore
		for i, c := range f.subs {
			if !b.inSub(i)(unit) {
				continue
			}
			if !c.collectors.Serves(u) {
				return spec.Errorf("collector_sets", unit.Kind,
					"collectors for every kind of execution unit (or some general ones)")
			}
			from = append(from, c)
		}
		if len(from) == 1 {
			f.ports.Ready[u] = &from[0].collectors.Ready[u]
			continue
		}
		x := arbiter.NewRoundRobin[op.Op](fmt.Sprintf("%s.Dispatch[%d]", b.name, u), b.env.Domain,
			arbiter.FaninSpec{Inputs: len(from), Capacity: 2, Stat: "regfile.dispatch"}, b.env.Stats)
		for i, c := range from {
			wire.Connect(&c.collectors.Ready[u], &x.In[i], 1)
		}
		f.ports.Ready[u] = &x.Out
	}
	return nil
}

// State returns the storage of the banks: as many registers as the SM has, not one for each entry (register name).
func (f *File) State() []regfile.State {
	banks, bits, width := 0, 0, 8*bank.RegisterBytes
	for _, c := range f.subs {
		for _, b := range c.banks {
			s := b.Spec()
			banks += s.Slices
			bits += s.Bits()
			width = 8 * bank.RegisterBytes / s.Slices
		}
	}
	return []regfile.State{{Block: "Bank", What: "registers", Count: banks, Bits: bits, Ports: f.bankPorts,
		Kind: storage.SRAM, Width: width}}
}
