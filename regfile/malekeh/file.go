package malekeh

import (
	"fmt"
	"math/bits"

	"kumiko/components/bank"
	"kumiko/components/storage"
	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

func init() {
	regfile.Register(regfile.Kind{
		Name: "malekeh",
		Doc: "operand collectors as caches of their warps' registers (Malekeh, Abaie Shoushtary et al., DATE 2023) " +
			"before a conventional file",
		Serves: []regfile.Service{regfile.Switching, regfile.Placing},
		Lacks: map[regfile.Service]string{
			regfile.Vacating: "no notice tells its units which registers a warp has given up",
			regfile.Moving:   "nothing tells when the last result of a warp has passed its units",
		},
	}, regfile.Builder[Spec]{
		Default: Default,
		Base:    regfile.On(conventional.Kind, (*Spec).SetBase),
		Build:   func(env *regfile.Env, s *Spec) (regfile.Design, error) { return NewFile(env, *s) },
	})
}

// File is a conventional register file with cache collector units in each sub-core.
type File struct {
	*conventional.File
	units    []*Units
	spec     Spec
	regs     int
	warps    int
	switched bool // warps lose their slots for a time
}

// NewFile builds a register file with cache collector units into an SM.
func NewFile(env *regfile.Env, s Spec) (*File, error) {
	f := &File{spec: s, regs: env.Registers, warps: env.Warps, switched: env.Slots > 0 && env.Slots < env.Warps}
	extend := func(p *conventional.Part) (*conventional.Extension, error) {
		u, err := New(p, s)
		if err != nil {
			return nil, err
		}
		f.units = append(f.units, u)
		return u.extension(), nil
	}
	main, err := conventional.New(env, &s.base, conventional.Extend(extend))
	if err != nil {
		return nil, err
	}
	f.File = main
	return f, nil
}

// Notices returns the notices needed by the units. A warp takes a unit when the warp issues, and gives the unit up when
// the warp ends or leaves its slot.
func (f *File) Notices() regfile.Notices {
	n := regfile.Notices{Events: regfile.Events(regfile.WarpStarted, regfile.WarpIssued, regfile.WarpExited)}
	if f.switched {
		n.Events |= regfile.Events(regfile.WarpSuspended)
	}
	for _, u := range f.units {
		for i := range u.Notices {
			n.Warp = append(n.Warp, &u.Notices[i])
		}
	}
	return n
}

// Gates returns the gate that holds warps without a unit while all units have values that are read again soon.
func (f *File) Gates() []regfile.Gate {
	if f.spec.Wait == 0 {
		return nil
	}
	g := regfile.Gate{Reason: "unit", Doc: "the warp has no cache collector unit, and all have values soon read again"}
	for _, u := range f.units {
		for range u.Notices {
			g.Parts = append(g.Parts, &u.closed)
		}
	}
	return []regfile.Gate{g}
}

// Classes returns, for each sub-core, the warps that have a unit. A scheduler finds its own warps in the class of
// its sub-core alone.
func (f *File) Classes() (out []*wire.Signal[regfile.WarpSet]) {
	if !f.spec.Prefer {
		return nil
	}
	for _, u := range f.units {
		out = append(out, &u.bound)
	}
	return out
}

// State returns the storage of the main file and of the units. An entry has data, the number of its register, a mask
// of the present lanes and one of those on their way, a hint, and a place in the order of use. A unit gives the
// operands of a request at once and takes a value of the banks and a result in a cycle. It has the number of its warp.
// In the paper the data are part of the collectors; here they are additional, and the collectors are as in the base.
func (f *File) State() []regfile.State {
	out := f.File.State()
	units := len(f.units) * f.spec.Units
	ports := fmt.Sprintf("%dr2w", bank.MaxReads)
	hint := 1
	if f.spec.Hints == Distance {
		hint = 8
	}
	for _, x := range []struct {
		what  string
		width int
		kind  storage.Kind
	}{
		{"registers", 8 * bank.RegisterBytes, storage.FlipFlop},
		{"tags", 1 + bits.Len(uint(f.regs-1)), storage.CAM},
		{"lane masks", 2 * 32, storage.FlipFlop},
		{"hints", hint, storage.FlipFlop},
		{"order of use", bits.Len(uint(f.spec.Entries - 1)), storage.FlipFlop},
	} {
		if x.width > 0 {
			out = append(out, regfile.State{Block: "Units", What: x.what, Count: units,
				Bits: units * f.spec.Entries * x.width, Kind: x.kind, Width: x.width, CellPorts: ports})
		}
	}
	warp := 1 + bits.Len(uint(f.warps-1))
	return append(out, regfile.State{Block: "Units", What: "warps", Count: len(f.units), Bits: units * warp,
		Kind: storage.CAM, Width: warp, CellPorts: "1r1w"})
}
