package cerf

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/wire"
	"kumiko/memsys/req"
)

func store(line uint64) req.Txn {
	t := load(line)
	t.Kind, t.Cause, t.Full, t.Bytes = req.Write, req.GlobalStore, req.AllSectors, 128
	return t
}

func atomic(line uint64) req.Txn {
	t := load(line)
	t.Kind, t.Cause, t.Bytes, t.Ops, t.Depth = req.Atomic, req.GlobalAtomic, 4, 1, 1
	return t
}

// count is a statistic of the L1.
func (r *rig) count(name string) uint64 { return r.reg.Snapshot()["mem.l1."+name] }

// A load bypassing the cache requests its sectors, without a lookup.
func TestALoadThatBypassesGoesToTheL2WithItsOwnSectors(t *testing.T) {
	r := newRig(t, small())
	r.grant()
	l := load(5)
	l.Bypass, l.Around = true, 2
	r.txn.Send(9, l)
	r.d.RunUntil(30)
	if len(r.miss.Got) != 1 || r.miss.Got[0].Msg.Sectors != 2 || r.miss.Got[0].Msg.Bytes != 0 || len(r.read.Got) != 0 {
		t.Fatalf("requests %+v, %d look-ups; want one of sector 1, and none", r.miss.Got, len(r.read.Got))
	}
	r.back(40, 0)
	r.run()
	if len(r.fill.Got) != 1 || r.count("bypassed") != 1 {
		t.Errorf("%d answers, %d loads bypassed; want 1 and 1", len(r.fill.Got), r.count("bypassed"))
	}
	same(t, "at rest", "", r.x.Waiting())
}

// Line 0 has the first entry. It is stored at the look-up, answered, and found by a second store.
func TestAStoreTakesALine(t *testing.T) {
	for _, line := range []uint64{0, 5} {
		r := newRig(t, small())
		r.grant()
		r.txn.Send(9, store(line))
		r.txn.Send(19, store(line))
		r.run()
		g := int(line % 4)
		same(t, "writes", []wire.Cycle{14, 24}, r.access[g].Cycles())
		if len(r.hit.Got) != 2 || len(r.miss.Got) != 0 || r.x.count.active[kindLine] != 1 {
			t.Errorf("line %d: %d answers, %d requests, %d lines; want 2, 0, 1", line, len(r.hit.Got), len(r.miss.Got),
				r.x.count.active[kindLine])
		}
		same(t, "at rest", "", r.x.Waiting())
	}
}

// The line is dirty after a store. It is written back before the L2 executes the atomic operation.
func TestAnAtomicOperationDropsItsLine(t *testing.T) {
	for _, line := range []uint64{0, 5} {
		r := newRig(t, small())
		r.grant()
		r.txn.Send(9, store(line))
		r.txn.Send(19, atomic(line))
		r.d.RunUntil(40)
		if len(r.miss.Got) != 0 || r.x.count.active[kindLine] != 0 {
			t.Fatalf("line %d: %d requests before the line has been read, %d lines", line, len(r.miss.Got),
				r.x.count.active[kindLine])
		}
		const want = "0 accesses wait at the tags, 1 transactions under way, 0 before them; 0 registers or lines on " +
			"their way from SM[0].RegFile.SubCore[0].Tags.Miss, 1 to it"
		same(t, "waiting", want, r.x.Waiting())
		r.values.Send(49, bank.Value{Slot: ofVictim, Tag: uint32(r.access[line%4].Got[1].Msg.Tag)})
		r.d.RunUntil(80)
		same(t, "asked", []asked{{51, req.Write, "write_back", line, 128}, {51, req.Atomic, "global_atomic", line, 4}},
			r.asked())
		r.back(100, 1)
		r.run()
		same(t, "answers", 1, len(r.fill.Got))
		same(t, "at rest", "", r.x.Waiting())
	}
}

// A global store drops a loaded line, and updates a line made dirty by a local store.
func TestAStoreThatEvictsGoesToTheL2(t *testing.T) {
	for _, line := range []uint64{0, 5} {
		s := small()
		s.Store = StoreEvict
		r := newRig(t, s)
		r.grant()
		r.txn.Send(9, load(line))
		r.d.RunUntil(30)
		r.back(40, 0)
		r.txn.Send(49, store(line))
		r.d.RunUntil(80)
		if len(r.miss.Got) != 2 || r.miss.Got[1].Msg.Kind != req.Write || r.x.count.active[kindLine] != 0 {
			t.Fatalf("line %d: %+v, %d lines; want the store at the L2, and no line", line, r.asked(),
				r.x.count.active[kindLine])
		}
		same(t, "banks", 1, len(r.access[line%4].Got))
		r.txn.Send(89, store(line)) // there is no line
		local := store(line)
		local.Cause = req.LocalStore
		r.txn.Send(109, local)
		r.txn.Send(129, store(line))
		r.d.RunUntil(200)
		same(t, "banks", 3, len(r.access[line%4].Got))
		if len(r.miss.Got) != 4 || len(r.hit.Got) != 1 || r.x.count.active[kindLine] != 1 {
			t.Errorf("line %d: %d requests, %d hits, %d lines; want 4, 1, 1", line, len(r.miss.Got), len(r.hit.Got),
				r.x.count.active[kindLine])
		}
	}
}

// Two transactions come at once, and go to the arbiter one after the other.
func TestTransactionsAreLookedUpOnePerCycle(t *testing.T) {
	r := newRig(t, small())
	r.txn.Send(9, load(5))
	r.txn.Send(9, load(6))
	r.txn.Send(9, store(7))
	r.run()
	same(t, "reads", []wire.Cycle{11, 12}, r.read.Cycles())
	same(t, "writes", []wire.Cycle{13}, r.write.Cycles())
}

// The arbiter accepts no reads, and two of them fill the way to it. A store needs no space there.
func TestAStoreNeedsNoRoomForReads(t *testing.T) {
	r := newRig(t, small())
	r.read.Refuse = func(wire.Cycle) bool { return true }
	r.txn.Send(9, load(5))
	r.txn.Send(9, load(6))
	r.txn.Send(9, store(7))
	r.txn.Send(9, load(8))
	r.run()
	same(t, "writes", 1, len(r.write.Got))
	same(t, "transactions before the tags", 1, r.x.Txn.Len())
}

// Two requested lines arrive at once. Their fills are a cycle apart.
func TestRepliesAreTakenOneAfterTheOther(t *testing.T) {
	r := newRig(t, small())
	r.grant()
	r.txn.Send(9, load(5))
	r.txn.Send(9, load(6))
	r.d.RunUntil(30)
	r.back(40, 0)
	r.back(40, 1)
	r.run()
	same(t, "fills", []wire.Cycle{41, 42}, r.fill.Cycles())
	same(t, "at rest", "", r.x.Waiting())
}

// One of two MSHRs is left to registers, so the second load waits for the first one's reply.
func TestLoadsLeaveAnMSHRToRegisters(t *testing.T) {
	s := small()
	s.MSHR.Entries = 2
	r := newRig(t, s)
	r.grant()
	r.txn.Send(9, load(5))
	r.txn.Send(9, load(6))
	r.d.RunUntil(30)
	same(t, "asked", 1, len(r.miss.Got))
	r.back(40, 0)
	r.run()
	same(t, "asked", 2, len(r.miss.Got))
	if c := r.miss.Got[1].Cycle; c > 42 {
		t.Errorf("the second load goes at %d, though an MSHR is free at 41", c)
	}
}
