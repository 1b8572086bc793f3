package sm

import (
	"fmt"
	"slices"
	"strings"

	"kumiko/components/spec"
	"kumiko/kernel/ir"
	"kumiko/sm/memqueue"
	"kumiko/sm/switching"
)

// Spec is the configuration of one streaming multiprocessor, its register file
// and its memory side apart.
type Spec struct {
	Count      int  `toml:"count" unit:"SMs" doc:"streaming multiprocessors of the chip"`
	ClockMHz   int  `toml:"clock_mhz" unit:"MHz" doc:"core clock"`
	Schedulers int  `toml:"schedulers" unit:"schedulers" doc:"warp schedulers of an SM. Warp context w belongs to scheduler w mod schedulers"`
	IssueWidth int  `toml:"issue_width" unit:"instructions per cycle" doc:"instructions that a scheduler may issue per cycle, all from one warp"`
	IssueApart bool `toml:"issue_different_units" unit:"-" doc:"with issue_width 2, both instructions of a cycle go to units of different kinds. An instruction that occupies no unit goes with any"`

	Warps       int `toml:"warps" unit:"warps" doc:"warp contexts of an SM: the most warps that may be resident"`
	Threads     int `toml:"threads" unit:"threads" doc:"most resident threads of an SM"`
	CTAs        int `toml:"ctas" unit:"CTAs" doc:"most resident CTAs of an SM"`
	Registers   int `toml:"registers" unit:"32-bit registers" doc:"register file capacity of an SM"`
	SharedBytes int `toml:"shared_bytes" unit:"bytes" doc:"shared memory of an SM"`
	// Contexts and ResidentCTAs are how many warps and CTAs may be resident where CTAs
	// are switched. Elsewhere there are as many as slots for them (Warps, CTAs).
	Contexts     int `toml:"contexts" unit:"warps" doc:"where CTAs are switched, the most warps that may be resident, with scheduler slots (sm.warps) or without. 0: 512" when:"/cta.switching!=none"`
	ResidentCTAs int `toml:"resident_ctas" unit:"CTAs" doc:"where CTAs are switched, the most CTAs that may be resident, with scheduler slots (sm.ctas) or without. 0: 128" when:"/cta.switching!=none"`
	CTAShared    int `toml:"cta_shared_bytes" unit:"bytes" doc:"most shared memory of one CTA. 0: all of the SM's"`
	MaxRegs      int `toml:"max_registers_per_thread" unit:"registers" doc:"most registers of a thread"`

	Fetch     FetchSpec           `toml:"fetch"`
	Scheduler SchedulerSpec       `toml:"-"` // the section [sched] of a GPU file
	Switch    switching.Spec      `toml:"-"` // the section [cta] of a GPU file
	Units     map[string]UnitSpec `toml:"units" doc:"execution units by name"`
	Writeback int                 `toml:"writeback_ports" unit:"results per cycle" doc:"results that reach the register file per cycle, for each sub-core, or for the SM where the register file is not divided"`
	LSU       LSUSpec             `toml:"lsu"`
	Queues    memqueue.Spec       `toml:"memory_queue"`
	Constants ConstantSpec        `toml:"constant_cache"`
	Fences    FenceSpec           `toml:"fence" when:"/sched.dependences=control"`
}

// mostFence bounds the time of a fence.
const mostFence = 1_000_000

// FenceSpec has the times of fences by their scope.
type FenceSpec struct {
	CTA    int `toml:"cta" unit:"cycles" doc:"from the issue of a fence of the CTA, before which the warp's memory operations are done, to the warp's next instruction. 0: what the control word says"`
	GPU    int `toml:"gpu" unit:"cycles" doc:"the same of a fence of the GPU"`
	System int `toml:"system" unit:"cycles" doc:"the same of a fence of the system"`
}

// of is the time of a fence of a scope.
func (s *FenceSpec) of(scope ir.Scope) uint64 {
	return uint64([ir.NumScopes]int{ir.ScopeGPU: s.GPU, ir.ScopeCTA: s.CTA, ir.ScopeSystem: s.System}[scope])
}

