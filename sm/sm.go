package sm

import (
	"fmt"
	"slices"

	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/sm/memqueue"
	"kumiko/sm/switching"
)

// Env has the inputs for building an SM.
type Env struct {
	Domain *wire.Domain
	Stats  *stats.Registry
	Name   string // such as "GPU.SM[3]"
	Number int    // of the SM
	// Kind and KindSpec are the register file and its settings.
	Kind     *regfile.Kind
	KindSpec any
	// Pool are bytes of a pool of on-chip memory, as regfile.Env has them.
	Pool int
	// Check follows the versions of operands.
	Check bool
}

// lanes of a warp: the 32-bit registers of a warp register.
const lanes = 32

// SM is one streaming multiprocessor, all its blocks joined. What is left to
// join are Residency's ports to the dispatcher and the load/store unit's to the
// memory side.
type SM struct {
	Residency *Residency
	LSU       *LSU
	Regfile   regfile.Design
	Checker   *version.Checker // nil unless checking

	spec       *Spec
	planes     planes
	schedulers []*Scheduler
	idle       *idleCount
	fetch      *Fetch
	l1i        *L1I // nil: sub-cores have no instruction caches of their own
	barrier    *Barrier
	switcher   *switching.Switcher // nil: nobody watches or switches CTAs
	units      []*Unit             // by unit number; nil where the load/store unit or a queue before it stands
	queues     []*memqueue.Queue   // by scheduler; nil: the load/store unit serves all
	grants     *memqueue.Grants    // nil if there are no queues
	writebacks []*Writeback
	audience   audience
	steady     steady
	live       *liveCount
	windows    *windowCount // nil: windows are not counted
}

// unitPlace is where an execution unit stands: what the register file knows of
// it, and its kind.
type unitPlace struct {
	regfile.Unit
	spec   UnitSpec
	memory bool
	branch bool // branches are resolved here
}

// places lists the execution units of an SM in the order of their numbers, by
// kind and then by index.
func (s *Spec) places() []unitPlace {
	var out []unitPlace
	for _, kind := range sortedKeys(s.Units) {
		u := s.Units[kind]
		for i := range u.Count {
			p := unitPlace{spec: u, memory: u.executes(ir.ClassLoad), branch: branchAtUnit(&s.Fetch, ir.ClassBranch) &&
				u.executes(ir.ClassBranch)}
			p.Name, p.Kind, p.Sched = fmt.Sprintf("Unit[%s][%d]", kind, i), kind, regfile.Shared
			if !u.Shared {
				p.Sched = i % s.Schedulers
			}
			p.Fixed = u.fixed()
			out = append(out, p)
		}
	}
	return out
}

// New builds an SM. It returns an error when the register file refuses its
// settings in this SM.
func New(s *Spec, env Env) (*SM, error) {
	m := &SM{spec: s}
	if env.Check {
		m.Checker = version.NewChecker(s.WarpContexts(), 256, 0)
		if s.Scheduler.Controlled() {
			m.Checker.Timed()
			m.Checker.Explain()
		}
	}
	places := s.places()
	re := &regfile.Env{Domain: env.Domain, Stats: env.Stats, Name: env.Name, SM: env.Number, Schedulers: s.Schedulers,
		IssueWidth: s.Width(),
		Warps:      s.WarpContexts(), Slots: s.Warps, Active: s.Active(), TwoLevel: s.Scheduler.Policy == twoLevel,
		CTAs: s.CTAContexts(), Registers: s.MaxRegs,
		Pool: env.Pool, Capacity: min(s.Registers/lanes, s.MaxRegs*s.WarpContexts()), Writebacks: s.Writeback,
		ReadNotice: true, Controlled: s.Scheduler.Controlled(), Checker: m.Checker}
	for i := range places {
		if p := &places[i]; !p.memory {
			p.Times = p.spec.times()
		}
		re.Units = append(re.Units, places[i].Unit)
	}
	if err := re.Check(); err != nil {
		return nil, err
	}
	rf, err := env.Kind.Build(re, env.KindSpec)
	if err != nil {
		return nil, spec.Within("regfile."+env.Kind.Name, err)
	}
	m.Regfile = rf
	if m.planes, err = planesOf(rf, s.Schedulers); err == nil && s.Switch.On() {
		err = m.planes.checkParking()
	}
	if err != nil {
		return nil, fmt.Errorf("register file %s: %w", env.Kind.Name, err)
	}
	if err := m.checkLatencies(rf.Ports().Forward); err != nil {
		return nil, err
	}
	m.build(env, places)
	m.joinFrontEnd()
	m.joinBackEnd(places)
	m.joinSwitcher(env)
	return m, nil
}

