package regdram

import (
	"cmp"

	"kumiko/components/spec"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// Values of l2: the path of the traffic.
const (
	Around  = "around"
	Through = "through"
)

// Spec configures Reg+DRAM. The banks, collectors and the rest of the data plane are those of the conventional
// register file of the same GPU.
type Spec struct {
	OffChip int    `toml:"offchip_ctas" unit:"CTAs per SM" default:"1" range:"0 to 512" doc:"CTAs that may be resident beside those whose registers the register file holds. 0: no registers are moved"`
	L2      string `toml:"l2" unit:"-" default:"around" doc:"path of moved registers to the DRAM. around: they bypass the L2. through: they take lines in it, like other data"`
	Queue   int    `toml:"queue" unit:"registers" default:"8" range:"1 to 64" doc:"registers that may be between the banks and the path to the L2"`

	base conventional.Spec
}

// Default returns one CTA off the chip. The paper tunes the number for each application, and does not give the path
// of the registers. With lines in the L2, contexts of this size would stay there, and would not cause the traffic
// of figure 15. The queue holds the registers arriving from the banks while the last packet leaves.
func Default() Spec {
	s := Spec{base: conventional.Default()}
	spec.Defaults(&s)
	return s
}

// SetBase sets the settings of the conventional register file.
func (s *Spec) SetBase(base *conventional.Spec) { s.base = *base }

// Check refuses impossible settings.
func (s *Spec) Check() error {
	return cmp.Or(spec.Ranges(s), spec.OneOf("l2", s.L2, Around, Through))
}

// Admit adds the CTAs off the chip to the CTAs on it.
func (s *Spec) Admit(l *regfile.Launch) (regfile.Admission, error) {
	a, err := l.ByRules()
	if err != nil {
		return a, err
	}
	held := a.Resident
	a.Residency = regfile.Residency{Resident: min(held+s.OffChip, l.Others), Active: min(held, l.Slotted), Held: held}
	a.Plan = l
	a.Figures = append(a.Figures, regfile.Figure{Name: "ctas_off_chip",
		Doc: "CTAs among these whose registers are off the chip", Value: a.Resident - held})
	return a, nil
}
