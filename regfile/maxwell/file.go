package maxwell

import (
	"kumiko/regfile"
	"kumiko/regfile/internal/subcore"
)

func init() {
	regfile.Register(regfile.Kind{
		Name:   "maxwell",
		Doc:    "the register file of NVIDIA's Maxwell as measured: two stages that read, reuse cache",
		Serves: subcore.Serves,
		Lacks:  subcore.Lacks,
		Words:  []string{"sm_52"},
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
		Forward: s.Forward, Ahead: handOver, Reuse: s.Reuse}); err != nil {
		return nil, err
	}
	for range env.Schedulers {
		f.subs = append(f.subs, newSubCore(f))
	}
	f.Join()
	return f, nil
}

// Gates returns one gate. It is closed while the pipeline stands still.
func (f *File) Gates() []regfile.Gate {
	return []regfile.Gate{f.Gate("halt",
		"the stages that read stand still, for a bank conflict or a unit that takes no instruction")}
}
