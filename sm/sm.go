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
	"kumiko/sm/barrier"
	"kumiko/sm/execute"
	"kumiko/sm/fetch"
	"kumiko/sm/lsu"
	"kumiko/sm/memqueue"
	"kumiko/sm/reason"
	"kumiko/sm/residency"
	"kumiko/sm/sched"
	"kumiko/sm/switching"
)

// Env has the inputs for building an SM.
type Env struct {
	Domain *wire.Domain
	Stats  *stats.Registry
	Name   string // such as "GPU.SM[3]"
	Number int    // of the SM
	// RegFile has the settings of the register file, which it builds.
	RegFile *regfile.Settings
	Path    func(*regfile.Env) (regfile.Design, error) // as regfile.Env has it
	// Pool is the size of a pool of on-chip memory in bytes, as in regfile.Env.
	Pool int
	// Check follows the versions of operands.
	Check bool
	// Values: the streams have the classes of written values, which the register file needs.
	Values bool
}

// lanes of a warp: the 32-bit registers of a warp register.
const lanes = 32

// SM is one streaming multiprocessor, with all its blocks joined to each other. The caller joins Residency's
// ports to the dispatcher and the load/store unit's ports to the memory side.
type SM struct {
	Residency *residency.Residency
	LSU       *lsu.Unit
	Regfile   regfile.Design
	Checker   *version.Checker // nil unless checking

	spec       *Spec
	planes     sched.Planes
	schedulers []*sched.Scheduler
	idle       *sched.Idle
	fetch      *fetch.Fetch
	l1i        *fetch.L1I // nil: sub-cores have no instruction caches of their own
	barrier    *barrier.Unit
	switcher   *switching.Switcher // nil: CTAs are neither watched nor switched
	units      []*execute.Unit     // by unit number; nil where the load/store unit or a queue before it stands
	queues     []*memqueue.Queue   // by scheduler; nil: the load/store unit serves all
	grants     *memqueue.Grants    // nil if there are no queues
	writebacks []*execute.Writeback
	observers  sched.Observers
	observer   sched.Observer // the one of observers; nil: none
	steady     sched.Steady
	live       *liveCount
	windows    *windowCount // nil: windows are not counted
}

// unitPlace is an execution unit of the SM: its description for the register file,
// and its kind.
type unitPlace struct {
	regfile.Unit
	spec   execute.UnitSpec
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
			p := unitPlace{spec: u, memory: u.Executes(ir.ClassLoad),
				branch: fetch.AtUnit(&s.Fetch)>>ir.ClassBranch&1 != 0 && u.Executes(ir.ClassBranch)}
			p.Name, p.Kind, p.Sched = fmt.Sprintf("Unit[%s][%d]", kind, i), kind, regfile.Shared
			if !u.Shared {
				p.Sched = i % s.Schedulers
			}
			p.Fixed = u.Fixed()
			out = append(out, p)
		}
	}
	for i := range out {
		out[i].Holds = holds(out, &out[i])
	}
	return out
}

