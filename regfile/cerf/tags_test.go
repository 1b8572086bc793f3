package cerf

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/memsys/req"
	"kumiko/regfile"
)

// Register 5 is in tag bank 1, set 1 of it: its first way is row 2.
func TestAnAccessPassesTheTagsInACycle(t *testing.T) {
	r := newRig(t, small())
	r.put(10, 5, all)
	r.get(12, 5, all, 0)
	r.get(12, 5, 1, 0)
	r.get(13, 5, all, 0)
	r.run()
	same(t, "banks", []event{{11, "write result", 2, 0}, {13, "read operand", 2, 2}, {13, "read operand", 2, 2},
		{14, "read operand", 2, 2}}, r.bankEvents(1))
	if len(r.miss.Got) != 0 || r.stat("reads") != 3 || r.stat("read_hits") != 3 || r.stat("writes") != 1 {
		t.Errorf("%d requests, %d reads, %d hits, %d writes", len(r.miss.Got), r.stat("reads"), r.stat("read_hits"),
			r.stat("writes"))
	}
}

// Two look-ups in a cycle, as the banks of two ports can start, and the third one later.
func TestATagBankLooksUpAsManyAccessesAsItsBanksHavePorts(t *testing.T) {
	for ports, want := range map[string][]wire.Cycle{"2rw": {11, 11, 12}, "1rw": {11, 12, 13}} {
		s := small()
		s.base.BankPorts = ports
		r := newRig(t, s)
		for range 3 {
			r.get(10, 8, 0, 0)
		}
		r.run()
		same(t, ports, want, r.access[0].Cycles())
	}
}

// The read of a missing register at cycle 10 is at the port to the L2 at 11. Its answer, there at 40, is at the
// collector and in the banks at 41.
func TestARegisterThatIsNotThereIsFetched(t *testing.T) {
	r := newRig(t, fetching())
	r.x.back.stored[5] = version.Content{Seq: 77, Lanes: all}
	r.get(10, 5, all, 0)
	r.get(20, 5, 1, 0) // joins
	r.d.RunUntil(30)
	same(t, "asked", []asked{{11, req.Read, "spill", 5, 0}}, r.asked())
	if a := r.miss.Got[0].Msg.Addr; a != 1<<43+3*256*128+5*128 {
		t.Errorf("address %#x", a)
	}
	r.back(40, 0)
	r.get(50, 5, all, 0)
	r.run()
	same(t, "banks", []event{{41, "write prefetch", 2, 0}, {51, "read operand", 2, 2}}, r.bankEvents(1))
	same(t, "filled", version.Content{Seq: 77, Lanes: all}, r.access[1].Got[0].Msg.Content)
	same(t, "collectors", []wiretest.At[bank.Value]{
		{Cycle: 41, Msg: bank.Value{Content: version.Content{Seq: 77, Lanes: all}, Tag: 10, To: 2, Slot: 1}},
		{Cycle: 42, Msg: bank.Value{Content: version.Content{Seq: 77, Lanes: all}, Tag: 20, To: 2, Slot: 1}},
	}, r.operand.Got)
	if r.stat("refetches") != 1 || r.stat("refetches_not_kept") != 0 {
		t.Errorf("%d refetches", r.stat("refetches"))
	}
}

// Registers 5, 37 and 69 share a set of two ways. The third one replaces the first. The first is read before it is
// overwritten; its value arrives at 20 and leaves.
func TestADirtyRegisterThatGivesWayGoesToTheL2(t *testing.T) {
	r := newRig(t, small())
	r.put(10, 5, all)
	r.put(11, 37, all)
	r.put(12, 69, all)
	r.get(14, 5, all, 0) // must wait until 5 has left
	r.values.Send(19, bank.Value{Content: version.Content{Seq: 6, Lanes: all}, Slot: ofVictim})
	r.d.RunUntil(50)
	same(t, "banks", []event{{11, "write result", 2, 0}, {12, "write result", 3, 0}, {13, "read eviction", 2, 4},
		{13, "write result", 2, 0}}, r.bankEvents(1))
	same(t, "asked", []asked{{21, req.Write, "spill", 5, 128}, {21, req.Read, "spill", 5, 0}}, r.asked())
	if !r.miss.Got[0].Msg.Posted() || r.stat("spills") != 1 || r.stat("replaced.register_by_register") != 1 ||
		r.stat("waits") != 6 { // from 14 until the value has come
		t.Errorf("%d spills, %d cycles of waiting", r.stat("spills"), r.stat("waits"))
	}
	r.back(60, 1)
	r.run()
	if len(r.operand.Got) != 1 || r.operand.Got[0].Msg.Content.Seq != 6 {
		t.Errorf("the collector got %+v, want what was spilled", r.operand.Got)
	}
}

