package contracttest

import (
	"fmt"

	"kumiko/components/wire"
	"kumiko/kernel/compiler/intervals"
	"kumiko/regfile"
)

// parker acts as an SM's residency and switcher for a mover: each warp is a CTA, and Config.Park of them have their
// registers in the file at once. At random times the parker exchanges one of them for a waiting one.
type parker struct {
	wire.Comp
	move   wire.OutPort[regfile.Move]
	moved  wire.InPort[regfile.Moved]
	ctas   wire.OutPort[regfile.CTANotice]
	events []wire.InPort[parkEvent]  // from each scheduler
	orders []wire.OutPort[parkOrder] // to each scheduler

	most     int // warps in the file
	state    []parkState
	inFile   int
	step     parkStep
	out, in  int // contexts, or regfile.NoCTA
	awaited  [1]intervals.Set
	draws    uint32
	earliest wire.Cycle // of the next switch
	restored int
	refused  int
}

// parkState is the state of a warp.
type parkState uint8

const (
	absent  parkState = iota
	wanting           // its program is to start
	running
	parked
)

type parkStep uint8

const (
	choosing parkStep = iota
	asking            // the design is asked whether there is space
	holding           // the warp is to come to rest
	moving            // the design moves registers
)

// parkEvent reports an event of a warp to the parker.
type parkEvent struct {
	context uint16
	kind    parkEventKind
	awaited intervals.Set // of settled: registers with outstanding results
}

type parkEventKind uint8

const (
	wants   parkEventKind = iota
	settled               // only slow operations are outstanding
	done                  // its program has ended
)

// parkOrder lets a warp run or begin its program, or, with hold, asks it to come to rest.
type parkOrder struct {
	context uint16
	hold    bool
}

// parking is the state of a scheduler for the parker.
type parking struct {
	out  wire.OutPort[parkEvent]
	in   wire.InPort[parkOrder]
	slow map[uint32]bool // outstanding operations of shared units
}

// park builds the parker and joins it to a mover and the schedulers.
func (r *rig) park(d regfile.Design) error {
	m, ok := d.(regfile.Mover)
	if !ok {
		return fmt.Errorf("a design that moves no registers cannot park warps")
	}
	n := r.c.Schedulers
	p := &parker{most: r.c.Park, state: make([]parkState, r.c.Warps), events: make([]wire.InPort[parkEvent], n),
		orders: make([]wire.OutPort[parkOrder], n), out: regfile.NoCTA, in: regfile.NoCTA}
	p.Init("Parker", r.d, p)
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
		s.parking = &parking{slow: map[uint32]bool{}}
		s.parking.out.Init(&s.Comp, "ParkEvents")
		s.parking.in.Init(&s.Comp, "ParkOrders", 4)
		wire.Connect(&s.parking.out, &p.events[i], 1)
		wire.Connect(&p.orders[i], &s.parking.in, 1)
	}
	r.parker = p
	return nil
}

// Tick receives the events of warps and advances a switch.
func (p *parker) Tick(now wire.Cycle) bool {
	p.hear(now)
	for m := p.moved.Head(); m != nil; m = p.moved.Head() {
		if p.step == asking {
			p.answered(m.Refused)
		} else {
			p.arrive(m.Refused, now)
		}
		p.moved.Pop()
	}
	switch p.step {
	case choosing:
		p.choose(now)
	case moving:
		p.begin()
	}
	return p.step != choosing || p.first(wanting) >= 0 || p.first(parked) >= 0
}

func (p *parker) hear(now wire.Cycle) {
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
func (p *parker) choose(now wire.Cycle) {
	in := p.draw(wanting)
	if x := p.draw(parked); in < 0 || x >= 0 && p.chance(2) {
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
func (p *parker) begin() {
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
func (p *parker) message(ask bool) regfile.Move {
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
func (p *parker) answered(refused bool) {
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
func (p *parker) order(now wire.Cycle) {
	m := p.message(false)
	p.step = moving
	if m.In == regfile.NoCTA && m.Out == regfile.NoCTA {
		p.arrive(false, now)
		return
	}
	p.move.Put(m)
}

// arrive ends a switch.
func (p *parker) arrive(refused bool, now wire.Cycle) {
	p.step, p.earliest = choosing, now+1+scatter(p.draws*7+uint32(now), 60)
	if refused {
		p.refused++
		p.send(p.out, false)
		return
	}
	if p.out != regfile.NoCTA {
		p.state[p.out] = parked
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

func (p *parker) send(context int, hold bool) {
	p.orders[context%len(p.orders)].Put(parkOrder{context: uint16(context), hold: hold})
}

// listen reports whether every scheduler can receive an order.
func (p *parker) listen() bool {
	for i := range p.orders {
		if !p.orders[i].CanPut() {
			return false
		}
	}
	return true
}

func (p *parker) first(s parkState) int {
	for c := range p.state {
		if p.state[c] == s {
			return c
		}
	}
	return -1
}

// draw returns a random warp in a state, or -1.
func (p *parker) draw(s parkState) int {
	p.draws++
	from := int(scatter(p.draws*13+5, len(p.state)))
	for i := range p.state {
		if c := (from + i) % len(p.state); p.state[c] == s {
			return c
		}
	}
	return -1
}

func (p *parker) chance(n int) bool {
	p.draws++
	return scatter(p.draws*29+3, n) == 0
}

// Waiting describes the switch in progress.
func (p *parker) Waiting() string {
	if p.step == choosing {
		return ""
	}
	return fmt.Sprintf("step %d: warp %d goes, warp %d comes", p.step, p.out, p.in)
}

// takeOrders lets warps run, or come to rest.
func (s *scheduler) takeOrders() {
	if s.parking == nil {
		return
	}
	for o := s.parking.in.Head(); o != nil; o = s.parking.in.Head() {
		w := s.warp(o.context)
		w.may, w.hold = w.may || !o.hold, o.hold
		w.rests = w.rests && o.hold
		s.parking.in.Pop()
	}
}

// waits reports whether a program must wait for the parker before its begin, and requests it.
func (s *scheduler) waits(w *warp) bool {
	if s.parking == nil || w.may {
		return false
	}
	if !w.wants {
		w.wants = true
		s.parking.out.Put(parkEvent{context: w.context, kind: wants})
	}
	return true
}

// rest reports once that a warp has come to rest.
func (s *scheduler) rest(w *warp) {
	if !w.hold || w.rests || !w.live || w.at == len(w.programs[0]) || w.reading > 0 || w.flight > w.slow {
		return
	}
	w.rests = true
	e := parkEvent{context: w.context, kind: settled}
	for r, p := range w.pending {
		if p {
			e.awaited.Add(r)
		}
	}
	s.parking.out.Put(e)
}

// ended reports that a program has ended.
func (s *scheduler) ended(w *warp) {
	if s.parking != nil {
		w.may, w.wants, w.hold, w.rests = false, false, false, false
		s.parking.out.Put(parkEvent{context: w.context, kind: done})
	}
}

// slowly records an operation of a shared unit, whose result may come while its warp is parked.
func (s *scheduler) slowly(w *warp, tag uint32, unit *regfile.Unit) {
	if s.parking != nil && unit.Sched == regfile.Shared {
		s.parking.slow[tag] = true
		w.slow++
	}
}

func (s *scheduler) finished(w *warp, tag uint32) {
	if s.parking != nil && s.parking.slow[tag] {
		delete(s.parking.slow, tag)
		w.slow--
	}
}
