package cerf

import (
	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/memsys/cache"
	"kumiko/memsys/req"
)

// leaving holds the registers and lines on their way to the L2. Their data are read from the banks, and travel over
// the crossbar to the miss queue.
type leaving struct {
	slots []outgoing `bits:"type"`
	free  []uint8    `bits:"log(slots)"`
	n     int
}

type outgoing struct {
	addr  uint64
	lanes uint32
	full  uint8 // sectors with every byte present
	cause req.Cause
	used  bool
}

// Kinds of values sent over the crossbar to the tags, in Value.Slot.
const (
	ofLoad = iota
	ofVictim
)

func (l *leaving) init(n int) {
	l.slots = make([]outgoing, n)
	for i := n - 1; i >= 0; i-- {
		l.free = append(l.free, uint8(i))
	}
}

// room returns how many more registers or lines may leave.
func (l *leaving) room() int { return len(l.free) }

// has reports whether the register or line at an address is on its way to the L2.
func (l *leaving) has(addr uint64) bool {
	if l.n == 0 {
		return false
	}
	for i := range l.slots {
		if l.slots[i].used && l.slots[i].addr == addr {
			return true
		}
	}
	return false
}

// writeBack starts the victim in entry i, if it is dirty, on its way to the L2 by reading it.
func (x *Tags) writeBack(g, i int, v *cache.Victim) {
	if v.Dirty == 0 {
		return
	}
	l := &x.leave
	s := l.free[len(l.free)-1]
	l.free = l.free[:len(l.free)-1]
	l.n++
	o := outgoing{addr: v.Addr, lanes: version.FullMask, full: v.Dirty & v.Valid, cause: req.WriteBack, used: true}
	if x.back.Has(v.Addr) {
		o.lanes, o.cause = x.there[i], req.Spill
		x.back.spilled[x.back.register(v.Addr)] = true
		o.full = wholeSectors(o.lanes)
	}
	l.slots[s] = o
	x.send(g, i, &bank.Access{Content: version.Content{Lanes: o.lanes}, Tag: uint32(s), To: x.places.end,
		Slot: ofVictim, Kind: bank.Read, Cause: bank.Eviction})
}

// takeValues receives values from the banks. It answers loads with their data, and sends victims to the L2.
func (x *Tags) takeValues() {
	for v := x.Values.Head(); v != nil; v = x.Values.Head() {
		if v.Slot == ofLoad {
			if !x.Hit.CanPut() {
				return
			}
			x.Hit.Put(x.lines.done(v.Tag))
		} else if !x.leaves(v) {
			return
		}
		x.Values.Pop()
	}
}

// leaves sends a victim to the L2. It returns false if Miss is full.
func (x *Tags) leaves(v *bank.Value) bool {
	if !x.Miss.CanPut() {
		return false
	}
	o := &x.leave.slots[v.Tag]
	p := req.Packet{Addr: o.addr, Kind: req.Write, Cause: o.cause, Flags: req.Posted, Sectors: req.SectorsOf(o.lanes),
		Full: o.full, Bytes: req.BytesOf(o.lanes)}
	if o.cause == req.Spill {
		x.count.spills++
		x.back.spill(o.addr, v.Content.Only(o.lanes))
	} else {
		x.count.writeBacks++
	}
	x.ask(p)
	o.used = false
	x.leave.free = append(x.leave.free, uint8(v.Tag))
	x.leave.n--
	return true
}

// ask sends a packet to the interconnect.
func (x *Tags) ask(p req.Packet) {
	x.count.sent[p.Cause] += uint64(p.Bytes)
	x.Miss.Put(p)
}

// wholeSectors returns the sectors with all of their lanes.
func wholeSectors(lanes uint32) uint8 { return req.AllSectors &^ req.SectorsOf(^lanes) }