// Lanes 0 to 7 are written at 10 and the rest is asked for. A reader at 20 waits; when the
// rest has come at 40, it is written, and then the reader reads the banks.
func TestAWriteOfSomeLanesIsMergedWithTheOthers(t *testing.T) {
	r := newRig(t, fetching())
	r.put(10, 5, 0xff)
	r.get(20, 5, 0xf0f, 0)
	r.put(22, 5, 0xff00)
	r.d.RunUntil(30)
	same(t, "asked", []asked{{11, req.Read, "spill", 5, 0}}, r.asked())
	r.back(40, 0)
	r.run()
	same(t, "banks", []event{{11, "write result", 2, 0}, {23, "write result", 2, 0}, {41, "write prefetch", 2, 0},
		{42, "read operand", 2, 2}}, r.bankEvents(1))
	if a := r.access[1].Got[2].Msg; a.Content.Lanes != 0xffff0000 || len(r.operand.Got) != 0 {
		t.Errorf("the fill writes lanes %#x", a.Content.Lanes)
	}
}

// Lanes 0 to 7 of register 5, never spilled before, are written, without a waiting reader. Registers 37 and 69
// replace both ways of the set. So 5 has left when lanes 8 to 15 are written, and the other lanes are fetched; a
// reader waits for these.
func TestAWriteOfSomeLanesFetchesOnlyARegisterThatHasGoneToTheL2(t *testing.T) {
	r := newRig(t, small())
	r.put(10, 5, 0xff)
	r.get(12, 5, all, 0)
	r.put(14, 37, all)
	r.put(16, 69, all)
	r.values.Send(19, bank.Value{Content: version.Content{Seq: 6, Lanes: all}, Slot: ofVictim})
	r.d.RunUntil(30)
	same(t, "asked", []asked{{21, req.Write, "spill", 5, 128}}, r.asked())
	same(t, "not fetched", uint64(1), r.stat("partial_writes_not_fetched"))
	r.values.Send(39, bank.Value{Content: version.Content{Seq: 38, Lanes: all}, Slot: ofVictim, Tag: 0})
	r.put(35, 5, 0xff00)
	r.get(37, 5, 0xf0f, 0)
	r.d.RunUntil(50)
	same(t, "asked", []asked{{21, req.Write, "spill", 5, 128}, {36, req.Read, "spill", 5, 0},
		{41, req.Write, "spill", 37, 128}}, r.asked())
	r.back(60, 1)
	r.run()
	same(t, "banks", []event{{11, "write result", 2, 0}, {13, "read operand", 2, 2}, {15, "write result", 3, 0},
		{17, "read eviction", 2, 4}, {17, "write result", 2, 0}, {36, "read eviction", 3, 4},
		{36, "write result", 3, 0}, {61, "write prefetch", 3, 0}, {62, "read operand", 3, 2}}, r.bankEvents(1))
	if c := r.access[1].Got[7].Msg.Content; c.Lanes != 0xffff00ff {
		t.Errorf("the fill writes lanes %#x", c.Lanes)
	}
	same(t, "merges", uint64(1), r.stat("merges"))
	same(t, "not fetched", uint64(1), r.stat("partial_writes_not_fetched"))
}

