package ltrf

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// A warp enters an interval of six registers, writes one, is suspended, and comes back.
func TestAWarpsWayIsCounted(t *testing.T) {
	r := newRig(t, serial(), 2, from(0, 6))
	r.begin(1, 0) // with an empty working set, which takes four cycles
	r.enter(20, 0, 0)
	r.do(60, 0, all, 4, []ir.RegID{2})
	r.notify(100, 0, regfile.WarpSuspended)
	r.notify(200, 0, regfile.WarpActivated)
	r.run()
	got := map[string]uint64{}
	want := map[string]uint64{"prefetches": 1, "refetches": 1, "suspensions": 1, "granted": 12, "results_cached": 1,
		"results_past": 0, "prefetched": 6, "refetched": 6, "written_back_suspended": 6, "fetch_waits": 0,
		"fills_partial": 0, "result_waits": 0, "past_waits": 0,
		// the notice is there a cycle after the event, and the gate opens a cycle before it is seen
		"prefetch_cycles": uint64(prefetchTime(6, 1)) - 2, "refetch_cycles": 3 + uint64(prefetchTime(6, 1)) - 2}
	for name := range want {
		got[name] = r.Stat("ltrf." + name)
	}
	wiretest.Same(t, "counted", want, got)
}

// Operands of a warp with two read ports. Requests of 3 and 3 operands in consecutive cycles each wait one cycle
// for ports. Requests of two operands alone do not wait.
func TestRequestsThatWaitForReadPortsAreCountedByCycles(t *testing.T) {
	s := Default()
	s.base.Paths.OutputWidth = 4
	r := newRig(t, s, 2, from(0, 6))
	r.begin(1, 0)
	r.enter(20, 0, 0)
	r.do(100, 0, all, 0, nil, 0, 1, 2)
	r.do(101, 0, all, 0, nil, 3, 4, 5)
	r.do(150, 0, all, 0, nil, 1, 2)
	r.do(170, 0, all, 0, nil, 3, 4)
	r.run()
	// The first request leaves a port for one operand of the second, which then needs another cycle.
	wiretest.Same(
		t,
		"lookups, waits",
		[2]uint64{10, 2},
		[2]uint64{r.Stat("ltrf.lookups"), r.Stat("ltrf.lookup_waits")},
	)
}

// Of R2, eight lanes are awaited when it gets a place. They come while it is fetched from a slow
// main file.
func TestAFillOfWhichLanesHaveComeIsCounted(t *testing.T) {
	s := Default()
	s.base.ReadLatency = 40
	r := newRig(t, s, 2, setA, setB)
	r.begin(1, 0)
	r.enter(20, 0, 0)
	r.do(90, 0, 0xff, 120, []ir.RegID{2})
	r.enter(101, 0, 1)
	r.enter(180, 0, 0)
	r.do(400, 0, all, 0, nil, 2)
	r.run()
	wiretest.Same(t, "partial fills", uint64(1), r.Stat("ltrf.fills_partial"))
}

// R1 is written back at the end of its interval, over a slow crossbar, and wanted again at once.
func TestARegisterThatIsFetchedLateIsCounted(t *testing.T) {
	s := Default()
	s.BackCycles = 40
	r := newRig(t, s, 2, setOf(1), setB)
	r.begin(1, 0)
	r.enter(20, 0, 0)
	r.enter(100, 0, 1)
	r.enter(115, 0, 0)
	r.run()
	wiretest.Same(t, "fetched late", uint64(1), r.Stat("ltrf.fetch_waits"))
}

// The scheduler takes no message. 16 fill the way of the gate, and two warps wait for it.
func TestGatesOpenWhenTheSchedulerTakesTheMessage(t *testing.T) {
	r := newRig(t, Default(), 2, intervals.Set{})
	r.opens[prefetchGate].Refuse = func(now wire.Cycle) bool { return now < 600 }
	r.begin(1, 0)
	r.begin(1, 1)
	for i := range wire.Cycle(9) {
		r.enter(20+20*i, 0, 0)
		r.enter(20+20*i, 1, 0)
	}
	r.Domain.RunUntil(500)
	if n := len(r.p.wcb.opening); n != 2 {
		t.Fatalf("%d gates are still to be opened, want 2", n)
	}
	const want = "0 requests and 0 results wait, 2 warps wait for 0 registers to come into the cache"
	if w := r.p.wcb.Waiting(); w != want {
		t.Errorf("it says %q, want %q", w, want)
	}
	r.run()
	wiretest.Same(t, "gates opened", 18, len(r.opened(prefetchGate)))
	if w := r.p.wcb.Waiting(); w != "" {
		t.Errorf("in the end it says %q", w)
	}
}

