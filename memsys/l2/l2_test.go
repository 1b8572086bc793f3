package l2

import (
	"testing"

	"kumiko/components/mshr"
	"kumiko/components/stats"
	"kumiko/components/tagarray"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/addrmap"
	"kumiko/memsys/cache"
	"kumiko/memsys/internal/blocktest"
	"kumiko/memsys/req"
)

func small() Spec {
	return Spec{
		Slices: 1, Geometry: cache.Geometry{
			Tags: tagarray.Spec{Sets: 4, Ways: 2, Line: 128, Sector: 32, Replace: "lru", Index: "linear"},
			MSHR: mshr.Spec{Entries: 4, Merges: 4},
		},
		Latency: 0, Port: 128, Queue: 8, MissQueue: 4,
		AtomicRate: 8, AtomicLatency: 4, AtomicQueue: 4,
	}
}

// bench is a slice between a source of packets and a DRAM channel played by the
// test.
type bench struct {
	*blocktest.Bench
	l   *Slice
	src *wiretest.Source[req.Packet]
	out *wiretest.Sink[req.Packet]
	mem *wiretest.Source[req.MemReply]
	req *wiretest.Sink[req.MemRequest]
	tag uint32
}

func newBench(t *testing.T, s Spec) *bench {
	b := &bench{Bench: blocktest.New(t, "mem.l2.")}
	m, err := addrmap.New(addrmap.Spec{Block: 256, Policy: "linear"}, 1, 1)
	b.Built(err)
	b.l, err = New("L2", b.D, s, Links{Map: m, In: s.Queue, FromMemory: 2}, &b.Reg)
	b.Built(err)
	b.src = wiretest.NewSource("Src", b.D, &b.l.Tags.In)
	b.out = wiretest.NewSink("Out", b.D, &b.l.Data.Out, 8)
	b.mem = wiretest.NewSource("Mem", b.D, &b.l.Tags.FromMemory)
	b.req = wiretest.NewSink("Req", b.D, &b.l.Tags.ToMemory, s.MissQueue)
	return b
}

// firstAnswer is the cycle in which the first hit leaves, counted from the cycle before the sending of the
// packet: over links of 1 to the tags, to the data array, and to the sink.
const firstAnswer = 2 + toData + 1

func (b *bench) send(p req.Packet) {
	b.tag++
	p.Tag = b.tag
	b.src.Send(b.Next(), p)
}

func (b *bench) answer() {
	for _, g := range b.req.Got {
		if !g.Msg.Write {
			b.mem.Send(b.Next(), req.MemReply{Tag: g.Msg.Tag, Sectors: g.Msg.Sectors})
		}
	}
	b.req.Got = nil
}

func (b *bench) warm(addrs ...uint64) {
	for _, a := range addrs {
		b.send(read(a, 0xf))
		b.Run(5)
		b.answer()
		b.Run(10)
	}
	b.out.Got = nil
}

func read(addr uint64, sectors uint8) req.Packet { return req.Packet{Addr: addr, Sectors: sectors} }

func write(addr uint64, sectors, full uint8) req.Packet {
	return req.Packet{Addr: addr, Sectors: sectors, Full: full, Bytes: 32, Kind: req.Write, Cause: req.GlobalStore}
}

func atomic(addr uint64, ops, depth uint8) req.Packet {
	return req.Packet{Addr: addr, Sectors: 1, Kind: req.Atomic, Cause: req.GlobalAtomic, Ops: ops, Depth: depth,
		Bytes: 4 * ops}
}

func TestAHitIsAnsweredAtOnceAndOnePerCycle(t *testing.T) {
	b := newBench(t, small())
	b.warm(0)
	start := b.D.Now()
	for range 8 {
		b.send(read(0, 1))
	}
	b.Run(50)
	blocktest.Stream(t, b.out, 8, start+firstAnswer)
	b.Stat("hits.global_load", 8)
}

