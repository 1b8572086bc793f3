package maxwell

import (
	"fmt"

	"kumiko/components/arbiter"
	"kumiko/components/bank"
	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/regfile"
)

func init() {
	regfile.Register(&regfile.Kind{
		Name:    "maxwell",
		Doc:     "the register file of NVIDIA's Maxwell as measured: two stages that read, reuse cache",
		Parks:   true,
		NewSpec: func() any { s := Default(); return &s },
		Build:   func(env *regfile.Env, s any) (regfile.Design, error) { return New(env, *s.(*Spec)) },
	})
}

// File is the register file of an SM: a sub-core for each scheduler.
type File struct {
	env   *regfile.Env
	spec  Spec
	index *bank.Index
	ports regfile.Ports
	subs  []*SubCore
}

// New builds a register file into an SM.
func New(env *regfile.Env, s Spec) (*File, error) {
	if err := env.Check(); err != nil {
		return nil, err
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	policy, err := bank.ParsePolicy("bank_index", s.BankIndex)
	if err != nil {
		return nil, err
	}
	index, err := bank.NewIndex(policy, s.Banks, env.Warps, env.Registers, env.Schedulers)
	if err != nil {
		return nil, err
	}
	f := &File{env: env, spec: s, index: index, ports: regfile.Ports{
		Ready: make([]*wire.OutPort[op.Op], len(env.Units)), SubCores: env.Schedulers, Forward: s.Forward,
	}}
	for i := range env.Schedulers {
		f.add(newSubCore(env, &f.spec, index, i))
	}
	f.joinUnits()
	return f, nil
}

// Ports of the file.
func (f *File) Ports() *regfile.Ports { return &f.ports }

// Begin implements regfile.Planned: where banks are dealt linearly, the launch gives the number
// of registers of its warps.
func (f *File) Begin(plan any) {
	if l, ok := plan.(*regfile.Launch); ok {
		f.index.Registers(l.Registers)
	}
}

// Notices returns the ports on which the reuse caches learn of new warps.
func (f *File) Notices() regfile.Notices {
	if !f.spec.Reuse {
		return regfile.Notices{}
	}
	n := regfile.Notices{Events: regfile.Events(regfile.WarpStarted)}
	for _, c := range f.subs {
		n.Warp = append(n.Warp, &c.Notices)
	}
	return n
}

// Gates returns the gate that is closed while nothing moves before the units.
func (f *File) Gates() []regfile.Gate {
	g := regfile.Gate{Reason: "halt", Stops: true,
		Doc: "the stages that read stand still, for a bank conflict or a unit that takes no instruction"}
	for _, c := range f.subs {
		g.Parts = append(g.Parts, &c.Halt)
	}
	return []regfile.Gate{g}
}

// add offers the ports of a sub-core.
func (f *File) add(c *SubCore) {
	f.subs = append(f.subs, c)
	f.ports.Issue = append(f.ports.Issue, &c.Issue)
	f.ports.Done = append(f.ports.Done, &c.Done)
	if f.env.ReadNotice {
		f.ports.Read = append(f.ports.Read, &c.Read)
	}
	for i := range c.Result {
		f.ports.Result = append(f.ports.Result, &c.Result[i])
	}
}

// joinUnits gives each execution unit its port: its sub-core's, or that of an arbiter over the
// sub-cores, which share it.
func (f *File) joinUnits() {
	for u, unit := range f.env.Units {
		switch {
		case unit.Sched != regfile.Shared:
			f.ports.Ready[u] = &f.subs[unit.Sched].Ready[u]
		case len(f.subs) == 1:
			f.ports.Ready[u] = &f.subs[0].Ready[u]
		default:
			x := arbiter.NewRoundRobin[op.Op](fmt.Sprintf("%s.RegFile.Dispatch[%d]", f.env.Name, u), f.env.Domain,
				arbiter.FaninSpec{Inputs: len(f.subs), Capacity: 2, Stat: "regfile.dispatch"}, f.env.Stats)
			for i, c := range f.subs {
				wire.Connect(&c.Ready[u], &x.In[i], 1)
			}
			f.ports.Ready[u] = &x.Out
		}
	}
}
