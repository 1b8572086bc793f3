package regdram

import (
	"kumiko/components/storage"
	"kumiko/components/wire"
	"kumiko/memsys/req"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

func init() {
	regfile.Register(regfile.Kind{
		Name: "reg-dram",
		Doc: "conventional register file that moves the registers of CTAs waiting for memory to the DRAM (Reg+DRAM " +
			"in FineReg, MICRO 2018)",
		Needs:     []regfile.Service{regfile.Switching, regfile.Moving},
		Serves:    []regfile.Service{regfile.Switching},
		Switching: "reg-dram",
	}, regfile.Builder[Spec]{
		Default: Default,
		Base:    regfile.On(conventional.Kind, (*Spec).SetBase),
		Build:   func(env *regfile.Env, s *Spec) (regfile.Design, error) { return NewFile(env, *s) },
		Admit:   (*Spec).Admit,
	})
}

// File is a conventional register file with a block moving registers to memory.
type File struct {
	regfile.File
	mover *Mover
}

// NewFile builds Reg+DRAM into an SM.
func NewFile(env *regfile.Env, s Spec) (*File, error) {
	m, err := newMover(env, s)
	if err != nil {
		return nil, err
	}
	beneath := *env
	beneath.User = m
	main, err := conventional.Beneath(&beneath, &s.base)
	if err != nil {
		return nil, err
	}
	m.Await(main)
	return &File{File: main, mover: m}, nil
}

// On implements regfile.Beside.
func (f *File) On() regfile.Design { return f.File }

// Begin implements regfile.Planned. It takes the number of registers of a warp from the launch. A launch is charged by
// units, so it may be charged more than a warp can have.
func (f *File) Begin(plan any) {
	f.mover.each = min(plan.(*regfile.Launch).Registers, f.mover.most)
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

// State returns the storage of the conventional file, and, marked apart, the registers in transit: the paper counts
// nothing for Reg+DRAM.
func (f *File) State() []regfile.State {
	return append(f.File.State(), regfile.State{Block: "Mover", What: "registers on their way", Count: 1,
		Bits: 8 * req.LineBytes * f.mover.spec.Queue, Kind: storage.FlipFlop, Width: 8 * req.LineBytes, Apart: true})
}
