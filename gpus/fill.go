package gpus

import (
	"fmt"

	"kumiko/gpus/result"
	"kumiko/regfile"
)

// EnoughWaves is how many full waves of CTAs a launch should have for its cycles to be
// those of a busy machine: the number that every built-in study asks for.
const EnoughWaves = 3

// Fill is how well the CTAs of a launch fill the machine.
type Fill struct {
	Kernel   string
	CTAs     int
	SMs      int
	Resident int // CTAs that an SM can hold
	Cycles   uint64
}

// Waves is how many times the CTAs of the launch fill the machine.
func (f *Fill) Waves() float64 { return float64(f.CTAs) / float64(f.SMs*f.Resident) }

// String says how many CTAs meet how many places.
func (f *Fill) String() string {
	return fmt.Sprintf("kernel %s: %d CTAs, %d SMs that hold up to %d", f.Kernel, f.CTAs, f.SMs, f.Resident)
}

// MostSMs is the largest number of SMs on which the launch has so many waves; 0: none.
func (f *Fill) MostSMs(waves float64) int {
	return int(float64(f.CTAs) / (waves * float64(f.Resident)))
}

// Fills lists how well the launches so far fill the machine, in order.
func (m *Machine) Fills() []Fill { return m.fills }

// fill is that of a launch that has ended. Where CTAs are switched, how many CTAs an SM
// holds is known only then.
func (m *Machine) fill(a *regfile.Admission, r *result.Kernel) Fill {
	resident := residents(a)
	if m.cfg.SM.Switch.On() && r.CTAsResidentMax > 0 {
		resident = r.CTAsResidentMax
	}
	return Fill{Kernel: r.Name, CTAs: r.Grid[0] * r.Grid[1] * r.Grid[2], SMs: len(m.sms), Resident: resident,
		Cycles: r.Cycles}
}

// residents is how many CTAs an SM holds: where CTAs may find room outside the register
// file, those that are in it.
func residents(a *regfile.Admission) int {
	if a.Held > 0 {
		return a.Held
	}
	return a.Resident
}
