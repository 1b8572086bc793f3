package sm

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kumiko/components/spec"
	"kumiko/kernel/ir"
	"kumiko/sm/barrier"
	"kumiko/sm/execute"
	"kumiko/sm/fetch"
	"kumiko/sm/lsu"
	"kumiko/sm/memqueue"
	"kumiko/sm/message"
	"kumiko/sm/program"
	"kumiko/sm/sched"
	"kumiko/sm/switching"
)

// Spec is the configuration of one streaming multiprocessor, its register file
// and its memory side apart.
type Spec struct {
	Count      int  `toml:"count" unit:"SMs" range:"1 to 1024" doc:"streaming multiprocessors of the chip"`
	ClockMHz   int  `toml:"clock_mhz" unit:"MHz" range:"1 to 100000" doc:"core clock"`
	Schedulers int  `toml:"schedulers" unit:"schedulers" range:"1 to 16" doc:"warp schedulers of an SM. Warp context w belongs to scheduler w mod schedulers"`
	IssueWidth int  `toml:"issue_width" unit:"instructions per cycle" range:"1 to 2" doc:"instructions that a scheduler may issue per cycle, all from one warp"`
	IssueApart bool `toml:"issue_different_units" unit:"-" doc:"with issue_width 2, both instructions of a cycle go to units of different kinds. An instruction that occupies no unit goes with any"`

	Warps       int `toml:"warps" unit:"warps" range:"1 to 512" doc:"warp contexts of an SM: the most warps that may be resident"`
	Threads     int `toml:"threads" unit:"threads" range:"1 to 16384" doc:"most resident threads of an SM"`
	CTAs        int `toml:"ctas" unit:"CTAs" range:"1 to 512" doc:"most resident CTAs of an SM"`
	Registers   int `toml:"registers" unit:"32-bit registers" range:"32 to 16777216" doc:"register file capacity of an SM"`
	SharedBytes int `toml:"shared_bytes" unit:"bytes" range:"0 to 16777216" doc:"shared memory of an SM"`
	// Contexts and ResidentCTAs are the most resident warps and CTAs if CTAs are switched. Otherwise
	// Warps and CTAs are the limits.
	Contexts     int `toml:"contexts" unit:"warps" doc:"where CTAs are switched, the most warps that may be resident, with scheduler slots (sm.warps) or without. 0: 512" when:"/cta.switching!=none"`
	ResidentCTAs int `toml:"resident_ctas" unit:"CTAs" doc:"where CTAs are switched, the most CTAs that may be resident, with scheduler slots (sm.ctas) or without. 0: 128" when:"/cta.switching!=none"`
	CTAShared    int `toml:"cta_shared_bytes" unit:"bytes" range:"0 to 16777216" doc:"most shared memory of one CTA. 0: all of the SM's"`
	MaxRegs      int `toml:"max_registers_per_thread" unit:"registers" range:"1 to 255" doc:"most registers of a thread"`
	// Independent is a property of the execution that makes the streams; the blocks of an SM do not know it.
	Independent bool `toml:"independent_threads" unit:"-" doc:"each lane of a warp makes progress, whatever the others wait for, as from compute capability 7.0 on. Otherwise a lane that spins keeps the lanes of its warp on other paths waiting, and where it waits for one of them the launch is stopped"`

	Fetch     fetch.Spec                  `toml:"fetch"`
	Scheduler sched.Spec                  `toml:"-"` // the section [sched] of a GPU file
	Switch    switching.Spec              `toml:"-"` // the section [cta] of a GPU file
	Units     map[string]execute.UnitSpec `toml:"units" doc:"execution units by name"`
	Writeback int                         `toml:"writeback_ports" unit:"results per cycle" range:"1 to 64" doc:"results that reach the register file per cycle, for each sub-core, or for the SM where the register file is not divided"`
	LSU       lsu.Spec                    `toml:"lsu"`
	Queues    memqueue.Spec               `toml:"memory_queue"`
	Constants sched.ConstantSpec          `toml:"constant_cache"`
	Fences    sched.FenceSpec             `toml:"fence" when:"/sched.dependences=control"`
	Barrier   barrier.Spec                `toml:"barrier"`
}

// Width returns the issue slots of a scheduler per cycle.
func (s *Spec) Width() int {
	if s.Scheduler.Paired() {
		return 2
	}
	return s.IssueWidth
}