// FetchSpec configures instruction supply.
type FetchSpec struct {
	Width        int        `toml:"width" unit:"fetches per cycle" doc:"warps for which instructions are fetched in a cycle"`
	Instructions int        `toml:"instructions" unit:"instructions per fetch" doc:"consecutive instructions that one fetch brings"`
	Buffer       int        `toml:"buffer" unit:"instructions per warp" doc:"entries of a warp's instruction buffer"`
	Latency      int        `toml:"latency" unit:"cycles" doc:"from fetch to the instruction buffer: instruction cache hit and decode"`
	Bytes        int        `toml:"instruction_bytes" unit:"bytes" doc:"size of an instruction in memory"`
	Policy       string     `toml:"policy" unit:"-" doc:"whose instructions are fetched, of the warps with room in their buffers. round-robin: those in turn. follow: for each scheduler, the warp that has issued last, then the youngest"`
	Refill       string     `toml:"refill" unit:"-" doc:"when a warp's buffer is filled again. room: as soon as an entry is free. empty: when all are"`
	ICache       ICacheSpec `toml:"icache"`
	L0           L0Spec     `toml:"l0" when:"/sm.fetch.icache.perfect=false"`
	Resolve      string     `toml:"resolve" unit:"-" doc:"the stage that resolves a branch: issue or execute. Fetch goes on after it"`
}

// SchedulerSpec configures the choice among ready warps.
type SchedulerSpec struct {
	Policy string `toml:"policy" unit:"-" doc:"which warp issues. lrr: loose round robin. greedy: the last one, then round robin. gto: greedy, then oldest. cggty: greedy, then youngest. oldest: the oldest warp. two-level: the inner policy among the active warps. fetch-group: round robin in the current group"`

	Dependences string `toml:"dependences" unit:"-" doc:"what keeps an instruction from issuing before its operands are there. scoreboard: the hardware compares registers. control: the program's control words, with stall counts, yield flags and six dependence counters for each warp; every instruction needs one"`
	Pairs       bool   `toml:"pairs" unit:"-" doc:"control: an instruction of fixed latency with a stall count of 0 issues in the cycle of the next one of its warp, if that is a memory instruction, a conversion, a special function, a branch or a barrier, goes to a unit of another kind, and not both have an operand from the constant bank. The scheduler then has two issue slots per cycle" when:"dependences=control"`

	Active           int    `toml:"active" unit:"warps" doc:"two-level: warps of an SM in the active set, a multiple of the schedulers" when:"policy=two-level"`
	Inner            string `toml:"inner" unit:"-" doc:"two-level: the policy among the active warps: lrr, greedy, gto, cggty or oldest" when:"policy=two-level"`
	SuspendOn        string `toml:"suspend_on" unit:"-" doc:"two-level: the event that suspends a warp. use: the first use of a result of a long-latency operation. miss: a load that misses the L1 or the texture cache, until none of the warp's loads is outstanding" when:"policy=two-level"`
	SuspendReady     bool   `toml:"suspend_ready" unit:"-" doc:"two-level: an instruction that uses a result of a long-latency operation suspends its warp even if the result is there" when:"policy=two-level,suspend_on=use"`
	SuspendAtBarrier bool   `toml:"suspend_at_barrier" unit:"-" doc:"two-level: true: a warp at a barrier is suspended. false: only if every active warp is at a barrier" when:"policy=two-level"`
	SuspendAfter     int    `toml:"suspend_after" unit:"cycles" doc:"two-level: a warp that has not issued for this long is suspended. 0: never for that reason" when:"policy=two-level"`

	Group int `toml:"group" unit:"warps" doc:"fetch-group: warps of a scheduler that form a group" when:"policy=fetch-group"`
}

