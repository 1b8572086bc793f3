package switching

import (
	"fmt"
	"math/bits"
	"math/rand/v2"

	"kumiko/components/wire"
	"kumiko/memsys/req"
	"kumiko/regfile"
)

// later is a reply to be given in some cycle.
type later struct {
	at  wire.Cycle
	put func()
}

// body is a CTA of a world. It has a warp on each scheduler.
type body struct {
	in, hasSlots bool
	goes         bool // the schedulers are taking it from its slots
	file         bool // its registers are in the register file
	slot         int
	runs         int        // phases until its end
	until        wire.Cycle // of the phase
	stalls       bool
	born         wire.Cycle // since when it has its slots
}

// world is the surroundings of a switcher: residency, schedulers, fetch, shared memory and a register
// file, all answering at random times. It fails if an order breaks a contract.
type world struct {
	wire.Comp
	r     *rand.Rand
	x     *Switcher
	slots int // of each of two schedulers
	limit int // CTAs that may have slots
	files int // CTAs whose registers the file holds
	left  int // CTAs that have not started
	ended int
	admit bool
	ctas  []body
	due   []later
	fault string

	status      [2]wire.Signal[Status]
	vacancy     wire.Signal[Vacancy]
	Events      wire.OutPort[CTAEvent]
	Orders      wire.InPort[Order]
	Rewind      wire.InPort[Rewind]
	Deschedule  [2]wire.InPort[Deschedule]
	Descheduled [2]wire.OutPort[Descheduled]
	Woke        [2]wire.OutPort[Woke]
	Save        wire.InPort[req.WarpContext]
	Saved       wire.OutPort[req.WarpContext]
	Back        [2]wire.InPort[Context]
	Move        wire.InPort[regfile.Move]
	Moved       wire.OutPort[regfile.Moved]
	Stands      wire.OutPort[Standing]

	deschedules, most int // CTAs that the schedulers are taking from their slots; switches at once
	moves             int // orders to move under way
}

func newWorld(seed uint64, s Spec, moves bool) (*world, *wire.Domain) {
	d := wire.NewDomain("core", 1e9)
	w := &world{r: rand.New(rand.NewPCG(seed, 7)), slots: 2 + int(seed%3)/2, limit: 3 - int(seed%3+1)/2,
		files: 3, left: 30, ctas: make([]body, 6)}
	w.Init("World", d, w)
	w.x = New("X", d, s, SM{CTAs: len(w.ctas), Schedulers: 2, Moves: moves}, nil)
	w.Orders.Init(&w.Comp, "Orders", 8)
	w.Rewind.Init(&w.Comp, "Rewind", 8)
	w.Save.Init(&w.Comp, "Save", 4)
	w.Events.Init(&w.Comp, "Events")
	w.Saved.Init(&w.Comp, "Saved")
	w.vacancy.Init(&w.Comp, Vacancy{})
	wire.Connect(&w.x.Orders, &w.Orders, 1)
	wire.Connect(&w.x.Rewind, &w.Rewind, 1)
	wire.Connect(&w.x.Save, &w.Save, 1)
	wire.Connect(&w.Saved, &w.x.Saved, 3)
	wire.Connect(&w.Events, &w.x.Events, 1)
	for i := range w.status {
		w.status[i].Init(&w.Comp, Status{Stopped: ^uint64(0)})
		w.Deschedule[i].Init(&w.Comp, fmt.Sprintf("Deschedule[%d]", i), 4)
		w.Back[i].Init(&w.Comp, fmt.Sprintf("Back[%d]", i), 4)
		w.Descheduled[i].Init(&w.Comp, fmt.Sprintf("Descheduled[%d]", i))
		w.Woke[i].Init(&w.Comp, fmt.Sprintf("Woke[%d]", i))
		wire.Connect(&w.x.Deschedule[i], &w.Deschedule[i], 1)
		wire.Connect(&w.Descheduled[i], &w.x.Descheduled[i], 1)
		wire.Connect(&w.Woke[i], &w.x.Woke[i], 1)
		wire.Connect(&w.x.Back[i], &w.Back[i], 1)
	}
	if moves {
		w.x.Load(w.files)
		w.Move.Init(&w.Comp, "Move", 2)
		w.Moved.Init(&w.Comp, "Moved")
		w.Stands.Init(&w.Comp, "Stands")
		wire.Connect(w.x.Move, &w.Move, 1)
		wire.Connect(&w.Moved, &w.x.Moved, 1)
		wire.Connect(&w.Stands, &w.x.Standing, 1)
	}
	w.x.Watch([]*wire.Signal[Status]{&w.status[0], &w.status[1]}, &w.vacancy)
	w.Wake()
	return w, d
}

// after has a reply put some cycles from now.
func (w *world) after(now wire.Cycle, most int, put func()) {
	w.due = append(w.due, later{now + 1 + wire.Cycle(w.r.IntN(most)), put})
}

func (w *world) fail(format string, args ...any) {
	if w.fault == "" {
		w.fault = fmt.Sprintf(format, args...)
	}
}

func (w *world) Tick(now wire.Cycle) bool {
	w.most = max(w.most, len(w.x.swaps))
	todo := w.due
	w.due = nil
	for _, l := range todo {
		if l.at <= now {
			l.put()
		} else {
			w.due = append(w.due, l)
		}
	}
	w.live(now)
	w.receive(now)
	w.start(now)
	w.show(now)
	return w.ended < 30 && w.fault == ""
}

// free returns a slot of each scheduler for a CTA, or -1, the number of free slots, and the number of further CTAs
// allowed to have slots.
func (w *world) free() (slot, many, vacant int) {
	used := 0
	for i := range w.ctas {
		if w.ctas[i].in && w.ctas[i].hasSlots {
			used |= 1 << w.ctas[i].slot
		}
	}
	open := ^used & (1<<w.slots - 1)
	vacant = w.limit - bits.OnesCount(uint(used))
	if open == 0 || vacant == 0 {
		return -1, bits.OnesCount(uint(open)), vacant
	}
	return bits.TrailingZeros(uint(open)), bits.OnesCount(uint(open)), vacant
}

// assign gives a CTA slots and notifies the switcher.
func (w *world) assign(cta, slot int, e CTAEventKind, now wire.Cycle) {
	b := &w.ctas[cta]
	b.in, b.hasSlots, b.slot, b.stalls, b.born, b.until = true, true, slot, false, now, now+5+wire.Cycle(w.r.IntN(20))
	m := CTAEvent{CTA: uint16(cta), Event: e, Contexts: []uint16{uint16(2 * cta), uint16(2*cta + 1)},
		Ordered: e == Started && w.admit}
	m.Slots[0], m.Slots[1] = 1<<slot, 1<<slot
	w.Events.Put(m)
}

// live lets CTAs run, stall and end.
func (w *world) live(now wire.Cycle) {
	for i := range w.ctas {
		b := &w.ctas[i]
		if !b.in || now < b.until || b.goes {
			continue
		}
		switch {
		case b.stalls && b.hasSlots:
			b.stalls, b.until = false, now+5+wire.Cycle(w.r.IntN(20))
		case b.stalls: // its result has come
			if s := w.r.IntN(2); w.Woke[s].CanPut() {
				w.Woke[s].Put(Woke{CTA: uint16(i)})
				b.stalls = false
			}
		case b.hasSlots && b.runs == 0:
			*b = body{}
			w.ended++
			w.Events.Put(CTAEvent{CTA: uint16(i), Event: Finished})
		case b.hasSlots:
			b.runs--
			b.stalls, b.until = true, now+20+wire.Cycle(w.r.IntN(200))
		}
	}
}
