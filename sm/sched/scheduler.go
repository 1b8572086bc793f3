// Package sched has the warp schedulers of an SM: instruction buffers, dependences, the choice of a
// warp, issue, and the gates of a register file's design.
//
// A scheduler has a row of warps for each reason not to issue. A warp is ready when its buffer holds an
// instruction and no row has the warp. An optional feature is a file of its own: it sets its rows and
// names their reasons. The list of features adds it to schedulers.
package sched

import (
	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/sm/memqueue"
	"kumiko/sm/message"
	"kumiko/sm/program"
	"kumiko/sm/reason"
	"kumiko/sm/sched/policy"
	"kumiko/sm/switching"
)

// Scheduler holds the instruction buffers and scoreboards of its warps, chooses
// a ready warp by its policy, and issues the warp's next instruction to the
// register file.
type Scheduler struct {
	wire.Comp
	schedulerPorts
	index  int
	count  int // schedulers of the SM
	width  int
	apart  bool   // instructions of a cycle go to units of different kinds
	atUnit uint64 // see Config.AtUnit
	tags   tagCounter
	check  *version.Checker // nil: off

	warpTable
	turns unitTurns

	policy policy.Policy
	parts
	restless bool // see feature
	gates    gateSet
	notices  notices
	Switch   *ctaSwitch // nil: CTAs are neither watched nor switched
	Queue    *queueRoom // nil: memory operations go to a load/store unit serving all sub-cores
	// Constants is nil if operands from the constant bank are always there.
	Constants *constants
	inserts   string // name of the operations inserted by the design; empty: there are none
	// scoreboards: instructions wait for the scoreboard.
	scoreboards bool
	fromQueue   bool // the memory queue reports the source reads of memory operations

	pairing  bool // the warp's next instruction may issue in the same cycle
	unpaired bool // a ready warp could not issue beside the instruction issued in this cycle
	own      []reason.Info
	ledger
}

// schedulerPorts are a scheduler's ports.
type schedulerPorts struct {
	Start    wire.InPort[message.WarpsStart] // from residency
	Fetched  wire.InPort[message.Fetched]    // from fetch
	Done     []wire.InPort[op.Done]          // from the register file
	Read     wire.InPort[op.Read]            // from the register file
	Taken    wire.InPort[op.Taken]           // from a register file with issue registers
	Stores   wire.InPort[message.StoreNote]  // from the load/store unit
	Released wire.InPort[message.Release]    // from the barrier unit
	Issue    wire.OutPort[op.Op]             // to the register file
	Notes    wire.OutPort[message.FetchNote] // to fetch
	Arrivals wire.OutPort[message.Arrive]    // to the barrier unit
	Ended    wire.OutPort[message.WarpEnd]   // to residency
}

// Tick receives the messages and then issues.
func (s *Scheduler) Tick(now wire.Cycle) bool {
	s.catchUp(now)
	s.take(now)
	again := s.begin(now)
	issued, inserted := s.issueCycle(now)
	again = s.parts.finish(now) || again || s.restless && issued+inserted > 0
	chosen, ready := s.warpStates(&s.account)
	// Another warp may issue in the next cycle.
	again = again || ready != 0 && (ready&s.Local != 0 || issued > 0)
	lost := s.lost()
	s.account.Cycle(now, issued, inserted, lost)
	if s.idle != nil {
		s.idle.report(now, s.index, issued+inserted > 0, chosen != 0)
	}
	if o := s.observers.observer; o != nil {
		o.States(now, s.index, &s.account.States, s.contextOf, issued, lost)
	}
	return again
}

// relieve notes that one of a warp's operations has read its sources or has its result. This can unblock the
// instruction at the head of the warp's buffer, and blocks nothing.
func (s *Scheduler) relieve(context uint16, w *warpState) {
	slot := s.slotOf[context]
	if slot == message.NoSlot {
		s.touched = append(s.touched, context)
		return
	}
	bit := uint64(1) << (slot & 63)
	s.Dirty |= bit
	if s.Head&^s.Clear&bit != 0 {
		s.examine(int(slot), w, &s.prog.Info[w.headInst().PC])
	}
}

// update recomputes the sets for the instruction at the head of a slot's buffer. It is called whenever the head
// changes.
func (s *Scheduler) update(slot int, w *warpState) {
	bit := uint64(1) << (slot & 63)
	s.Dirty |= bit
	s.Head &^= bit
	s.Local &^= bit
	x := (*program.Inst)(nil)
	if w.n > 0 {
		x = &s.prog.Info[w.headInst().PC]
		s.Head |= bit
		if x.Kind == program.NoKind {
			s.Local |= bit
		}
	}
	s.unblock(bit)
	s.head(slot, w, x)
	s.depend(slot, w, x)
	if x != nil && s.scoreboards {
		s.checkBoard(bit, w, x)
	}
}

// examine recomputes the dependences of the instruction at the head of a slot's buffer.
func (s *Scheduler) examine(slot int, w *warpState, x *program.Inst) {
	bit := uint64(1) << (slot & 63)
	s.unblock(bit)
	s.depend(slot, w, x)
	if s.scoreboards {
		s.checkBoard(bit, w, x)
	}
}

// unblock removes a slot from the sets of dependences.
func (s *Scheduler) unblock(bit uint64) {
	s.Clear &^= bit
	s.Blocked[reason.Scoreboard] &^= bit
	s.Blocked[reason.Memory] &^= bit
	s.Blocked[reason.FencePending] &^= bit
	s.WaitLong &^= bit
}

