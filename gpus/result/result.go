// Package result defines the report of a run: the keys of the JSON document written by `kumiko run --json`, and the
// way they add up.
package result

import (
	"maps"
	"math"
	"slices"

	"kumiko/components/stats"
	"kumiko/regfile"
)

// Result describes a run of a program on a GPU. Except for the two wall-clock figures, it is a function of the
// inputs alone.
type Result struct {
	Version string `json:"version"`
	GPU     string `json:"gpu"`
	Design  string `json:"design"`
	Program string `json:"program"`
	// Compiler is the compiler that made the program's PTX, and the architecture, if the program is CUDA C++.
	Compiler string `json:"compiler,omitempty"`
	// Codes are the kernels that ran as machine code of another assembler (compiler.code).
	Codes      []Code `json:"machine_code,omitempty"`
	ConfigHash string `json:"config_hash"` // SHA-256 of the configuration's canonical form
	// ProgramHash is the SHA-256 of the program's files and arguments.
	ProgramHash string `json:"program_hash"`
	// Seed is the seed of the program's generated input, if any.
	Seed     uint64 `json:"seed"`
	Complete bool   `json:"complete"`
	// Checked is set if every operand was compared with the newest value written.
	Checked bool     `json:"checked"`
	Kernels []Kernel `json:"kernels"`
	Total   Total    `json:"total"`
	Expect  []Expect `json:"expect"`
	// Blocks are the register banks and operand crossbars.
	Blocks Blocks `json:"blocks"`
	// Storage is the state of the register file's blocks in one SM; empty if the design does not report it.
	Storage []regfile.State `json:"storage"`
	// Perturbed holds the runs under perturbations, if requested.
	Perturbed *Perturbed `json:"perturbed,omitempty"`
	// Energy is the energy of the run, and Area the area of the storage, if requested.
	Energy *Energy `json:"energy,omitempty"`
	Area   *Area   `json:"area,omitempty"`
	// Waits are the operand waits by instruction, if a profile was requested.
	Waits *Waits `json:"operand_waits,omitempty"`
	// Config has every parameter of the GPU by key.
	Config map[string]any `json:"config"`
	// Meant states, in one line, for which kernels or machines the design is; empty: a design without a preset.
	Meant string `json:"design_meant_for,omitempty"`

	WallSeconds               float64 `json:"wall_seconds"`
	WarpInstructionsPerSecond float64 `json:"warp_instructions_per_second"`
}

// Counts holds the counts common to a launch and to the whole run.
type Counts struct {
	// Cycles are core cycles from launch to the retirement of the last CTA.
	Cycles           uint64 `json:"cycles"`
	WarpInstructions uint64 `json:"warp_instructions"`
	// ThreadInstructions is the number of lanes with a true guard, summed over the executed warp instructions.
	ThreadInstructions uint64 `json:"thread_instructions"`
	// IPC is thread instructions per cycle over the whole GPU.
	IPC float64 `json:"ipc"`
	// CTAsResidentMax is the largest number of CTAs on one SM at once.
	CTAsResidentMax int `json:"ctas_resident_max"`
	// IssueSlots has the used issue slots and, by reason, the unused ones. They sum to cycles x SMs x schedulers x
	// issue width.
	IssueSlots map[string]uint64 `json:"issue_slots"`
	// CPIStack has the issue slots per warp instruction, by reason. They sum to issue slots per instruction.
	CPIStack map[string]float64 `json:"cpi_stack"`
	// WarpStates has the warp-cycles of resident warps in each state.
	WarpStates map[string]uint64 `json:"warp_states"`
	// Distributions has, by statistic, the number of occurrences of each value.
	Distributions map[string][]stats.Bucket `json:"distributions"`
	// Stats are the values of the machine's statistics (`kumiko list stats`).
	Stats map[string]uint64 `json:"stats"`
}

// MadeWords is the value of Kernel.ControlWords for control words made by the compiler.
const MadeWords = "made by the compiler"

