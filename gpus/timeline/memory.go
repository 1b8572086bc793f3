package timeline

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kumiko/components/wire"
	"kumiko/memsys/access"
	"kumiko/memsys/l1"
	"kumiko/memsys/port"
	"kumiko/memsys/req"
	"kumiko/memsys/shared"
)

// memory maps identifiers in the memory system to the memory instructions in flight.
type memory struct {
	ops   map[uint32]*operation // by the load/store unit's number
	slots map[uint16]*operation // by slot of the access unit
}

func (r *recorder) memory() *memory {
	if r.mem.ops == nil {
		r.mem = memory{map[uint32]*operation{}, map[uint16]*operation{}}
	}
	return &r.mem
}

// watchAccess records the operation of each part and transaction.
func (r *recorder) watchAccess(x *access.Unit) {
	var current *operation
	wire.OnPop(&x.In, func(_ uint64, a *req.Access) { current = r.memory().ops[a.Tag] })
	part := func(_, _ uint64, p *req.Part) { r.memory().slots[p.Slot] = current }
	wire.OnPut(&x.Memory, part)
	wire.OnPut(&x.Shared, part)
	wire.OnPut(&x.Constant, part)
}

// aboutSlot adds the operation in an access unit's slot to an event, if the operation is known.
func (r *recorder) aboutSlot(w *writer, slot uint16) *writer {
	if o := r.memory().slots[slot]; o != nil {
		return w.about(o)
	}
	return w
}

// watchShared draws the instructions accepted by shared memory.
func (r *recorder) watchShared(x *shared.Memory) {
	l := &lanes{w: r.w, group: "Memory", name: r.short(x.Name())}
	wire.OnPop(&x.In, func(now uint64, p *req.Part) {
		if r.draws(now) {
			k, _ := l.freeTrack(now, now+1)
			r.aboutSlot(r.w.slice(k, "shared memory", p.Inst.Op.String(), now, now+1), p.Slot).end()
		}
	})
}

// cacheView draws a first-level cache: its accesses with their outcomes, and its MSHRs.
type cacheView struct {
	r       *recorder
	name    string
	at      *lanes
	outcome string
	lines   map[uint32]*missing
	mshrs   map[uint32]track
}

// missing is a line in flight.
type missing struct {
	since uint64
	addr  uint64
	asked int
	cause req.Cause
}

func (r *recorder) watchCache(x *l1.Tags) {
	name := strings.TrimSuffix(r.short(x.Name()), ".Tags")
	v := &cacheView{r: r, name: name, at: &lanes{w: r.w, group: "Memory", name: name}, lines: map[uint32]*missing{},
		mshrs: map[uint32]track{}}
	x.ListenHits(func() { v.outcome = "hit" })
	wire.OnPut(&x.Miss, v.miss)
	wire.OnPop(&x.In, v.access)
	wire.OnPop(&x.Reply, v.reply)
	r.atEnd = append(r.atEnd, func() {
		for _, e := range sortedKeys(v.lines) {
			v.draw(e, r.to)
		}
	})
}

// access is called for each served transaction, after its hit or miss.
func (v *cacheView) access(now uint64, t *req.Txn) {
	what := v.outcome
	v.outcome = ""
	if what == "" {
		what = "hit on miss"
	}
	if !v.r.draws(now) {
		return
	}
	k, _ := v.at.freeTrack(now, now+1)
	w := v.r.w.slice(k, "cache", t.Cause.String()+": "+what, now, now+1).hex("line", t.Addr).str("outcome",
		what).num("sectors", uint64(t.Sectors))
	v.r.aboutSlot(w, t.Slot).end()
}

func (v *cacheView) miss(now, _ uint64, p *req.Packet) {
	if p.Cause == req.WriteBack {
		return
	}
	v.outcome = "miss"
	if p.Kind != req.Read {
		v.outcome = "sent on"
		return
	}
	if _, direct := req.TagDone(p.Tag); direct || !v.r.draws(now) {
		return
	}
	m := v.lines[p.Tag]
	if m == nil {
		m = &missing{since: now, addr: p.Addr, cause: p.Cause}
		v.lines[p.Tag] = m
	}
	m.asked++
}

func (v *cacheView) reply(now uint64, p *req.Packet) {
	if _, direct := req.TagDone(p.Tag); direct {
		return
	}
	if m := v.lines[p.Tag]; m != nil {
		if m.asked--; m.asked == 0 {
			v.draw(p.Tag, now+1)
		}
	}
}

func (v *cacheView) draw(e uint32, now uint64) {
	m := v.lines[e]
	delete(v.lines, e)
	k, ok := v.mshrs[e]
	if !ok {
		k = v.r.w.track("Memory", fmt.Sprintf("%s MSHR %d", v.name, e))
		v.mshrs[e] = k
	}
	v.r.w.slice(k, "mshr", m.cause.String(), m.since, max(min(now, v.r.to), m.since+1)).hex("line", m.addr).num("mshr",
		uint64(e)).end()
}

// watchPort draws the SM's packets entering and leaving the interconnect.
func (r *recorder) watchPort(x *port.Port) {
	out := &lanes{w: r.w, group: "Memory", name: "to the interconnect"}
	in := &lanes{w: r.w, group: "Memory", name: "from the interconnect"}
	packet := func(l *lanes, now uint64, p *req.Packet) {
		if r.draws(now) {
			k, _ := l.freeTrack(now, now+1)
			r.w.slice(k, "packet", p.Cause.String(), now, now+1).hex("line", p.Addr).num("bytes",
				uint64(p.Size())).num("mshr_or_tag", uint64(p.Tag)).end()
		}
	}
	wire.OnPut(&x.ToNet, func(now, _ uint64, p *req.Packet) { packet(out, now, p) })
	wire.OnPop(&x.FromNet, func(now uint64, p *req.Packet) { packet(in, now, p) })
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
