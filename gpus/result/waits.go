package result

import (
	"fmt"

	"kumiko/kernel/launch"
)

// Waits are the operand waits of one SM by instruction, a profile in short.
type Waits struct {
	SM   int    `json:"sm"`
	From uint64 `json:"from"` // core cycle
	To   uint64 `json:"to"`
	// Instructions come with the longest waits first.
	Instructions []InstructionWaits `json:"instructions"`
	// Registers are the pairs of registers that conflicted, the longest first.
	Registers []RegisterWaits `json:"registers"`
}

// InstructionWaits are the core cycles that operands of an instruction waited, summed over its issues.
type InstructionWaits struct {
	Kernel   string `json:"kernel"`
	PC       uint32 `json:"pc"`
	Text     string `json:"text"`
	Issues   uint64 `json:"issues"`
	Bank     uint64 `json:"bank_wait"`  // of sources, for a register bank
	Write    uint64 `json:"write_wait"` // of results, for a register bank
	Crossbar uint64 `json:"crossbar_wait"`
}

// Name names the instruction in the program.
func (i *InstructionWaits) Name() string {
	return fmt.Sprintf("%s, pc %d: %s", launch.Shown(i.Kernel), i.PC, i.Text)
}

// PerIssue returns the cycles of all waits of one issue.
func (i *InstructionWaits) PerIssue() float64 {
	return float64(i.Bank+i.Write+i.Crossbar) / float64(max(i.Issues, 1))
}

// RegisterWaits are the core cycles in which a register waited for a bank that an access to another one held.
type RegisterWaits struct {
	Waiting string `json:"waiting"`
	Holding string `json:"holding"`
	Cycles  uint64 `json:"cycles"`
}

// Name names both registers.
func (r *RegisterWaits) Name() string { return r.Waiting + " behind " + r.Holding }

// Issues returns the issued warp instructions that were recorded.
func (w *Waits) Issues() (n uint64) {
	for i := range w.Instructions {
		n += w.Instructions[i].Issues
	}
	return n
}

// PerIssue returns the cycles waited per issue of any instruction, by what was waited for.
func (w *Waits) PerIssue() map[string]float64 {
	issues, out := float64(max(w.Issues(), 1)), map[string]float64{}
	for i := range w.Instructions {
		x := &w.Instructions[i]
		out["operands, for banks"] += float64(x.Bank) / issues
		out["results, for banks"] += float64(x.Write) / issues
		out["operands, for the crossbar"] += float64(x.Crossbar) / issues
	}
	return out
}
