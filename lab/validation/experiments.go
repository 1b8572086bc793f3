package validation

import (
	"fmt"
	"io"
	"slices"
)

// Experiment is a launch with a changed setting. Its result explains a difference in lab/docs/validation/peers.md.
type Experiment struct {
	Launch, Config string
	Change         string   // in words
	Set            []string // key=value
}

var (
	shortSteps = []string{"regfile.conventional.bypass=true", "regfile.conventional.forward=5"}
	oneQueue   = "regfile.conventional.issue_registers=0"
	// with shortSteps: additions again 9 cycles from their users, as in GPGPU-Sim
	longAdds = []string{"sm.units.sp.latency=7", "sm.units.sp.class.int_mul=[8,1]", "sm.units.sp.class.shuffle=[35,4]",
		"sm.units.sfu.latency=23"}
	narrow = "mem.noc.flit_bytes=32"
)

// Experiments explain the named differences, in order.
var Experiments = []Experiment{
	{"sync.w1.n20", "gtx980", "every dependent step in at most 6 cycles", shortSteps},
	{"smem_stride.s1", "gtx480", "every dependent step in at most 7 cycles",
		[]string{"regfile.conventional.bypass=true", "regfile.conventional.forward=4"}},
	{"smem_stride.s1", "gtx980", "short steps in 6 cycles", append(slices.Clone(shortSteps), longAdds...)},
	{"smem_stride.s1", "gtx980", "one issue queue", []string{oneQueue}},
	{"smem_stride.s2", "gtx480", "one issue queue", []string{oneQueue}},
	{"vecadd", "gtx980", "writes drained from 8 down to 2", []string{"mem.dram.write_high=8", "mem.dram.write_low=2"}},
	{"vecadd", "gtx980", "flits of 32 bytes", []string{narrow}},
	{"vecadd.small", "gtx980", "flits of 32 bytes", []string{narrow}},
	{"hotspot", "gtx980", "flits of 32 bytes", []string{narrow}},
	{"hotspot.small", "gtx980", "flits of 32 bytes", []string{narrow}},
	{"fmaheavy.small", "gtx480", "two fetches per cycle", []string{"sm.fetch.width=2"}},
	{"fmaheavy.small", "gtx480", "perfect instruction cache", []string{"sm.fetch.icache.perfect=true"}},
	{"fmaheavy.small", "gtx480", "round robin", []string{`sched.policy="lrr"`}},
	{"fmaheavy.small", "gtx480", "twice the banks", []string{"regfile.conventional.banks=32"}},
	{"fmaheavy.small", "gtx480", "registers reused", []string{reused}},
	{"hotspot.small", "gtx480", "registers reused", []string{reused}},
	{"hotspot.small", "gtx980", "registers reused", []string{reused}},
	{"transpose_tiled.small", "gtx480", "registers reused", []string{reused}},
}

// reused undoes one of the settings of Plain.
const reused = `compiler.bank_policy="first-free"`

// WriteExperiments runs each experiment and its unchanged launch, and writes a table in Markdown.
func WriteExperiments(w io.Writer, entries []Entry, more ...string) error {
	fmt.Fprintln(w, "| launch | GPU | cycles, theirs | ours | error | changed | cycles | error |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|")
	for _, x := range Experiments {
		i := slices.IndexFunc(entries, func(e Entry) bool { return e.Label() == x.Launch && e.Config == x.Config })
		if i < 0 {
			return fmt.Errorf("experiment: no launch %s on %s in the reference", x.Launch, x.Config)
		}
		base, err := Run(&entries[i], more...)
		if err != nil {
			return err
		}
		m, err := Run(&entries[i], append(slices.Clone(more), x.Set...)...)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "| %s | %s | %d | %d | %+.1f %% | %s | %d | %+.1f %% |\n", x.Launch, x.Config, base.Cycles,
			base.Ours.Cycles, 100*base.Error(), x.Change, m.Ours.Cycles, 100*m.Error())
	}
	return nil
}

// Trip is a changed setting for a trip through the loop of smem_stride.
type Trip struct {
	Change string
	Set    []string
}

// Trips are the changes used to break down the cycles of smem_stride.s1 on gtx980.
var Trips = []Trip{
	{"none", nil},
	{"two cycles from fetch to buffer", []string{"sm.fetch.latency=2"}},
	{"any two instructions of a warp per cycle", []string{"sm.issue_different_units=false"}},
	{"registers reused", []string{reused}},
	{"every dependent step in at most 6 cycles", shortSteps},
	{"short steps in 6 cycles", append(slices.Clone(shortSteps), longAdds...)},
	{"one issue queue", []string{oneQueue}},
	{"one issue queue, every dependent step in at most 6 cycles", append(slices.Clone(shortSteps), oneQueue)},
}

// CyclesPerTrip returns the cycles per trip of smem_stride on an otherwise empty GPU, measured from 40 to 80 trips,
// and the remaining cycles of the launch.
func CyclesPerTrip(config string, set ...string) (trip, rest float64, err error) {
	var cycles [2]float64
	for i, n := range []int{40, 80} {
		e := Entry{Kernel: "smem_stride", Name: fmt.Sprintf("smem_stride.s1.n%d", n), Config: config,
			Grid: [3]int{1, 1, 1}, Block: [3]int{256, 1, 1}}
		m, err := Run(&e, set...)
		if err != nil {
			return 0, 0, err
		}
		cycles[i] = float64(m.Ours.Cycles)
	}
	trip = (cycles[1] - cycles[0]) / 40
	return trip, cycles[0] - 40*trip, nil
}

// WriteTrips writes the results of Trips in Markdown.
func WriteTrips(w io.Writer, more ...string) error {
	fmt.Fprintln(w, "| changed | cycles per trip | the rest of the launch |")
	fmt.Fprintln(w, "|---|---|---|")
	for _, t := range Trips {
		trip, rest, err := CyclesPerTrip("gtx980", append(slices.Clone(more), t.Set...)...)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "| %s | %.0f | %.0f |\n", t.Change, trip, rest)
	}
	return nil
}
