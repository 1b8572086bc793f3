package sharing

import (
	"fmt"
	"math/bits"

	"kumiko/components/stats"
	"kumiko/components/storage"
	"kumiko/components/wire"
	"kumiko/regfile"
)

// Pairs records the pairs of CTA slots with shared registers, and the owner of each pair.
type Pairs struct {
	wire.Comp

	CTA   wire.InPort[regfile.CTANotice]
	Taken wire.InPort[Taken]  // from the locks
	Begun wire.OutPort[Begun] // to the locks

	// Owner and NonOwner have the resident warps of owner CTAs and of their partners. Unshared has the warps of
	// unshared CTAs. All are empty while nothing is shared.
	Owner, NonOwner, Unshared wire.Signal[regfile.WarpSet]

	contexts int // warp contexts
	plan     plan
	slots    []ctaSlot       `row:"Pairs: sharers"` // by CTA slot
	owner    regfile.WarpSet `row:"Pairs: shared and owner bits"`
	nonOwner regfile.WarpSet `row:"Pairs: shared and owner bits"`
	unshared regfile.WarpSet `row:"Pairs: shared and owner bits"`

	shared, alone          uint64
	byFinish, byLock       uint64
	sharedTime, aloneTime  uint64
	since                  wire.Cycle
	sharedNow, unsharedNow uint64
}

type ctaSlot struct {
	warps    regfile.WarpSet
	resident bool
	owner    bool
	pair     int
	side     int
}

// NewPairs builds the block for an SM with the given number of CTA slots and warp contexts.
func NewPairs(name string, d *wire.Domain, ctas, contexts int, reg *stats.Registry) *Pairs {
	p := &Pairs{contexts: contexts, slots: make([]ctaSlot, ctas)}
	p.Init(name, d, p)
	p.CTA.Init(&p.Comp, "CTA", 2*ctas) // all CTAs end and as many begin before the sender sees freed space: none waits
	p.Taken.Init(&p.Comp, "Taken", 2*ctas)
	p.Begun.Init(&p.Comp, "Begun")
	p.Owner.Init(&p.Comp, regfile.WarpSet{})
	p.NonOwner.Init(&p.Comp, regfile.WarpSet{})
	p.Unshared.Init(&p.Comp, regfile.WarpSet{})
	reg.Count("regfile.sharing.ctas_shared", stats.Events, "CTAs that began as one of a pair", name, &p.shared)
	reg.Count("regfile.sharing.ctas_unshared", stats.Events,
		"CTAs that began with registers of their own while others shared", name, &p.alone)
	reg.Count("regfile.sharing.shared_cta_cycles", stats.Cycles, "resident CTAs of pairs, summed over cycles", name,
		&p.sharedTime)
	reg.Count("regfile.sharing.unshared_cta_cycles", stats.Cycles,
		"resident CTAs with registers of their own while others share, summed over cycles", name, &p.aloneTime)
	reg.Count("regfile.sharing.ownership_by_finish", stats.Events,
		"times that a CTA became owner because its partner finished", name, &p.byFinish)
	reg.Count("regfile.sharing.ownership_by_lock", stats.Events,
		"times that a CTA became owner because it took a lock while its partner held none", name, &p.byLock)
	return p
}

// Load prepares the pairs for a launch. The SM is idle.
func (p *Pairs) Load(x plan) {
	p.plan = x
	p.owner, p.nonOwner, p.unshared = regfile.WarpSet{}, regfile.WarpSet{}, regfile.WarpSet{}
	p.publish()
}

// Tick updates ownership and records the starts and ends of CTAs.
func (p *Pairs) Tick(now wire.Cycle) bool {
	p.sharedTime += p.sharedNow * (now - p.since)
	p.aloneTime += p.unsharedNow * (now - p.since)
	p.since = now
	for t := p.Taken.Take(); t != nil; t = p.Taken.Take() {
		p.taken(int(t.Pair), int(t.Side))
	}
	for n := p.CTA.Head(); n != nil && (!p.plan.on() || p.Begun.CanPut()); n = p.CTA.Head() {
		switch {
		case !p.plan.on():
		case n.Finished:
			p.finish(int(n.CTA))
		default:
			p.begin(n)
		}
		p.CTA.Pop()
	}
	p.publish()
	return false
}

func (p *Pairs) publish() {
	p.Owner.Set(p.owner)
	p.NonOwner.Set(p.nonOwner)
	p.Unshared.Set(p.unshared)
}