// Kernel is one launch, or several launches of one kernel.
type Kernel struct {
	Name               string `json:"name"`
	Grid               [3]int `json:"grid"`  // CTAs
	Block              [3]int `json:"block"` // threads
	RegistersPerThread int    `json:"registers_per_thread"`
	SharedBytes        int    `json:"shared_bytes"` // per CTA, static and dynamic
	// ControlWords is MadeWords if a trace had no control words and Kumiko's compiler made them; empty otherwise.
	ControlWords string `json:"control_words,omitempty"`
	Counts
	// IPCSteady is the IPC of the steady state: the sum of the SMs' thread instructions per cycle, each SM measured
	// from the beginning of its first full residency to the end of its last. Null if no SM reached full residency.
	IPCSteady *float64 `json:"ipc_steady"`
	SMs       []SM     `json:"sms"`
	// Complete is false if the launch was cut short.
	Complete bool `json:"complete"`
	// Launches is the number of launches of which the counts are sums, in a row for several launches (see Rows); 0:
	// the row is one launch. A row of several grids or blocks has zeros for them, and the most registers and bytes.
	Launches int `json:"launches,omitempty"`
	// Sampled marks the counts as estimates. Sample gives their accuracy. SMs is then empty.
	Sampled bool    `json:"sampled,omitempty"`
	Sample  *Sample `json:"sample,omitempty"`
	// Whole is why a launch of a sampled run that is long enough was simulated whole, or from some CTA on; empty: it
	// was not.
	Whole string `json:"simulated_whole,omitempty"`
	// Beside has the launches that ran side by side, if the row is of such; its grid and block are then zero.
	Beside []Beside `json:"beside,omitempty"`
}

// Sample describes the sampling of a launch.
type Sample struct {
	Units                   int    `json:"units"`
	CTAs                    int    `json:"ctas_simulated"`
	CTAsSkipped             int    `json:"ctas_skipped"`
	WarpInstructions        uint64 `json:"warp_instructions_simulated"`
	WarpInstructionsSkipped uint64 `json:"warp_instructions_skipped"`
	// CyclesHalf is the half-width of the 95 % confidence interval of the cycles, in cycles. Intervals has the
	// half-widths of the other estimated statistics. Instructions are exact: they are counted in every CTA.
	CyclesHalf float64 `json:"cycles_half_interval"`
	// CyclesSystematic is the part of CyclesHalf for what skipping changes in the machine. It does not average out
	// over launches.
	CyclesSystematic float64            `json:"cycles_systematic"`
	Intervals        map[string]float64 `json:"half_intervals"`
	// Group is the number, from 1, of the group of similar launches from which a skipped launch was estimated.
	// Units is then the number of simulated launches of the group. GroupCyclesHalf is the half-width of the
	// interval of the summed cycles of all launches estimated from the group.
	Group           int     `json:"group,omitempty"`
	GroupCyclesHalf float64 `json:"group_cycles_half_interval,omitempty"`
	// Windows marks units as windows of time, with warps moved ahead between them. The interval does not include
	// the error of moving warps ahead.
	Windows bool `json:"windows,omitempty"`
}

// Sampling summarizes the sampling of a run.
type Sampling struct {
	Launches         int     // number of sampled launches
	Units            int     // of all launches
	WarpInstructions uint64  // simulated ones
	CyclesHalf       float64 // half of the 95 % confidence interval of all cycles
	CyclesSystematic float64 // the part of it that does not average out over launches
	Windows          bool    // in some launch the units are windows of time
}

// Sampling summarizes the sampling of the run. It returns nil if no launch was sampled. The errors of launches and
// of groups are assumed to be independent, except for their systematic parts, which add up.
func (r *Result) Sampling() *Sampling {
	var s Sampling
	squares := 0.0
	groups := map[int]int{} // places in halves
	var halves []float64    // of each launch or group, without the systematic part
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if !k.Sampled {
			s.WarpInstructions += k.WarpInstructions
			continue
		}
		s.Launches += k.Launched()
		s.WarpInstructions += k.Sample.WarpInstructions
		s.CyclesSystematic += k.Sample.CyclesSystematic
		half := k.Sample.CyclesHalf
		if g := k.Sample.Group; g > 0 {
			if at, has := groups[g]; has {
				halves[at] -= k.Sample.CyclesSystematic
				continue
			}
			groups[g], half = len(halves), k.Sample.GroupCyclesHalf
		}
		s.Units += k.Sample.Units
		s.Windows = s.Windows || k.Sample.Windows
		halves = append(halves, half-k.Sample.CyclesSystematic)
	}
	if s.Launches == 0 {
		return nil
	}
	for _, h := range halves {
		squares += h * h
	}
	s.CyclesHalf = math.Sqrt(squares) + s.CyclesSystematic
	return &s
}

// SM holds the counts of one SM in a launch.
type SM struct {
	SM                 int                `json:"sm"`
	WarpInstructions   uint64             `json:"warp_instructions"`
	ThreadInstructions uint64             `json:"thread_instructions"`
	IssueSlots         map[string]uint64  `json:"issue_slots"`
	CPIStack           map[string]float64 `json:"cpi_stack"`
}

