package l1

import (
	"testing"

	"kumiko/components/stats"
	"kumiko/memsys/req"
)

// A line enters entry 0 at 10, is read at 60 and at 1500, and is replaced at 1600 by
// a line never read.
func TestReuseOfLinesIsCountedWhileTheyAreThere(t *testing.T) {
	u := newReuse(1)
	var reg stats.Registry
	reg.Histogram("reads", stats.Accesses, "", &u.reads)
	u.note(5, -1, 128, false) // no place
	u.note(10, 0, 256, false)
	u.note(60, 0, 256, true)
	u.note(1500, 0, 256, true)
	u.note(1600, 0, 512, false)
	u.note(1700, 0, 768, false)
	if n := reg.Distributions()[0].Counts(); u.all != 2 || u.withinNear != 1 || u.within != 1 || n[2] != 1 ||
		n[0] != 1 {
		t.Errorf("%d reads, %d within 100 cycles, %d within 1000, lines by reads %v", u.all, u.withinNear, u.within, n)
	}
}

// Lines 0 and 128 are requested in cycles 2 and 7 and keep their places. So up to
// cycle 100, when a load hits, there is one line for 5 cycles and two for 93.
func TestLinesAreCountedForAsLongAsTheyHaveAPlace(t *testing.T) {
	b := newBench(t, small())
	b.c.Tags.CountReuse(&b.Reg)
	b.src.Send(1, named(1, load(0, 0xf)))
	b.src.Send(6, named(2, load(128, 0xf)))
	b.Run(30)
	b.answer()
	b.Run(30)
	b.src.Send(99, named(3, load(0, 0xf)))
	b.Run(100)
	if len(b.hit.Got) != 1 {
		t.Fatalf("%d hits, want 1", len(b.hit.Got))
	}
	b.Stat("lines", 5+2*93)
}

// named is a transaction with a slot of its own.
func named(slot uint16, t req.Txn) req.Txn {
	t.Slot, t.Of = slot, 1
	return t
}

func TestReusesAreNearUpTo100AndUpTo1000Cycles(t *testing.T) {
	u := newReuse(1)
	var reg stats.Registry
	reg.Histogram("distances", stats.Cycles, "", &u.distances)
	now := uint64(5000)
	u.note(now, 0, 128, false)
	for _, d := range []uint64{0, 100, 101, 1000, 1001, 1 << 20} {
		now += d
		u.note(now, 0, 128, true)
	}
	if u.all != 6 || u.withinNear != 2 || u.within != 4 {
		t.Errorf("%d reuses, %d within 100 cycles, %d within 1000; want 6, 2, 4", u.all, u.withinNear, u.within)
	}
	n := uint64(0)
	for _, c := range reg.Distributions()[0].Counts() {
		n += c
	}
	if n != 6 {
		t.Errorf("%d distances, want 6", n)
	}
}

func TestHittingLoadsReuseALine(t *testing.T) {
	b := newBench(t, small())
	b.c.Tags.CountReuse(&b.Reg)
	b.src.Send(1, named(1, load(0, 0xf)))
	b.Run(30)
	b.answer()
	b.Run(30)
	for i := range 3 {
		b.src.Send(b.Next(), named(uint16(2+i), load(0, 0xf)))
		b.Run(30)
	}
	if len(b.hit.Got) != 3 {
		t.Fatalf("%d hits, want 3", len(b.hit.Got))
	}
	b.Stat("reuses", 3)
	b.Stat("accesses.global_load", 4)
}

// The cache has 2 ways. With 3 sets instead of 2 there are 6 entries, and with 1 set there are 2.
func TestReuseIsCountedInACacheOfAnotherSize(t *testing.T) {
	s := small()
	s.Tags.Index = "linear"
	b := newBench(t, s)
	b.c.Tags.CountReuse(&b.Reg)
	slot := uint16(0)
	read := func(lines int) {
		for range 2 { // misses, then hits
			for i := range lines {
				slot++
				b.src.Send(b.Next(), named(slot, load(uint64(128*i), 0xf)))
				b.Run(30)
				b.answer()
				b.Run(30)
			}
		}
	}
	for _, size := range []struct{ sets, lines int }{{3, 6}, {3, 6}, {1, 2}, {3, 6}} {
		if err := b.c.Tags.Resize(size.sets); err != nil {
			t.Fatal(err)
		}
		read(size.lines)
	}
	b.Stat("reuses", 6+12+2+6) // the second time as many sets, every load hits
	reads := b.Reg.Distributions()
	replaced := uint64(0)
	for _, d := range reads {
		if d.Name == "mem.l1.reuse_reads" {
			for _, n := range d.Counts() {
				replaced += n
			}
		}
	}
	if replaced != 6+2 {
		t.Errorf("%d lines replaced, want the 6 and the 2 that a change of the size has dropped", replaced)
	}
}
