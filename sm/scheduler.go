package sm

import (
	"math/bits"

	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
)

// Scheduler holds the instruction buffers and scoreboards of its warps, chooses
// one that is ready by its policy, and issues its next instruction to the
// register file.
type Scheduler struct {
	wire.Comp
	schedulerPorts
	index  int
	count  int // schedulers of the SM
	width  int
	apart  bool // instructions of a cycle go to units of different kinds
	policy Policy
	units  [][]uint8 // execution units of each kind that this scheduler can use
	turn   []uint8   // next unit of each kind
	atUnit [ir.NumClasses]bool
	tags   tagCounter
	check  *version.Checker // nil: off

	registers *registers // nil: the register file takes any order of operations

	prog *Program
	held gateBits // by instruction of prog: the gates that hold it
	// vacated, by instruction of prog: registers from this number on are given up before it.
	vacated []uint16
	warps   []warpState // by the scheduler's own number of a context
	seats
	slotSets
	released uint64 // warps whose release from a barrier is still to be noticed

	limits
	unpaired bool // a ready warp could not issue beside what issued in this cycle
	ledger
}

// schedulerPorts are a scheduler's ports.
type schedulerPorts struct {
	Start    wire.InPort[WarpsStart] // from residency
	Fetched  wire.InPort[Fetched]    // from fetch
	Done     []wire.InPort[op.Done]  // from the register file
	Read     wire.InPort[op.Read]    // from the register file
	Taken    wire.InPort[op.Taken]   // from a register file with issue registers
	Stores   wire.InPort[StoreNote]  // from the load/store unit
	Released wire.InPort[Release]    // from the barrier unit
	Issue    wire.OutPort[op.Op]     // to the register file
	Notes    wire.OutPort[FetchNote] // to fetch
	Arrivals wire.OutPort[Arrive]    // to the barrier unit
	Ended    wire.OutPort[WarpEnd]   // to residency
}

// limits are what may keep a warp back that could issue.
type limits struct {
	// special: there is one of them, or a listener.
	special bool
	parking *parking   // nil: nobody watches or switches CTAs
	active  *activeSet // nil: every warp is active
	narrow  Narrower   // the policy, if it narrows the choice
	gates   []gate
	classes []slotSignal // of the design's priorities, the most urgent first
	teller  *teller      // nil: there is no listener
	inserts string       // name of the operations that the design puts into the stream; empty: there are none
}

// ledger is what a scheduler counts, and who listens to its cycles.
type ledger struct {
	issuedInsts, issuedLanes uint64
	insertedOps              uint64
	starts                   uint64 // warps that have started
	account                  slotAccount
	idle                     *idleCount // of the SM; nil: not counted
	steady                   *steady    // of the SM
	audience                 *audience  // of the SM
}

type warpState struct {
	buffer [8]Fetched
	first  uint8
	n      uint8
	cta    uint16
	board  scoreboard
	life   uint8  // see Fetched
	age    uint64 // number of the warp's start
	aside  aside  // while it has no slot
	// predicates is their version: the tag of the newest operation that writes one.
	predicates uint32
}

func (w *warpState) headInst() *Fetched { return &w.buffer[w.first] }

// Tick takes the messages and then issues.
func (s *Scheduler) Tick(now wire.Cycle) bool {
	s.account.catchUp(now)
	s.takeStarts(now)
	s.takeDone()
	s.takeReads()
	if s.registers != nil {
		s.takeTaken()
	}
	s.takeStores()
	s.takeReleases()
	s.takeFetched()
	if s.parking != nil && s.parking.on {
		s.takeParks()
	}
	more := s.special && s.prepare(now)
	issued, inserted, again := s.issueCycle(now)
	again = again || s.special && s.unsettled(more, issued+inserted)
	if s.parking != nil {
		again = s.tellSwitcher() || again
	}
	s.warpStates(&s.account.states)
	lost := s.reason()
	s.account.cycle(now, issued, inserted, lost)
	if s.idle != nil {
		s.idle.report(now, s.index, issued+inserted > 0, s.clear&^(s.waitBar|s.outside&^s.startPending) != 0)
	}
	if o := s.audience.observer; o != nil {
		o.States(now, s.index, &s.account.states, s.contextOf, issued, lost)
	}
	return again
}

