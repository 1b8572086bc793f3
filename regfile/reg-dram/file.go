package regdram

import (
	"kumiko/components/wire"
	"kumiko/memsys/req"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
	"kumiko/regfile/internal/moving"
)

func init() {
	regfile.Register(&regfile.Kind{
		Name: "reg-dram",
		Doc: "conventional register file that moves the registers of CTAs waiting for memory to the DRAM (Reg+DRAM " +
			"in FineReg, MICRO 2018)",
		Base:      "conventional",
		Parks:     true,
		Switching: "reg-dram",
		NewSpec:   func() any { s := Default(); return &s },
		Build:     func(env *regfile.Env, s any) (regfile.Design, error) { return NewFile(env, *s.(*Spec)) },
		Admit:     func(s any, l *regfile.Launch) (regfile.Admission, error) { return s.(*Spec).Admit(l) },
	})
}

// File is a conventional register file with a block that moves registers to memory.
type File struct {
	*conventional.File
	mover *Mover
}

// NewFile builds Reg+DRAM into an SM.
func NewFile(env *regfile.Env, s Spec) (*File, error) {
	if err := moving.Check(&s.base); err != nil {
		return nil, err
	}
	m, err := newMover(env, s)
	if err != nil {
		return nil, err
	}
	extend := func(p *conventional.Part) (*conventional.Extension, error) {
		return m.Extension(&m.Comp, p), nil
	}
	main, err := conventional.New(env, s.base, conventional.ExtraOutput(), conventional.Extend(extend))
	return &File{File: main, mover: m}, err
}

// Begin implements regfile.Planned: the launch gives the number of registers of a warp.
func (f *File) Begin(plan any) {
	f.File.Begin(plan)
	f.mover.each = plan.(*regfile.Launch).Registers
}

// Notices implements regfile.Listener.
func (f *File) Notices() regfile.Notices { return regfile.Notices{CTA: &f.mover.CTAs} }

// Mover implements regfile.Mover.
func (f *File) Mover() (*wire.InPort[regfile.Move], *wire.OutPort[regfile.Moved]) {
	return &f.mover.Orders, &f.mover.Answers
}

// Memory implements regfile.MemoryUser.
func (f *File) Memory() (*wire.OutPort[req.Packet], *wire.InPort[req.Packet]) {
	return &f.mover.Ask, &f.mover.Answer
}

// State returns the storage of the conventional file, and marked apart the registers on their
// way: the paper counts nothing for Reg+DRAM.
func (f *File) State() []regfile.State {
	return append(f.File.State(), regfile.State{Block: "Mover", What: "registers on their way", Count: 1,
		Bits: 8 * req.LineBytes * f.mover.spec.Queue, Apart: true})
}
