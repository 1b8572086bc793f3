package rfc

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
)

func TestAHitReachesItsCollectorTwoCyclesAfterTheRequestReachesTheCache(t *testing.T) {
	r := newRig(t, Default(), 8)
	r.start(1)
	v := r.write(10, 0, 5, all)
	r.read(10, 0, all, 5) // in the cycle of the write
	r.read(12, 0, all, 5)
	r.Run()
	wiretest.Same(t, "values", cycles(12, 14), r.Operand.Cycles())
	m := r.Operand.Got[1].Msg
	if m.Content.Lane(7) != v || m.Tag != 12 || m.To != 1 || m.Slot != 0 {
		t.Errorf("value %+v", m)
	}
	wiretest.Same(t, "reads of the main file", 0, len(r.Read.Got))
}

func TestAMissIsAtTheMainFileACycleAfterTheCacheSawIt(t *testing.T) {
	r := newRig(t, Default(), 8)
	r.start(1)
	r.write(10, 0, 5, all)
	r.read(12, 0, all, 4, 5, 6)
	r.Run()
	wiretest.Same(t, "misses", []event{{13, 4}, {13, 6}}, r.missed())
	m := r.Read.Got[0].Msg
	wiretest.Same(t, "slots", []uint8{0, 2}, m.Slot[:m.N])
	wiretest.Same(t, "values", cycles(14), r.Operand.Cycles())
}

func TestThreeOperandsAreReadInACycleAndAFourthInTheNext(t *testing.T) {
	r := newRig(t, with(func(s *Spec) { s.Writes = 4 }), 8)
	r.start(1)
	for i := range ir.RegID(4) {
		r.write(10, 0, i, all)
	}
	r.read(20, 0, all, 0, 1, 2, 3)
	r.read(20, 0, all, 0, 1) // the ports have two left at 21
	r.read(20, 0, all, 9)    // a miss behind them waits for its turn
	r.Run()
	wiretest.Same(t, "values", cycles(22, 22, 22, 23, 23, 23), r.Operand.Cycles())
	wiretest.Same(t, "misses", []event{{22, 9}}, r.missed())
}

func TestResultsBeyondTheWritePortWaitInTheBufferAndThenAtTheDoor(t *testing.T) {
	r := newRig(t, with(func(s *Spec) { s.WriteBuffer = 1 }), 8)
	r.start(1)
	for i := range ir.RegID(4) {
		r.write(
			10,
			0,
			i,
			all,
		) // ports start 0 at 10, 1 at 11, 2 at 12, 3 at 13: 0 and 1 taken at 10, 2 at 11, 3 at 12
	}
	r.read(10, 0, all, 0, 1) // may not pass the results behind: taken at 12, behind the last
	r.Run()
	wiretest.Same(t, "values", cycles(14, 14), r.Operand.Cycles())
	wiretest.Same(t, "cycles at the door, in the buffer", [2]uint64{2, 3}, [2]uint64{r.Stat("write_waits"),
		r.Stat("write_conflicts")})
}

func TestTheOldestEntryGoesAndOverwritingOrReadingItCountsUnderLRUAlone(t *testing.T) {
	for policy, want := range map[string]ir.RegID{FIFO: 0, LRU: 1} {
		for what, touch := range map[string]func(*rig){
			"write": func(r *rig) { r.write(20, 0, 0, all) },
			"read":  func(r *rig) { r.read(20, 0, all, 0) },
		} {
			r := newRig(t, with(func(s *Spec) { s.Entries, s.Replacement = 2, policy }), 8)
			r.start(1)
			r.write(10, 0, 0, all)
			r.write(11, 0, 1, all)
			touch(r)
			r.write(30, 0, 2, all)
			r.Run()
			wiretest.Same(t, policy+" after a "+what, []event{{31, want}}, r.written())
		}
	}
}

func TestAnEvictedRegisterIsWrittenToTheMainFileWithAllThatItHas(t *testing.T) {
	r := newRig(t, with(func(s *Spec) { s.Entries = 1 }), 8)
	r.start(1)
	a, b := r.write(10, 0, 5, all), r.write(11, 0, 5, 0xff)
	r.write(20, 0, 6, all)
	r.read(20, 0, all, 5)
	r.Run()
	m := r.Write.Got[0].Msg
	wantBank, wantEntry := r.Index.Find(0, 5)
	if m.Bank != wantBank || m.Entry != wantEntry || m.Kind != bank.Write || m.Cause != bank.Eviction ||
		m.Content.Lane(0) != b || m.Content.Lane(8) != a {
		t.Errorf("write %+v", m)
	}
	wiretest.Same(t, "written", []event{{21, 5}}, r.written())
	wiretest.Same(t, "the read that follows it", []event{{21, 5}}, r.missed())
	wiretest.Same(t, "evictions", uint64(1), r.Stat("evictions"))
}

func TestWarpsDoNotEvictEachOther(t *testing.T) {
	r := newRig(t, with(func(s *Spec) { s.Entries = 1 }), 8)
	r.start(8)
	for w := range uint16(8) {
		r.write(10+wire.Cycle(w), w, 5, all)
	}
	for w := range uint16(8) {
		r.read(30+wire.Cycle(w), w, all, 5)
	}
	r.Run()
	wiretest.Same(t, "hits, evictions", [2]uint64{8, 0}, [2]uint64{r.Stat("read_hits"), r.Stat("evictions")})
}