// Reconcile returns an error for settings impossible in hardware.
func (s *Spec) Reconcile() error {
	if err := cmp.Or(spec.Ranges(s), spec.Within("fence", spec.Ranges(&s.Fences))); err != nil {
		return err
	}
	if s.Warps < s.Schedulers || s.Warps > 64*s.Schedulers {
		return spec.Errorf("warps", s.Warps, "1 to 64 per scheduler: %d to %d", s.Schedulers, 64*s.Schedulers)
	}
	if err := s.Scheduler.Check(s.Schedulers, s.Warps); err != nil {
		return err
	}
	if err := s.checkContexts(); err != nil {
		return err
	}
	if err := cmp.Or(
		spec.Within("fetch.icache", s.Fetch.ICache.Check()),
		spec.Within("fetch.l0", s.Fetch.L0.Check(s.Fetch.ICache.Tags.Line)),
		spec.Within("constant_cache", s.Constants.Check()),
		spec.OneOf("fetch.refill", s.Fetch.Refill, "room", "empty"),
		spec.OneOf("fetch.policy", s.Fetch.Policy, fetch.InTurn, fetch.Follow),
		spec.OneOf("fetch.resolve", s.Fetch.Resolve, "issue", "execute"),
	); err != nil {
		return err
	}
	if s.Fetch.Policy == fetch.Follow && s.Fetch.Width%s.Schedulers != 0 {
		return spec.Errorf("fetch.width", s.Fetch.Width, "a multiple of the %d schedulers, with fetch.policy = %s",
			s.Schedulers, fetch.Follow)
	}
	return s.checkUnits()
}

// WarpContexts returns the most resident warps, each with a context: its stream,
// registers and scoreboard.
func (s *Spec) WarpContexts() int {
	if s.Contexts == 0 && s.Switch.On() {
		return message.MaxWarps
	}
	return max(s.Contexts, s.Warps)
}

// switchedCTAs is the default for the most resident CTAs if CTAs are switched
// (FineReg, section V.B: the entries of the CTA status monitor).
const switchedCTAs = 128

// CTAContexts returns the most resident CTAs.
func (s *Spec) CTAContexts() int {
	if s.ResidentCTAs == 0 && s.Switch.On() {
		return max(switchedCTAs, s.CTAs)
	}
	return max(s.ResidentCTAs, s.CTAs)
}

// checkContexts returns an error for contexts that do not fit the slots, and for policies without support
// for warps without slots.
func (s *Spec) checkContexts() error {
	switch {
	case s.Contexts != 0 && (s.Contexts < s.Warps || s.Contexts > message.MaxWarps):
		return spec.Errorf("contexts", s.Contexts, "0 (%d with cta.switching), or sm.warps (%d) to %d",
			message.MaxWarps,
			s.Warps, message.MaxWarps)
	case s.ResidentCTAs != 0 && (s.ResidentCTAs < s.CTAs || s.ResidentCTAs > message.MaxWarps):
		return spec.Errorf("resident_ctas", s.ResidentCTAs, "0 (%d with cta.switching), or sm.ctas (%d) to %d",
			switchedCTAs, s.CTAs, message.MaxWarps)
	case s.Scheduler.Dependences == sched.ByControl && (s.Switch.Present() || s.IssueWidth > 1):
		return spec.Elsewhere("sched.dependences", sched.ByControl,
			"scoreboard where CTAs are switched or observed, and where issue_width is above 1 (sched.pairs)")
	case s.Constants.Lines > 0 && s.Switch.Present():
		return spec.Errorf("constant_cache.lines", s.Constants.Lines, "0 where CTAs are switched or observed")
	case s.Switch.On() && s.Scheduler.Policy == sched.FetchGroup:
		return spec.Elsewhere("sched.policy", s.Scheduler.Policy,
			"with cta.switching, lrr, greedy, gto, cggty, oldest or two-level: the warps of a group would have "+
				"no slots")
	case s.Switch.On() && s.Scheduler.WantsMisses():
		return spec.Elsewhere("sched.suspend_on", s.Scheduler.SuspendOn,
			"use with cta.switching: a warp without slots hears of no miss")
	}
	return nil
}

