package published

import (
	"fmt"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
)

// GPU is the compared GPU.
const GPU = "gtx980-sm52"

// Control is how the compared GPU runs the machine code: by its own control words (sched.dependences). With scoreboard
// in its place they are ignored.
const Control = "control"

// Outcome is a row with its simulated value.
type Outcome struct {
	Row
	Simulated float64
}

// Error returns the relative difference of the simulated value from the published one.
func (o *Outcome) Error() float64 { return o.Simulated/o.Measured - 1 }

// slice is the number of SMs that are simulated of a chip for a kernel that moves bytes, with their share of the L2
// and of the DRAM. One that computes needs one SM, since nothing in it depends on others.
const slice = 2

// Simulate returns the outcome of a row. dependences is the value of sched.dependences: control obeys the control words
// of the machine code, scoreboard ignores them. code gives the machine code of a kernel.
func Simulate(r Row, dependences string, code func(name, ptx string) (*ir.Module, error)) (Outcome, error) {
	o := Outcome{Row: r}
	list, err := kernels(&r)
	if err != nil {
		return o, err
	}
	for i := range list {
		m, err := code(fileName(&r, i), list[i].ptx)
		if err != nil {
			return o, err
		}
		v, err := list[i].rate(m, Sources[r.Suite], dependences)
		if err != nil {
			return o, fmt.Errorf("%s %s: %w", r.Suite, r.Name, err)
		}
		o.Simulated = max(o.Simulated, v)
	}
	return o, nil
}

// rate returns the thousand million bytes or operations of a second on the chip.
//
// A launch on the chip did far more than can be simulated. So two launches are, and what the second does more is
// counted by the cycles it takes more, which leaves beginnings and ends out. If the kernel writes, a launch before
// them leaves the caches as they are in the middle of a long launch.
func (k *kernel) rate(module *ir.Module, s *Source, dependences string) (float64, error) {
	sms := slice
	if k.work > 0 {
		sms = 1
	}
	cfg, err := config.Load(config.Request{GPU: GPU, Set: append([]string{"compiler.code=sm_52",
		"sched.dependences=" + dependences, fmt.Sprintf("sm.clock_mhz=%d", s.MHz), fmt.Sprintf("slice.sms=%d", sms)},
		s.Settings...)})
	if err != nil {
		return 0, err
	}
	m, err := gpus.New(cfg, gpus.Options{})
	if err != nil {
		return 0, err
	}
	ctas := []int{k.ctas, 2 * k.ctas}
	if k.writes {
		ctas = []int{k.ctas, k.ctas, 2 * k.ctas}
	}
	for i, n := range ctas {
		if err := k.launch(m, module, i, n); err != nil {
			return 0, err
		}
	}
	list := m.Results()
	cycles := list[len(list)-1].Cycles - list[len(list)-2].Cycles
	amount := k.work * k.threads
	if k.work == 0 {
		amount = k.elements * k.bytes * k.arrays
	}
	return float64(k.ctas*amount) * float64(s.SMs) / float64(sms) * float64(s.MHz) / 1e3 / float64(cycles), nil
}

// launch runs a kernel on memory of its own.
func (k *kernel) launch(m *gpus.Machine, module *ir.Module, number, ctas int) error {
	var args []host.Arg
	alloc := func(what string, bytes int) {
		args = append(args, host.U64(m.Memory().Alloc(fmt.Sprint(what, " of launch ", number), ctas*bytes)))
	}
	for i := range k.arrays {
		alloc(fmt.Sprint("array ", i), k.elements*k.bytes)
	}
	if k.sums {
		alloc("sums", k.threads*k.bytes)
	}
	if k.seed != nil {
		args = append(args, *k.seed)
	}
	return m.Launch(&host.Launch{Module: module, Kernel: entry, Grid: [3]int{ctas, 1, 1},
		Block: [3]int{k.threads, 1, 1}, Args: args})
}