func TestMissesOfSeveralSMsOnOneLineBecomeOneRead(t *testing.T) {
	b := newBench(t, small())
	for sm := range 3 {
		p := read(0, 0xf)
		p.SM = uint16(sm)
		b.send(p)
	}
	b.Run(10)
	if len(b.req.Got) != 1 {
		t.Fatalf("%d reads, want 1", len(b.req.Got))
	}
	b.answer()
	b.Run(10)
	for i, g := range b.out.Got {
		if int(g.Msg.SM) != i || !g.Msg.Reply {
			t.Errorf("answer %d is %+v, want the reply to SM %d", i, g.Msg, i)
		}
	}
	if len(b.out.Got) != 3 {
		t.Errorf("%d answers, want 3", len(b.out.Got))
	}
}

func TestTheDataPortIsOccupiedForTheSectors(t *testing.T) {
	s := small()
	s.Port = 32
	b := newBench(t, s)
	b.warm(0)
	start := b.D.Now()
	b.send(read(0, 0xf))
	b.send(read(0, 0x1))
	b.Run(50)
	if got, want := b.out.Got[1].Cycle, start+firstAnswer+4; got != want {
		t.Errorf("second answer in cycle %d, want %d: four sectors take four cycles", got, want)
	}
}

func TestAWriteFetchesNothing(t *testing.T) {
	b := newBench(t, small())
	b.send(write(0, 0b0011, 0b0001))
	b.send(read(0, 0b0001))
	b.Run(10)
	if len(b.out.Got) != 2 || len(b.req.Got) != 0 {
		t.Errorf("%d answers and %d requests, want 2 and 0", len(b.out.Got), len(b.req.Got))
	}
}

func TestAPartlyWrittenSectorIsFetchedOnRead(t *testing.T) {
	b := newBench(t, small())
	b.send(write(0, 0b0011, 0b0001))
	b.send(read(0, 0b0011))
	b.Run(10)
	if len(b.req.Got) != 1 || b.req.Got[0].Msg.Sectors != 0b0010 {
		t.Errorf("asked for %+v, want sector 1", b.req.Got)
	}
}

func TestDirtySectorsAreWrittenBackWhenTheLineIsEvicted(t *testing.T) {
	b := newBench(t, small())
	b.send(write(0, 0b0011, 0b0011))
	b.Run(10)
	b.warm(512)
	b.send(read(1024, 0xf)) // third line of a set of two
	b.Run(10)
	var back []req.MemRequest
	for _, g := range b.req.Got {
		if g.Msg.Write {
			back = append(back, g.Msg)
		}
	}
	if len(back) != 1 || back[0].Sectors != 0b0011 || back[0].Addr != 0 || back[0].Cause != req.WriteBack {
		t.Errorf("written back %+v, want sectors 0 and 1 of line 0", back)
	}
}

func TestPostedWritesAreNotAnswered(t *testing.T) {
	b := newBench(t, small())
	p := write(0, 1, 1)
	p.Flags = req.Posted
	b.send(p)
	b.Run(10)
	if len(b.out.Got) != 0 {
		t.Errorf("%d answers, want none", len(b.out.Got))
	}
	b.Stat("accesses.global_store", 1)
}

func TestAtomicsTakeTheirTurnsAndTheLatencyOfTheUnit(t *testing.T) {
	for _, c := range []struct {
		ops, depth uint8
		turns      wire.Cycle
	}{{1, 1, 1}, {8, 1, 1}, {32, 1, 4}, {32, 32, 32}, {9, 2, 2}} {
		b := newBench(t, small())
		b.warm(0)
		start := b.D.Now()
		b.send(atomic(0, c.ops, c.depth))
		b.send(atomic(0, c.ops, c.depth))
		b.Run(200)
		first := start + firstAnswer + c.turns + 4 // of the unit
		if a, z := b.out.Got[0].Cycle, b.out.Got[1].Cycle; a != first || z != first+max(c.turns, 1) {
			t.Errorf("%d lanes %d deep: answers in cycles %d and %d, want %d and %d", c.ops, c.depth, a, z, first,
				first+c.turns)
		}
	}
}

func TestAnAtomicMissLeavesItsSectorsDirty(t *testing.T) {
	b := newBench(t, small())
	b.send(atomic(0, 4, 1))
	b.Run(5)
	if len(b.req.Got) != 1 || b.req.Got[0].Msg.Sectors != 1 {
		t.Fatalf("asked for %+v, want sector 0", b.req.Got)
	}
	b.answer()
	b.Run(20)
	if len(b.out.Got) != 1 {
		t.Fatal("the atomic is not answered")
	}
	b.warm(512, 1024)
	b.Stat("write_backs", 1)
}