// begin begins a CTA. It owns the pair's registers unless its partner is resident.
func (p *Pairs) begin(n *regfile.CTANotice) {
	s := &p.slots[n.CTA]
	pair, side := p.plan.role(n)
	*s = ctaSlot{resident: true, pair: pair, side: side}
	for _, w := range n.Contexts {
		s.warps.Add(int(w))
	}
	p.takeContexts(int(n.CTA))
	p.Begun.Put(Begun{Contexts: n.Contexts, Pair: int16(pair), Side: uint8(side), Kernel: n.Role.Kernel})
	if pair == alone {
		p.alone++
		p.unsharedNow++
		unite(&p.unshared, &s.warps)
		return
	}
	p.shared++
	p.sharedNow++
	p.setOwner(s, p.resident(pair, 1-side) == nil)
}

// takeContexts removes the contexts of a beginning CTA from the sets of CTAs still resident. Only contexts of their
// ended warps can be among them.
func (p *Pairs) takeContexts(slot int) {
	s := &p.slots[slot]
	for i := range p.slots {
		if i != slot {
			without(&p.slots[i].warps, &s.warps)
		}
	}
	for _, set := range []*regfile.WarpSet{&p.owner, &p.nonOwner, &p.unshared} {
		without(set, &s.warps)
	}
}

// resident returns the resident CTA of a side of a pair, or nil.
func (p *Pairs) resident(pair, side int) *ctaSlot {
	for i := range p.slots {
		if s := &p.slots[i]; s.resident && s.pair == pair && s.side == side {
			return s
		}
	}
	return nil
}

// setOwner sets whether a CTA of a pair is its owner.
func (p *Pairs) setOwner(s *ctaSlot, owner bool) {
	s.owner = owner
	in, out := &p.owner, &p.nonOwner
	if !owner {
		in, out = out, in
	}
	unite(in, &s.warps)
	without(out, &s.warps)
}

// finish removes a CTA. Its partner, if resident, becomes the owner of the registers.
func (p *Pairs) finish(slot int) {
	s := &p.slots[slot]
	for _, set := range []*regfile.WarpSet{&p.owner, &p.nonOwner, &p.unshared} {
		without(set, &s.warps)
	}
	was, pair, side := s.owner, s.pair, s.side
	*s = ctaSlot{}
	if pair == alone {
		p.unsharedNow--
		return
	}
	p.sharedNow--
	if o := p.resident(pair, 1-side); was && o != nil {
		p.setOwner(o, true)
		p.byFinish++
	}
}

// taken makes a CTA the owner after it took a lock while its partner held none: from now on the partner's warps
// wait for the owner's, and not the other way round.
func (p *Pairs) taken(pair, side int) {
	s := p.resident(pair, side)
	if s == nil || s.owner {
		return
	}
	if o := p.resident(pair, 1-side); o != nil {
		p.setOwner(o, false)
	}
	p.setOwner(s, true)
	p.byLock++
}

// State returns the storage of the block, in bits (section 6): the sharing bit of the SM, the partner (or none) of
// each CTA slot, and two bits for each warp: of a pair, and of an owner. The contexts of a CTA are known to the SM
// itself.
func (p *Pairs) State() []regfile.State {
	sharer := bits.Len(uint(len(p.slots))) // a slot or none: ceil(log2(T+1))
	return []regfile.State{
		{Block: "Pairs", What: "sharing bit", Count: 1, Bits: 1, Kind: storage.FlipFlop, Width: 1},
		{Block: "Pairs", What: "sharers", Count: 1, Bits: len(p.slots) * sharer, Kind: storage.FlipFlop, Width: sharer},
		{Block: "Pairs", What: "shared and owner bits", Count: 1, Bits: 2 * p.contexts, Kind: storage.FlipFlop,
			Width: 2},
	}
}

// Waiting reports the reason why a CTA waits to begin.
func (p *Pairs) Waiting() string {
	if n := p.CTA.Len(); n > 0 {
		return fmt.Sprintf("%d notices of CTAs wait for room at the locks", n)
	}
	return ""
}

func unite(a, b *regfile.WarpSet) {
	for i := range a {
		a[i] |= b[i]
	}
}

func without(a, b *regfile.WarpSet) {
	for i := range a {
		a[i] &^= b[i]
	}
}
