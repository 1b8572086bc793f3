package result

import (
	"cmp"
	"slices"
)

// Beside is one of several launches that ran side by side, in streams. Their row (Kernel) has the counts of all.
type Beside struct {
	Name               string `json:"name"`
	Stream             int    `json:"stream"` // from 1
	Grid               [3]int `json:"grid"`
	Block              [3]int `json:"block"`
	RegistersPerThread int    `json:"registers_per_thread"`
	SharedBytes        int    `json:"shared_bytes"`
	// Ready, Begin and End are cycles of the row: when nothing kept the launch waiting any more, when its first CTA
	// was given to an SM, and when its last one had retired.
	Ready uint64 `json:"ready"`
	Begin uint64 `json:"begin"`
	End   uint64 `json:"end"`
	// Overlap counts the cycles from Begin to End in which at least one other launch was running too.
	Overlap            uint64 `json:"overlap"`
	WarpInstructions   uint64 `json:"warp_instructions"`
	ThreadInstructions uint64 `json:"thread_instructions"`
	// IssueSlots are the slots of the launch's warps: the used ones, and those lost to the states that its warps are
	// in. A slot lost to warps of several launches is divided among them. Slots without a warp belong to no launch.
	IssueSlots map[string]float64 `json:"issue_slots"`
	// CPIStack are the issue slots per warp instruction.
	CPIStack map[string]float64 `json:"cpi_stack"`
	// Between has what this launch suffered in memory from each other one, in the order of the launches.
	Between []Between `json:"between,omitempty"`
}

// Between is what a launch suffered in memory from another one.
type Between struct {
	Launch int    `json:"launch"` // the other one, its index in the list
	Name   string `json:"name"`   // of its kernel
	// LinesLost are lines of this launch that left a first-level cache or a texture cache for a line of the other.
	LinesLost uint64 `json:"lines_lost"`
	// RowConflicts are reads of this launch that had to close a DRAM row opened for a read of the other.
	RowConflicts uint64 `json:"row_conflicts"`
}

// Against returns what the launch suffered from another one.
func (b *Beside) Against(launch int) *Between {
	i := slices.IndexFunc(b.Between, func(x Between) bool { return x.Launch == launch })
	if i < 0 {
		i = len(b.Between)
		b.Between = append(b.Between, Between{Launch: launch})
	}
	return &b.Between[i]
}

// SortBetween puts the other launches into their order.
func (b *Beside) SortBetween() {
	slices.SortFunc(b.Between, func(x, y Between) int { return cmp.Compare(x.Launch, y.Launch) })
}

// SetCPI computes the CPI stack from the counts.
func (b *Beside) SetCPI() {
	b.CPIStack = map[string]float64{}
	if b.WarpInstructions == 0 {
		return
	}
	for reason, n := range b.IssueSlots {
		b.CPIStack[reason] = n / float64(b.WarpInstructions)
	}
}

// SetOverlaps computes the overlap of each launch with the others: its own time less that in which it is alone.
func SetOverlaps(list []Beside) {
	type edge struct {
		at    uint64
		open  bool
		index int
	}
	var edges []edge
	for i := range list {
		b := &list[i]
		b.Overlap = b.End - min(b.Begin, b.End)
		if b.Overlap > 0 {
			edges = append(edges, edge{b.Begin, true, i}, edge{b.End, false, i})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	open, sum := 0, 0 // launches between their edges, and the sum of their indices
	for n, e := range edges {
		if n > 0 && open == 1 {
			list[sum].Overlap -= e.at - edges[n-1].at
		}
		if e.open {
			open, sum = open+1, sum+e.index
		} else {
			open, sum = open-1, sum-e.index
		}
	}
}
