package l2

import (
	"fmt"
	"math/bits"

	"kumiko/components/mshr"
	"kumiko/components/stats"
	"kumiko/components/tagarray"
	"kumiko/components/wire"
	"kumiko/memsys/addrmap"
	"kumiko/memsys/req"
)

// Reason is why a packet waits at the head of a slice.
type Reason uint8

// Reasons.
const (
	Ready      Reason = iota
	NoLine            // every way of the set waits for data
	NoEntry           // no miss status holding register
	NoMerge           // as many packets as one register holds wait for the line
	MissQueue         // no room towards the DRAM channel
	Reply             // no room towards the interconnect
	AtomicUnit        // no room in the atomic unit
	numReasons
)

var reasonNames = [numReasons]string{"ready", "no_line", "no_mshr_entry", "no_mshr_merge", "miss_queue", "reply", "atomic_unit"}

// Slice is one slice of the L2.
type Slice struct {
	wire.Comp
	In         wire.InPort[req.Packet]
	Out        wire.OutPort[req.Packet]
	ToMemory   wire.OutPort[req.MemRequest]
	FromMemory wire.InPort[req.MemReply]

	spec  Spec
	amap  *addrmap.Map
	tags  *tagarray.Array
	mshr  *mshr.File[req.Packet]
	drain int        // register whose packets are being answered, or -1
	free  wire.Cycle // from when the data port is free
	atoms atomics

	reason Reason // of the packet at the head
	since  wire.Cycle

	c counters
}

// New builds a slice of a memory that amap interleaves; capacity is that of In
// and includes the packets within the fixed delay, replies that of FromMemory.
func New(name string, d *wire.Domain, s Spec, amap *addrmap.Map, capacity, replies int, r *stats.Registry) (*Slice, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	tags, err := tagarray.New(s.Tags)
	if err != nil {
		return nil, err
	}
	if run, parts := amap.Runs(); parts > 1 {
		tags.Interleave(run/s.Tags.Line, parts)
	}
	regs, err := mshr.New[req.Packet](s.MSHR)
	if err != nil {
		return nil, err
	}
	l := &Slice{spec: s, amap: amap, tags: tags, mshr: regs, drain: -1}
	l.atoms.init(&s)
	l.Init(name, d, l)
	l.In.Init(&l.Comp, "In", capacity)
	l.Out.Init(&l.Comp, "Out")
	l.ToMemory.Init(&l.Comp, "ToMemory")
	l.FromMemory.Init(&l.Comp, "FromMemory", replies)
	l.register(r)
	return l, nil
}

// Flush drops every line, dirty ones without a write-back. Nothing may be
// under way.
func (l *Slice) Flush() { l.tags.Reset() }

// Warm puts a line that the slice serves into it, clean, as a copy from the
// host leaves it. Nothing may be under way.
func (l *Slice) Warm(addr uint64) {
	i := l.tags.Find(addr)
	if i < 0 {
		if i = l.tags.Victim(addr); i < 0 {
			return
		}
		l.tags.Replace(i, addr, 0)
	}
	l.tags.Fill(i, req.AllSectors)
	l.tags.Touch(i)
}

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

// answer serves one waiting packet per cycle.
func (l *Slice) answer(now wire.Cycle) bool {
	if l.drain < 0 && !l.take() {
		return false
	}
	e := l.drain
	if p := l.mshr.Next(e); p != nil {
		if r := l.serve(now, p); r != Ready {
			return false
		}
		l.mshr.Drop(e)
		if l.mshr.Next(e) != nil {
			return true
		}
	}
	if l.mshr.Done(e) {
		l.mshr.Close(now, e)
	}
	l.drain = -1
	return l.FromMemory.Head() != nil
}

// take accepts data from the DRAM channel.
func (l *Slice) take() bool {
	m := l.FromMemory.Head()
	if m == nil {
		return false
	}
	e := int(m.Tag)
	l.mshr.Arrive(e, m.Sectors)
	l.tags.Fill(l.tags.Find(l.mshr.Line(e)), m.Sectors)
	l.drain = e
	l.c.fills++
	l.FromMemory.Pop()
	return true
}

// serve answers a packet whose sectors are there.
func (l *Slice) serve(now wire.Cycle, p *req.Packet) Reason {
	if p.Kind >= req.Atomic {
		if l.atoms.full() {
			return AtomicUnit // its oldest packet wakes the slice when it leaves
		}
		l.atoms.push(now, p)
		_, due := l.atoms.head()
		l.WakeAt(due)
		l.c.atomicLanes += uint64(p.Ops)
		return Ready
	}
	if !l.Out.CanPut() {
		return Reply
	}
	l.Out.Put(p.Answer())
	return Ready
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
	var r Reason
	if p.Kind == req.Write {
		r = l.write(p)
	} else {
		r = l.read(now, p)
	}
	l.blame(now, r)
	if r != Ready {
		return false
	}
	l.c.accesses[p.Cause]++
	l.In.Pop()
	l.free = now + wire.Cycle(max(1, (bits.OnesCount8(p.Sectors)*req.SectorBytes+l.spec.Port-1)/l.spec.Port))
	if l.In.Head() != nil {
		l.WakeAt(l.free)
	}
	return false
}

// blame counts the cycles that the head waits, by reason.
func (l *Slice) blame(now wire.Cycle, r Reason) {
	if r == l.reason {
		return
	}
	if l.reason != Ready {
		l.c.stalled[l.reason] += now - l.since
	}
	if r != Ready {
		l.c.failures[r]++
	}
	l.reason, l.since = r, now
}

// Waiting says what the packet at the head and the outstanding lines wait for.
func (l *Slice) Waiting() string {
	p := l.In.Head()
	if p == nil && l.mshr.Used() == 0 {
		return ""
	}
	s := fmt.Sprintf("%d lines from %s", l.mshr.Used(), l.ToMemory.Name())
	if p != nil {
		s += fmt.Sprintf(", %s of line %#x at the head: %s", p.Cause, p.Addr, reasonNames[l.reason])
	}
	return s
}