// UnitSpec is a kind of execution unit.
type UnitSpec struct {
	Count   int              `toml:"count" unit:"units" doc:"units of this kind per SM"`
	Shared  bool             `toml:"shared" unit:"-" doc:"every scheduler may use every unit of this kind. Otherwise unit u belongs to scheduler u mod schedulers"`
	Classes []string         `toml:"classes" unit:"-" doc:"timing classes that the unit executes"`
	Latency int              `toml:"latency" unit:"cycles" doc:"from entry to the arrival of the result at the register file, writeback stage included. The memory's own time comes on top of the load/store unit's latency: 2 is the link to the memory and the writeback stage, and each further cycle is a stage of the address path"`
	Initial int              `toml:"initiation" unit:"cycles" doc:"cycles between the entries of two operations"`
	Class   map[string][]int `toml:"class" unit:"cycles" doc:"latency and initiation interval of the timing classes that differ from the unit's"`
}

// LSUSpec configures the load/store unit.
type LSUSpec struct {
	Queue       int `toml:"queue" unit:"operations" doc:"operations that may wait between the register file and the load/store unit"`
	Outstanding int `toml:"outstanding" unit:"operations" doc:"warp memory instructions that may be between the load/store unit and their replies"`
}

// Width is how many issue slots a scheduler has per cycle.
func (s *Spec) Width() int {
	if s.Scheduler.Paired() {
		return 2
	}
	return s.IssueWidth
}

// Reconcile refuses settings that are impossible in hardware.
func (s *Spec) Reconcile() error {
	for _, c := range []struct {
		name  string
		v, lo int
		hi    int
	}{
		{"count", s.Count, 1, 1024}, {"clock_mhz", s.ClockMHz, 1, 100000},
		{"schedulers", s.Schedulers, 1, maxSchedulers},
		{"issue_width", s.IssueWidth, 1, 2}, {"warps", s.Warps, 1, MaxWarps},
		{"threads", s.Threads, 1, MaxWarps * lanes},
		{"ctas", s.CTAs, 1, 512}, {"registers", s.Registers, 32, 1 << 24}, {"shared_bytes", s.SharedBytes, 0, 1 << 24},
		{"cta_shared_bytes", s.CTAShared, 0, 1 << 24}, {"max_registers_per_thread", s.MaxRegs, 1, 255},
		{"fetch.width", s.Fetch.Width, 1, 64}, {"fetch.instructions", s.Fetch.Instructions, 1, 8},
		{"fetch.buffer", s.Fetch.Buffer, 1, 8}, {"fetch.latency", s.Fetch.Latency, 1, 64},
		{"fetch.instruction_bytes", s.Fetch.Bytes, 1, 64},
		{"writeback_ports", s.Writeback, 1, 64}, {"lsu.queue", s.LSU.Queue, 1, 1024},
		{"lsu.outstanding", s.LSU.Outstanding, 1, 65536},
		{"fence.cta", s.Fences.CTA, 0, mostFence}, {"fence.gpu", s.Fences.GPU, 0, mostFence},
		{"fence.system", s.Fences.System, 0, mostFence},
	} {
		if c.v < c.lo || c.v > c.hi {
			return spec.Errorf(c.name, c.v, "%d to %d", c.lo, c.hi)
		}
	}
	if s.Warps < s.Schedulers || s.Warps > 64*s.Schedulers {
		return spec.Errorf("warps", s.Warps, "1 to 64 per scheduler: %d to %d", s.Schedulers, 64*s.Schedulers)
	}
	if err := s.Scheduler.check(s.Schedulers, s.Warps); err != nil {
		return err
	}
	if err := s.checkContexts(); err != nil {
		return err
	}
	if err := s.Fetch.ICache.Check(); err != nil {
		return spec.Within("fetch.icache", err)
	}
	if err := s.Fetch.L0.Check(s.Fetch.ICache.Tags.Line); err != nil {
		return spec.Within("fetch.l0", err)
	}
	if err := s.Constants.Check(); err != nil {
		return spec.Within("constant_cache", err)
	}
	if r := s.Fetch.Refill; r != "room" && r != "empty" {
		return &spec.Error{Key: "fetch.refill", Found: r, Want: "room or empty"}
	}
	switch p := s.Fetch.Policy; {
	case p != fetchInTurn && p != fetchFollows:
		return &spec.Error{Key: "fetch.policy", Found: p, Want: fetchInTurn + " or " + fetchFollows}
	case p == fetchFollows && s.Fetch.Width%s.Schedulers != 0:
		return spec.Errorf("fetch.width", s.Fetch.Width, "a multiple of the %d schedulers, with fetch.policy = %s",
			s.Schedulers, fetchFollows)
	}
	if r := s.Fetch.Resolve; r != "issue" && r != "execute" {
		return &spec.Error{Key: "fetch.resolve", Found: r, Want: "issue or execute"}
	}
	return s.checkUnits()
}