func (s *Spec) checkUnits() error {
	owner := map[string]string{}
	for _, name := range sortedKeys(s.Units) {
		u := s.Units[name]
		key := "units." + name
		if u.Count < 1 && len(u.Classes) > 0 || u.Count < 0 || u.Count > 64 {
			return spec.Errorf(key+".count", u.Count, "1 to 64, or 0 of units without classes")
		}
		if !u.Shared && u.Count%s.Schedulers != 0 {
			return spec.Errorf(key+".count", u.Count, "a multiple of the %d schedulers, or shared = true", s.Schedulers)
		}
		for _, c := range u.Classes {
			if _, ok := execute.ClassByName(c); !ok {
				return &spec.Error{Key: key + ".classes", Found: c, Want: "a timing class: " +
					strings.Join(execute.ClassList(),
						", ")}
			}
			if o, ok := owner[c]; ok {
				return &spec.Error{Key: key + ".classes", Found: c, Want: "a class that no other unit executes; " + o +
					" does"}
			}
			owner[c] = name
		}
		if err := execute.CheckTimes(key, []int{u.Latency, u.Initial}); err != nil {
			return err
		}
		if err := u.CheckProducts(key + ".products"); err != nil {
			return err
		}
		if err := u.CheckHolds(key, name, s.Units); err != nil {
			return err
		}
		for _, c := range sortedKeys(u.Class) {
			if _, ok := execute.ClassByName(c); !ok {
				return &spec.Error{Key: key + ".class." + c, Found: c, Want: "a timing class: " +
					strings.Join(execute.ClassList(), ", ")}
			}
			if err := execute.CheckTimes(key+".class."+c, u.Class[c]); err != nil {
				return err
			}
		}
	}
	if err := s.checkMemoryUnit(owner); err != nil {
		return err
	}
	for c := ir.ClassNop; c < ir.NumClasses; c++ {
		if s.UnitOf(c) == "" && !execute.IssueOnly(c) && !execute.Optional(c) {
			return &spec.Error{Key: "units", Found: "no unit for class " + c.String(),
				Want: "every timing class executed by some unit"}
		}
	}
	return nil
}

// checkMemoryUnit returns an error unless one load/store unit executes all memory classes
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

// memoryUnit returns the load/store unit. A checked Spec has exactly one.
func (s *Spec) memoryUnit() *execute.UnitSpec {
	for _, u := range s.Units {
		if u.Executes(ir.ClassLoad) {
			return &u
		}
	}
	panic("sm: no unit for loads")
}

// Executes reports whether an SM executes a timing class.
func (s *Spec) Executes(c ir.Class) bool {
	return execute.IssueOnly(c) || s.UnitOf(c) != ""
}

// Multiplies reports whether the unit for an instruction's class has a rate for its matrix product.
func (s *Spec) Multiplies(in *ir.Inst) bool {
	u := s.Units[s.UnitOf(in.T.Class)]
	return in.T.Product == ir.ProductNone || u.Multiplies(in.T.Product)
}

// UnitOf returns the name of the units executing a class, "" if there is none: units that name it, or else those that
// execute it for a parent class.
func (s *Spec) UnitOf(c ir.Class) string {
	for _, by := range []func(*execute.UnitSpec, ir.Class) bool{(*execute.UnitSpec).Names,
		(*execute.UnitSpec).Executes} {
		for _, kind := range sortedKeys(s.Units) {
			if u := s.Units[kind]; by(&u, c) {
				return kind
			}
		}
	}
	return ""
}

// FixedLatencies returns the latency of each class in units of fixed latency, and 0 for other classes. doubles is set
// where those of double precision are among them.
func (s *Spec) FixedLatencies(doubles bool) (out [ir.NumClasses]int) {
	for c := ir.ClassNop; c < ir.NumClasses; c++ {
		if u := s.Units[s.UnitOf(c)]; u.Fixed() && (c.FixedLatency() || doubles && c.Double()) {
			out[c] = int(u.Times().Class[c].Latency)
		}
	}
	return out
}

// Target returns the properties of this SM on which a program depends.
func (s *Spec) Target() *program.Target {
	return &program.Target{Bytes: s.Fetch.Bytes, Kinds: s.kinds(), Paired: s.Scheduler.Paired()}
}

// kinds returns the kind of unit executing each class, an index into the sorted unit names.
func (s *Spec) kinds() [ir.NumClasses]uint8 {
	var out [ir.NumClasses]uint8
	for c := range out {
		out[c] = program.NoKind
	}
	names := sortedKeys(s.Units)
	for c := range out {
		if i := slices.Index(names, s.UnitOf(ir.Class(c))); i >= 0 && !execute.IssueOnly(ir.Class(c)) {
			out[c] = uint8(i)
		}
	}
	return out
}

// scheduling returns the settings of the schedulers.
func (s *Spec) scheduling() *sched.Config {
	return &sched.Config{Schedulers: s.Schedulers, Contexts: s.WarpContexts(), Slots: s.Warps, Width: s.Width(),
		Apart: s.IssueApart, Buffer: s.Fetch.Buffer, Stale: s.Fetch.Stale(&s.Switch), Memory: s.kinds()[ir.ClassLoad],
		Choice: s.Scheduler, Fences: s.Fences, Constants: s.Constants, Queues: s.Queues, Switch: s.Switch,
		AtUnit: fetch.AtUnit(&s.Fetch)}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
