// Package result is what a run reports: the keys of the JSON document that
// `kumiko run --json` writes, and how they add up.
package result

// Result is a run of a program on a GPU. Everything but the two wall-clock
// figures is a function of the inputs alone.
type Result struct {
	Version    string `json:"version"`
	GPU        string `json:"gpu"`
	Design     string `json:"design"`
	Program    string `json:"program"`
	ConfigHash string `json:"config_hash"` // SHA-256 of the configuration's canonical form
	// ProgramHash is the SHA-256 of the program's files and arguments.
	ProgramHash string `json:"program_hash"`
	// Seed is the seed of the program's generated input, where it has one.
	Seed     uint64   `json:"seed"`
	Complete bool     `json:"complete"`
	Kernels  []Kernel `json:"kernels"`
	Total    Total    `json:"total"`
	Expect   []Expect `json:"expect"`
	// Config has every parameter of the GPU by key.
	Config map[string]any `json:"config"`

	WallSeconds               float64 `json:"wall_seconds"`
	WarpInstructionsPerSecond float64 `json:"warp_instructions_per_second"`
}

// Counts is what a launch and the whole run have in common.
type Counts struct {
	// Cycles are core cycles from launch to the retirement of the last CTA.
	Cycles           uint64 `json:"cycles"`
	WarpInstructions uint64 `json:"warp_instructions"`
	// ThreadInstructions are the lanes whose guard is true, summed over the
	// executed warp instructions.
	ThreadInstructions uint64 `json:"thread_instructions"`
	// IPC is thread instructions per cycle over the whole GPU.
	IPC float64 `json:"ipc"`
	// CTAsResidentMax is the most CTAs that one SM held at once.
	CTAsResidentMax int `json:"ctas_resident_max"`
	// IssueSlots has the slots that issued and, by reason, those that did not;
	// they sum to cycles x SMs x schedulers x issue width.
	IssueSlots map[string]uint64 `json:"issue_slots"`
	// Stats are the values of the machine's statistics (`kumiko list stats`).
	Stats map[string]uint64 `json:"stats"`
}

// Kernel is one launch.
type Kernel struct {
	Name               string `json:"name"`
	Grid               [3]int `json:"grid"`  // CTAs
	Block              [3]int `json:"block"` // threads
	RegistersPerThread int    `json:"registers_per_thread"`
	SharedBytes        int    `json:"shared_bytes"` // per CTA, static and dynamic
	Counts
	// Complete is false when the launch was cut short.
	Complete bool `json:"complete"`
}

// Total is the sum over the launches; IPC is that of the sums and
// CTAsResidentMax the maximum.
type Total struct{ Counts }

// Expect is one comparison of the program's output with what was expected.
type Expect struct {
	Buffer      string  `json:"buffer"`
	OK          bool    `json:"ok"`
	Mismatches  int     `json:"mismatches"`
	MaxAbsError float64 `json:"max_abs_error"`
}

// Issued is the key of the used slots among the issue slots.
const Issued = "issued"

// SetIPC works out IPC from the counts.
func (c *Counts) SetIPC() {
	c.IPC = 0
	if c.Cycles > 0 {
		c.IPC = float64(c.ThreadInstructions) / float64(c.Cycles)
	}
}

// Sum adds up launches.
func Sum(kernels []Kernel) Total {
	t := Total{Counts{IssueSlots: map[string]uint64{}, Stats: map[string]uint64{}}}
	for i := range kernels {
		k := &kernels[i]
		t.Cycles += k.Cycles
		t.WarpInstructions += k.WarpInstructions
		t.ThreadInstructions += k.ThreadInstructions
		t.CTAsResidentMax = max(t.CTAsResidentMax, k.CTAsResidentMax)
		for name, n := range k.IssueSlots {
			t.IssueSlots[name] += n
		}
		for name, n := range k.Stats {
			t.Stats[name] += n
		}
	}
	t.SetIPC()
	return t
}

// Finish fills the totals and, given the seconds that the run took, the speed.
func (r *Result) Finish(wallSeconds float64) {
	if r.Kernels == nil {
		r.Kernels = []Kernel{}
	}
	if r.Expect == nil {
		r.Expect = []Expect{}
	}
	r.Total = Sum(r.Kernels)
	r.WallSeconds = wallSeconds
	if wallSeconds > 0 {
		r.WarpInstructionsPerSecond = float64(r.Total.WarpInstructions) / wallSeconds
	}
}
