package timeline

import (
	"fmt"

	"kumiko/components/arbiter"
	"kumiko/components/bank"
	"kumiko/components/collector"
	"kumiko/components/crossbar"
	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// collectorStages maps collector events to the stages entered in a Konata log.
var collectorStages = [...]int{collector.Allocated: stageCollect, collector.Ready: stageReady,
	collector.Dispatched: stageReady}

// watchReader logs the operand reads of a register file without collectors.
func (r *recorder) watchReader(x regfile.Reader) {
	name := r.short(x.(interface{ Name() string }).Name())
	var numbers [256]int // in the profile, plus 1, by bank; 0: none yet
	x.Observe(func(e regfile.Reading) {
		switch {
		case !r.draws(e.Now):
		case e.Event == regfile.ReadBegins:
			r.konata.enter(e.Tag, stageCollect, e.Now)
			if o := r.ops.find(e.Tag); o != nil {
				o.since = e.Now
			}
		case e.Event == regfile.ReadEnds:
			r.konata.enter(e.Tag, stageReady, e.Now)
			if o := r.ops.find(e.Tag); o != nil {
				r.profile.collected(o, e.Now-o.since)
			}
		default:
			r.konata.held(e.Tag, e.Bank, e.By)
			if o := r.ops.find(e.Tag); o != nil && r.profile != nil {
				if numbers[e.Bank] == 0 {
					numbers[e.Bank] = r.profile.bank(fmt.Sprintf("%s bank %d", name, e.Bank)) + 1
				}
				r.profile.hold(o, blocked{e.Now, numbers[e.Bank] - 1, noRegister}, r.ops.find(e.By),
					held{bank.Operand, bank.Read, noRegister})
				r.profile.waited(o)
			}
		}
	})
}

// watchCollectors draws the collectors of a set and their operands.
func (r *recorder) watchCollectors(x *collector.Set) {
	name := r.short(x.Name())
	own := make([]track, x.Len())
	sources := make([][ir.NumSources]track, x.Len())
	held := make([]*operation, x.Len())
	for c := range own {
		own[c] = r.w.track("Collectors", fmt.Sprintf("%s %d", name, c))
	}
	x.Observe(func(now uint64, c int, e collector.Event, o *op.Op) {
		i := r.ops.find(o.Tag)
		if r.draws(now) {
			r.konata.enter(o.Tag, collectorStages[e], now)
		}
		switch {
		case e == collector.Dispatched:
			if held[c] != nil {
				r.collected(own[c], held[c], now)
				held[c] = nil
			}
		case i == nil || !r.draws(now):
		case e == collector.Allocated:
			i.from, i.since, i.ready = own[c], now, 0
			held[c] = i
		case e == collector.Ready:
			i.ready = now
			r.profile.collected(i, now-i.since)
		}
	})
	wire.OnPut(&x.Request, func(now, _ uint64, m *bank.Request) {
		i := r.ops.find(m.Tag)
		if i == nil || !r.draws(now) || m.Cause != bank.Operand {
			return
		}
		for k := range m.N {
			s := m.Slot[k]
			if sources[m.To][s] == (track{}) {
				sources[m.To][s] = r.w.track("Operands", fmt.Sprintf("%s %d source %d", name, m.To, s))
			}
			i.operands[s] = operand{to: sources[m.To][s], requested: now, asked: now + 1, bank: m.Bank[k],
				entry: m.Entry[k], under: true}
		}
	})
	arrive := func(now uint64, v *bank.Value) {
		if i := r.ops.find(v.Tag); i != nil && v.Cause == bank.Operand {
			r.arrived(i, v.Slot&bank.SourceBits, now)
		}
	}
	wire.OnPop(&x.Operand, arrive)
	for i := range x.Lines { // of a design's own blocks, as of a register cache
		wire.OnPop(&x.Lines[i], arrive)
	}
	r.atEnd = append(r.atEnd, func() {
		for c, i := range held {
			if i != nil && r.to > i.since {
				r.collected(own[c], i, r.to)
			}
		}
	})
}

// collected draws the use of a collector, once the collector is free again.
func (r *recorder) collected(k track, o *operation, now uint64) {
	if o.since >= r.to {
		return
	}
	now = max(min(now, r.to), o.since+1)
	r.w.slice(k, "collector", o.inst.Op.String(), o.since, now).about(o).end()
	if o.ready > o.since {
		r.w.slice(k, "collector", "operands", o.since, o.ready).num("tag", uint64(o.tag)).num("operand_latency",
			o.ready-o.since).end()
	}
	r.w.flow("t", "operation", uint64(o.tag), k, o.since)
}

// operandFlow returns the identifier of the arrow of an operand.
func operandFlow(tag uint32, slot uint8) uint64 { return 1<<36 | uint64(tag)<<4 | uint64(slot) }

// arrived draws the life of an operand on its arrival at the collector: the whole, and within it the stages.
func (r *recorder) arrived(o *operation, slot uint8, now uint64) {
	x := &o.operands[slot]
	if !x.under {
		return
	}
	x.under = false
	if now >= r.to || x.granted == 0 || x.started == 0 || x.crossing == 0 {
		return // the operand left the window, or bypassed the bank or the crossbar
	}
	reg := register(o.inst.T.Src[slot])
	arbiter, value := x.asked, x.started // visible at the arbiter; at the crossbar
	waitBank, waitCross := x.granted-arbiter, x.crossing-value
	r.konata.conflicts(o.tag, waitBank, waitCross)
	r.profile.read(o, waitBank, waitCross)
	r.w.slice(x.to, "operand", reg, x.requested, now).about(o).str("register", reg).num("bank",
		uint64(x.bank)).num("entry", uint64(x.entry)).
		num("bank_conflict_cycles", waitBank).num("crossbar_conflict_cycles", waitCross).end()
	r.w.flow("s", "operand", operandFlow(o.tag, slot), x.to, x.requested)
	for _, s := range [...]struct {
		name     string
		from, to uint64
	}{{"request", x.requested, arbiter}, {"wait for bank", arbiter, x.granted}, {"bank", x.granted, value},
		{"wait for crossbar", value, x.crossing}, {"crossbar", x.crossing, now}} {
		if s.to > s.from {
			r.w.slice(x.to, "stage", s.name, s.from, s.to).num("tag", uint64(o.tag)).str("register", reg).end()
		}
	}
}

// watchArbiter records the grants, and the register of each write.
func (r *recorder) watchArbiter(x *arbiter.Banks) {
	for i := range x.Read {
		wire.OnArrival(&x.Read[i], func(visible uint64, m *bank.Request) {
			if o := r.ops.find(m.Tag); o != nil && m.Cause == bank.Operand {
				for _, slot := range m.Slot[:m.N] { // later than from the collector, if a register cache is between
					o.operands[slot&bank.SourceBits].asked = visible
				}
			}
		})
	}
	for i := range x.Write {
		wire.OnPop(&x.Write[i], func(now uint64, a *bank.Access) {
			if o := r.ops.find(a.Tag); o != nil && a.Cause == bank.Result && o.n < len(o.writes) {
				o.writes[o.n] = place{a.Entry, a.Bank, now} // destinations come in their order
				o.n++
			}
		})
	}
	for b := range x.Out {
		number, last := r.profile.bank(r.bankName(x.Out[b].Source())), &grants{}
		wire.OnPut(&x.Out[b], func(now, _ uint64, a *bank.Access) {
			o := r.ops.find(a.Tag)
			reg := accessed(o, a)
			last.add(now, a, reg)
			switch {
			case o == nil:
			case a.Kind == bank.Read && a.Cause == bank.Operand:
				s := &o.operands[a.Slot&bank.SourceBits]
				s.granted = now
				r.blame(o, blocked{s.asked, number, reg}, b, last, now, bank.Read)
			case a.Kind != bank.Read && a.Cause == bank.Result:
				if p := o.place(a); p != nil {
					r.profile.wrote(o, now-p.since)
					r.blame(o, blocked{p.since, number, reg}, b, last, now, bank.Write)
				}
			}
		})
	}
}

// bankName returns the name of the bank behind an output of an arbiter.
func (r *recorder) bankName(out *wire.Source) string {
	if in, _ := out.Peer(); in != nil {
		return r.short(in.Component().Name())
	}
	return r.short(out.Name())
}

// accessed returns the register of an operand's or a result's access, or noRegister.
func accessed(o *operation, a *bank.Access) int {
	switch {
	case o == nil:
	case a.Kind == bank.Read && a.Cause == bank.Operand:
		return int(o.inst.T.Src[a.Slot&bank.SourceBits])
	case a.Kind != bank.Read && a.Cause == bank.Result:
		return int(a.Reg)
	}
	return noRegister
}

// blame notes who held a bank from the cycle of w until cycle to, while an access of o waited.
func (r *recorder) blame(o *operation, w blocked, bankOf int, last *grants, to uint64, kind bank.Kind) {
	if r.konata == nil && (r.profile == nil || o.uncounted) {
		return
	}
	for c := max(w.at, r.from); c < min(to, r.to); c++ {
		g := last.holder(c, kind)
		if g == nil {
			continue
		}
		by := r.ops.find(g.tag)
		if g.cause != bank.Operand && g.cause != bank.Result {
			by = nil
		}
		w.at = c
		r.profile.hold(o, w, by, g.held)
		if kind == bank.Read && by != nil {
			r.konata.blame(o.tag, uint8(bankOf), by.tag)
		}
	}
}

// watchBank draws the accesses of a bank: a read from its start to its value, a write in its first cycle.
func (r *recorder) watchBank(x *bank.Bank) {
	l := &lanes{w: r.w, group: "Banks", name: r.short(x.Name())}
	wire.OnPut(&x.Out, func(now, visible uint64, v *bank.Value) {
		o := r.ops.find(v.Tag)
		if !r.draws(now) || o == nil || v.Cause != bank.Operand {
			return
		}
		slot := v.Slot & bank.SourceBits
		s := &o.operands[slot]
		s.started = visible
		if r.quiet() {
			return
		}
		k, _ := l.freeTrack(now, visible)
		r.w.slice(k, "read", "read "+register(o.inst.T.Src[slot]), now, visible).about(o).str("register",
			register(o.inst.T.Src[slot])).
			num("entry", uint64(s.entry)).num("collector", uint64(v.To)).str("cause", v.Cause.String()).end()
		r.w.flow("t", "operand", operandFlow(v.Tag, slot), k, now)
	})
	if r.quiet() {
		return
	}
	wire.OnPop(&x.In, func(now uint64, a *bank.Access) {
		o := r.ops.find(a.Tag)
		if !r.draws(now) || a.Kind == bank.Read && o != nil && a.Cause == bank.Operand {
			return
		}
		k, _ := l.freeTrack(now, now+1)
		if a.Kind == bank.Read || o == nil || a.Cause != bank.Result {
			name := "write"
			if a.Kind == bank.Read {
				name = "read"
			}
			r.w.slice(k, "access", name, now, now+1).num("tag", uint64(a.Tag)).num("entry",
				uint64(a.Entry)).str("cause", a.Cause.String()).end()
			return
		}
		reg := o.written(a)
		r.konata.enter(a.Tag, stageWrite, now)
		r.w.slice(k, "write", "write "+reg, now, now+1).about(o).str("register", reg).num("entry",
			uint64(a.Entry)).str("cause", a.Cause.String()).end()
		r.w.flow("f", "operation", uint64(o.tag), k, now)
	})
}

// written returns the register written by a result's access.
func (o *operation) written(a *bank.Access) string {
	for i, p := range o.writes[:o.n] {
		if p.entry == a.Entry && p.bank == a.Bank {
			return register(o.inst.T.Dst[i])
		}
	}
	return "?"
}

// place returns the place that a result's access writes, or nil.
func (o *operation) place(a *bank.Access) *place {
	for i := range o.writes[:o.n] {
		if p := &o.writes[i]; p.entry == a.Entry && p.bank == a.Bank {
			return p
		}
	}
	return nil
}

// watchCrossbar draws the values in flight to each output.
func (r *recorder) watchCrossbar(x *crossbar.Crossbar) {
	outputs := map[uint8]*lanes{}
	name := r.short(x.Name())
	for i := range x.Out {
		wire.OnPut(&x.Out[i], func(now, visible uint64, v *bank.Value) {
			o := r.ops.find(v.Tag)
			if o == nil || !r.draws(now) || v.Cause != bank.Operand {
				return
			}
			slot := v.Slot & bank.SourceBits
			o.operands[slot].crossing = now
			if r.quiet() {
				return
			}
			l := outputs[v.To]
			if l == nil {
				l = &lanes{w: r.w, group: "Crossbar", name: fmt.Sprintf("%s to %d", name, v.To)}
				outputs[v.To] = l
			}
			k, _ := l.freeTrack(now, visible)
			reg := register(o.inst.T.Src[slot])
			r.w.slice(k, "crossbar", reg, now, visible).about(o).str("register", reg).num("collector",
				uint64(v.To)).end()
			r.w.flow("f", "operand", operandFlow(v.Tag, slot), k, now)
		})
	}
}
