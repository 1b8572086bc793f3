package turing

import (
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/internal/subcore"
)

func init() {
	regfile.Register(regfile.Kind{
		Name:   "turing",
		Was:    "allocate",
		Doc:    "the register file of NVIDIA's Turing and Ampere as measured: read ports reserved ahead, a cache",
		Serves: subcore.Serves,
		Lacks:  subcore.Lacks,
		Words:  []string{"sm_75", "sm_86", "sm_90"},
	}, regfile.Builder[Spec]{
		Default: Default,
		Build:   func(env *regfile.Env, s *Spec) (regfile.Design, error) { return New(env, *s) },
		Reads:   (*Spec).reads,
	})
}

// File is the register file of an SM: a sub-core for each scheduler.
type File struct {
	subcore.File
	spec Spec
	subs []*SubCore
}

// New builds a register file into an SM.
func New(env *regfile.Env, s Spec) (*File, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	f := &File{spec: s}
	if err := f.Setup(env, subcore.Spec{Banks: s.Banks, BankIndex: s.BankIndex, Latches: s.Latches, Queue: s.Queue,
		Forward: s.Forward, Halves: s.Halves, Late: s.late(), Ahead: calendarLength,
		Reuse: s.Reuse, Kind: func(in *ir.Inst) uint8 { return uint8(kindOf(in)) }}); err != nil {
		return nil, err
	}
	env.Checker.Guards(s.Guards)
	for range env.Schedulers {
		f.subs = append(f.subs, newSubCore(f))
	}
	f.Join()
	return f, nil
}

// Gates returns one gate. It is closed while an instruction is held.
func (f *File) Gates() []regfile.Gate {
	return []regfile.Gate{f.Gate("allocate",
		"an instruction is held before it reads, for read ports, its unit, or room in a unit's queue")}
}
