package wholemachine

import (
	"fmt"
	"io"
	"math"

	"kumiko/benchmarks"
	"kumiko/gpus/config"
	"kumiko/sm/occupancy"
)

// Scale is a column of the resources table: a GPU with some enlarged resources.
type Scale struct {
	Name string
	Set  []string
}

// Scales are the enlargements of FineReg, section III.A, figure 2: slots for CTAs, warps and threads, or the
// on-chip memories, by 1.5 and by 2.
var Scales = []Scale{
	{"slots x1.5", []string{"sm.warps=96", "sm.ctas=48", "sm.threads=3072"}},
	{"slots x2", []string{"sm.warps=128", "sm.ctas=64", "sm.threads=4096"}},
	{"memory x1.5", []string{"sm.registers=98304", "sm.shared_bytes=147456"}},
	{"memory x2", []string{"sm.registers=131072", "sm.shared_bytes=196608"}},
}

// ScheduledBound and MemoryBound are the applications limited by slots, and by registers or shared memory, on
// gtx980 with the footprints printed in the papers.
var (
	ScheduledBound = []string{"monteCarlo", "pathfinder", "fdtd2d", "bfs", "srad", "backprop", "convolutionSeparable",
		"bicg", "syr2k", "kmeans"}
	MemoryBound = []string{"sgemm", "sto", "tpacf", "cfd", "sad", "leukocyte", "hotspot", "lbm", "libor", "wp",
		"lavaMD"}
)

// Resources measures the applications at the size on a slice of four SMs, and writes a table row for each and for
// their mean.
func Resources(w io.Writer, size benchmarks.Size, apps []string) error {
	fmt.Fprint(w, "| application | CTAs per SM | bound by | IPC |")
	for _, s := range Scales {
		fmt.Fprintf(w, " %s |", s.Name)
	}
	fmt.Fprint(w, "\n|---|---|---|---|---|---|---|---|\n")
	logs := make([]float64, len(Scales))
	for _, a := range apps {
		base, err := scaled(a, size, nil)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "| %s | %d | %s | %.2f |", a, base.CTAs, base.Limit, float64(base.Insts)/float64(base.Cycles))
		for i := range Scales {
			o, err := scaled(a, size, Scales[i].Set)
			if err != nil {
				return err
			}
			gain := float64(base.Cycles) / float64(o.Cycles)
			logs[i] += math.Log(gain)
			fmt.Fprintf(w, " %+.1f %% |", 100*(gain-1))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "| geometric mean | | | |")
	for _, l := range logs {
		fmt.Fprintf(w, " %+.1f %% |", 100*(math.Exp(l/float64(len(apps)))-1))
	}
	fmt.Fprintln(w)
	return nil
}

func scaled(app string, size benchmarks.Size, set []string) (Outcome, error) {
	j := Job{App: app, Size: size, GPU: "gtx980", Set: append([]string{"slice.sms=4"}, set...), Printed: true}
	return j.Run()
}

// residency returns how many CTAs an SM holds, and the limiting resource.
func residency(c *config.Config, block [3]int, registers, shared int) (limit string, ctas int, err error) {
	s := &c.SM
	r, err := c.Occupancy.Of(occupancy.SM{Registers: s.Registers, SharedBytes: s.SharedBytes, Threads: s.Threads,
		Warps: s.Warps,
		CTAs:  s.CTAs, CTAShared: s.CTAShared, MaxRegisters: s.MaxRegs},
		occupancy.CTA{Threads: block[0] * block[1] * block[2], Registers: registers, SharedBytes: shared})
	return r.Limit, r.CTAs, err
}
