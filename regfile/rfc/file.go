package rfc

import (
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

func init() {
	regfile.Register(regfile.Kind{
		Name:   "rfc",
		Doc:    "register file cache (Gebhart et al., ISCA 2011) before a conventional file",
		Serves: []regfile.Service{regfile.Switching, regfile.Placing, regfile.Vacating},
		Lacks: map[regfile.Service]string{regfile.Moving: "nothing tells when the last register of a warp has left " +
			"for the banks, from which it would be moved"},
	}, regfile.Builder[Spec]{
		Default: Default,
		Base:    regfile.On(conventional.Kind, (*Spec).SetBase),
		Build:   func(env *regfile.Env, s *Spec) (regfile.Design, error) { return NewFile(env, *s) },
	})
}

// File is a conventional register file with a cache in each sub-core.
type File struct {
	*conventional.File
	caches []*Cache
	spec   Spec
	warps  int
	regs   int
	// warps give up registers while they run
	vacates bool
}

// NewFile builds a register file with caches into an SM.
func NewFile(env *regfile.Env, s Spec) (*File, error) {
	f := &File{spec: s, warps: env.Warps, regs: env.Registers, vacates: env.Vacates}
	extend := func(p *conventional.Part) (*conventional.Extension, error) {
		c, err := New(p, s)
		if err != nil {
			return nil, err
		}
		f.caches = append(f.caches, c)
		return c.extension(), nil
	}
	main, err := conventional.New(env, &s.base, conventional.Extend(extend))
	if err != nil {
		return nil, err
	}
	f.File = main
	return f, nil
}

// scarce reports whether a warp may have to wait for a place.
func (p *places) scarce(s *Spec) bool { return !s.empty() && !p.permanent() }

// Gates returns one gate. It keeps active warps without a place from issuing. Each cache has the signal for its own
// schedulers.
func (f *File) Gates() []regfile.Gate {
	g := regfile.Gate{Reason: "rfc_flush",
		Doc: "the warp has become active, and its part of the register file cache is still being written back for " +
			"another one"}
	for _, c := range f.caches {
		if c.gate == nil {
			return nil
		}
		for range c.Notices {
			g.Parts = append(g.Parts, &c.gate.signal)
		}
	}
	return []regfile.Gate{g}
}

// Notices returns the notices needed by the caches: the starts, ends and pauses of warps.
func (f *File) Notices() regfile.Notices {
	if f.spec.empty() {
		return regfile.Notices{}
	}
	n := regfile.Notices{Events: regfile.Events(regfile.WarpStarted, regfile.WarpActivated, regfile.WarpSuspended,
		regfile.WarpExited, regfile.WarpFinished)}
	if f.vacates {
		n.Events |= regfile.Events(regfile.WarpIssued)
	}
	for _, c := range f.caches {
		for i := range c.Notices {
			n.Warp = append(n.Warp, &c.Notices[i])
		}
	}
	return n
}
