package fetch

import (
	"kumiko/kernel/ir"
	"kumiko/sm/switching"
)

// Spec configures instruction supply.
type Spec struct {
	Width        int        `toml:"width" unit:"fetches per cycle" range:"1 to 64" doc:"warps for which instructions are fetched in a cycle"`
	Instructions int        `toml:"instructions" unit:"instructions per fetch" range:"1 to 8" doc:"consecutive instructions that one fetch brings"`
	Buffer       int        `toml:"buffer" unit:"instructions per warp" range:"1 to 8" doc:"entries of a warp's instruction buffer"`
	Latency      int        `toml:"latency" unit:"cycles" range:"1 to 64" doc:"from fetch to the instruction buffer: instruction cache hit and decode"`
	Bytes        int        `toml:"instruction_bytes" unit:"bytes" range:"1 to 64" doc:"size of an instruction in memory"`
	Policy       string     `toml:"policy" unit:"-" doc:"whose instructions are fetched, of the warps with room in their buffers. round-robin: those in turn. follow: for each scheduler, the warp that has issued last, then the youngest"`
	Refill       string     `toml:"refill" unit:"-" doc:"when a warp's buffer is filled again. room: as soon as an entry is free. empty: when all are"`
	ICache       ICacheSpec `toml:"icache"`
	L0           L0Spec     `toml:"l0" when:"/sm.fetch.icache.perfect=false"`
	Resolve      string     `toml:"resolve" unit:"-" doc:"the stage that resolves a branch: issue or execute. Fetch goes on after it"`
}

// Stale returns the most messages in flight to a scheduler for warps that have lost their slots. The scheduler
// drops these messages.
func (s *Spec) Stale(x *switching.Spec) int {
	if !x.On() {
		return 0
	}
	return (s.Latency + 2) * s.Width * s.Instructions
}

// Under returns the most requests of sub-cores in flight to the SM's instruction cache.
func (s *Spec) Under(schedulers int) int {
	return schedulers*(s.L0.Misses+s.L0.Stream) + 2*s.L0.Latency
}

// Apart reports whether sub-cores have instruction caches of their own.
func (s *Spec) Apart() bool { return !s.ICache.Perfect && s.L0.Lines > 0 }

// Values of Spec.Policy: the choice of the warps to fetch for.
const (
	InTurn = "round-robin"
	Follow = "follow"
)

// AtUnit returns a bit for each class of instructions whose resolution fetch learns from an execution unit. For the
// others fetch learns it from the scheduler.
func AtUnit(f *Spec) uint64 {
	if f.Resolve == "execute" {
		return 1 << ir.ClassBranch
	}
	return 0
}