// WarpContexts is how many warps may be resident, each with a context: its stream,
// registers and scoreboard.
func (s *Spec) WarpContexts() int {
	if s.Contexts == 0 && s.Switch.On() {
		return MaxWarps
	}
	return max(s.Contexts, s.Warps)
}

// switchedCTAs is how many CTAs may be resident where CTAs are switched, unless the
// configuration says so (FineReg, section V.B: the entries of the CTA status monitor).
const switchedCTAs = 128

// CTAContexts is how many CTAs may be resident.
func (s *Spec) CTAContexts() int {
	if s.ResidentCTAs == 0 && s.Switch.On() {
		return max(switchedCTAs, s.CTAs)
	}
	return max(s.ResidentCTAs, s.CTAs)
}

// checkContexts refuses contexts that do not go with the slots, and policies that know
// of no warp without one.
func (s *Spec) checkContexts() error {
	switch {
	case s.Contexts != 0 && (s.Contexts < s.Warps || s.Contexts > MaxWarps):
		return spec.Errorf("contexts", s.Contexts, "0 (%d with cta.switching), or sm.warps (%d) to %d", MaxWarps,
			s.Warps, MaxWarps)
	case s.ResidentCTAs != 0 && (s.ResidentCTAs < s.CTAs || s.ResidentCTAs > MaxWarps):
		return spec.Errorf("resident_ctas", s.ResidentCTAs, "0 (%d with cta.switching), or sm.ctas (%d) to %d",
			switchedCTAs, s.CTAs, MaxWarps)
	case s.Scheduler.Dependences == byControl && (s.Switch.Present() || s.IssueWidth > 1):
		return &spec.Error{Key: "scheduler.dependences", Found: byControl,
			Want: "scoreboard where CTAs are switched or observed, and where issue_width is above 1 (sched.pairs)"}
	case s.Constants.Lines > 0 && s.Switch.Present():
		return spec.Errorf("constant_cache.lines", s.Constants.Lines, "0 where CTAs are switched or observed")
	case s.Switch.On() && s.Scheduler.limits():
		return &spec.Error{Key: "scheduler.policy", Found: s.Scheduler.Policy,
			Want: "with cta.switching, a policy that chooses among all warps: lrr, greedy, gto, cggty or oldest"}
	}
	return nil
}

func (s *Spec) checkUnits() error {
	owner := map[string]string{}
	for _, name := range sortedKeys(s.Units) {
		u := s.Units[name]
		key := "units." + name
		if u.Count < 1 || u.Count > 64 {
			return spec.Errorf(key+".count", u.Count, "1 to 64")
		}
		if !u.Shared && u.Count%s.Schedulers != 0 {
			return spec.Errorf(key+".count", u.Count, "a multiple of the %d schedulers, or shared = true", s.Schedulers)
		}
		for _, c := range u.Classes {
			if _, ok := classByName(c); !ok {
				return &spec.Error{Key: key + ".classes", Found: c, Want: "a timing class: " + strings.Join(classList(),
					", ")}
			}
			if o, ok := owner[c]; ok {
				return &spec.Error{Key: key + ".classes", Found: c, Want: "a class that no other unit executes; " + o +
					" does"}
			}
			owner[c] = name
		}
		if err := checkTimes(key, []int{u.Latency, u.Initial}); err != nil {
			return err
		}
		for _, c := range sortedKeys(u.Class) {
			if _, ok := classByName(c); !ok {
				return &spec.Error{Key: key + ".class." + c, Found: c, Want: "a timing class: " +
					strings.Join(classList(), ", ")}
			}
			if err := checkTimes(key+".class."+c, u.Class[c]); err != nil {
				return err
			}
		}
	}
	if err := s.checkMemoryUnit(owner); err != nil {
		return err
	}
	for c := ir.ClassNop; c < ir.NumClasses; c++ {
		if _, ok := owner[c.String()]; !ok && !issueOnly(c) && !optional(c) {
			return &spec.Error{Key: "units", Found: "no unit for class " + c.String(),
				Want: "every timing class executed by some unit"}
		}
	}
	return nil
}