func (s *Scheduler) takeStarts(now wire.Cycle) {
	for m := s.Start.Head(); m != nil; m = s.Start.Head() {
		if m.Returned {
			s.takeReturned(m)
			s.Start.Pop()
			continue
		}
		set := m.Slots
		for _, c := range m.Contexts {
			if int(c)%s.count != s.index {
				continue
			}
			slot := bits.TrailingZeros64(set)
			set &= set - 1
			s.seat(c, slot)
			if s.parking != nil && s.parking.on {
				s.lookFrom(c, slot)
			}
			s.starts++
			*s.at(slot) = warpState{cta: m.CTA, age: s.starts}
			s.policy.Started(slot)
			s.check.WarpStart(c)
		}
		s.live |= m.Slots
		s.fresh |= m.Slots
		if s.special {
			s.startPending |= m.Slots
			s.forget(m.Slots)
			if s.parking != nil {
				s.parking.dirty |= m.Slots
			}
		}
		s.Start.Pop()
	}
	if s.startPending != 0 {
		s.noticeStarts(now)
	}
}

// context is the warp context that has a slot.
func (s *Scheduler) context(slot int) uint16 { return s.contextOf[slot] }

// at is the state of the warp that has a slot.
func (s *Scheduler) at(slot int) *warpState { return &s.warps[s.own[s.contextOf[slot]]] }

// of is the state of the warp of a context.
func (s *Scheduler) of(context uint16) *warpState { return &s.warps[s.own[context]] }

func (s *Scheduler) takeDone() {
	for i := range s.Done {
		p := &s.Done[i]
		for m := p.Head(); m != nil; m = p.Head() {
			slot := int(s.slotOf[m.Warp])
			b := &s.of(m.Warp).board
			b.done(m.Inst)
			if b.loads == 0 {
				s.missed &^= 1 << slot
			}
			if s.parking != nil {
				s.touch(m.Warp, slot)
			}
			p.Pop()
			s.relieve(slot)
		}
	}
}

func (s *Scheduler) takeReads() {
	for m := s.Read.Head(); m != nil; m = s.Read.Head() {
		slot := int(s.slotOf[m.Warp])
		s.of(m.Warp).board.read(m.Inst)
		if s.parking != nil {
			s.touch(m.Warp, slot)
		}
		s.Read.Pop()
		s.relieve(slot)
	}
}

func (s *Scheduler) takeStores() {
	for m := s.Stores.Head(); m != nil; m = s.Stores.Head() {
		slot := int(s.slotOf[m.Warp])
		if m.Missed {
			if s.of(m.Warp).board.loads > 0 {
				s.missed |= 1 << slot
			}
			s.Stores.Pop()
			continue
		}
		s.of(m.Warp).board.stores--
		if s.parking != nil {
			s.touch(m.Warp, slot)
		}
		s.Stores.Pop()
		s.relieve(slot)
	}
}

func (s *Scheduler) takeReleases() {
	for m := s.Released.Head(); m != nil; m = s.Released.Head() {
		for i, set := range m.Own {
			for ; set != 0; set &= set - 1 {
				c := uint16(s.contextNumber(i<<6 + bits.TrailingZeros64(set)))
				if s.slotOf[c] == noSlot {
					s.releaseAside(c)
					continue
				}
				s.released |= 1 << s.slotOf[c]
			}
		}
		s.Released.Pop()
	}
	if s.released != 0 {
		s.release()
	}
}

func (s *Scheduler) takeFetched() {
	for m := s.Fetched.Head(); m != nil; m = s.Fetched.Head() {
		slot := int(s.slotOf[m.Warp])
		w := s.of(m.Warp)
		if m.Life != w.life {
			s.Fetched.Pop() // fetched for a warp that has lost its slot since
			continue
		}
		w.buffer[(w.first+w.n)&7] = *m
		w.n++
		s.Fetched.Pop()
		if w.n == 1 {
			s.update(slot)
		}
	}
}

// relieve is update for events that can but let a head issue.
func (s *Scheduler) relieve(slot int) {
	if (s.head&^s.clear)>>slot&1 != 0 {
		s.update(slot)
	}
}