// SetCPI computes the CPI stack from the counts.
func (s *SM) SetCPI() { s.CPIStack = cpi(s.IssueSlots, s.WarpInstructions) }

// cpi returns the issue slots by reason, divided by n instructions; empty if n is 0.
func cpi(slots map[string]uint64, n uint64) map[string]float64 {
	out := map[string]float64{}
	if n > 0 {
		for reason, s := range slots {
			out[reason] = float64(s) / float64(n)
		}
	}
	return out
}

// Total is the sum over the launches. IPC is computed from the sums, and CTAsResidentMax is the maximum.
type Total struct{ Counts }

// Expect is one comparison of the program's output with the expected output.
type Expect struct {
	Buffer      string  `json:"buffer"`
	OK          bool    `json:"ok"`
	Mismatches  int     `json:"mismatches"`
	MaxAbsError float64 `json:"max_abs_error"`
}

// Issued is the key of the used slots among the issue slots.
const Issued = "issued"

// SetCPI computes the CPI stack from the counts.
func (c *Counts) SetCPI() { c.CPIStack = cpi(c.IssueSlots, c.WarpInstructions) }

// SetIPC computes IPC and the CPI stack from the counts.
func (c *Counts) SetIPC() {
	c.SetCPI()
	c.IPC = 0
	if c.Cycles > 0 {
		c.IPC = float64(c.ThreadInstructions) / float64(c.Cycles)
	}
}

// Sum adds up launches.
func Sum(kernels []Kernel) Total {
	t := Total{Counts{IssueSlots: map[string]uint64{}, WarpStates: map[string]uint64{},
		Distributions: map[string][]stats.Bucket{}, Stats: map[string]uint64{}}}
	for i := range kernels {
		t.Counts.Add(&kernels[i].Counts)
	}
	t.SetIPC()
	return t
}

// merge adds up two distributions.
func merge(a, b []stats.Bucket) []stats.Bucket {
	sum := map[uint64]stats.Bucket{}
	for _, list := range [][]stats.Bucket{a, b} {
		for _, x := range list {
			x.Count += sum[x.From].Count
			sum[x.From] = x
		}
	}
	out := []stats.Bucket{}
	for _, from := range slices.Sorted(maps.Keys(sum)) {
		out = append(out, sum[from])
	}
	return out
}

// Finish computes the totals and, from the wall-clock seconds of the run, the speed.
func (r *Result) Finish(wallSeconds float64) {
	if r.Kernels == nil {
		r.Kernels = []Kernel{}
	}
	if r.Expect == nil {
		r.Expect = []Expect{}
	}
	if r.Storage == nil {
		r.Storage = []regfile.State{}
	}
	r.Total = Sum(r.Kernels)
	r.WallSeconds = wallSeconds
	if wallSeconds > 0 {
		r.WarpInstructionsPerSecond = float64(r.Total.WarpInstructions) / wallSeconds
	}
}

// Perturbed holds further runs of a program under perturbations of conditions determined neither by the program nor
// by the design (section perturb of a GPU's parameters).
type Perturbed struct {
	Cycles []uint64  `json:"cycles"` // of perturbation 1, 2, ...
	IPC    []float64 `json:"ipc"`
	// The intervals extend from the minimum to the maximum, including the plain run.
	CyclesInterval [2]uint64  `json:"cycles_interval"`
	IPCInterval    [2]float64 `json:"ipc_interval"`
	// Underfilled is the number of launches with less than one full wave of CTAs. In such a launch an SM with an
	// early start receives CTAs of other SMs in the plain run, so the intervals include more than variations in
	// time.
	Underfilled int `json:"underfilled_launches"`
}

// Perturb adds the run of one more perturbation to a plain run.
func (r *Result) Perturb(t *Total) {
	if r.Perturbed == nil {
		r.Perturbed = &Perturbed{CyclesInterval: [2]uint64{r.Total.Cycles, r.Total.Cycles},
			IPCInterval: [2]float64{r.Total.IPC, r.Total.IPC}}
	}
	p := r.Perturbed
	p.Cycles, p.IPC = append(p.Cycles, t.Cycles), append(p.IPC, t.IPC)
	p.CyclesInterval = [2]uint64{min(p.CyclesInterval[0], t.Cycles), max(p.CyclesInterval[1], t.Cycles)}
	p.IPCInterval = [2]float64{min(p.IPCInterval[0], t.IPC), max(p.IPCInterval[1], t.IPC)}
}
