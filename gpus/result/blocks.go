package result

import "strings"

// Blocks are the register banks and operand crossbars of a machine, with their activity over the whole run.
type Blocks struct {
	Banks     []Bank     `json:"banks"`
	Crossbars []Crossbar `json:"crossbars"`
}

// Bank is one register bank, or a group of narrow banks operating in lockstep.
type Bank struct {
	Name           string `json:"name"`
	SM             int    `json:"sm"`
	Reads          uint64 `json:"reads"`           // warp registers
	Writes         uint64 `json:"writes"`          // warp registers
	ReadConflicts  uint64 `json:"read_conflicts"`  // request-cycles
	WriteConflicts uint64 `json:"write_conflicts"` // request-cycles
	// Queued is the mean number of requests waiting for the bank: its conflict cycles divided by the cycles.
	Queued float64 `json:"queued"`
}

// Crossbar is one operand crossbar, or one router of an operand network.
type Crossbar struct {
	Name      string `json:"name"`
	SM        int    `json:"sm"`
	Transfers uint64 `json:"transfers"` // warp registers handed to collectors
	// Hops is the number of warp registers forwarded to other routers.
	Hops      uint64 `json:"hops,omitempty"`
	Conflicts uint64 `json:"conflicts"` // value-cycles
	// Queued is the mean number of values waiting for a path at the heads of inputs: the conflict cycles divided by
	// the cycles.
	Queued float64 `json:"queued"`
}

// ConflictsOfBanks returns the conflicts of banks in request-cycles, by their names without the SM's number, summed
// over the SMs.
func (b *Blocks) ConflictsOfBanks() map[string]uint64 {
	out := map[string]uint64{}
	for i := range b.Banks {
		x := &b.Banks[i]
		name := x.Name
		if _, rest, ok := strings.Cut(name, "]."); ok {
			name = rest
		}
		out[name] += x.ReadConflicts + x.WriteConflicts
	}
	return out
}

// Add adds the activity of the same blocks in another run.
func (b *Blocks) Add(more *Blocks) {
	if b.Banks == nil {
		b.Banks, b.Crossbars = []Bank{}, []Crossbar{}
	}
	for i := range more.Banks {
		x := &more.Banks[i]
		if i == len(b.Banks) {
			b.Banks = append(b.Banks, Bank{Name: x.Name, SM: x.SM})
		}
		to := &b.Banks[i]
		to.Reads += x.Reads
		to.Writes += x.Writes
		to.ReadConflicts += x.ReadConflicts
		to.WriteConflicts += x.WriteConflicts
	}
	for i := range more.Crossbars {
		x := &more.Crossbars[i]
		if i == len(b.Crossbars) {
			b.Crossbars = append(b.Crossbars, Crossbar{Name: x.Name, SM: x.SM})
		}
		to := &b.Crossbars[i]
		to.Transfers += x.Transfers
		to.Hops += x.Hops
		to.Conflicts += x.Conflicts
	}
}

// Over computes the means over the given number of cycles.
func (b *Blocks) Over(cycles uint64) {
	if cycles == 0 {
		return
	}
	for i := range b.Banks {
		x := &b.Banks[i]
		x.Queued = float64(x.ReadConflicts+x.WriteConflicts) / float64(cycles)
	}
	for i := range b.Crossbars {
		x := &b.Crossbars[i]
		x.Queued = float64(x.Conflicts) / float64(cycles)
	}
}
