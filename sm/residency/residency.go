// Package residency admits CTAs to an SM, gives their warps contexts and, where CTAs are switched,
// scheduler slots. It has the chip's CTA dispatcher too.
package residency

import (
	"fmt"
	"math/bits"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/kernel/stream"
	"kumiko/regfile"
	"kumiko/sm/message"
)

// Residency admits CTAs to the SM, one per cycle, gives their warps contexts,
// and retires them when every warp has ended.
type Residency struct {
	wire.Comp

	Grants        wire.InPort[message.Grant] // from the dispatcher
	Ended         []wire.InPort[message.WarpEnd]
	Credits       wire.OutPort[message.CTACredit] // to the dispatcher
	ToFetch       wire.OutPort[*message.Residence]
	ToBar         wire.OutPort[*message.Residence]
	ToScheds      []wire.OutPort[message.WarpsStart]
	notices       *wire.OutPort[regfile.CTANotice] // to the register file; nil: it does not listen
	listeners     []Listener
	SlotAllocator *slotAllocator // who has slots, where CTAs are switched; nil: every warp

	free    message.WarpSet `bits:"warps" room:"1"` // warp contexts
	words   int
	warps   int
	limit   int           // resident CTAs allowed for the running kernel
	first   int           // of limit, CTAs offered to the dispatcher at once; later ones are offered one by one; 0: all
	credits int           // CTA slots offered to the dispatcher and not yet retired
	ctas    []residentCTA `bits:"6+32*9"`
	owner   []uint16      `bits:"log(ctas)"` // per context: its CTA's slot

	gone     []*stream.CTA // retired, not yet reported to the dispatcher
	resident uint64
	most     uint64 // most CTAs resident at once
	launched uint64
	warpTime uint64 // sum over cycles of resident warps
	liveNow  uint64
	// Registers: footprint of a thread; held by the resident CTAs; heldTime is the sum of held
	// over cycles.
	footprint int
	held      uint64
	heldTime  uint64
	since     wire.Cycle
}

type residentCTA struct {
	cta      *stream.CTA // nil: none is in this slot
	left     uint16      // unfinished warps
	contexts []uint16    // of its warps
	held     uint64      // warp registers
	role     regfile.Role
}

// Places has the numbers of warp contexts and CTA slots of an SM, and of the schedulers sharing the warps.
type Places struct{ Contexts, CTAs, Schedulers int }

// New builds the residency block of an SM.
func New(name string, d *wire.Domain, places Places, reg *stats.Registry) *Residency {
	contexts, ctas := places.Contexts, places.CTAs
	r := &Residency{warps: contexts, words: (contexts + 63) / 64, ctas: make([]residentCTA, ctas),
		owner: make([]uint16, contexts)}
	for w := range contexts {
		r.free.Add(w)
	}
	r.Init(name, d, r)
	r.Grants.Init(&r.Comp, "Grants", ctas)
	r.Credits.Init(&r.Comp, "Credits")
	r.ToFetch.Init(&r.Comp, "ToFetch")
	r.ToBar.Init(&r.Comp, "ToBar")
	r.Ended = make([]wire.InPort[message.WarpEnd], places.Schedulers)
	r.ToScheds = make([]wire.OutPort[message.WarpsStart], places.Schedulers)
	for i := range places.Schedulers {
		r.Ended[i].Init(&r.Comp, fmt.Sprintf("Ended[%d]", i), 8)
		r.ToScheds[i].Init(&r.Comp, fmt.Sprintf("ToScheds[%d]", i))
	}
	reg.Count("sm.residency.ctas_launched", stats.Events, "CTAs that became resident", name, &r.launched)
	reg.Count("sm.residency.warp_cycles", stats.Cycles, "resident warps, summed over cycles", name, &r.warpTime)
	reg.Count("sm.residency.registers_allocated", stats.Cycles,
		"warp registers of resident CTAs (registers per thread x warps, until the CTA retires), summed over cycles",
		name, &r.heldTime)
	return r
}

// OfKernel is the number of registers of threads of several kernels: each CTA's kernel has its own.
const OfKernel = -1