// Register 5 of the first CTA goes to the L2. The next CTA's register 5 is another one: a write of
// some lanes fetches nothing, nor does a read before any write.
func TestTheRegistersOfANewCTAHaveNeverGoneToTheL2(t *testing.T) {
	r := newRig(t, small())
	notify := func(at wire.Cycle, cta uint16, end bool) {
		r.ctas.Send(at-1, regfile.CTANotice{CTA: cta, Contexts: []uint16{0, 1, 2}, Finished: end})
	}
	notify(5, 0, false)
	for i, n := range []int{5, 37, 69} {
		r.put(wire.Cycle(10+2*i), n, all)
	}
	r.values.Send(19, bank.Value{Content: version.Content{Seq: 6, Lanes: all}, Slot: ofVictim})
	notify(30, 0, true)
	notify(32, 1, false)
	r.get(38, 5, all, 0)
	r.put(40, 5, 0xff)
	r.get(42, 5, all, 0)
	r.run()
	same(t, "asked", []asked{{21, req.Write, "spill", 5, 128}}, r.asked())
	if r.stat("absent_reads") != 1 || r.stat("read_hits") != 1 || r.stat("partial_writes_not_fetched") != 1 {
		t.Errorf("%d reads of nothing, %d hits, %d writes without a fetch; want one of each", r.stat("absent_reads"),
			r.stat("read_hits"), r.stat("partial_writes_not_fetched"))
	}
}

func TestWithLaneMasksNothingIsFetchedUntilALaneIsMissed(t *testing.T) {
	s := small()
	s.Lanes = LanesMask
	r := newRig(t, s)
	r.put(10, 5, 0xff)
	r.get(20, 5, 0x0f, 0)
	r.get(30, 5, 0xfff, 0)
	r.run()
	same(t, "banks", []event{{11, "write result", 2, 0}, {21, "read operand", 2, 2}}, r.bankEvents(1))
	same(t, "asked", []asked{{31, req.Read, "spill", 5, 0}}, r.asked())
}

// Under lru-prioritized a register is inactive after its last read, so a line can replace it, and reads of missing
// registers read the first row of the set.
func TestARegisterIsInactiveAfterItsLastRead(t *testing.T) {
	s := Default()
	s.Policy = Prioritized
	for _, dead := range []string{DeadLive, DeadMeet} {
		s.Dead = dead
		r := newRig(t, s)
		r.put(10, 5, all)
		r.get(12, 5, 0xff, lastRead)
		r.get(14, 5, all, lastRead)
		r.get(16, 5, all, 0)
		r.run()
		died, absent := uint64(1), map[string]uint64{DeadLive: 2, DeadMeet: 1}[dead]
		if r.stat("died") != died || r.stat("absent_reads") != absent || len(r.miss.Got) != 0 ||
			r.stat("active_registers") != map[string]uint64{DeadLive: 2, DeadMeet: 4}[dead] {
			t.Errorf("%s: %d died, %d reads found nothing, %d cycles active", dead, r.stat("died"),
				r.stat("absent_reads"), r.stat("active_registers"))
		}
		same(t, dead, []event{{11, "write result", 4, 0}, {13, "read operand", 4, 2}, {15, "read operand", 4, 2},
			{17, "read operand", 4, 2}}, r.bankEvents(1))
	}
}

func load(line uint64) req.Txn {
	return req.Txn{Addr: line * 128, Slot: 9, Of: 1, Kind: req.Read, Cause: req.GlobalLoad, Sectors: req.AllSectors}
}

// grant gives the look-ups of transactions back, as an arbiter would without conflicts.
func (r *rig) grant() {
	r.read.Receive = func(now wire.Cycle, q bank.Request) {
		r.granted[q.Bank[0]].Send(now, bank.Access{Content: version.Content{Lanes: q.Lanes}, Entry: q.Entry[0],
			Tag: q.Tag, Bank: q.Bank[0], To: q.To, Slot: q.Slot[0], Kind: bank.Read, Cause: q.Cause})
	}
	r.write.Receive = func(now wire.Cycle, a bank.Access) { r.granted[a.Bank].Send(now, a) }
}

// Line 5 shares the set of register 5. A load at 10 sends its lookup to the arbiter, there at 11, which here takes
// a cycle. It is looked up at 13, and the request is at the L2 at 14. The answer at 40 is in the banks at 41 and
// answers the load then. The next load reads the banks.
func TestALoadTakesALineIntoTheMemory(t *testing.T) {
	r := newRig(t, small())
	r.grant()
	r.txn.Send(9, load(5))
	r.d.RunUntil(30)
	same(t, "asked", []asked{{14, req.Read, "global_load", 5, 0}}, r.asked())
	r.back(40, 0)
	r.txn.Send(49, load(5))
	r.values.Send(59, bank.Value{Slot: ofLoad, Tag: 7})
	r.d.RunUntil(58)
	same(t, "banks", []event{{41, "write line", 2, 0}, {54, "read line", 2, 4}}, r.bankEvents(1))
	same(t, "fills", []wire.Cycle{41}, r.fill.Cycles())
}