// holds returns the units whose inputs operations of a unit take too, by class; nil: none.
func holds(places []unitPlace, p *unitPlace) *[ir.NumClasses]uint64 {
	if len(p.spec.Holds) == 0 {
		return nil
	}
	var out [ir.NumClasses]uint64
	for name, kinds := range p.spec.Holds {
		c, _ := execute.ClassByName(name)
		for u := range places {
			if places[u].Sched == p.Sched && slices.Contains(kinds, places[u].Kind) {
				out[c] |= 1 << u
			}
		}
	}
	return &out
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
	var values *version.Values
	if env.Values {
		values = version.NewValues(s.WarpContexts(), 256, env.Check)
	}
	places := s.places()
	re := &regfile.Env{Domain: env.Domain, Stats: env.Stats, Name: env.Name, SM: env.Number, Schedulers: s.Schedulers,
		IssueWidth: s.Width(),
		Warps:      s.WarpContexts(), Slots: s.Warps, Active: s.Active(),
		TwoLevel: s.Scheduler.Policy == sched.TwoLevel,
		CTAs:     s.CTAContexts(), Registers: s.MaxRegs,
		Path: env.Path, Pool: env.Pool, Capacity: min(s.Registers/lanes, s.MaxRegs*s.WarpContexts()),
		Writebacks: s.Writeback,
		ReadNotice: true, Controlled: s.Scheduler.Controlled(), Checker: m.Checker,
		Values: values}
	for i := range places {
		if p := &places[i]; !p.memory {
			p.Times = p.spec.Times()
		}
		re.Units = append(re.Units, places[i].Unit)
	}
	if err := re.Check(); err != nil {
		return nil, spec.Within("sm", err)
	}
	rf, err := env.RegFile.Build(re)
	if err != nil {
		return nil, spec.Within("regfile."+env.RegFile.Kind.Name, err)
	}
	m.Regfile = rf
	if m.planes, err = sched.PlanesOf(rf, s.Schedulers); err == nil && s.Switch.On() {
		err = m.planes.CheckSwitching()
	}
	if err != nil {
		return nil, fmt.Errorf("register file %s: %w", env.RegFile.Kind.Name, err)
	}
	if err := m.checkLatencies(rf.DataPorts().Forward); err != nil {
		return nil, spec.Within("sm", err)
	}
	m.Checker.UniformMoves(execute.StagesToRegfile + rf.DataPorts().Forward - s.latency(ir.ClassUniformMove))
	m.build(env, places)
	if values != nil {
		m.follow(values)
	}
	m.joinFrontEnd()
	m.joinBackEnd(places)
	m.joinSwitcher(env)
	return m, nil
}

// Active returns the most warps active at once.
func (s *Spec) Active() int {
	if s.Scheduler.Policy == sched.TwoLevel {
		return min(s.Scheduler.Active, s.Warps)
	}
	return s.Warps
}

// latency returns the latency of a class.
func (s *Spec) latency(c ir.Class) int {
	u := s.Units[s.UnitOf(c)]
	return int(u.Times().Class[c].Latency)
}

