package shrf

import (
	"kumiko/components/spec"
	"kumiko/components/storage"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

func init() {
	regfile.Register(regfile.Kind{
		Name: "shrf",
		Doc: "register file hierarchy that the compiler manages by strands (after Gebhart et al., MICRO 2011) " +
			"before a conventional file",
		Serves: []regfile.Service{regfile.Switching},
		Lacks: map[regfile.Service]string{
			regfile.Vacating: "no notice tells its upper level which registers a warp has given up",
			regfile.Placing: "the active set of its scheduler could fill with warps that wait for registers of warps " +
				"outside it",
			regfile.Moving: "nothing tells when the last register of a warp has left for the banks, from which it " +
				"would be moved"},
	}, regfile.Builder[Spec]{
		Default: Default,
		Base:    regfile.On(conventional.Kind, (*Spec).SetBase),
		Build:   func(env *regfile.Env, s *Spec) (regfile.Design, error) { return NewFile(env, *s) },
		Admit:   (*Spec).Admit,
		Merge:   merge,
	})
}

// File is a conventional register file with an upper level in each sub-core.
type File struct {
	*conventional.File
	uppers []*Upper
}

// NewFile builds a register file with upper levels into an SM.
func NewFile(env *regfile.Env, s Spec) (*File, error) {
	if !env.TwoLevel {
		return nil, spec.Elsewhere("sched.policy", "one level of scheduling", "two-level: "+
			"%s has room for active warps alone", "the upper level")
	}
	f := &File{}
	extend := func(p *conventional.Part) (*conventional.Extension, error) {
		u, err := New(p, s)
		if err != nil {
			return nil, err
		}
		f.uppers = append(f.uppers, u)
		return u.extension(), nil
	}
	main, err := conventional.New(env, &s.base, conventional.Extend(extend))
	if err != nil {
		return nil, err
	}
	f.File = main
	return f, nil
}

// Inserts implements regfile.Inserter.
func (f *File) Inserts() string { return "strand" }

// Begin implements regfile.Planned.
func (f *File) Begin(plan any) {
	for _, u := range f.uppers {
		u.plan = plan.(*Plan)
	}
}

// Notices returns the notices needed by the upper levels.
func (f *File) Notices() regfile.Notices {
	n := regfile.Notices{Events: events, Drained: true}
	for _, u := range f.uppers {
		for i := range u.Notices {
			n.Warp = append(n.Warp, &u.Notices[i])
		}
	}
	return n
}

// State returns the storage of the main file and of the upper levels: their data, the masks of present lanes and
// the dirty bits.
func (f *File) State() []regfile.State {
	out := f.File.State()
	k, n := len(f.uppers), 0
	for _, u := range f.uppers {
		n += len(u.entries)
	}
	add := func(what string, size int, ports string) {
		out = append(out, regfile.State{Block: "Upper", What: what, Count: k, Bits: n * size, Ports: ports,
			CellPorts: f.uppers[0].ports(), Kind: storage.FlipFlop, Width: size})
	}
	add("registers", 8*128, f.uppers[0].ports())
	add("lane masks", 32, "")
	add("dirty bits", 1, "")
	return out
}