// With every register there and none dead, no line is kept: a load goes by, and so does a
// store.
func TestWithoutAnInactiveRegisterEveryLoadPassesBy(t *testing.T) {
	s := Default()
	s.Policy, s.Bytes, s.Ways = Prioritized, 256*128, 2
	r := newRig(t, s)
	r.grant()
	for n := range 256 {
		r.put(wire.Cycle(10+n), n, all)
	}
	for i := range 8 {
		r.txn.Send(wire.Cycle(299+i), load(uint64(40+i)))
	}
	store := load(60)
	store.Kind, store.Cause, store.Full, store.Bytes = req.Write, req.GlobalStore, req.AllSectors, 128
	r.txn.Send(310, store)
	r.d.RunUntil(340)
	if len(r.miss.Got) != 9 {
		t.Fatalf("%d requests, want 9", len(r.miss.Got))
	}
	for i := range 9 {
		r.back(wire.Cycle(350+2*i), i)
	}
	r.d.RunUntil(400)
	if len(r.fill.Got) != 9 || r.stat("active_lines") != 0 || r.stat("stores_not_placed") != 1 ||
		r.stat("spills") != 0 {
		t.Errorf("%d answers, %d line-cycles, %d stores without a place", len(r.fill.Got), r.stat("active_lines"),
			r.stat("stores_not_placed"))
	}
	for _, e := range r.bankEvents(0) {
		if e.Do == "write line" {
			t.Errorf("a line was written: %+v", e)
		}
	}
}

// The registers of a finished CTA are inactive and are not written back. Registers of a context meanwhile used by
// another CTA belong to the other CTA.
func TestTheRegistersOfACTAThatHasEndedAreInactive(t *testing.T) {
	r := newRig(t, Default())
	notify := func(at wire.Cycle, cta uint16, end bool, contexts ...uint16) {
		r.ctas.Send(at-1, regfile.CTANotice{CTA: cta, Contexts: contexts, Finished: end})
	}
	notify(5, 0, false, 0, 1)
	r.put(10, 0*32+3, all)
	r.put(10, 1*32+4, all)
	notify(20, 1, false, 1) // warp 1 of CTA 0 has ended
	r.put(30, 1*32+5, all)
	notify(40, 0, true, 0, 1)
	r.get(50, 1*32+5, all, 0)
	r.get(50, 3, 0, 0)
	r.run()
	if r.stat("dropped") != 2 || r.stat("read_hits") != 1 || r.stat("absent_reads") != 1 || r.stat("spills") != 0 {
		t.Errorf("%d dropped, %d hits, %d reads of nothing, %d spills", r.stat("dropped"), r.stat("read_hits"),
			r.stat("absent_reads"), r.stat("spills"))
	}
}

// However many warps have however many registers, as long as these are no more than there
// are entries, no set has more of them than ways.
func TestNoSetHasMoreRegistersThanWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Default()
		s.Ways = rapid.SampledFrom([]int{1, 2, 4, 8}).Draw(t, "ways")
		each := rapid.IntRange(1, 64).Draw(t, "registers")
		warps := rapid.IntRange(1, 1024/each).Draw(t, "warps")
		policy := rapid.SampledFrom([]bank.Policy{bank.Linear, bank.Turned}).Draw(t, "index")
		index, err := bank.NewIndex(policy, 4, warps, 64, 2)
		if err != nil {
			t.Fatal(err)
		}
		index.Registers(each)
		sets := map[uint64]int{}
		for w := range warps {
			for n := range each {
				g, entry := index.Find(uint16(w), ir.RegID(n))
				line := uint64(entry)*4 + uint64(g)
				if policy == bank.Linear && line != uint64(w*each+n) || line/uint64(each) != uint64(w) {
					t.Fatalf("register %d of warp %d is number %d", n, w, line)
				}
				if sets[line%uint64(s.sets())]++; sets[line%uint64(s.sets())] > s.Ways {
					t.Fatalf("set %d has more than %d registers", line%uint64(s.sets()), s.Ways)
				}
			}
		}
	})
}
