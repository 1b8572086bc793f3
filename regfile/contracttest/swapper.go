package contracttest

import (
	"fmt"

	"kumiko/components/wire"
	"kumiko/kernel/compiler/intervals"
	"kumiko/regfile"
)

// swapper acts as an SM's residency and switcher for a mover: each warp is a CTA, and Config.InFile of them have their
// registers in the file at once. At random times the swapper exchanges one of them for a waiting one.
type swapper struct {
	wire.Comp
	move   wire.OutPort[regfile.Move]
	moved  wire.InPort[regfile.Moved]
	ctas   wire.OutPort[regfile.CTANotice]
	events []wire.InPort[swapEvent]  // from each scheduler
	orders []wire.OutPort[swapOrder] // to each scheduler

	most     int // warps in the file
	state    []swapState
	inFile   int
	step     swapStep
	out, in  int // contexts, or regfile.NoCTA
	awaited  [1]intervals.Set
	draws    uint32
	earliest wire.Cycle // of the next switch
	restored int
	refused  int
}

// swapState is the state of a warp.
type swapState uint8

const (
	absent  swapState = iota
	wanting           // its program is to start
	running
	pending
)

type swapStep uint8

const (
	choosing swapStep = iota
	asking            // the design is asked whether there is space
	holding           // the warp is to come to rest
	moving            // the design moves registers
)

// swapEvent reports an event of a warp to the swapper.
type swapEvent struct {
	context uint16
	kind    swapEventKind
	awaited intervals.Set // of settled: registers with outstanding results
}

type swapEventKind uint8

const (
	wants   swapEventKind = iota
	settled               // only slow operations are outstanding
	done                  // its program has ended
)

// swapOrder lets a warp run or begin its program, or, with hold, asks it to come to rest.
type swapOrder struct {
	context uint16
	hold    bool
}

// swapping is the state of a scheduler for the swapper.
type swapping struct {
	out  wire.OutPort[swapEvent]
	in   wire.InPort[swapOrder]
	slow map[uint32]bool // outstanding operations of shared units
}

// swap builds the swapper and joins it to a mover and the schedulers.
func (r *rig) swap(d regfile.Design) error {
	m, ok := d.(regfile.Mover)
	if !ok {
		return fmt.Errorf("a design that moves no registers cannot swap warps")
	}
	n := r.c.Schedulers
	p := &swapper{most: r.c.InFile, state: make([]swapState, r.c.Warps), events: make([]wire.InPort[swapEvent], n),
		orders: make([]wire.OutPort[swapOrder], n), out: regfile.NoCTA, in: regfile.NoCTA}
	p.Init("Swapper", r.d, p)
	p.move.Init(&p.Comp, "Move")
	p.moved.Init(&p.Comp, "Moved", 2)
	p.ctas.Init(&p.Comp, "CTAs")
	orders, answers := m.Mover()
	wire.Connect(&p.move, orders, 1)
	wire.Connect(answers, &p.moved, 1)
	wire.Connect(&p.ctas, d.(regfile.Listener).Notices().CTA, 1)
	for i, s := range r.scheds {
		p.events[i].Init(&p.Comp, fmt.Sprintf("Events[%d]", i), 4*r.c.Warps)
		p.orders[i].Init(&p.Comp, fmt.Sprintf("Orders[%d]", i))
		s.swapping = &swapping{slow: map[uint32]bool{}}
		s.swapping.out.Init(&s.Comp, "SwapEvents")
		s.swapping.in.Init(&s.Comp, "SwapOrders", 4)
		wire.Connect(&s.swapping.out, &p.events[i], 1)
		wire.Connect(&p.orders[i], &s.swapping.in, 1)
	}
	r.swapper = p
	return nil
}

// Tick receives the events of warps and advances a switch.
func (p *swapper) Tick(now wire.Cycle) bool {
	p.receive(now)
	for m := p.moved.Take(); m != nil; m = p.moved.Take() {
		if p.step == asking {
			p.answered(m.Refused)
		} else {
			p.arrive(m.Refused, now)
		}
	}
	switch p.step {
	case choosing:
		p.choose(now)
	case moving:
		p.begin()
	}
	return p.step != choosing || p.first(wanting) >= 0 || p.first(pending) >= 0
}

func (p *swapper) receive(now wire.Cycle) {
	for i := range p.events {
		for e := p.events[i].Head(); e != nil && p.ctas.CanPut() && p.move.CanPut(); e = p.events[i].Head() {
			c := int(e.context)
			switch e.kind {
			case wants:
				p.state[c] = wanting
			case settled:
				p.awaited[0] = e.awaited
				p.order(now)
			case done:
				p.state[c] = absent
				p.inFile--
				p.ctas.Put(regfile.CTANotice{CTA: e.context, Contexts: []uint16{e.context}, Finished: true})
				if p.step == holding && c == p.out {
					p.step, p.out, p.in = choosing, regfile.NoCTA, regfile.NoCTA
				}
			}
			p.events[i].Pop()
		}
	}
}

// choose lets a warp into the file, or begins to free another one's place for it.
func (p *swapper) choose(now wire.Cycle) {
	in := p.draw(wanting)
	if x := p.draw(pending); in < 0 || x >= 0 && p.chance(2) {
		in = x
	}
	if in < 0 || !p.move.CanPut() || !p.ctas.CanPut() || !p.listen() {
		return
	}
	if p.inFile < p.most {
		p.out, p.in = regfile.NoCTA, in
		p.order(now)
		return
	}
	out := p.draw(running)
	if out < 0 || now < p.earliest {
		p.WakeAt(max(p.earliest, now+1))
		return
	}
	p.out, p.in = out, in
	if p.chance(2) {
		p.move.Put(p.message(true))
		p.step = asking
		return
	}
	p.answered(false)
}

