package measure

import (
	"fmt"

	"kumiko/gpus/result"
	"kumiko/regfile"
)

// EnoughWaves is the number of full waves of CTAs at which a launch's cycles represent a busy machine. All
// built-in studies require it.
const EnoughWaves = 3

// Fill describes how well the CTAs of a launch fill the machine.
type Fill struct {
	Kernel   string
	CTAs     int
	SMs      int
	Resident int    // maximum number of CTAs on an SM
	Cycles   uint64 // of the longest of these launches
	Launches int    // of the same kernel that fill the machine so
}

// Waves returns how many times the CTAs of the launch fill the machine.
func (f *Fill) Waves() float64 { return float64(f.CTAs) / float64(f.SMs*f.Resident) }

// String returns the CTAs of the launch and the capacity of the machine, as text.
func (f *Fill) String() string {
	sms := fmt.Sprintf("%d SMs that hold", f.SMs)
	if f.SMs == 1 {
		sms = "one SM that holds"
	}
	return fmt.Sprintf("kernel %s: %d CTAs, %s up to %d", f.Kernel, f.CTAs, sms, f.Resident)
}

// MostSMs returns the largest number of SMs on which the launch has at least the given number of waves; 0: none.
func (f *Fill) MostSMs(waves float64) int {
	return int(float64(f.CTAs) / (waves * float64(f.Resident)))
}

// Fills returns how the launches so far fill the machine, in order of first occurrence.
func (m *Meter) Fills() []Fill { return m.fills.list }

// fills are the Fills of launches.
type fills struct {
	list []Fill
	at   map[Fill]int // by Fill without cycles and launches
}

// add adds a launch to the Fill of the launches that fill the machine as well.
func (x *fills) add(f Fill) {
	key := f
	key.Cycles, key.Launches = 0, 0
	i, ok := x.at[key]
	if ok {
		x.list[i].Cycles, x.list[i].Launches = max(x.list[i].Cycles, f.Cycles), x.list[i].Launches+1
		return
	}
	if x.at == nil {
		x.at = map[Fill]int{}
	}
	x.at[key] = len(x.list)
	x.list = append(x.list, f)
}

// Fill adds a finished launch to the Fills. With CTA switching, the number of CTAs per SM is known only after the
// launch.
func (m *Meter) Fill(a *regfile.Admission, r *result.Kernel) {
	resident := Residents(a)
	if m.spec.Switch.On() && r.CTAsResidentMax > 0 {
		resident = r.CTAsResidentMax
	}
	m.fills.add(Fill{Kernel: r.Name, CTAs: r.Grid[0] * r.Grid[1] * r.Grid[2], SMs: len(m.chip.SMs),
		Resident: resident, Cycles: r.Cycles, Launches: 1})
}

// Residents returns how many CTAs an SM holds. Where CTAs may be kept outside the register file, only the CTAs
// inside it count.
func Residents(a *regfile.Admission) int {
	if a.Held > 0 {
		return a.Held
	}
	return a.Resident
}