// Active is the most warps active at once.
func (s *Spec) Active() int {
	if s.Scheduler.Policy == twoLevel {
		return min(s.Scheduler.Active, s.Warps)
	}
	return s.Warps
}

// checkLatencies refuses units that are done before their result could have
// reached the register file through the writeback stage.
func (m *SM) checkLatencies(forward int) error {
	least := stagesToRegfile + forward
	for _, kind := range sortedKeys(m.spec.Units) {
		u := m.spec.Units[kind]
		if u.executes(ir.ClassLoad) {
			continue
		}
		if u.Latency < least {
			return spec.Errorf("units."+kind+".latency", u.Latency,
				"at least %d: the way through writeback, and results announced %d cycles ahead (regfile forward)",
				least, forward)
		}
		for _, c := range sortedKeys(u.Class) {
			if u.Class[c][0] < least {
				return spec.Errorf("units."+kind+".class."+c, u.Class[c][0],
					"at least %d: the way through writeback, and results announced %d cycles ahead (regfile forward)",
					least, forward)
			}
		}
	}
	return nil
}

func (m *SM) build(env Env, places []unitPlace) {
	s, d, reg := m.spec, env.Domain, env.Stats
	ports := m.Regfile.Ports()
	part := make(parts, s.Schedulers)
	for i := range part {
		part[i] = uint8(ports.SubCore(i))
	}
	m.buildFrontEnd(env, places)
	config := s.scheduling()
	config.Reuses, config.Reasons = len(env.Kind.Words) > 0, m.Reasons()
	for i := range s.Schedulers {
		x := NewScheduler(fmt.Sprintf("%s.Scheduler[%d]", env.Name, i), d, config, schedulerLinks{index: i,
			units: unitsOf(places, s, i), planes: &m.planes, check: m.Checker, audience: &m.audience,
			steady: &m.steady, idle: m.idle}, reg)
		x.AddNotices(len(ports.Early) > 0, s.Writeback)
		if len(ports.Taken) > 0 {
			x.register(ports.Registers, len(places))
		}
		m.schedulers = append(m.schedulers, x)
	}
	inputs, fixed := make([]int, ports.SubCores), make([][]int, ports.SubCores)
	for i, p := range places {
		if p.memory {
			m.buildMemory(env, &p, part)
		} else {
			own := part
			if p.Sched != regfile.Shared {
				own = make(parts, s.Schedulers) // one output
			}
			m.units = append(m.units, NewUnit(env.Name+"."+places[i].Name, d, p.spec,
				unitLinks{kind: p.Kind, forward: ports.Forward, part: own}, reg))
		}
		for c := range inputs {
			if p.Sched == regfile.Shared || int(part[p.Sched]) == c {
				if s.Scheduler.Controlled() && p.Fixed {
					fixed[c] = append(fixed[c], inputs[c])
				}
				inputs[c]++
			}
		}
	}
	for c := range ports.SubCores {
		m.writebacks = append(m.writebacks, NewWriteback(fmt.Sprintf("%s.Writeback[%d]", env.Name, c), d, inputs[c],
			s.Writeback, reg))
		for _, u := range fixed[c] {
			m.writebacks[c].fixFirst(u)
		}
	}
}

// buildMemory builds the load/store unit or, where sub-cores have queues before it, the queue at
// a place, and the load/store unit with the first of them.
func (m *SM) buildMemory(env Env, p *unitPlace, part parts) {
	s, d, reg := m.spec, env.Domain, env.Stats
	m.units = append(m.units, nil)
	if !s.Queues.On() {
		m.LSU = NewLSU(env.Name+".LSU", d, s.LSU, s.memoryUnit(), lsuLinks{part: part, schedulers: s.Schedulers}, reg)
		return
	}
	if m.LSU == nil {
		m.grants = memqueue.NewGrants(env.Name+".Grants", d, &s.Queues, s.Schedulers)
		m.LSU = NewLSU(env.Name+".LSU", d, s.LSU, s.memoryUnit(),
			lsuLinks{part: each(s.Schedulers), schedulers: s.Schedulers, copies: true}, reg)
	}
	m.queues = append(m.queues, memqueue.NewQueue(fmt.Sprintf("%s.MemoryQueue[%d]", env.Name, p.Sched), d, &s.Queues,
		reg))
}

