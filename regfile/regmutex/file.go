package regmutex

import (
	"kumiko/components/bank"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

func init() {
	regfile.Register(regfile.Kind{
		Name: "regmutex",
		Doc: "conventional register file, a part of which warps share in sections (RegMutex: Khorasani et al., " +
			"ISCA 2018)",
		Needs:  []regfile.Service{regfile.Placing, regfile.Vacating},
		Serves: []regfile.Service{regfile.Switching},
	}, regfile.Builder[Spec]{
		Default: Default,
		Base:    regfile.On(conventional.Kind, (*Spec).SetBase),
		Build:   func(env *regfile.Env, s *Spec) (regfile.Design, error) { return New(env, *s) },
		Admit:   (*Spec).Admit,
		Merge:   (*Spec).Merge,
	})
}

// File is a register file with a pool of sections.
type File struct {
	regfile.File

	sections *Sections
	plan     plan
	needs    map[*ir.Inst]bool // instructions of the launch's kernel in need of a section
	base     map[*ir.Inst]int  // of several kernels: registers of the base sets
}

// New builds a register file with a part shared by the warps.
func New(env *regfile.Env, s Spec) (*File, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	parts := s.base.SubCores
	if parts == 0 {
		parts = env.Schedulers
	}
	most := (env.Warps + parts - 1) / parts
	beneath := *env
	beneath.Places, beneath.Vacates = most, true
	data, err := conventional.Beneath(&beneath, &s.base)
	if err != nil {
		return nil, err
	}
	f := &File{File: data, plan: plan{Launch: &regfile.Launch{}}}
	f.sections = NewSections(env.Name+".RegFile.Sections", env.Domain, SectionsSpec{Contexts: env.Warps,
		Schedulers: env.Schedulers, Parts: parts, Index: data.Index()}, env.Stats)
	return f, nil
}

// Begin divides the registers according to the launch's plan.
func (f *File) Begin(x any) {
	f.plan = *x.(*plan)
	f.needs, f.base = map[*ir.Inst]bool{}, nil
	split := bank.NoSplit
	switch {
	case f.plan.beside != nil:
		split = f.beginBeside(f.plan.beside)
	case f.plan.on():
		split = f.plan.base
		insts := f.plan.Tables.Kernel().Insts
		for pc, needs := range f.plan.code.Needs {
			f.needs[&insts[pc]] = needs
		}
	}
	f.Index().Split(split)
	f.sections.Load(f.plan.sections, f.plan.code, f.plan.beside)
}

// beginBeside notes the instructions of several kernels, and returns the smallest base set.
func (f *File) beginBeside(x *beside) int {
	split := bank.NoSplit
	f.base = map[*ir.Inst]int{}
	for pc, in := range x.insts {
		if base := x.base[pc]; base < bank.NoSplit {
			f.needs[in], f.base[in] = f.plan.code.Needs[pc], base
			split = min(split, base)
		}
	}
	return split
}

// Gates returns the gate before instructions in need of a section.
func (f *File) Gates() []regfile.Gate {
	return []regfile.Gate{{
		Reason: "srp", Doc: "the instruction needs registers of the shared pool, and the warp has no section of it",
		Closed: &f.sections.Closed, Holds: func(in *ir.Inst) bool { return f.needs[in] }, Asks: true,
	}}
}

// Vacates implements regfile.Vacater: a warp gives its section up before an instruction without need of it.
func (f *File) Vacates(in *ir.Inst) int {
	if needs, known := f.needs[in]; known && !needs {
		if f.base != nil {
			return f.base[in]
		}
		return f.plan.base
	}
	return regfile.NumRegisters
}

// Notices returns the notices needed by the sections: requests, issues and ends.
func (f *File) Notices() regfile.Notices {
	n := regfile.Notices{Events: regfile.Events(regfile.WarpHeld, regfile.WarpIssued, regfile.WarpFinished)}
	for i := range f.sections.Warp {
		n.Warp = append(n.Warp, &f.sections.Warp[i])
	}
	return n
}

// On implements regfile.Beside.
func (f *File) On() regfile.Design { return f.File }

// State returns the storage of the file.
func (f *File) State() []regfile.State { return append(f.File.State(), f.sections.State()...) }