// checkLatencies returns an error for a unit with a latency shorter than its result's way
// to the register file through the writeback stage.
func (m *SM) checkLatencies(forward int) error {
	least := execute.StagesToRegfile + forward
	for _, kind := range sortedKeys(m.spec.Units) {
		u := m.spec.Units[kind]
		if u.Executes(ir.ClassLoad) {
			continue
		}
		if u.Latency < least {
			return spec.Errorf("units."+kind+".latency", u.Latency,
				"at least %d: the way through writeback, and results announced %d cycles ahead (regfile forward)",
				least, forward)
		}
		for _, c := range sortedKeys(u.Class) {
			if c == ir.ClassUniformMove.String() { // not by way of writeback
				continue
			}
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
	ports := m.Regfile.DataPorts()
	part := make(execute.Parts, s.Schedulers)
	for i := range part {
		part[i] = uint8(ports.SubCore(i))
	}
	m.buildFrontEnd(env, places)
	config := s.scheduling()
	config.Reuses = len(env.RegFile.Kind.Words) > 0
	if len(ports.Taken) > 0 {
		config.Registers, config.Units = ports.Registers, len(places)
	}
	for i := range s.Schedulers {
		x := sched.New(fmt.Sprintf("%s.Scheduler[%d]", env.Name, i), d, config, sched.Links{Index: i,
			Units: unitsOf(places, s, i), Planes: &m.planes, Check: m.Checker, Observers: &m.observers,
			Steady: &m.steady, Idle: m.idle}, reg)
		x.AddNotices(len(ports.Early) > 0, s.Writeback)
		m.schedulers = append(m.schedulers, x)
	}
	inputs, fixed := make([]int, ports.SubCores), make([][]int, ports.SubCores)
	for i, p := range places {
		if p.memory {
			m.buildMemory(env, &p, part)
		} else {
			own := part
			if p.Sched != regfile.Shared {
				own = make(execute.Parts, s.Schedulers) // one output
			}
			m.units = append(m.units, execute.NewUnit(env.Name+"."+places[i].Name, d, p.spec,
				execute.Links{Kind: p.Kind, Forward: ports.Forward, Part: own}, reg))
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
		m.writebacks = append(m.writebacks, execute.NewWriteback(fmt.Sprintf("%s.Writeback[%d]", env.Name, c), d,
			inputs[c],
			s.Writeback, reg))
		for _, u := range fixed[c] {
			m.writebacks[c].FixFirst(u)
		}
	}
}

// buildMemory builds the load/store unit. With memory queues it builds the queue of a sub-core
// and, at the first call, the load/store unit.
func (m *SM) buildMemory(env Env, p *unitPlace, part execute.Parts) {
	s, d, reg := m.spec, env.Domain, env.Stats
	m.units = append(m.units, nil)
	if !s.Queues.On() {
		m.LSU = lsu.New(env.Name+".LSU", d, s.LSU, s.memoryUnit(), lsu.Links{Part: part, Schedulers: s.Schedulers}, reg)
		return
	}
	if m.LSU == nil {
		m.grants = memqueue.NewGrants(env.Name+".Grants", d, &s.Queues, s.Schedulers)
		m.LSU = lsu.New(env.Name+".LSU", d, s.LSU, s.memoryUnit(),
			lsu.Links{Part: partPerScheduler(s.Schedulers), Schedulers: s.Schedulers, Copies: true}, reg)
	}
	m.queues = append(m.queues, memqueue.NewQueue(fmt.Sprintf("%s.MemoryQueue[%d]", env.Name, p.Sched), d, &s.Queues,
		reg))
}

// partPerScheduler gives each scheduler an output of its own.
func partPerScheduler(schedulers int) execute.Parts {
	p := make(execute.Parts, schedulers)
	for i := range p {
		p[i] = uint8(i)
	}
	return p
}

// buildFrontEnd builds the blocks shared by all schedulers.
func (m *SM) buildFrontEnd(env Env, places []unitPlace) {
	s, d, reg := m.spec, env.Domain, env.Stats
	m.Residency = residency.New(env.Name+".Residency", d,
		residency.Places{Contexts: s.WarpContexts(), CTAs: s.CTAContexts(), Schedulers: s.Schedulers}, reg)
	if to := m.planes.Notices.CTA; to != nil {
		m.Residency.Listen(to)
	}
	m.live = newLiveCount(m.Residency.Name(), reg)
	m.Residency.AddListener(&m.steady)
	if s.Switch.Present() {
		m.Residency.ShareSlots(s.Warps)
	}
	branchUnits := 0
	for _, p := range places {
		if p.branch {
			branchUnits++
		}
	}
	m.fetch = fetch.New(env.Name+".Fetch", d, s.Fetch,
		fetch.Clients{Contexts: s.WarpContexts(), Schedulers: s.Schedulers, BranchUnits: branchUnits}, reg)
	if s.Fetch.Apart() {
		m.l1i = fetch.NewL1I(env.Name+".L1I", d, s.Fetch.ICache, s.Fetch.Under(s.Schedulers), reg)
	}
	m.barrier = barrier.New(env.Name+".Barrier", d, s.Barrier, s.CTAContexts(), s.Schedulers, reg)
	m.idle = sched.NewIdle(env.Name, reg)
	if s.Switch.On() {
		m.fetch.Rewindable()
	}
}

// unitsOf lists, by kind, the units usable by a scheduler.
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

// Slots adds the SM's issue slots by reason to sum.
func (m *SM) Slots(sum *[reason.Num]uint64) {
	for _, s := range m.schedulers {
		s.Slots(sum)
	}
}

// Instructions returns the warp and thread instructions issued so far.
func (m *SM) Instructions() (warp, thread uint64) {
	for _, s := range m.schedulers {
		w, t := s.Instructions()
		warp, thread = warp+w, thread+t
	}
	return warp, thread
}

// Reasons lists the reasons of the SM's issue slots in their order.
func (m *SM) Reasons() []reason.Info { return sched.Reasons(m.spec.scheduling(), &m.planes) }

// Steady returns the cycles of the SM's steady state in a launch ending at cycle
// end, and the thread instructions issued in it. Both are 0 without a CTA.
func (m *SM) Steady(end wire.Cycle) (cycles, thread uint64) { return m.steady.Span(end) }