// checkMemoryUnit wants one load/store unit that executes all memory classes
// and nothing else.
func (s *Spec) checkMemoryUnit(owner map[string]string) error {
	memory := []string{"load", "store", "atomic", "texture"}
	lsu := owner["load"]
	u := s.Units[lsu]
	for _, c := range memory {
		if owner[c] != lsu || len(u.Classes) != len(memory) {
			return spec.Errorf("units", "class "+c+" on unit "+fmt.Sprintf("%q", owner[c]),
				"one unit that executes %s and nothing else", strings.Join(memory, ", "))
		}
	}
	if err := s.Queues.Check(); err != nil {
		return spec.Within("memory_queue", err)
	}
	switch {
	case s.Queues.On() && (u.Shared || u.Count != s.Schedulers):
		return spec.Errorf("units."+lsu+".count", u.Count,
			"%d, shared = false: with sm.memory_queue.entries, each scheduler has one before the SM's load/store unit",
			s.Schedulers)
	case !s.Queues.On() && u.Count != 1:
		return spec.Errorf("units."+lsu+".count", u.Count, "1, shared = true: an SM has one load/store unit")
	}
	for _, c := range memory {
		if t, ok := u.Class[c]; ok && t[0] != u.Latency {
			return spec.Errorf("units."+lsu+".class."+c, t, "latency %d as the unit has: all addresses take one path",
				u.Latency)
		}
	}
	return nil
}

// executes reports whether units of this kind execute a timing class.
func (u *UnitSpec) executes(c ir.Class) bool { return slices.Contains(u.Classes, c.String()) }

// memoryUnit is the load/store unit, of which there is one in a sound Spec.
func (s *Spec) memoryUnit() *UnitSpec {
	for _, u := range s.Units {
		if u.executes(ir.ClassLoad) {
			return &u
		}
	}
	panic("sm: no unit for loads")
}

func checkTimes(key string, t []int) error {
	if len(t) != 2 || t[0] < 2 || t[0] > 1000 || t[1] < 1 || t[1] > 1000 {
		return spec.Errorf(key, t, "latency 2 to 1000 (the writeback stage is one of them) and initiation interval 1 "+
			"to 1000")
	}
	return nil
}

// issueOnly classes end when they issue: they occupy no execution unit.
func issueOnly(c ir.Class) bool {
	switch c {
	case ir.ClassNop, ir.ClassBarrier, ir.ClassExit, ir.ClassFence:
		return true
	}
	return false
}

// optional classes are those that a GPU need not execute.
func optional(c ir.Class) bool { return c == ir.ClassMatrix || c == ir.ClassMatrixWide }

// Executes reports whether an SM executes a timing class.
func (s *Spec) Executes(c ir.Class) bool {
	if issueOnly(c) {
		return true
	}
	for _, u := range s.Units {
		if u.executes(c) {
			return true
		}
	}
	return false
}

func classByName(name string) (ir.Class, bool) {
	for c := ir.ClassNop; c < ir.NumClasses; c++ {
		if c.String() == name {
			return c, true
		}
	}
	return 0, false
}

func classList() []string {
	var out []string
	for c := ir.ClassNop; c < ir.NumClasses; c++ {
		out = append(out, c.String())
	}
	return out
}