// begin lets a new warp begin while registers are moved, if the file has space for it too.
func (p *swapper) begin() {
	room := p.most - p.inFile
	if p.out == regfile.NoCTA {
		room-- // for the entering warp
	}
	if room <= 0 || !p.ctas.CanPut() || !p.listen() {
		return
	}
	for c := range p.state {
		if p.state[c] == wanting && c != p.in {
			p.ctas.Put(regfile.CTANotice{CTA: uint16(c), Contexts: []uint16{uint16(c)}})
			p.state[c] = running
			p.inFile++
			p.send(c, false)
			return
		}
	}
}

// message returns the order to move.
func (p *swapper) message(ask bool) regfile.Move {
	m := regfile.Move{Out: p.out, In: p.in, Ask: ask}
	if p.state[p.in] == wanting {
		m.In = regfile.NoCTA
	}
	if p.out != regfile.NoCTA {
		m.Contexts, m.PCs = []uint16{uint16(p.out)}, []int32{0}
		if !ask {
			m.Awaited = p.awaited[:]
		}
	}
	return m
}

// answered continues after the design's answer to the question for space.
func (p *swapper) answered(refused bool) {
	switch {
	case refused:
		p.refused++
		p.step = choosing
	case p.state[p.out] != running: // its program has ended meanwhile
		p.step = choosing
	default:
		p.send(p.out, true)
		p.step = holding
	}
}

// order orders registers to be moved, or lets a new warp begin if there is space.
func (p *swapper) order(now wire.Cycle) {
	m := p.message(false)
	p.step = moving
	if m.In == regfile.NoCTA && m.Out == regfile.NoCTA {
		p.arrive(false, now)
		return
	}
	p.move.Put(m)
}

// arrive ends a switch.
func (p *swapper) arrive(refused bool, now wire.Cycle) {
	p.step, p.earliest = choosing, now+1+scatter(p.draws*7+uint32(now), 60)
	if refused {
		p.refused++
		p.send(p.out, false)
		return
	}
	if p.out != regfile.NoCTA {
		p.state[p.out] = pending
		p.inFile--
	}
	if p.state[p.in] == wanting {
		p.ctas.Put(regfile.CTANotice{CTA: uint16(p.in), Contexts: []uint16{uint16(p.in)}})
	} else {
		p.restored++
	}
	p.state[p.in] = running
	p.inFile++
	p.send(p.in, false)
}

func (p *swapper) send(context int, hold bool) {
	p.orders[context%len(p.orders)].Put(swapOrder{context: uint16(context), hold: hold})
}

// listen reports whether every scheduler can receive an order.
func (p *swapper) listen() bool {
	for i := range p.orders {
		if !p.orders[i].CanPut() {
			return false
		}
	}
	return true
}

func (p *swapper) first(s swapState) int {
	for c := range p.state {
		if p.state[c] == s {
			return c
		}
	}
	return -1
}

// draw returns a random warp in a state, or -1.
func (p *swapper) draw(s swapState) int {
	p.draws++
	from := int(scatter(p.draws*13+5, len(p.state)))
	for i := range p.state {
		if c := (from + i) % len(p.state); p.state[c] == s {
			return c
		}
	}
	return -1
}

func (p *swapper) chance(n int) bool {
	p.draws++
	return scatter(p.draws*29+3, n) == 0
}

// Waiting describes the switch in progress.
func (p *swapper) Waiting() string {
	if p.step == choosing {
		return ""
	}
	return fmt.Sprintf("step %d: warp %d goes, warp %d comes", p.step, p.out, p.in)
}

// takeOrders lets warps run, or come to rest.
func (s *scheduler) takeOrders() {
	if s.swapping == nil {
		return
	}
	for o := s.swapping.in.Take(); o != nil; o = s.swapping.in.Take() {
		w := s.warp(o.context)
		w.may, w.hold = w.may || !o.hold, o.hold
		w.rests = w.rests && o.hold
	}
}

// waits reports whether a program must wait for the swapper before its begin, and requests it.
func (s *scheduler) waits(w *warp) bool {
	if s.swapping == nil || w.may {
		return false
	}
	if !w.wants {
		w.wants = true
		s.swapping.out.Put(swapEvent{context: w.context, kind: wants})
	}
	return true
}

// rest reports once that a warp has come to rest.
func (s *scheduler) rest(w *warp) {
	if !w.hold || w.rests || !w.live || w.at == len(w.programs[0]) || w.reading > 0 || w.flight > w.slow {
		return
	}
	w.rests = true
	e := swapEvent{context: w.context, kind: settled}
	for r, p := range w.pending {
		if p {
			e.awaited.Add(r)
		}
	}
	s.swapping.out.Put(e)
}

// ended reports that a program has ended.
func (s *scheduler) ended(w *warp) {
	if s.swapping != nil {
		w.may, w.wants, w.hold, w.rests = false, false, false, false
		s.swapping.out.Put(swapEvent{context: w.context, kind: done})
	}
}

// slowly records an operation of a shared unit, whose result may come while its warp is pending.
func (s *scheduler) slowly(w *warp, tag uint32, unit *regfile.Unit) {
	if s.swapping != nil && unit.Sched == regfile.Shared {
		s.swapping.slow[tag] = true
		w.slow++
	}
}

func (s *scheduler) finished(w *warp, tag uint32) {
	if s.swapping != nil && s.swapping.slow[tag] {
		delete(s.swapping.slow, tag)
		w.slow--
	}
}
