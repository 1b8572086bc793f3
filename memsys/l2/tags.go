package l2

import (
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/memsys/addrmap"
	"kumiko/memsys/cache"
	"kumiko/memsys/req"
)

// Reasons of slices, beside cache.Reasons, for a wait at the head. cache.Full means
// no room towards the DRAM channel.
const (
	Reply      = cache.NumReasons + iota // no room towards the interconnect
	AtomicUnit                           // no room in the atomic unit
)

// Tags are the tags of a slice, with its miss status holding registers, its replacement, the schedule of its
// data port, and the atomic unit. Packets pass the atomic unit in the order of their look-ups.
type Tags struct {
	wire.Comp
	In         wire.InPort[req.Packet]
	Access     wire.OutPort[Access]
	ToMemory   wire.OutPort[req.MemRequest]
	FromMemory wire.InPort[req.MemReply]

	amap  *addrmap.Map
	core  *cache.Core[req.Packet]
	port  port // when the data port is free, as a look-up sees it
	atoms atomics
	// replies is the room for replies behind the data array, so that no reply waits in it.
	replies wire.Credit

	stalls      cache.Stalls // of the packet at the head
	atomicLanes uint64
}

// newTags builds the tags of a slice.
func newTags(name string, d *wire.Domain, s *Spec, links Links, r *stats.Registry) (*Tags, error) {
	// An atomic changes the line in its place.
	core, err := cache.New[req.Packet](cache.Spec{Geometry: s.Geometry, Resident: true})
	if err != nil {
		return nil, err
	}
	if run, parts := links.Map.Runs(); parts > 1 {
		core.Interleave(run/s.Tags.Line, parts)
	}
	l := &Tags{amap: links.Map, core: core, port: port{width: s.Port}, stalls: cache.NewStalls("reply", "atomic_unit")}
	l.atoms.init(s)
	l.Init(name, d, l)
	l.In.Init(&l.Comp, "In", links.In)
	l.Access.Init(&l.Comp, "Access")
	l.ToMemory.Init(&l.Comp, "ToMemory")
	l.FromMemory.Init(&l.Comp, "FromMemory", links.FromMemory)
	l.register(r)
	return l, nil
}

// Flush drops every line, dirty ones without a write-back. Nothing may be
// in flight.
func (l *Tags) Flush() { l.core.Reset() }

// Touch touches sectors of a line as an untimed access.
func (l *Tags) Touch(addr uint64, sectors uint8, write bool) { l.core.Touch(addr, sectors, write) }

// Tick lets atomics leave, answers packets with arrived data, and looks a
// packet up.
func (l *Tags) Tick(now wire.Cycle) bool {
	l.atomicsLeave(now)
	more := l.answer(now)
	return l.lookup(now) || more
}

// atomicsLeave answers atomics at the end of the atomic unit.
func (l *Tags) atomicsLeave(now wire.Cycle) {
	p, due := l.atoms.head()
	if p == nil {
		return
	}
	if now < due {
		l.WakeAt(due)
		return
	}
	if !l.replies.CanPut() {
		return
	}
	l.send(p, false)
	l.atoms.pop()
	if p, due = l.atoms.head(); p != nil {
		l.WakeAt(due)
	}
}

// answer accepts data from the DRAM channel once all packets due by earlier data are answered,
// and serves one waiting packet per cycle.
func (l *Tags) answer(now wire.Cycle) bool {
	if m := l.FromMemory.Head(); m != nil && !l.core.Draining() {
		l.core.Fill(m.Tag, 0, m.Sectors, 0) // the line has its place, so none gives way
		l.FromMemory.Pop()
	}
	p := l.core.Due(now)
	switch {
	case p == nil:
	case l.serve(now, p, false) != cache.Ready:
		return false
	case l.core.Answered(now):
		return true
	}
	return l.FromMemory.Head() != nil
}

// serve answers a packet with its sectors present. A hit's sectors pass the data port.
func (l *Tags) serve(now wire.Cycle, p *req.Packet, hit bool) cache.Reason {
	if p.Kind >= req.Atomic {
		if l.atoms.full() {
			return AtomicUnit // its oldest packet wakes the slice when it leaves
		}
		l.atoms.push(now, p)
		_, due := l.atoms.head()
		l.WakeAt(due)
		l.atomicLanes += uint64(p.Ops)
		return cache.Ready
	}
	if !l.replies.CanPut() {
		return Reply
	}
	l.send(p, hit)
	return cache.Ready
}

// send sends the answer to a packet through the data array.
func (l *Tags) send(p *req.Packet, port bool) {
	*l.Access.Slot() = Access{Reply: p.Answer(), Port: port}
	l.Access.PutSlot()
}

// lookup serves the packet at the head.
func (l *Tags) lookup(now wire.Cycle) bool {
	p := l.In.Head()
	if p == nil {
		return false
	}
	if now < l.port.free {
		l.WakeAt(l.port.free)
		return false
	}
	var r cache.Reason
	if p.Kind == req.Write {
		r = l.write(now, p)
	} else {
		r = l.read(now, p)
	}
	l.stalls.Note(now, r)
	if r != cache.Ready {
		return false
	}
	l.core.Accesses[p.Cause]++
	l.port.take(now, p.Sectors)
	l.In.Pop()
	if l.In.Head() != nil {
		l.WakeAt(l.port.free)
	}
	return false
}

// Waiting describes the wait of the packet at the head, and the outstanding lines.
func (l *Tags) Waiting() string {
	head := ""
	if p := l.In.Head(); p != nil {
		head = l.stalls.Head(p.Cause, p.Addr)
	}
	return l.core.Waiting(l.ToMemory.Name(), head)
}

func (l *Tags) register(r *stats.Registry) {
	n := l.Name()
	var causes []req.Cause
	for c := range req.NumCauses {
		causes = append(causes, c)
	}
	l.core.Register(r, n, "mem.l2.", "packets", "DRAM", causes)
	l.stalls.Register(r, n, "mem.l2.", "packets", "at the head of a slice")
	r.Count("mem.l2.atomic_lanes", stats.Events, "atomic operations performed, one per lane", n, &l.atomicLanes)
}
