package bow

import (
	"fmt"
	"math/bits"

	"kumiko/components/bank"
	"kumiko/components/spec"
	"kumiko/components/storage"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

func init() {
	regfile.Register(regfile.Kind{
		Name: "bow",
		Doc: "windows of each warp's last registers (BOW, Asghari Esfeden et al., MICRO 2020) before a conventional " +
			"file",
		Serves: []regfile.Service{regfile.Switching, regfile.Placing, regfile.Vacating},
		Lacks: map[regfile.Service]string{regfile.Moving: "nothing tells when the last register of a warp has left " +
			"for the banks, from which it would be moved"},
	}, regfile.Builder[Spec]{
		Default: Default,
		Base:    regfile.On(conventional.Kind, (*Spec).SetBase),
		Build:   func(env *regfile.Env, s *Spec) (regfile.Design, error) { return NewFile(env, *s) },
		Admit:   (*Spec).Admit,
		Merge:   merge,
	})
}

// File is a conventional register file with windows in each sub-core.
type File struct {
	*conventional.File
	windows  []*Windows
	spec     Spec
	regs     int
	switched bool // warps lose their slots for a time
}

// NewFile builds a register file with windows into an SM.
func NewFile(env *regfile.Env, s Spec) (*File, error) {
	if s.base.Bypass {
		return nil, spec.Elsewhere("regfile.conventional.bypass", true, "false: %s are the bypass", "the windows")
	}
	f := &File{spec: s, regs: env.Registers, switched: env.Slots > 0 && env.Slots < env.Warps}
	extend := func(p *conventional.Part) (*conventional.Extension, error) {
		w, err := New(p, s)
		if err != nil {
			return nil, err
		}
		f.windows = append(f.windows, w)
		return w.extension(), nil
	}
	main, err := conventional.New(env, &s.base, conventional.Extend(extend))
	if err != nil {
		return nil, err
	}
	f.File = main
	return f, nil
}

// Begin implements regfile.Planned.
func (f *File) Begin(plan any) {
	for _, w := range f.windows {
		w.plan = plan.(*Plan)
	}
}

// Notices returns the notices needed by the windows.
func (f *File) Notices() regfile.Notices {
	if f.spec.empty() {
		return regfile.Notices{}
	}
	n := regfile.Notices{Events: events}
	if f.switched {
		n.Events = switchedEvents
	}
	for _, w := range f.windows {
		for i := range w.Notices {
			n.Warp = append(n.Warp, &w.Notices[i])
		}
	}
	return n
}

// State returns the storage of the main file and of the windows. A window entry has data, the number of its
// register, a mask of the present lanes, its place in the window, and flags. In the paper the data are part of the
// collectors; here they are additional, and the collectors are as in the base.
func (f *File) State() []regfile.State { return append(f.File.State(), f.windowStorage()...) }

// windowStorage returns the storage of the windows.
func (f *File) windowStorage() (out []regfile.State) {
	if f.spec.empty() {
		return nil
	}
	k, n := len(f.windows), 0
	for _, w := range f.windows {
		n += len(w.entries) / len(w.warps) * w.own
	}
	add := func(what string, size int, kind storage.Kind) {
		out = append(out, regfile.State{Block: "Windows", What: what, Count: k, Bits: n * size,
			CellPorts: fmt.Sprintf("%dr1w", f.spec.Reads), Kind: kind, Width: size})
	}
	add("registers", 8*bank.RegisterBytes, storage.FlipFlop)
	add("tags", 1+bits.Len(uint(f.regs-1)), storage.CAM)
	add("lane masks", 2*32, storage.FlipFlop) // there, and on their way
	add("places in the window", bits.Len(uint(f.spec.Window)), storage.FlipFlop)
	flags := 0
	switch f.spec.Writes {
	case Back:
		flags = 1 // dirty
	case Hints:
		flags = 4 // dirty, dead, and the hint of the result to come
	}
	if flags > 0 {
		add("flags", flags, storage.FlipFlop)
	}
	return out
}