// Limit sets the numbers of CTAs that may be resident, and active, from now on, and the registers of their
// threads (OfKernel: those of each CTA's kernel). It offers the CTA slots to the dispatcher. The SM is idle.
func (r *Residency) Limit(ctas regfile.Residency, registers int) {
	r.footprint = registers
	r.limit, r.first, r.credits, r.most = min(ctas.Resident, len(r.ctas)), ctas.Held, 0, 0
	if r.SlotAllocator != nil {
		r.SlotAllocator.limit, r.SlotAllocator.capacity = ctas.Active, ctas.Registers
	}
	r.Wake()
}

// MostResident returns the most CTAs resident at once since Limit.
func (r *Residency) MostResident() int { return int(r.most) }

// Tick retires CTAs, offers free CTA slots to the dispatcher, and admits one CTA.
func (r *Residency) Tick(now wire.Cycle) bool {
	r.warpTime += r.liveNow * (now - r.since)
	r.heldTime += r.held * (now - r.since)
	r.since = now
	if r.SlotAllocator != nil {
		r.takeOrders()
	}
	for i := range r.Ended {
		for e := r.Ended[i].Head(); e != nil && r.canNotify(); e = r.Ended[i].Head() {
			r.end(int(e.Warp), now)
			r.Ended[i].Pop()
		}
	}
	if n := r.offer() - r.credits; (n > 0 || len(r.gone) > 0) && r.Credits.CanPut() {
		r.Credits.Put(message.CTACredit{Free: uint16(n), Gone: r.gone})
		r.credits += n
		r.gone = nil
	}
	again := r.admit(now) || r.offer() > r.credits
	if r.SlotAllocator != nil {
		r.SlotAllocator.show(r)
	}
	return again
}

// offer returns the most unretired CTAs allowed to the dispatcher. Once the register file is full, the room for
// a further CTA is known only when the CTA is resident, so only one such CTA is offered at a time.
func (r *Residency) offer() int {
	if r.first == 0 {
		return r.limit
	}
	return max(r.credits, min(r.limit, max(r.first, int(r.resident)+1)))
}

func (r *Residency) end(w int, now wire.Cycle) {
	r.free.Add(w)
	r.liveNow--
	c := &r.ctas[r.owner[w]]
	c.left--
	if r.SlotAllocator != nil && !r.SlotAllocator.ended(w, r.owner[w], c.left == 0) {
		return
	}
	if c.left == 0 {
		r.retire(r.owner[w], now)
	}
}

// retire ends a CTA without remaining warps.
func (r *Residency) retire(slot uint16, now wire.Cycle) {
	c := &r.ctas[slot]
	r.gone = append(r.gone, c.cta)
	c.cta = nil
	for _, l := range r.listeners {
		l.Retired(now, slot)
	}
	r.resident--
	r.credits--
	r.held -= c.held
	r.notify(slot, c.contexts, true)
	if r.SlotAllocator != nil {
		r.SlotAllocator.gone(slot, &c.role)
	}
}

// canNotify reports whether there is room for a notice of a CTA.
func (r *Residency) canNotify() bool {
	return (r.notices == nil || r.notices.CanPut()) && (r.SlotAllocator == nil || r.SlotAllocator.Events.CanPut())
}

func (r *Residency) notify(slot uint16, contexts []uint16, finished bool) {
	if r.notices != nil {
		r.notices.Put(regfile.CTANotice{CTA: slot, Contexts: contexts, Role: r.ctas[slot].role, Finished: finished})
	}
}

