package compressed

import (
	"cmp"
	"errors"
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/storage"
	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

func init() {
	regfile.Register(regfile.Kind{
		Name: "compressed",
		Doc: "registers compressed by their values (Warped-Compression, Lee et al., ISCA 2015) in the banks of a " +
			"conventional file",
		Values: true,
		Serves: []regfile.Service{regfile.Switching, regfile.Placing},
		Lacks: map[regfile.Service]string{
			regfile.Vacating: "no notice tells its compressors which registers a warp has given up",
			regfile.Moving:   "a register moved back into the banks has lost its form",
		},
	}, regfile.Builder[Spec]{
		Default: Default,
		Base:    regfile.On(conventional.Kind, (*Spec).SetBase),
		Build:   func(env *regfile.Env, s *Spec) (regfile.Design, error) { return NewFile(env, *s) },
	})
}

// File is a conventional register file with compressors and decompressors in each sub-core.
type File struct {
	*conventional.File
	compressors   []*Compressors
	decompressors []*Decompressors
	env           *regfile.Env
}

// NewFile builds a register file of compressed registers into an SM.
func NewFile(env *regfile.Env, s Spec) (*File, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if env.Values == nil {
		return nil, errors.New("registers are compressed by their values, and the SM has none")
	}
	f := &File{env: env}
	extend := func(p *conventional.Part) (*conventional.Extension, error) {
		c, d := newCompressors(p, s), newDecompressors(p, s)
		wire.Connect(&d.Moved, &c.Moved, 1)
		f.compressors, f.decompressors = append(f.compressors, c), append(f.decompressors, d)
		return extension(c, d, p), nil
	}
	main, err := conventional.New(env, &s.base, conventional.Extend(extend))
	if err != nil {
		return nil, err
	}
	f.File = main
	return f, nil
}

// extension returns the ports of the blocks for the conventional file.
func extension(c *Compressors, d *Decompressors, p *conventional.Part) *conventional.Extension {
	x := c.Before(0)
	x.Reads, x.Writes = cap(c.pending)*bank.MaxReads, cap(c.queue)
	x.Causes = 1 << bank.Expansion
	x.Operand, x.Operands, x.Latency = &d.Operand, cap(d.waiting), 1
	for i := range d.Ends {
		x.Ends = append(x.Ends, &d.Ends[i])
	}
	return x
}

// Notices returns the notices needed by the compressors: a warp that begins or ends holds no register.
func (f *File) Notices() regfile.Notices {
	n := regfile.Notices{Events: events}
	for _, c := range f.compressors {
		for i := range c.Notices {
			n.Warp = append(n.Warp, &c.Notices[i])
		}
	}
	return n
}

// State returns the storage of the main file and of the forms. Each register of the SM has two bits for its form.
// A bit more, counted apart, tells whether the register is written: banks without a written register could be switched
// off.
func (f *File) State() []regfile.State {
	n := cmp.Or(f.env.Capacity, f.env.Warps*f.env.Registers)
	ports := fmt.Sprintf("%dr%dw", bank.MaxReads, f.env.Writebacks)
	k := len(f.compressors)
	return append(f.File.State(),
		regfile.State{Block: "Compressors", What: "forms", Count: k, Bits: 2 * n, Kind: storage.SRAM, Width: 2,
			CellPorts: ports},
		regfile.State{Block: "Compressors", What: "valid", Count: k, Bits: n, Kind: storage.SRAM, Width: 1,
			CellPorts: ports, Apart: true})
}
