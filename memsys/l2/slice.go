package l2

import (
	"math/bits"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/memsys/addrmap"
	"kumiko/memsys/cache"
	"kumiko/memsys/req"
)

// Reasons of its own why a packet waits at the head of a slice. cache.Full is that
// of no room towards the DRAM channel.
const (
	Reply      = cache.NumReasons + iota // no room towards the interconnect
	AtomicUnit                           // no room in the atomic unit
)

// Slice is one slice of the L2.
type Slice struct {
	wire.Comp
	In         wire.InPort[req.Packet]
	Out        wire.OutPort[req.Packet]
	ToMemory   wire.OutPort[req.MemRequest]
	FromMemory wire.InPort[req.MemReply]

	spec  Spec
	amap  *addrmap.Map
	core  *cache.Core[req.Packet]
	free  wire.Cycle // from when the data port is free
	atoms atomics

	stalls      cache.Stalls // of the packet at the head
	atomicLanes uint64
}

// Links are what a slice is joined to.
type Links struct {
	Map        *addrmap.Map // how memory is interleaved among the slices
	In         int          // capacity of In, packets, those within the fixed delay included
	FromMemory int          // capacity of FromMemory, replies
}

// New builds a slice.
func New(name string, d *wire.Domain, s Spec, links Links, r *stats.Registry) (*Slice, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	// An atomic changes the line in its place.
	core, err := cache.New[req.Packet](cache.Spec{Geometry: s.Geometry, Resident: true})
	if err != nil {
		return nil, err
	}
	if run, parts := links.Map.Runs(); parts > 1 {
		core.Interleave(run/s.Tags.Line, parts)
	}
	l := &Slice{spec: s, amap: links.Map, core: core, stalls: cache.NewStalls("reply", "atomic_unit")}
	l.atoms.init(&s)
	l.Init(name, d, l)
	l.In.Init(&l.Comp, "In", links.In)
	l.Out.Init(&l.Comp, "Out")
	l.ToMemory.Init(&l.Comp, "ToMemory")
	l.FromMemory.Init(&l.Comp, "FromMemory", links.FromMemory)
	l.register(r)
	return l, nil
}

// Flush drops every line, dirty ones without a write-back. Nothing may be
// under way.
func (l *Slice) Flush() { l.core.Reset() }

// Warm puts a line that the slice serves into it, clean, as a copy from the
// host leaves it. Nothing may be under way.
func (l *Slice) Warm(addr uint64) { l.core.Warm(addr) }

// Touch touches sectors of a line as an untimed access.
func (l *Slice) Touch(addr uint64, sectors uint8, write bool) { l.core.Touch(addr, sectors, write) }

// Tick lets atomics leave, answers packets whose data has come, and looks a
// packet up.
func (l *Slice) Tick(now wire.Cycle) bool {
	l.atomicsLeave(now)
	more := l.answer(now)
	return l.lookup(now) || more
}

// atomicsLeave answers atomics that have passed the atomic unit.
func (l *Slice) atomicsLeave(now wire.Cycle) {
	p, due := l.atoms.head()
	if p == nil {
		return
	}
	if now < due {
		l.WakeAt(due)
		return
	}
	if !l.Out.CanPut() {
		return
	}
	l.Out.Put(p.Answer())
	l.atoms.pop()
	if p, due = l.atoms.head(); p != nil {
		l.WakeAt(due)
	}
}

// answer takes data from the DRAM channel when nobody waits for what came before,
// and serves one waiting packet per cycle.
func (l *Slice) answer(now wire.Cycle) bool {
	if m := l.FromMemory.Head(); m != nil && !l.core.Draining() {
		l.core.Fill(m.Tag, 0, m.Sectors, 0) // the line has its place, so none gives way
		l.FromMemory.Pop()
	}
	p := l.core.Due(now)
	switch {
	case p == nil:
	case l.serve(now, p) != cache.Ready:
		return false
	case l.core.Answered(now):
		return true
	}
	return l.FromMemory.Head() != nil
}

// serve answers a packet whose sectors are there.
func (l *Slice) serve(now wire.Cycle, p *req.Packet) cache.Reason {
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
	if !l.Out.CanPut() {
		return Reply
	}
	l.Out.Put(p.Answer())
	return cache.Ready
}

// lookup serves the packet at the head.
func (l *Slice) lookup(now wire.Cycle) bool {
	p := l.In.Head()
	if p == nil {
		return false
	}
	if now < l.free {
		l.WakeAt(l.free)
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
	l.In.Pop()
	l.free = now + wire.Cycle(max(1, (bits.OnesCount8(p.Sectors)*req.SectorBytes+l.spec.Port-1)/l.spec.Port))
	if l.In.Head() != nil {
		l.WakeAt(l.free)
	}
	return false
}

// Waiting reports what the packet at the head and the outstanding lines wait for.
func (l *Slice) Waiting() string {
	head := ""
	if p := l.In.Head(); p != nil {
		head = l.stalls.Head(p.Cause, p.Addr)
	}
	return l.core.Waiting(l.ToMemory.Name(), head)
}

func (l *Slice) register(r *stats.Registry) {
	n := l.Name()
	var causes []req.Cause
	for c := range req.NumCauses {
		causes = append(causes, c)
	}
	l.core.Register(r, n, "mem.l2.", "packets", "DRAM", causes)
	l.stalls.Register(r, n, "mem.l2.", "packets", "at the head of a slice")
	r.Count("mem.l2.atomic_lanes", stats.Events, "atomic operations performed, one per lane", n, &l.atomicLanes)
}
