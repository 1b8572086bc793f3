package sched

import (
	"strings"

	"kumiko/components/spec"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/sm/sched/policy"
	"kumiko/sm/sched/twolevel"
)

// Spec configures the choice among ready warps.
type Spec struct {
	Policy string `toml:"policy" unit:"-" doc:"which warp issues. lrr: loose round robin. greedy: the last one, then round robin. gto: greedy, then oldest. cggty: greedy, then youngest. oldest: the oldest warp. two-level: the inner policy among the active warps. fetch-group: round robin in the current group"`

	Dependences string `toml:"dependences" unit:"-" doc:"what keeps an instruction from issuing before its operands are there. scoreboard: the hardware compares registers. control: the program's control words, with stall counts, yield flags and six dependence counters for each warp; every instruction needs one"`
	Pairs       bool   `toml:"pairs" unit:"-" doc:"control: an instruction of fixed latency with a stall count of 0 issues in the cycle of the next one of its warp, if that is a memory instruction, a conversion, a special function, a branch or a barrier, goes to a unit of another kind, and not both have an operand from the constant bank. The scheduler then has two issue slots per cycle" when:"dependences=control"`

	Active           int    `toml:"active" unit:"warps" doc:"two-level: warps of an SM in the active set, a multiple of the schedulers" when:"policy=two-level"`
	Inner            string `toml:"inner" unit:"-" doc:"two-level: the policy among the active warps: lrr, greedy, gto, cggty or oldest" when:"policy=two-level"`
	SuspendOn        string `toml:"suspend_on" unit:"-" doc:"two-level: the event that suspends a warp. use: the first use of a result of a long-latency operation. miss: a load that misses the L1 or the texture cache, until none of the warp's loads is outstanding. missed-use: as use, once a load of the warp has missed and is outstanding" when:"policy=two-level"`
	SuspendReady     bool   `toml:"suspend_ready" unit:"-" doc:"two-level: an instruction that uses a result of a long-latency operation suspends its warp even if the result is there" when:"policy=two-level,suspend_on=use"`
	SuspendAtBarrier bool   `toml:"suspend_at_barrier" unit:"-" doc:"two-level: true: a warp at a barrier is suspended. false: only if every active warp is at a barrier" when:"policy=two-level"`
	SuspendAfter     int    `toml:"suspend_after" unit:"cycles" doc:"two-level: a warp that has not issued for this long is suspended. 0: never for that reason" when:"policy=two-level"`

	Group int `toml:"group" unit:"warps" doc:"fetch-group: warps of a scheduler that form a group" when:"policy=fetch-group"`
}

// FenceSpec has the times of fences by their scope.
type FenceSpec struct {
	CTA    int `toml:"cta" unit:"cycles" range:"0 to 1000000" doc:"from the issue of a fence of the CTA, before which the warp's memory operations are done, to the warp's next instruction. 0: what the control word says"`
	GPU    int `toml:"gpu" unit:"cycles" range:"0 to 1000000" doc:"the same of a fence of the GPU"`
	System int `toml:"system" unit:"cycles" range:"0 to 1000000" doc:"the same of a fence of the system"`
}

// cycles returns the number of cycles that a fence takes, by the scope in its instruction.
func (s *FenceSpec) cycles(scope ir.Scope) uint64 {
	return uint64([ir.NumScopes]int{ir.ScopeGPU: s.GPU, ir.ScopeCTA: s.CTA, ir.ScopeSystem: s.System}[scope])
}

// Ways of tracking dependences (Spec.Dependences).
const (
	byScoreboard = "scoreboard"
	ByControl    = "control"
)

// Names of policies choosing among some of the warps.
const (
	TwoLevel   = "two-level"
	FetchGroup = "fetch-group"
)

// Events suspending a warp of a two-level scheduler (Spec.SuspendOn).
const (
	onUse       = "use"
	onMiss      = "miss"
	onMissedUse = "missed-use"
)

// Controlled reports whether instructions issue by their control words.
func (s *Spec) Controlled() bool { return s.Dependences == ByControl }

// Paired reports whether control words can pair two instructions for issue in one cycle.
func (s *Spec) Paired() bool { return s.Controlled() && s.Pairs }

// Limits reports whether the schedulers choose among some of their warps.
func (s *Spec) Limits() bool { return s.Policy == TwoLevel || s.Policy == FetchGroup }

// policy returns the policy of one scheduler.
func (s *Spec) policy() policy.Policy {
	switch s.Policy {
	case TwoLevel:
		return policy.New(s.Inner)
	case FetchGroup:
		return policy.NewFetchGroups(s.Group)
	}
	return policy.New(s.Policy)
}

// oneOf returns names with commas and an "or" between them.
func oneOf(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Check returns an error for unknown policies, and for sizes impossible for a scheduler of the SM.
func (s *Spec) Check(schedulers, warps int) error {
	if !s.Limits() && policy.New(s.Policy) == nil {
		return spec.Elsewhere("sched.policy", s.Policy, "%s", oneOf(append(policy.Names(), TwoLevel, FetchGroup)))
	}
	switch {
	case s.Dependences != "" && s.Dependences != byScoreboard && s.Dependences != ByControl:
		return spec.Elsewhere("sched.dependences", s.Dependences, "scoreboard or control")
	case s.Dependences == ByControl && s.Limits():
		return spec.Elsewhere("sched.policy", s.Policy,
			"with dependences = control, a policy that chooses among all warps")
	}
	if policy.New(s.Inner) == nil && (s.Inner != "" || s.Policy == TwoLevel) {
		return spec.Elsewhere("sched.inner", s.Inner, "%s", oneOf(policy.Names()))
	}
	if most := (warps + schedulers - 1) / schedulers * schedulers; s.Policy == TwoLevel &&
		(s.Active < schedulers || s.Active > most || s.Active%schedulers != 0) {
		return spec.Elsewhere("sched.active", s.Active, "a multiple of the %d schedulers, %d to %d", schedulers,
			schedulers, most)
	}
	if o := s.SuspendOn; o != "" && o != onUse && o != onMiss && o != onMissedUse {
		return spec.Elsewhere("sched.suspend_on", o, "use, miss or missed-use")
	}
	if s.SuspendAfter < 0 || s.SuspendAfter > 1_000_000 {
		return spec.Elsewhere("sched.suspend_after", s.SuspendAfter, "0 (off) to 1000000")
	}
	if s.Policy == FetchGroup && (s.Group < 1 || s.Group > 64) {
		return spec.Elsewhere("sched.group", s.Group, "1 to 64")
	}
	return nil
}

// WantsMisses reports whether the scheduler needs notes of loads missing the L1.
func (s *Spec) WantsMisses() bool { return s.Policy == TwoLevel && s.event() != twolevel.Use }

// event returns the event suspending a warp that waits for memory.
func (s *Spec) event() twolevel.Event {
	switch s.SuspendOn {
	case onMiss:
		return twolevel.Miss
	case onMissedUse:
		return twolevel.MissedUse
	}
	return twolevel.Use
}

// rules returns the rules of one scheduler's active set.
func (s *Spec) rules(schedulers int) twolevel.Rules {
	return twolevel.Rules{Places: s.Active / schedulers, SuspendReady: s.SuspendReady, On: s.event(),
		AtBarrier: s.SuspendAtBarrier, After: wire.Cycle(s.SuspendAfter)}
}
