package maxwell

import (
	"kumiko/components/bank"
	"kumiko/kernel/compiler/control"
	"kumiko/regfile"
	"kumiko/regfile/internal/subcore"
)

func init() {
	regfile.Register(&regfile.Kind{
		Name:    "maxwell",
		Doc:     "the register file of NVIDIA's Maxwell as measured: two stages that read, reuse cache",
		Parks:   true,
		Words:   []string{"sm_52"},
		Reads:   func(s any) control.Reads { return s.(*Spec).reads() },
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
	if err := subcore.CheckTimed(env, s.Queue, s.Forward); err != nil {
		return nil, err
	}
	index, err := subcore.NewIndex(env, s.BankIndex, s.Banks)
	if err != nil {
		return nil, err
	}
	f := &File{env: env, spec: s, index: index}
	var parts []subcore.Part
	for i := range env.Schedulers {
		c := newSubCore(env, &f.spec, index, i)
		f.subs = append(f.subs, c)
		parts = append(parts, subcore.Part{Issue: &c.Issue, Latches: &c.latches, Results: &c.results})
	}
	f.ports = subcore.Join(env, parts, s.Forward)
	return f, nil
}

// Ports of the file.
func (f *File) Ports() *regfile.Ports { return &f.ports }

// Begin implements regfile.Planned: where banks are dealt linearly, the launch gives the number
// of registers of its warps.
func (f *File) Begin(plan any) { subcore.Begin(f.index, plan) }

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