// checkBoard computes an instruction's waits from its warp's scoreboard.
func (s *Scheduler) checkBoard(bit uint64, w *warpState, x *program.Inst) {
	switch results, reads := w.board.Conflicts(x); {
	case results != 0 && w.board.AwaitsMemory(x):
		s.Blocked[reason.Memory] |= bit
		if s.sorted && w.board.AwaitsLong(x) {
			s.WaitLong |= bit
		}
	case results|reads != 0:
		s.Blocked[reason.Scoreboard] |= bit
	case s.vacated != nil || x.Drained || x.Class == ir.ClassFence:
		s.checkRarer(bit, w, x)
	default:
		s.Clear |= bit
	}
}

// checkRarer is checkBoard for an instruction with its own registers ready, where that is not enough: other registers
// are given up before it, it waits for all operands to be read, or it is a fence.
func (s *Scheduler) checkRarer(bit uint64, w *warpState, x *program.Inst) {
	wait, memory, long := false, false, false
	if s.vacated != nil {
		wait, memory, long = w.board.Occupied(int(s.vacated[w.headInst().PC]))
	}
	wait = wait || x.Drained && w.board.Reading != program.RegSet{}
	switch {
	case wait && memory:
		s.Blocked[reason.Memory] |= bit
		if long {
			s.WaitLong |= bit
		}
	case wait:
		s.Blocked[reason.Scoreboard] |= bit
	case x.Class == ir.ClassFence && w.board.Unfenced():
		s.Blocked[reason.FencePending] |= bit
	default:
		s.Clear |= bit
	}
}

// Config has the settings of an SM's schedulers, and the settings of other blocks on which they depend.
type Config struct {
	Schedulers int
	Contexts   int  // warp contexts of the SM
	Slots      int  // scheduler slots of the SM
	Width      int  // issue slots of a scheduler per cycle
	Apart      bool // instructions of a cycle go to units of different kinds
	Buffer     int  // entries of a warp's instruction buffer
	// Stale is the most instructions in flight to a scheduler for warps that have lost their
	// slots.
	Stale  int
	AtUnit uint64 // a bit for each class whose resolution the execution unit reports to fetch
	Memory uint8  // the kind of the units executing memory instructions

	Choice    Spec
	Fences    FenceSpec
	Constants ConstantSpec
	Queues    memqueue.Spec
	Switch    switching.Spec

	Reuses    bool // the register file obeys flags of reuse
	Registers int  // issue registers of each unit at the register file; 0: any order of operations is taken
	Units     int  // execution units of the SM
}

// Links has the number of a scheduler, its execution units by kind,
// and its connections to the SM.
type Links struct {
	Index  int
	Units  [][]uint8
	Planes *Planes
	Check  *version.Checker

	Observers *Observers
	Steady    *Steady
	Idle      *Idle // nil: not counted
}

// New builds a scheduler of an SM.
func New(name string, d *wire.Domain, c *Config, links Links, reg *stats.Registry) *Scheduler {
	index, units := links.Index, links.Units
	slots := (c.Slots + c.Schedulers - 1 - index) / c.Schedulers
	s := &Scheduler{index: index, count: c.Schedulers, width: c.Width, apart: c.Apart, atUnit: c.AtUnit,
		turns: unitTurns{units: units, turn: make([]uint8, len(units))}, check: links.Check,
		tags: newTags(index, c.Schedulers)}
	s.warpTable = newWarpTable(index, c.Schedulers, c.Contexts, slots)
	s.observers, s.steady, s.idle = links.Observers, links.Steady, links.Idle
	s.Init(name, d, s)
	s.Start.Init(&s.Comp, "Start", 4)
	s.Fetched.Init(&s.Comp, "Fetched", slots*c.Buffer+c.Stale)
	s.Released.Init(&s.Comp, "Released", 3).SetBehind()
	s.Issue.Init(&s.Comp, "Issue")
	s.Notes.Init(&s.Comp, "Notes")
	s.Arrivals.Init(&s.Comp, "Arrivals")
	s.Ended.Init(&s.Comp, "Ended")
	s.countIssues(name, c.Reuses, reg)
	s.policy, s.scoreboards, s.pairing = c.Choice.policy(), true, true
	s.gates.warps, s.gates.notices = &s.warpTable, &s.notices
	s.equip(&site{config: c, links: &links, name: name, reg: reg})
	s.account.Register(name, s.width, Reasons(c, links.Planes), reg)
	return s
}

// countIssues registers the counts of issues. reuses: the register file obeys flags of reuse.
func (s *Scheduler) countIssues(name string, reuses bool, reg *stats.Registry) {
	reg.Count("sm.warp_instructions", stats.Instructions, "warp instructions issued", name, &s.issuedInsts)
	reg.Count("sm.thread_instructions", stats.Instructions,
		"lanes whose guard was true, summed over the warp instructions issued", name, &s.issuedLanes)
	if !reuses {
		reg.Count("sm.ignored_reuse_flags", stats.Accesses, "flags of reuse of the instructions issued, which the "+
			"register file, having no reuse cache, ignores", name, &s.ignoredFlags)
	}
}

// Load sets the plan of the next launch. The SM must be idle.
func (s *Scheduler) Load(p *plan, now wire.Cycle) {
	s.prog, s.held, s.vacated = p.prog, p.held, p.vacated
	for _, x := range s.launchers {
		x.launch()
	}
	s.account.Begin(now)
}
