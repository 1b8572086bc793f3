package result

// Blocks are the register banks and operand crossbars of a machine and what they
// did over the whole run.
type Blocks struct {
	Banks     []Bank     `json:"banks"`
	Crossbars []Crossbar `json:"crossbars"`
}

// Bank is one register bank, or a group of narrow ones that step together.
type Bank struct {
	Name           string `json:"name"`
	SM             int    `json:"sm"`
	Reads          uint64 `json:"reads"`           // warp registers
	Writes         uint64 `json:"writes"`          // warp registers
	ReadConflicts  uint64 `json:"read_conflicts"`  // request-cycles
	WriteConflicts uint64 `json:"write_conflicts"` // request-cycles
	// Queued is the mean number of requests that wait for the bank: its conflict
	// cycles over the cycles.
	Queued float64 `json:"queued"`
}

// Crossbar is one operand crossbar, or one router of an operand network.
type Crossbar struct {
	Name      string `json:"name"`
	SM        int    `json:"sm"`
	Transfers uint64 `json:"transfers"` // warp registers handed to collectors
	// Hops are the warp registers sent on to other routers.
	Hops      uint64 `json:"hops,omitempty"`
	Conflicts uint64 `json:"conflicts"` // value-cycles
	// Queued is the mean number of values at the heads of inputs that wait for a
	// path: its conflict cycles over the cycles.
	Queued float64 `json:"queued"`
}
