package suite

import (
	"fmt"
	"io/fs"
	"math"
	"strings"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/probe"
	"kumiko/kernel/cubin"
	"kumiko/kernel/host"
)

// Outcome is a row with its measured and its simulated value.
type Outcome struct {
	Class     string // of rows: loops, accesses, same words, walks, streams, code, launches
	Name      string
	Measured  float64
	Simulated float64
	Unit      string
	Refused   error // reason for having no simulated value
	Detail    string
	// There and Here are the work of a launch on the chip and in the simulation; of other rows nothing.
	There, Here Work
}

// Work is what a launch executes.
type Work struct {
	Instructions float64 // of warps
	Registers    int     // of a thread; here those charged to residency
}

// Error returns the relative difference of the simulated value from the measured one.
func (o *Outcome) Error() float64 { return o.Simulated/o.Measured - 1 }

// passes is the number of simulated passes: enough for a steady state.
const passes = 64

// Loops simulates the loops measured on a chip. only selects the loops by name.
func Loops(dir fs.FS, gpu string, only func(row string) bool) ([]Outcome, error) {
	t, err := read(dir, LoopsFile)
	if err != nil {
		return nil, err
	}
	known := map[string]*Row{}
	for _, r := range Rows() {
		known[r.Name] = &r
	}
	var out []Outcome
	for i, f := range t.rows {
		r := known[f[0]]
		if r == nil {
			return nil, t.bad(i, 0, "the name of a loop")
		}
		var n [3]float64
		for k := range n {
			if n[k], err = t.number(i, k+1); err != nil {
				return nil, err
			}
		}
		if !only(r.Name) {
			continue
		}
		warps := int(n[0])
		o := Outcome{Class: r.class(warps), Name: fmt.Sprintf("%s, %d warps", r.Name, warps), Measured: n[2] / n[1],
			Unit: "cycles of a pass", Detail: r.Doc}
		folder, simulate := "loops/", simulateLoop
		if r.Chip {
			folder, simulate = "launched/", simulateLaunched
		}
		file := folder + r.Name + ".sass"
		text, err := fs.ReadFile(dir, file)
		if err != nil {
			return nil, err
		}
		o.Simulated, o.Refused = simulate(file, text, r, gpu, warps)
		out = append(out, o)
	}
	return out, nil
}

// simulateLoop returns the cycles of one pass through the loop of a listing, with the given number of warps.
func simulateLoop(file string, text []byte, row *Row, gpu string, warps int) (float64, error) {
	l, err := cut(file, string(text), row.Op)
	if err != nil {
		return 0, err
	}
	cfg, err := config.Load(config.Request{GPU: gpu, Set: append(probe.LoopSettings(l.code), probe.Controlled)})
	if err != nil {
		return 0, err
	}
	r, err := probe.Run(cfg, l.code, l.lines,
		probe.Spec{Warps: warps, Repeat: passes, Check: true, Loop: l.simulated(), File: file, Stride: row.stride(),
			Fixed: row.Strided})
	if err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	return r.Cycles * math.Ceil(float64(warps)/float64(cfg.SM.Schedulers)), nil
}

// few is the number of simulated passes of a loop that is launched as a kernel: all of its passes take as long.
const few = 4

// simulateLaunched returns the cycles of one pass through a loop that depends on more than an SM, as the difference
// between two launches of the machine code in its listing.
func simulateLaunched(file string, text []byte, row *Row, gpu string, warps int) (float64, error) {
	module, err := cubin.ReadModule(file, text)
	if err != nil {
		return 0, err
	}
	arch, err := cubin.Architecture(file, text)
	if err != nil {
		return 0, err
	}
	cfg, err := config.Load(config.Request{GPU: gpu, Set: []string{fmt.Sprintf("compiler.code=sm_%d", arch)}})
	if err != nil {
		return 0, err
	}
	var cycles [2]float64
	for i := range cycles {
		m, err := gpus.New(cfg, gpus.Options{})
		if err != nil {
			return 0, err
		}
		out := m.Memory().Alloc("out", Bytes)
		err = m.Launch(&host.Launch{Module: module, Kernel: row.Name, Grid: [3]int{1, 1, 1},
			Block: [3]int{32 * warps, 1, 1}, Args: []host.Arg{host.U64(out), host.U32(uint32(few * (i + 1)))}})
		if err != nil {
			return 0, err
		}
		cycles[i] = float64(m.Results()[0].Cycles)
	}
	return (cycles[1] - cycles[0]) / few, nil
}

// Summary summarizes the errors of a class of rows.
type Summary struct {
	Class         string
	Rows, Refused int
	Mean, Worst   float64 // relative
	Beyond        int     // rows with an error above 30 %
	Correlation   float64 // of the logarithms
}

// Summarize returns the summary of outcomes.
func Summarize(class string, list []Outcome) Summary {
	s := Summary{Class: class}
	var x, y, xx, yy, xy float64
	for i := range list {
		o := &list[i]
		if o.Refused != nil {
			s.Refused++
			continue
		}
		s.Rows++
		e := math.Abs(o.Error())
		s.Mean += e
		s.Worst = max(s.Worst, e)
		if e > 0.3 {
			s.Beyond++
		}
		a, b := math.Log(o.Measured), math.Log(o.Simulated)
		x, y, xx, yy, xy = x+a, y+b, xx+a*a, yy+b*b, xy+a*b
	}
	n := float64(s.Rows)
	if s.Rows > 0 {
		s.Mean /= n
		s.Correlation = (n*xy - x*y) / math.Sqrt((n*xx-x*x)*(n*yy-y*y))
	}
	return s
}

// String returns the summary as a line for the terminal.
func (s Summary) String() string {
	t := fmt.Sprintf("%-10s %4d rows, mean error %5.1f %%, worst %5.1f %%, %d beyond 30 %%, correlation %.4f", s.Class,
		s.Rows, 100*s.Mean, 100*s.Worst, s.Beyond, s.Correlation)
	if s.Refused > 0 {
		t += fmt.Sprintf(", %d not simulated", s.Refused)
	}
	return strings.TrimSpace(t)
}