// admit starts the CTA at the head of the grants. It returns whether another
// one is waiting.
func (r *Residency) admit(now wire.Cycle) bool {
	g := r.Grants.Head()
	if !r.mayStart(g) {
		return false
	}
	res := &message.Residence{CTA: g.CTA, Slot: uint16(r.slot()), Contexts: make([]uint16, len(g.CTA.Warps))}
	role := g.Role
	r.Grants.Pop()
	c := &r.ctas[res.Slot]
	registers := r.footprint
	if registers == OfKernel {
		registers = res.CTA.Kernel.Footprint
	}
	*c = residentCTA{cta: res.CTA, left: uint16(len(res.Contexts)), contexts: res.Contexts,
		held: uint64(registers * len(res.Contexts)), role: role}
	slots := r.deal(res.Contexts)
	for _, w := range res.Contexts {
		r.free.Remove(int(w))
		r.owner[w] = res.Slot
	}
	r.launched++
	r.resident++
	r.most = max(r.most, r.resident)
	for _, l := range r.listeners {
		l.Admitted(now, res.Slot, res.Contexts)
	}
	r.liveNow += uint64(len(res.Contexts))
	r.held += c.held
	r.ToFetch.Put(res)
	r.ToBar.Put(res)
	r.notify(res.Slot, res.Contexts, false)
	if r.SlotAllocator != nil {
		r.SlotAllocator.started(res, &role, &slots)
	}
	for i, m := range slots[:len(r.ToScheds)] {
		if m != 0 {
			r.ToScheds[i].Put(message.WarpsStart{Slots: m, Contexts: res.Contexts, CTA: res.Slot})
		}
	}
	return r.Grants.Head() != nil
}

// mayStart reports whether the CTA at the head of the grants, nil if there is none, may
// start now.
func (r *Residency) mayStart(g *message.Grant) bool {
	if !r.ToFetch.CanPut() || !r.ToBar.CanPut() || !r.canNotify() || !r.schedulersListen() {
		return false
	}
	if r.SlotAllocator != nil {
		return r.SlotAllocator.mayStart(r, g)
	}
	return g != nil
}

// schedulersListen reports whether every scheduler has room for a new CTA's message.
func (r *Residency) schedulersListen() bool {
	for i := range r.ToScheds {
		if !r.ToScheds[i].CanPut() {
			return false
		}
	}
	return true
}

// deal gives the warps of a new CTA the free contexts of the lowest numbers, and returns
// their slots by scheduler.
func (r *Residency) deal(contexts []uint16) (slots [message.MaxSchedulers]uint64) {
	if r.SlotAllocator != nil {
		r.SlotAllocator.deal(r, contexts, &slots)
		return slots
	}
	w := -1
	for i := range contexts {
		next := message.NextWarp(&r.free, w+1, r.words)
		if next <= w {
			panic("sm: a CTA was granted without free warp contexts")
		}
		w = next
		contexts[i] = uint16(w)
		slots[w%len(r.ToScheds)] |= 1 << (w / len(r.ToScheds))
	}
	return slots
}

func (r *Residency) slot() int {
	for i := range r.ctas {
		if r.ctas[i].cta == nil {
			return i
		}
	}
	panic("sm: a CTA was granted without a free slot")
}

// Waiting reports how many warps the resident CTAs have left.
func (r *Residency) Waiting() string {
	if r.resident == 0 {
		return ""
	}
	live := r.warps
	for _, m := range r.free[:r.words] {
		live -= bits.OnesCount64(m)
	}
	pending := ""
	if r.SlotAllocator != nil {
		pending = r.SlotAllocator.waiting()
	}
	return fmt.Sprintf("%d CTAs resident%s, with %d warps that have not ended", r.resident, pending, live)
}

// Listen joins residency to the port of a register file listening to CTAs.
func (r *Residency) Listen(to *wire.InPort[regfile.CTANotice]) {
	r.notices = &wire.OutPort[regfile.CTANotice]{}
	r.notices.Init(&r.Comp, "Notices")
	wire.Connect(r.notices, to, 1)
}

// Listener is notified of CTAs.
type Listener interface {
	// Admitted reports a new resident CTA and the contexts of its warps. The contexts must not
	// be changed.
	Admitted(now wire.Cycle, slot uint16, contexts []uint16)
	// Retired reports a CTA without remaining warps.
	Retired(now wire.Cycle, slot uint16)
}

// Slots returns the number of CTA slots.
func (r *Residency) Slots() int { return len(r.ctas) }

// CTA returns the CTA in a slot, or nil.
func (r *Residency) CTA(slot uint16) *stream.CTA { return r.ctas[slot].cta }

// AddListener adds a listener. No cycle depends on it.
func (r *Residency) AddListener(l Listener) { r.listeners = append(r.listeners, l) }
