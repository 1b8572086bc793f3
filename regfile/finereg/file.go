package finereg

import (
	"kumiko/components/spec"
	"kumiko/components/wire"
	"kumiko/memsys/req"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

func init() {
	regfile.Register(regfile.Kind{
		Name: "finereg",
		Doc: "register file that keeps the live registers of CTAs that wait for memory in a part of its own " +
			"(FineReg: Oh et al., MICRO 2018)",
		Needs:     []regfile.Service{regfile.Switching, regfile.Moving},
		Serves:    []regfile.Service{regfile.Switching},
		Pools:     true,
		Switching: "finereg",
		Aliases:   map[string]string{"pcrf": "pcrf"},
	}, regfile.Builder[Spec]{
		Default: Default,
		Base:    regfile.On(conventional.Kind, (*Spec).SetBase),
		Build:   func(env *regfile.Env, s *Spec) (regfile.Design, error) { return NewFile(env, *s) },
		Admit:   (*Spec).Admit,
		Merge:   (*Spec).Merge,
	})
}

// File is a conventional register file, the ACRF, with a PCRF beside it.
type File struct {
	regfile.File
	spec      Spec
	ctas      int
	contexts  int // of the SM's warps
	registers int // of a thread, at most
	most      int // most entries of the PCRF
	rmu       *RMU
	pcrf      *PCRF
}

// NewFile builds FineReg into an SM.
func NewFile(env *regfile.Env, s Spec) (*File, error) {
	if least := (env.Registers + 7) / 8; s.Vector < least {
		return nil, spec.Errorf("vector_bytes", s.Vector, "at least %d: a bit for each of %d registers of a thread "+
			"(sm.max_registers_per_thread)", least, env.Registers)
	}
	most := s.PCRF
	if s.PCRF > 0 {
		most = max(most, env.Pool/entryBytes)
	}
	m, err := newRMU(env, s, most)
	if err != nil {
		return nil, err
	}
	f := &File{spec: s, ctas: env.CTAs, contexts: env.Warps, registers: env.Registers, most: most, rmu: m}
	f.pcrf = newPCRF(env.Name+".RegFile.PCRF", env.Domain, pcrfSpec{entries: most, chain: s.Chain,
		walks: s.Returns == ReturnWalk, check: env.Checker != nil}, env.Stats)
	wire.Connect(&m.ToPCRF, &f.pcrf.In, 1)
	wire.Connect(&f.pcrf.Out, &m.Taken, s.Latency)
	acrf := *env
	if acrf.Capacity > s.PCRF {
		acrf.Capacity -= s.PCRF
	}
	acrf.User = m
	if f.File, err = conventional.Beneath(&acrf, &s.base); err != nil {
		return nil, err
	}
	m.Await(f.File)
	return f, nil
}

// On implements regfile.Beside.
func (f *File) On() regfile.Design { return f.File }

// Begin implements regfile.Planned. It takes the live registers and the number of PCRF entries from the launch. A
// launch is charged by units, so it may be charged more registers than a warp can have.
func (f *File) Begin(x any) {
	l := x.(*Plan)
	table := l.live
	if table == nil {
		table = f.spec.table(l.Launch)
	}
	f.rmu.vectors.begin(table, min(l.Registers, f.rmu.most))
	f.rmu.chains.begin(l.Entries)
}

// Notices implements regfile.Listener.
func (f *File) Notices() regfile.Notices { return regfile.Notices{CTA: &f.rmu.CTAs} }

// Mover implements regfile.Mover.
func (f *File) Mover() (*wire.InPort[regfile.Move], *wire.OutPort[regfile.Moved]) {
	return &f.rmu.Orders, &f.rmu.Answers
}

// Memory implements regfile.MemoryUser.
func (f *File) Memory() (*wire.OutPort[req.Packet], *wire.InPort[req.Packet]) {
	return &f.rmu.vectors.ask, &f.rmu.vectors.answer
}