func TestTheSequencerSaysWhatIsUnderWay(t *testing.T) {
	d := clock()
	x := newSequencer("Sequencer", d, 4, 1)
	in := wiretest.NewSource("WCB", d, &x.In)
	wiretest.NewSink("Leaves", d, &x.Leave, 16)
	wiretest.NewSink("Wants", d, &x.Want, 16)
	in.Send(9, Job{Warp: 1, Enter: setOf(1, 2, 3)})
	in.Send(9, Job{Warp: 2, Enter: setOf(1, 2, 3)})
	d.RunUntil(10)
	wiretest.Same(t, "at work", "2 vectors of registers are taken apart", x.Waiting())
	d.RunUntil(30)
	wiretest.Same(t, "done", "", x.Waiting())
}

// Of two warps in need of a bank, one has the only offset and no bank, the other no offset.
func TestTheAllocationUnitsSayWhoWaits(t *testing.T) {
	r := newUnits(1)
	for i := range ir.RegID(4) { // of three banks
		r.want.Send(9, Want{Warp: 1, Reg: i})
	}
	r.want.Send(9, Want{Warp: 2, Reg: 1})
	r.d.RunUntil(30)
	wiretest.Same(t, "waiting", "2 registers wait for a bank of the cache, 1 warps for a part of it", r.x.Waiting())
	wiretest.Same(t, "granted", uint64(3), r.x.granted)
	r.freed.Send(30, Freed{Bank: 0})
	r.want.Send(30, Want{Warp: 1, Kind: Release})
	for b := range uint8(3) {
		r.freed.Send(40, Freed{Bank: b})
	}
	r.d.RunUntil(60)
	wiretest.Same(t, "in the end", "", r.x.Waiting())
	wiretest.Same(t, "granted", uint64(5), r.x.granted)
}

func TestTheFillArbiterSaysWhatIsToBeAsked(t *testing.T) {
	d, in, out, x := filling(t, 1)
	out.Refuse = func(now wire.Cycle) bool { return now < 100 }
	for w := range uint16(4) { // 40 registers, of which 32 are on the way to the arbiter
		for i := range ir.RegID(10) {
			in.Send(9, Fetch{Warp: w, Reg: i})
		}
	}
	d.RunUntil(90)
	wiretest.Same(t, "waiting", "8 registers wait to be asked of the main file", x.Waiting())
	d.RunUntil(200)
	wiretest.Same(t, "in the end", "", x.Waiting())
}

// The arbiter of the cache takes no read for a time: 16 are on the way there, and 4 wait.
func TestTheWayBackGoesOnWhenTheCacheTakesReads(t *testing.T) {
	r := newBackRig(t)
	r.x.buffers = 20
	r.read.Refuse = func(now wire.Cycle) bool { return now < 100 }
	for w := range uint16(5) {
		for i := range ir.RegID(4) {
			r.take.Send(9+4*wire.Cycle(w), Move{Warp: w, Reg: i, Bank: uint8(w % 2), Offset: uint8(i)})
		}
	}
	r.d.RunUntil(90)
	wiretest.Same(
		t,
		"waiting",
		"4 registers wait to be read for the main file, 0 results to be written there",
		r.x.Waiting(),
	)
	r.d.RunUntil(200)
	wiretest.Same(t, "read", 20, len(r.read.Got))
	wiretest.Same(t, "in the end", "", r.x.Waiting())
}

// A result comes at 10, and the older value of its register at 30: it has waited for 20 cycles.
func TestAResultThatWaitsForAnOlderValueIsCountedByCycles(t *testing.T) {
	r := newBackRig(t)
	r.take.Send(9, Move{Warp: 3, Reg: 6, Bank: 1})
	r.past.Send(9, bank.Access{Warp: 3, Reg: 6, Kind: bank.Write})
	r.d.RunUntil(20)
	wiretest.Same(
		t,
		"waiting",
		"0 registers wait to be read for the main file, 1 results to be written there",
		r.x.Waiting(),
	)
	r.cross.Send(29, value(6, 2))
	r.d.RunUntil(50)
	wiretest.Same(t, "waits", uint64(20), r.x.pastWaits)
}
