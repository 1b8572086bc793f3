package switching

import "kumiko/components/spec"

// Ways of switching.
const (
	None          = "none"
	VirtualThread = "virtual-thread"
)

// Spec configures the switching of CTAs.
type Spec struct {
	Switching    string `toml:"switching" unit:"-" doc:"none: a CTA keeps its scheduler slots until it ends. virtual-thread: a CTA whose warps all wait for memory gives its slots to another CTA, and its registers stay where they are. Other values belong to register files that move registers"`
	Observe      bool   `toml:"observe" unit:"-" doc:"without switching, measures when CTAs could be switched: the cycles from a CTA's first issue to its first complete stall. The timing does not change" when:"switching=none"`
	ContextBytes int    `toml:"context_bytes" unit:"bytes per warp" range:"0 to 65536" doc:"size of a warp's program counter, stack and predicates. They go through shared memory, each way, when the warp's CTA is switched" when:"switching!=none"`
	Switches     int    `toml:"switches" unit:"switches" range:"0 to 1024" doc:"switches of an SM that may be under way at once. One CTA at a time is taken from its slots, and registers are moved for one switch at a time. 0: no bound but the number of CTAs, whose places the CTA status monitor keeps one by one (FineReg, section V.B)" when:"switching!=none"`
	Drained      bool   `toml:"drained" unit:"-" doc:"true: a CTA whose warps have all issued their last instruction and wait for their stores gives up its slots too, because nothing of it can issue any more. false: it keeps them until it ends, as a CTA does without switching" when:"switching!=none"`
	PreferNew    bool   `toml:"prefer_new" unit:"-" doc:"true: a new CTA comes in before a resident one that could go on. false: a new CTA comes in only where no resident one could go on" when:"switching!=none"`
}

// On reports whether CTAs are switched.
func (s *Spec) On() bool { return s.Switching != None && s.Switching != "" }

// Present reports whether an SM has the block.
func (s *Spec) Present() bool { return s.On() || s.Observe }

// Check returns an error for settings outside their ranges. The GPU checks the way of switching.
func (s *Spec) Check() error { return spec.Ranges(s) }