func TestAnAtomicUnitThatIsFullHoldsTheHead(t *testing.T) {
	b := newBench(t, small())
	b.warm(0)
	for range 8 {
		b.send(atomic(0, 32, 32))
	}
	b.Run(1000)
	if len(b.out.Got) != 8 {
		t.Fatalf("%d answers, want 8", len(b.out.Got))
	}
	b.Stat("reservation_failures.atomic_unit", 4) // each of the last four waits for one to leave
	b.Stat("atomic_lanes", 256)
}

func TestReservationFailuresAreCountedByReason(t *testing.T) {
	for reason, lines := range map[string][]uint64{
		"no_mshr_entry": {0, 128, 256, 384, 640},
		"no_mshr_merge": {0, 0, 0, 0, 0},
		"no_line":       {0, 512, 1024},
	} {
		b := newBench(t, small())
		for _, a := range lines {
			b.send(read(a, 0xf))
		}
		b.Run(30)
		b.answer()
		b.Run(10)
		b.answer()
		b.Run(20)
		if len(b.out.Got) != len(lines) {
			t.Errorf("%s: %d answers, want %d", reason, len(b.out.Got), len(lines))
		}
		b.Stat("reservation_failures."+reason, 1)
	}
}

func TestALineThatIsReplacedWhileItsPacketsAreAnsweredIsAskedForAgain(t *testing.T) {
	b := newBench(t, small())
	b.warm(512)
	for range 4 {
		b.send(read(0, 0xf))
	}
	b.send(read(512, 0xf)) // now line 0 is the older of the set
	b.Run(10)
	b.answer()              // line 0 is there two cycles from now, with four packets to answer
	b.send(read(1024, 0xf)) // replaces it in that cycle
	b.send(read(0, 0xf))    // and this one finds neither the line nor a free register
	b.Run(20)
	b.answer()
	b.Run(20)
	if len(b.out.Got) != 7 {
		t.Errorf("%d answers, want 7", len(b.out.Got))
	}
	b.Stat("evictions", 2)
	b.Stat("misses.global_load", 4) // 512, 0, 1024, 0
}

// A slice of twelve sees 2 lines in every 24. Consecutive ones of them must fill
// every set: 4 sets of 2 ways hold 8 lines.
func TestASliceOfAnInterleavedMemoryUsesAllItsSets(t *testing.T) {
	s := small()
	s.Slices = 12
	m, err := addrmap.New(addrmap.Spec{Block: 256, Policy: "linear"}, 12, 2)
	if err != nil {
		t.Fatal(err)
	}
	var reg stats.Registry
	l, err := New("L2", wire.NewDomain("D", 1e9), s, Links{Map: m, In: s.Queue, FromMemory: 2}, &reg)
	if err != nil {
		t.Fatal(err)
	}
	var mine []uint64
	for a := uint64(0); len(mine) < 8; a += 128 {
		if m.Slice(a) == 5 {
			mine = append(mine, a)
			l.Tags.Touch(a, req.AllSectors, false)
		}
	}
	for _, a := range mine {
		if l.Tags.core.Find(a) < 0 {
			t.Errorf("line %#x was evicted although the slice has room for all eight", a)
		}
	}
}

// Lines 0, 512 and 1024 share a set of two ways. 0 comes first and is used once
// more after 512 has come; then 1024 needs a place.
func TestUseKeepsALine(t *testing.T) {
	for use, p := range map[string]req.Packet{"read": read(0, 1), "write": write(0, 1, 1), "atomic": atomic(0, 1, 1)} {
		b := newBench(t, small())
		b.warm(0, 512)
		b.send(p)
		b.Run(20)
		b.warm(1024)
		b.send(read(0, 1))
		b.Run(20)
		b.Stat("evictions", 1)
		if len(b.req.Got) != 0 || len(b.out.Got) != 1 {
			t.Errorf("after a %s the line was replaced: asked for %+v", use, b.req.Got)
		}
	}
}