// each gives every scheduler an output of its own.
func each(schedulers int) parts {
	p := make(parts, schedulers)
	for i := range p {
		p[i] = uint8(i)
	}
	return p
}

// buildFrontEnd builds what serves all schedulers.
func (m *SM) buildFrontEnd(env Env, places []unitPlace) {
	s, d, reg := m.spec, env.Domain, env.Stats
	m.Residency = NewResidency(env.Name+".Residency", d,
		Places{Contexts: s.WarpContexts(), CTAs: s.CTAContexts(), Schedulers: s.Schedulers}, reg)
	if to := m.planes.notices.CTA; to != nil {
		m.Residency.Listen(to)
	}
	m.live = newLiveCount(m.Residency.Name(), reg)
	m.Residency.Tell(&m.steady)
	if s.Switch.Present() {
		m.Residency.seat(s.Warps)
	}
	branchUnits := 0
	for _, p := range places {
		if p.branch {
			branchUnits++
		}
	}
	m.fetch = NewFetch(env.Name+".Fetch", d, s.Fetch,
		FetchClients{Contexts: s.WarpContexts(), Schedulers: s.Schedulers, BranchUnits: branchUnits}, reg)
	if s.Fetch.apart() {
		m.l1i = NewL1I(env.Name+".L1I", d, s.Fetch.ICache, s.Fetch.under(s.Schedulers), reg)
	}
	m.barrier = NewBarrier(env.Name+".Barrier", d, s.CTAContexts(), s.Schedulers, reg)
	m.idle = newIdleCount(env.Name, reg)
	if s.Switch.On() {
		m.fetch.rewindable()
	}
}

// unitsOf lists, by kind, the units that a scheduler can use.
func unitsOf(places []unitPlace, s *Spec, sched int) [][]uint8 {
	kinds := sortedKeys(s.Units)
	out := make([][]uint8, len(kinds))
	for i, p := range places {
		if p.Sched == regfile.Shared || p.Sched == sched {
			k := slices.Index(kinds, p.Kind)
			out[k] = append(out[k], uint8(i))
		}
	}
	return out
}

// Load prepares the idle SM for a launch.
func (m *SM) Load(p *Program, ctas regfile.Residency, now wire.Cycle) {
	m.idle.begin(now)
	plan := m.planes.plan(p)
	for _, s := range m.schedulers {
		s.Load(plan, now)
	}
	m.fetch.Load(p)
	m.steady.begin()
	m.live.load(p)
	if m.windows != nil {
		m.windows.footprint = uint64(p.Kernel.Footprint)
	}
	m.Residency.Limit(ctas, p.Kernel.Footprint)
	if m.switcher != nil {
		m.switcher.Load(ctas.Held)
	}
}

// Finish closes the account of issue slots at the cycle in which a launch
// ended.
func (m *SM) Finish(now wire.Cycle) {
	m.idle.finish(now)
	for _, s := range m.schedulers {
		s.Finish(now)
	}
}

// Slots adds the SM's issue slots by reason to sum.
func (m *SM) Slots(sum *[NumReasons]uint64) {
	for _, s := range m.schedulers {
		s.Slots(sum)
	}
}

// Instructions are the warp and thread instructions issued so far.
func (m *SM) Instructions() (warp, thread uint64) {
	for _, s := range m.schedulers {
		w, t := s.Instructions()
		warp, thread = warp+w, thread+t
	}
	return warp, thread
}

// Reasons lists the reasons of the SM's issue slots in their order.
func (m *SM) Reasons() []ReasonInfo {
	more := m.spec.reasons()
	if m.planes.inserts != "" {
		more = append(more, Inserted)
	}
	return Reasons(m.planes.gates, more...)
}

// Steady is the span of the launch in which the SM was in its steady state and
// the thread instructions that it issued in it; a launch that ended at cycle
// end. A launch that no CTA reached has none.
func (m *SM) Steady(end wire.Cycle) (cycles, thread uint64) {
	s := &m.steady
	if !s.open {
		return 0, 0
	}
	if s.resident == s.most { // cut short
		s.to = s.mark(end)
	}
	return s.to.at - s.from.at, s.to.lanes - s.from.lanes
}