// update computes anew what the instruction at the head of a warp's buffer
// waits for. It is called whenever the head or the scoreboard changes.
func (s *Scheduler) update(slot int) {
	bit := uint64(1) << slot
	w := s.at(slot)
	s.head &^= bit
	s.clear &^= bit
	s.local &^= bit
	s.waitMem &^= bit
	s.waitFence &^= bit
	if s.parking != nil {
		s.waitLong &^= bit
		s.parking.dirty |= bit
	}
	if s.special {
		s.noHead(bit)
	}
	if w.n == 0 {
		return
	}
	s.head |= bit
	pc := w.headInst().PC
	x := &s.prog.info[pc]
	if s.special {
		s.newHead(slot, pc, x)
	}
	wait, memory, long := s.blocks(w, pc, x)
	wait = wait || x.drained && w.board.reading != regSet{}
	switch {
	case wait && memory:
		s.waitMem |= bit
		if long {
			s.waitLong |= bit
		}
	case wait:
	case x.class == ir.ClassFence && w.board.unfenced():
		s.waitFence |= bit
	default:
		s.clear |= bit
	}
	if x.kind == kindNone {
		s.local |= bit
	}
}

// blocks reports whether an instruction of a warp must wait for the scoreboard, whether
// for memory, and whether for a long-latency result.
func (s *Scheduler) blocks(w *warpState, pc uint32, x *instInfo) (wait, memory, long bool) {
	wait, memory = w.board.blocks(x)
	if !wait && s.vacated != nil {
		return w.board.occupied(int(s.vacated[pc]))
	}
	return wait, memory, memory && s.parking != nil && w.board.awaitsLong(x)
}

// schedulerLinks are the number of a scheduler, the execution units that it sees, by kind,
// and what the SM gives it.
type schedulerLinks struct {
	index  int
	units  [][]uint8
	planes *planes
	check  *version.Checker

	audience *audience
	steady   *steady
	idle     *idleCount // nil: not counted
}

// NewScheduler builds a scheduler of an SM.
func NewScheduler(name string, d *wire.Domain, spec *Spec, links schedulerLinks, reg *stats.Registry) *Scheduler {
	index, units := links.index, links.units
	policy := spec.Scheduler.policy()
	slots := (spec.Warps + spec.Schedulers - 1 - index) / spec.Schedulers
	s := &Scheduler{index: index, count: spec.Schedulers, width: spec.IssueWidth, apart: spec.IssueApart,
		policy: policy, units: units, check: links.check,
		turn:  make([]uint8, len(units)),
		warps: make([]warpState, (spec.WarpContexts()+spec.Schedulers-1-index)/spec.Schedulers),
		seats: newSeats(index, spec.Schedulers, spec.WarpContexts(), slots),
		tags:  newTags(index, spec.Schedulers)}
	s.audience, s.steady, s.idle = links.audience, links.steady, links.idle
	for c := range s.atUnit {
		s.atUnit[c] = branchAtUnit(&spec.Fetch, ir.Class(c))
	}
	s.Init(name, d, s)
	s.Start.Init(&s.Comp, "Start", 4)
	s.Fetched.Init(&s.Comp, "Fetched", slots*spec.Fetch.Buffer+spec.Fetch.stale(&spec.Switch))
	s.Released.Init(&s.Comp, "Released", 4)
	s.Issue.Init(&s.Comp, "Issue")
	s.Notes.Init(&s.Comp, "Notes")
	s.Arrivals.Init(&s.Comp, "Arrivals")
	s.Ended.Init(&s.Comp, "Ended")
	reg.Count("sm.warp_instructions", stats.Instructions, "warp instructions issued", name, &s.issuedInsts)
	reg.Count("sm.thread_instructions", stats.Instructions,
		"lanes whose guard was true, summed over the warp instructions issued", name, &s.issuedLanes)
	s.limit(spec, name, reg)
	s.serve(links.planes)
	if s.inserts != "" {
		reg.Count("sm.inserted_instructions", stats.Instructions,
			"operations issued that the register file's design has put into the instruction stream; they are not "+
				"among the warp instructions", name, &s.insertedOps)
	}
	s.account.register(name, s.width, links.planes.reasons(spec), reg)
	if spec.Switch.Present() {
		s.park(&spec.Switch)
	}
	return s
}

// Load gives the scheduler the program of the next launch, which gates hold its
// instructions, and from which register on warps give theirs up before each; nil: none
// does. The SM is idle then.
func (s *Scheduler) Load(p *Program, held gateBits, vacated []uint16, now wire.Cycle) {
	s.prog, s.held, s.vacated = p, held, vacated
	s.account.begin(now)
}
