package switching

import "kumiko/components/spec"

// Ways of switching.
const (
	None          = "none"
	VirtualThread = "virtual-thread"
)

// Spec configures the switching of CTAs.
type Spec struct {
	Switching    string `toml:"switching" unit:"-" doc:"none (a CTA keeps its scheduler slots until it ends) or virtual-thread (a CTA whose warps all wait for memory gives them to another one; registers stay where they are); others go with kinds of register files that move registers"`
	Observe      bool   `toml:"observe" unit:"-" doc:"without switching, measure when CTAs could be switched: the cycles from a CTA's first issue to its first complete stall; no cycle depends on it" when:"switching=none"`
	ContextBytes int    `toml:"context_bytes" unit:"bytes per warp" doc:"program counter, stack and predicates of a warp, which go through shared memory when its CTA is switched, each way" when:"switching!=none"`
	PreferNew    bool   `toml:"prefer_new" unit:"-" doc:"a new CTA comes before one that is resident and could go on; otherwise only where there is none of these" when:"switching!=none"`
}

// On reports whether CTAs are switched.
func (s *Spec) On() bool { return s.Switching != None && s.Switching != "" }

// Present reports whether an SM has the block.
func (s *Spec) Present() bool { return s.On() || s.Observe }

// Check refuses settings that cannot be built. The GPU knows the ways of switching.
func (s *Spec) Check() error { return spec.InRange("context_bytes", s.ContextBytes, 0, 1<<16) }
