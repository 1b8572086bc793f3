package ltrf

import (
	"cmp"

	"kumiko/components/spec"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

func init() {
	regfile.Register(regfile.Kind{
		Name: "ltrf-code",
		Doc: "conventional register file whose programs contain LTRF's vectors without effect, to measure the cost " +
			"of longer code (LTRF, section 4.3)",
	}, regfile.Builder[CodeSpec]{
		Default: DefaultCode,
		Base:    regfile.On(conventional.Kind, (*CodeSpec).SetBase),
		Build:   func(env *regfile.Env, s *CodeSpec) (regfile.Design, error) { return NewCode(env, *s) },
		Admit:   (*CodeSpec).Admit,
		Merge:   mergeNothing,
	})
}

// CodeSpec configures the vectors in programs.
type CodeSpec struct {
	Interval int    `toml:"interval" unit:"registers" doc:"most registers of a register-interval. Each interval begins with a vector of its registers"`
	Encoding string `toml:"encoding" unit:"-" doc:"form of a register vector in the program. bit: 32 bytes after an instruction with a bit that announces them, without an issue slot. instruction: 40 bytes, with an issue slot"`

	base conventional.Spec
}

// DefaultCode returns the same vectors as Default.
func DefaultCode() CodeSpec {
	s := Default()
	return CodeSpec{Interval: s.Interval, Encoding: s.Encoding, base: conventional.Default()}
}

// SetBase sets the settings of the register file.
func (s *CodeSpec) SetBase(base *conventional.Spec) { s.base = *base }

// Check refuses impossible settings.
func (s *CodeSpec) Check() error {
	return cmp.Or(spec.InRange("interval", s.Interval, 1, mostBanks),
		spec.OneOf("encoding", s.Encoding, Bit, Instruction))
}

// Admit places the vectors as LTRF's Admit does.
func (s *CodeSpec) Admit(l *regfile.Launch) (regfile.Admission, error) {
	as := Default()
	as.Interval, as.Encoding = s.Interval, s.Encoding
	a, err := as.Admit(l)
	a.Plan = nil
	if a.Insert != nil {
		for i := range a.Insert.Ops {
			a.Insert.Ops[i].Drained = false
		}
	}
	return a, err
}

// mergeNothing makes the plan for launches side by side: as for one kernel there is none, because the vectors have no
// effect.
func mergeNothing(*CodeSpec, []regfile.Part) (regfile.Merged, error) { return regfile.Merged{}, nil }

// Code is a conventional register file that ignores the vectors.
type Code struct{ *conventional.File }

// NewCode builds the register file of an SM.
func NewCode(env *regfile.Env, s CodeSpec) (*Code, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	f, err := conventional.New(env, &s.base)
	return &Code{f}, err
}

// Inserts implements regfile.Inserter.
func (f *Code) Inserts() string { return "vector" }
