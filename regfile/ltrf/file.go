package ltrf

import (
	"kumiko/components/spec"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

func init() {
	regfile.Register(regfile.Kind{
		Name: "ltrf",
		Doc: "register cache into which register-intervals are prefetched (LTRF: Sadrosadati et al., ASPLOS " +
			"2018) before a conventional file",
		Serves: []regfile.Service{regfile.Switching, regfile.Moving},
		Lacks: map[regfile.Service]string{
			regfile.Vacating: "no notice tells its cache which registers a warp has given up",
			regfile.Placing: "the active set of its scheduler could fill with warps " +
				"that wait for registers of warps outside it"},
	}, regfile.Builder[Spec]{
		Default: Default,
		Base:    regfile.On(conventional.Kind, (*Spec).SetBase),
		Build:   func(env *regfile.Env, s *Spec) (regfile.Design, error) { return NewFile(env, *s) },
		Admit:   (*Spec).Admit,
		Merge:   merge,
	})
}

// File is a conventional register file with a cache in each sub-core.
type File struct {
	*conventional.File
	spec  Spec
	parts []*part
	warps int
}

// NewFile builds a register file with caches into an SM.
func NewFile(env *regfile.Env, s Spec) (*File, error) {
	if !env.TwoLevel {
		return nil, spec.Elsewhere("sched.policy", "one level of scheduling", "two-level: "+
			"%s has room for active warps alone", "the cache")
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	f := &File{spec: s, warps: env.Warps}
	extend := func(p *conventional.Part) (*conventional.Extension, error) {
		c, err := newPart(p, &f.spec)
		if err != nil {
			return nil, err
		}
		f.parts = append(f.parts, c)
		return c.extension(), nil
	}
	main, err := conventional.New(env, &s.base, conventional.Outputs(s.Banks), conventional.Extend(extend))
	if err != nil {
		return nil, err
	}
	f.File = main
	return f, nil
}

// Inserts implements regfile.Inserter.
func (f *File) Inserts() string { return "prefetch" }

// Begin implements regfile.Planned.
func (f *File) Begin(plan any) {
	for _, p := range f.parts {
		p.wcb.plan = plan.(*Plan)
	}
}

// Gates returns two gates. They keep a warp from issuing until the registers of its interval are in the cache.
func (f *File) Gates() []regfile.Gate {
	gates := []regfile.Gate{
		prefetchGate: {Reason: "prefetch",
			Doc:   "the registers of the interval that the warp has entered are on their way into the cache",
			Shuts: regfile.Events(regfile.WarpInserted)},
		refetchGate: {Reason: "refetch",
			Doc:   "the warp has become active, and its working set is on its way into the cache",
			Shuts: regfile.Events(regfile.WarpActivated)},
	}
	for i := range gates {
		for _, p := range f.parts {
			for s := range p.wcb.Opens[i] {
				gates[i].Opens = append(gates[i].Opens, &p.wcb.Opens[i][s])
			}
		}
	}
	return gates
}

// Notices returns the notices needed by the control blocks.
func (f *File) Notices() regfile.Notices {
	n := regfile.Notices{Events: events, Drained: true}
	for _, p := range f.parts {
		for s := range p.wcb.Notices {
			n.Warp = append(n.Warp, &p.wcb.Notices[s])
		}
	}
	return n
}