func TestASharedCacheIsIndexedByRegisterAndWarp(t *testing.T) {
	r := newRig(t, with(func(s *Spec) { s.Organisation, s.EntriesTotal, s.Ways = Shared, 8, 2 }), 8) // 4 sets
	r.start(4)
	r.write(10, 0, 4, all) // set 0
	r.write(11, 1, 3, all) // set 0
	r.write(12, 0, 5, all) // set 1
	r.write(13, 2, 2, all) // set 0: warp 0's R4 goes
	r.read(20, 1, all, 3)
	r.read(21, 0, all, 5)
	r.Run()
	wiretest.Same(t, "evicted", []event{{14, 4}}, r.written())
	wiretest.Same(t, "hits", uint64(2), r.Stat("read_hits"))
}

func TestAReadOfMoreLanesThanTheEntryHasWritesItBackAndReadsTheMainFile(t *testing.T) {
	r := newRig(t, Default(), 8)
	r.start(1)
	r.write(10, 0, 5, 0x00ff)
	r.read(20, 0, 0x00f0, 5) // all of these lanes are there
	r.read(21, 0, 0x0ff0, 5) // some
	r.read(22, 0, 0x0ff0, 5) // some, and the main file has them by now
	r.read(23, 0, 0xff00, 5) // none
	r.Run()
	wiretest.Same(t, "written back", []event{{22, 5}}, r.written())
	wiretest.Same(t, "misses", []event{{22, 5}, {23, 5}, {24, 5}}, r.missed())
	wiretest.Same(
		t,
		"hits, partial, written back",
		[3]uint64{1, 2, 1},
		[3]uint64{r.Stat("read_hits"), r.Stat("partial"),
			r.Stat("partial_writebacks")},
	)
}

func TestLanesApartFillOneEntryTogether(t *testing.T) {
	r := newRig(t, Default(), 8)
	r.start(1)
	a, b := r.write(10, 0, 5, 0x0000ffff), r.write(11, 0, 5, 0xffff0000)
	r.read(20, 0, all, 5)
	r.Run()
	m := r.Operand.Got[0].Msg.Content
	if m.Lane(0) != a || m.Lane(31) != b || r.Stat("writes") != 2 || r.Stat("evictions") != 0 {
		t.Errorf("value %+v", m)
	}
}

func TestLongLatencyResultsGoPastTheCacheAndInvalidateWhatItHas(t *testing.T) {
	for _, c := range []struct {
		name   string
		t      ir.Timing
		s      func(*Spec)
		passes bool
	}{
		{"arithmetic", ir.Timing{Class: ir.ClassFMA}, nil, false},
		{"global load", ir.Timing{Class: ir.ClassLoad, Space: ir.Global}, nil, true},
		{"generic load", ir.Timing{Class: ir.ClassLoad, Space: ir.Generic}, nil, true},
		{"local load", ir.Timing{Class: ir.ClassLoad, Space: ir.Local}, nil, true},
		{"constant load", ir.Timing{Class: ir.ClassLoad, Space: ir.Const}, nil, false},
		{"shared load", ir.Timing{Class: ir.ClassLoad, Space: ir.Shared}, nil, false},
		{"shared load, if wanted", ir.Timing{Class: ir.ClassLoad, Space: ir.Shared},
			func(s *Spec) { s.BypassShared = true }, true},
		{"global atomic", ir.Timing{Class: ir.ClassAtomic, Space: ir.Global}, nil, true},
		{"shared atomic", ir.Timing{Class: ir.ClassAtomic, Space: ir.Shared}, nil, false},
		{"texture", ir.Timing{Class: ir.ClassTexture}, nil, true},
		{"global load, if wanted", ir.Timing{Class: ir.ClassLoad, Space: ir.Global},
			func(s *Spec) { s.BypassLong = false }, false},
		{"far", ir.Timing{Class: ir.ClassInt, FarDst: 1}, nil, false},
		{"far, if not wanted", ir.Timing{Class: ir.ClassInt, FarDst: 1}, func(s *Spec) { s.BypassFar = true }, true},
	} {
		r := newRig(t, with(c.s), 8)
		r.start(1)
		r.write(10, 0, 5, all)
		v := r.writeAs(20, 0, 5, 0xffff, resultHint(&c.t, 0))
		r.read(30, 0, 0xff, 5)
		r.read(31, 0, 0xff0000, 5) // lanes that only the old value has stay
		r.Run()
		if c.passes != (len(r.Write.Got) == 1 && len(r.Read.Got) == 1) {
			t.Errorf("%s: written to the main file %v, read there %v", c.name, r.written(), r.missed())
		}
		if c.passes && (r.Write.Got[0].Cycle != 21 || r.Write.Got[0].Msg.Content.Seq != v) {
			t.Errorf("%s: written %+v", c.name, r.Write.Got[0])
		}
		wiretest.Same(t, c.name+": hits", uint64(map[bool]int{false: 2, true: 1}[c.passes]), r.Stat("read_hits"))
	}
}
