package lsu

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/sm/smtest"
)

// pathBench is a load/store unit of a latency and of initiation intervals: of its
// own, and of atomics.
func pathBench(latency, initiation, atomics int) *lsuBench {
	u := testMemory()
	u.Latency, u.Initial, u.Class = latency, initiation, map[string][]int{"atomic": {latency, atomics}}
	return newLSUBenchOf(Spec{Queue: 2, Outstanding: 64}, u)
}

// Visible to the unit at 5, to the memory side latency - 1 cycles later.
func TestAnOperationPassesTheStagesOfTheAddressPath(t *testing.T) {
	for _, latency := range []int{2, 3, 10} {
		b := pathBench(latency, 1, 1)
		k := smtest.KernelOf(smtest.Inst(ir.ClassLoad, []int{1}, 2))
		for range 3 {
			b.in.Send(4, op.Op{Inst: &k.Insts[0], Warp: 5})
		}
		b.d.RunUntil(60)
		first := wire.Cycle(5 + latency - 1)
		smtest.WantCycles(t, "accesses", smtest.Arrivals(b.toMem), []wire.Cycle{first, first + 1, first + 2})
	}
}

func TestTheAddressPathTakesAnOperationPerInitiationInterval(t *testing.T) {
	b := pathBench(4, 3, 7)
	k := smtest.KernelOf(smtest.Inst(ir.ClassLoad, []int{1}, 2), smtest.Inst(ir.ClassAtomic, []int{1}, 2))
	for _, i := range []int{0, 1, 0, 0} {
		b.in.Send(4, op.Op{Inst: &k.Insts[i], Warp: 5})
	}
	b.d.RunUntil(60)
	// in at 5, 5 + 3, 8 + 7 (behind the atomic), 15 + 3; visible 3 later
	smtest.WantCycles(t, "accesses", smtest.Arrivals(b.toMem), []wire.Cycle{8, 11, 18, 21})
}

// However the memory side stalls, every access comes once, in order, no sooner
// than the path takes, and, while nothing stalls, no later.
func TestAStalledAddressPathLosesAndReordersNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		latency := rapid.IntRange(2, 6).Draw(t, "latency")
		b := pathBench(latency, rapid.IntRange(1, 3).Draw(t, "initiation"), 1)
		stop := rapid.SliceOfN(rapid.Bool(), 40, 40).Draw(t, "stalls")
		b.toMem.Refuse = func(now wire.Cycle) bool { return now < 40 && stop[now] }
		k := smtest.KernelOf(smtest.Inst(ir.ClassLoad, []int{1}, 2))
		n := rapid.IntRange(1, 12).Draw(t, "operations")
		for i := range n {
			b.in.Send(4, op.Op{Inst: &k.Insts[0], Warp: 5, Exec: uint32(i + 1)})
		}
		b.d.RunUntil(120)
		if len(b.toMem.Got) != n {
			t.Fatalf("%d accesses of %d", len(b.toMem.Got), n)
		}
		for i, g := range b.toMem.Got {
			if g.Msg.Exec != uint32(i+1) || g.Cycle < wire.Cycle(5+latency-1+i) {
				t.Fatalf("access %d is %d, in cycle %d", i, g.Msg.Exec-1, g.Cycle)
			}
		}
	})
}

func TestALoadStoreUnitOfOnePlaceTakesAnOperationEveryOtherCycle(t *testing.T) {
	b := newLSUBenchOf(Spec{Queue: 1, Outstanding: 64}, testMemory())
	k := smtest.KernelOf(smtest.Inst(ir.ClassLoad, []int{1}, 2))
	for range 3 {
		b.in.Send(4, op.Op{Inst: &k.Insts[0], Warp: 5})
	}
	b.d.RunUntil(60)
	// Accepted at 5, as the sender sees at 6; visible at 7.
	smtest.WantCycles(t, "accesses", smtest.Arrivals(b.toMem), []wire.Cycle{6, 8, 10})
}
