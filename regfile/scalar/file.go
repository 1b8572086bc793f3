package scalar

import (
	"cmp"
	"errors"
	"fmt"

	"kumiko/components/storage"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

func init() {
	regfile.Register(regfile.Kind{
		Name: "scalar",
		Doc: "a scalar file for registers with equal values or a constant stride (Collange et al., Euro-Par 2009 " +
			"workshops) beside a conventional file",
		Values: true,
		Serves: []regfile.Service{regfile.Switching, regfile.Placing},
		Lacks: map[regfile.Service]string{
			regfile.Vacating: "no notice tells its scalar file which registers a warp has given up",
			regfile.Moving:   "registers in its scalar file are in no bank from which they would be moved",
		},
	}, regfile.Builder[Spec]{
		Default: Default,
		Base:    regfile.On(conventional.Kind, (*Spec).SetBase),
		Build:   func(env *regfile.Env, s *Spec) (regfile.Design, error) { return NewFile(env, *s) },
	})
}

// File is a conventional register file with a scalar file in each sub-core.
type File struct {
	*conventional.File
	scalars []*Scalars
	spec    Spec
	env     *regfile.Env
}

// NewFile builds a register file with a scalar file into an SM.
func NewFile(env *regfile.Env, s Spec) (*File, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if env.Values == nil {
		return nil, errors.New("registers are stored by their values, and the SM has none")
	}
	f := &File{spec: s, env: env}
	extend := func(p *conventional.Part) (*conventional.Extension, error) {
		x := newScalars(p, s)
		f.scalars = append(f.scalars, x)
		return x.extension(), nil
	}
	main, err := conventional.New(env, &s.base, conventional.Extend(extend))
	if err != nil {
		return nil, err
	}
	f.File = main
	return f, nil
}

// Notices returns the notices needed by the scalar file: a warp that begins or ends has no register there.
func (f *File) Notices() regfile.Notices {
	n := regfile.Notices{Events: events}
	for _, x := range f.scalars {
		for i := range x.Notices {
			n.Warp = append(n.Warp, &x.Notices[i])
		}
	}
	return n
}

// State returns the storage of the main file, of the scalar file (a word, and a stride where it keeps them), and of the
// tags of the registers, two bits each. There are as many registers as the SM has.
func (f *File) State() []regfile.State {
	tags := cmp.Or(f.env.Capacity, f.env.Warps*f.env.Registers)
	entries := min(tags, f.env.Warps*cmp.Or(f.spec.Entries, f.env.Registers))
	width := 32
	if f.spec.Affine {
		width = 64
	}
	k, ports := len(f.scalars), fmt.Sprintf("%dr%dw", f.spec.Reads, f.env.Writebacks)
	return append(f.File.State(),
		regfile.State{Block: "Scalars", What: "values", Count: k, Bits: entries * width, Kind: storage.SRAM,
			Width: width, CellPorts: ports},
		regfile.State{Block: "Scalars", What: "tags", Count: k, Bits: tags * 2, Kind: storage.SRAM, Width: 2,
			CellPorts: ports})
}
