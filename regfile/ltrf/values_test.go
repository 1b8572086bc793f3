package ltrf

import (
	"strings"
	"testing"

	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// Intervals for the tests below.
var (
	setA  = setOf(1, 2, 3)
	setB  = setOf(4, 5)
	setAB = setOf(1, 4)
)

func TestAResultWithoutAPlaceGoesToTheMainFileAndIsFetchedFromThere(t *testing.T) {
	r := newRig(t, Default(), 2, setA, setB)
	r.begin(1, 0)
	r.enter(20, 0, 0)
	r.do(60, 0, all, 100, []ir.RegID{2}) // its result comes in the interval without R2
	r.enter(80, 0, 1)
	r.enter(200, 0, 0)
	r.do(300, 0, all, 0, nil, 2)
	r.run()
	wiretest.Same(t, "past, left without a write", [2]uint64{1, 1}, [2]uint64{r.Stat("ltrf.results_past"),
		r.Stat("ltrf.left_pending")})
}

func TestAnAwaitedResultOfAllLanesNeedsNoReadAndGoesToItsNewPlace(t *testing.T) {
	r := newRig(t, serial(), 2, setA, setB, setOf(2, 6))
	r.begin(1, 0)
	r.enter(20, 0, 0)
	r.do(60, 0, all, 200, []ir.RegID{2})
	r.enter(80, 0, 1)
	r.enter(140, 0, 2) // R2 has another bank now
	r.do(300, 0, all, 0, nil, 2)
	r.run()
	wiretest.Same(t, "given a place unread, past", [2]uint64{1, 0}, [2]uint64{r.Stat("ltrf.space_pending"),
		r.Stat("ltrf.results_past")})
	wiretest.Same(t, "the gate opens without it", 140+prefetchTime(1, 1)+1, r.opened(prefetchGate)[2])
}

// The other lanes are fetched, and lanes brought meanwhile by the result stay.
func TestALanesResultThatComesWhileItsRegisterIsFilledStays(t *testing.T) {
	s := Default()
	s.base.ReadLatency = 40
	for _, at := range []wire.Cycle{100, 120, 140, 160, 180, 220} {
		r := newRig(t, s, 2, setA, setB)
		r.begin(1, 0)
		r.enter(20, 0, 0)
		r.do(90, 0, all, 4, []ir.RegID{2})
		r.do(100, 0, 0xff, at, []ir.RegID{2}) // at: when the result is there, less 100
		r.enter(101, 0, 1)
		r.enter(175, 0, 0)
		r.do(400, 0, all, 0, nil, 2)
		r.run()
	}
}

func TestAWarpWaitsForAResultOfItsSetIfItIsToldTo(t *testing.T) {
	for _, exec := range []uint32{all, 0xff} {
		s := Default()
		s.Pending = Wait
		r := newRig(t, s, 2, setA, setB)
		r.begin(1, 0)
		r.enter(20, 0, 0)
		r.do(50, 0, all, 4, []ir.RegID{2})
		r.do(60, 0, exec, 300, []ir.RegID{2})
		r.enter(80, 0, 1)
		r.enter(140, 0, 0)
		r.do(600, 0, all, 0, nil, 2)
		r.run()
		wiretest.Same(t, "waited", uint64(1), r.Stat("ltrf.held"))
		if open := r.opened(prefetchGate)[2]; open < 360 {
			t.Errorf("the gate opens at %d, before the result has come", open)
		}
	}
}

// A register fetched while it is on its way back to the slow main file arrives unchanged.
func TestARegisterIsFetchedBehindItsWriteBack(t *testing.T) {
	s := Default()
	s.BackCycles = 40
	s.base.WriteLatency, s.base.Blocking, s.base.BankPorts = 30, true, "1rw"
	for d := wire.Cycle(30); d < 120; d += 7 {
		r := newRig(t, s, 2, setA, setOf(2), intervals.Set{}, setA)
		r.begin(1, 0)
		r.enter(20, 0, 0)
		r.do(300, 0, all, 4, []ir.RegID{1})
		r.do(301, 0, 0xf0f0, 4, []ir.RegID{3})
		r.enter(320, 0, 1)
		r.enter(320+d, 0, 0)
		r.do(900, 0, all, 0, nil, 1)
		r.do(901, 0, 0xf0f0, 0, nil, 3)
		r.run()
		if d < 40 && r.Stat("ltrf.fetch_waits") == 0 {
			t.Errorf("%d cycles later nothing is on the way: the test shows nothing", d)
		}
	}
}

// A result for some lanes of a register on its way back is not overwritten by the older value.
func TestAResultDoesNotOvertakeTheOlderValueOnItsWayBack(t *testing.T) {
	s := Default()
	s.BackCycles = 40
	for at := wire.Cycle(20); at < 90; at += 3 {
		r := newRig(t, s, 2, setA, setB)
		r.begin(1, 0)
		r.enter(20, 0, 0)
		r.do(100, 0, all, 4, []ir.RegID{1})
		r.do(110, 0, 0xff, at, []ir.RegID{1})
		r.enter(120, 0, 1)
		r.enter(400, 0, 0)
		r.do(600, 0, all, 0, nil, 1)
		r.run()
	}
}

func TestWithLivenessWhatNoLaneNeedsIsNeitherFetchedNorWrittenBack(t *testing.T) {
	s := serial()
	s.Liveness, s.WriteBack = Dynamic, Live
	r := newRig(t, s, 2, setA, setB, setA)
	r.begin(1, 0)
	r.enter(20, 0, 0) // everything is dead
	r.do(60, 0, all, 4, []ir.RegID{1})
	r.do(61, 0, all, 4, []ir.RegID{2})
	r.doDead(80, 0, all, 0, 1, nil, 2) // the last read of R2
	r.enter(100, 0, 1)                 // R1 alone goes back
	r.enter(200, 0, 2)                 // and is fetched
	r.do(300, 0, all, 0, nil, 1)
	r.run()
	wiretest.Same(t, "fetched, written back, died, unread, unwritten", [5]uint64{1, 1, 1, 7, 4},
		[5]uint64{r.Stat("ltrf.prefetched"), r.Stat("ltrf.written_back_interval"), r.Stat("ltrf.died"),
			r.Stat("ltrf.space_dead"), r.Stat("ltrf.left_dead")})
	// A register without a fetch costs only the cycle of its grant.
	wiretest.Same(
		t,
		"opened",
		[]wire.Cycle{20 + prefetchTime(0, 1) + 3, 100 + prefetchTime(0, 1) + 2, 200 + prefetchTime(1, 1)},
		r.opened(prefetchGate),
	)
}

func TestWithDirtyBitsWhatWasNotWrittenIsNotWrittenBackAtAnIntervalsEnd(t *testing.T) {
	s := Default()
	s.WriteBack = Dirty
	r := newRig(t, s, 2, setA, setB)
	r.begin(1, 0)
	r.enter(20, 0, 0)
	r.do(60, 0, all, 4, []ir.RegID{1})
	r.enter(100, 0, 1)
	r.run()
	wiretest.Same(t, "written back, clean", [2]uint64{1, 2}, [2]uint64{r.Stat("ltrf.written_back_interval"),
		r.Stat("ltrf.left_clean")})
}

func TestNothingIsWrittenBackOfAWarpThatHasEnded(t *testing.T) {
	r := newRig(t, Default(), 2, setA)
	r.begin(1, 0)
	r.enter(20, 0, 0)
	r.do(60, 0, all, 4, []ir.RegID{1})
	r.notify(100, 0, regfile.WarpExited)
	r.begin(110, 0)
	r.enter(120, 0, 0)
	r.run()
	wiretest.Same(t, "written back, ended, fetched", [3]uint64{0, 3, 6},
		[3]uint64{r.Stat("ltrf.written_back_interval") + r.Stat("ltrf.written_back_suspended"),
			r.Stat("ltrf.left_ended"), r.Stat("ltrf.prefetched")})
}

func TestWithoutKeepRegistersOfBothIntervalsGoBackAndComeAgain(t *testing.T) {
	s := Default()
	s.Keep = false
	r := newRig(t, s, 2, setA, setAB)
	r.begin(1, 0)
	r.enter(20, 0, 0)
	r.do(60, 0, all, 4, []ir.RegID{1})
	r.enter(100, 0, 1)
	r.do(200, 0, all, 0, nil, 1)
	r.run()
	wiretest.Same(
		t,
		"written back, fetched, kept",
		[3]uint64{3, 5, 0},
		[3]uint64{r.Stat("ltrf.written_back_interval"),
			r.Stat("ltrf.prefetched"), r.Stat("ltrf.kept")},
	)
}

func TestAReadOfARegisterWithoutAPlaceStopsTheModel(t *testing.T) {
	defer func() {
		if x := recover(); x == nil || !strings.Contains(x.(string), "R9 of warp 0") {
			t.Errorf("stopped with %v", x)
		}
	}()
	r := newRig(t, Default(), 2, setA)
	r.begin(1, 0)
	r.enter(20, 0, 0)
	r.do(60, 0, all, 0, nil, 9)
	r.run()
}

// scene is a run in which registers leave and come again, at the end of an interval and at a suspension, with
// results arriving meanwhile.
func scene(t testing.TB, s Spec, fault func(*rig)) *version.Checker {
	s.base.ReadLatency, s.BackCycles = 20, 40
	r := newRig(t, s, 1, setA, setB, setOf(2, 3))
	fault(r)
	r.begin(1, 0)
	r.enter(20, 0, 0)
	for i := range ir.RegID(3) {
		r.do(100+wire.Cycle(i), 0, all, 4, []ir.RegID{i + 1})
	}
	r.do(110, 0, all, 4, []ir.RegID{2})
	r.do(111, 0, 0xff, 90, []ir.RegID{3}) // some lanes, in the middle of the third prefetch
	r.enter(130, 0, 1)
	r.enter(165, 0, 2)
	r.do(400, 0, all, 0, nil, 2, 3)
	r.do(410, 0, all, 160, []ir.RegID{3}) // comes while the warp is suspended
	r.notify(420, 0, regfile.WarpSuspended)
	r.begin(430, 1) // takes the part of the cache
	r.enter(500, 1, 0)
	r.do(580, 1, all, 4, []ir.RegID{1})
	r.notify(600, 1, regfile.WarpSuspended)
	r.notify(605, 0, regfile.WarpActivated)
	r.do(800, 0, all, 0, nil, 2, 3)
	r.enter(820, 0, 0)
	r.do(1000, 0, all, 0, nil, 1, 2, 3)
	r.Domain.RunUntil(3000)
	return r.Checker
}

// mutants are faults, all to be found by the operand check.
var mutants = map[string]func(*rig){
	"lost write-back": func(r *rig) {
		wire.OnPut(&r.p.back.Main, func(_, _ wire.Cycle, a *bank.Access) {
			if a.Cause == bank.Eviction && a.Reg == 1 {
				a.Content = version.Content{}
			}
		})
	},
	"refetch of an older value": func(r *rig) { // it does not wait for what is on its way
		wire.OnPut(&r.p.wcb.Move, func(_, _ wire.Cycle, m *Move) { r.p.wcb.blocks[m.Warp].back.Remove(int(m.Reg)) })
	},
	"lane of a fill swapped": func(r *rig) {
		wire.OnPut(&r.p.wcb.Update, func(_, _ wire.Cycle, a *bank.Access) {
			if a.Cause == bank.Prefetch && a.Reg == 2 {
				a.Content = a.Content.Write(3, 1<<9)
			}
		})
	},
	"lanes of a result lost to a fill": func(r *rig) {
		wire.OnPut(&r.p.wcb.Update, func(now, _ wire.Cycle, a *bank.Access) {
			if a.Cause == bank.Prefetch && a.Reg == 3 && now > 200 {
				a.Content = version.Content{Seq: 3, Lanes: all}
			}
		})
	},
	"pending result to the old place": func(r *rig) { // which is another warp's now
		wire.OnPut(&r.p.wcb.Past, func(_, _ wire.Cycle, a *bank.Access) {
			if a.Reg == 3 {
				a.Content = version.Content{}
			}
		})
	},
}

func TestFaultsAreCaught(t *testing.T) {
	if c := scene(t, Default(), func(*rig) {}); c.Total() != 0 || c.Checked() != 7 {
		t.Fatalf("without a fault: %d violations in %d operands: %v", c.Total(), c.Checked(), c.Violations())
	}
	for name, fault := range mutants {
		if c := scene(t, Default(), fault); c.Total() == 0 {
			t.Errorf("%s: not caught", name)
		}
	}
}

func TestAnOffsetGivenTwiceIsCaught(t *testing.T) {
	for _, fault := range []bool{false, true} {
		r := newRig(t, Default(), 2, from(0, 16))
		if fault {
			wire.OnPut(&r.p.allocation.Out, func(_, _ wire.Cycle, g *Grant) { // the same places to both warps
				g.Offset, g.Bank = 0, uint8(g.Reg)
			})
		}
		for w := range uint16(2) {
			r.begin(1, w)
			r.enter(20, w, 0)
		}
		for w := range uint16(2) {
			r.do(60+wire.Cycle(w), w, all, 4, []ir.RegID{1})
		}
		r.do(80, 0, all, 0, nil, 1)
		r.do(81, 1, all, 0, nil, 1)
		r.Domain.RunUntil(200)
		if got := r.Checker.Total() > 0; got != fault || r.Checker.Checked() != 2 {
			t.Errorf("with the fault: %t, caught: %t, %d operands checked", fault, got, r.Checker.Checked())
		}
	}
}

// Two faults: a lost bit of the liveness vector, and a lost working set.
func TestLostBitsOfTheControlBlockAreCaught(t *testing.T) {
	plus := Default()
	plus.Liveness, plus.WriteBack = Dynamic, Live
	c := scene(t, plus, func(*rig) {})
	if c.Total() != 0 || c.Checked() != 7 {
		t.Fatalf("without a fault: %d violations in %d operands: %v", c.Total(), c.Checked(), c.Violations())
	}
	c = scene(t, plus, func(r *rig) {
		wire.OnPut(&r.p.wcb.Job, func(_, _ wire.Cycle, j *Job) {
			if j.Release {
				r.p.wcb.blocks[0].live.Remove(2)
			}
		})
	})
	if c.Total() == 0 {
		t.Error("liveness bit lost: not caught")
	}
	defer func() {
		if x := recover(); x == nil {
			t.Error("working set cleared at suspension: not caught")
		}
	}()
	scene(t, Default(), func(r *rig) {
		wire.OnPut(&r.p.wcb.Job, func(_, _ wire.Cycle, j *Job) {
			if j.Release {
				r.p.wcb.blocks[j.Warp].set = intervals.Set{}
			}
		})
	})
}

// R1 and R2 are written, and only R2 is live at instruction 0. A warp is suspended before instruction 0, before the
// prefetch of an interval with R1 live, and before an instruction not yet fetched.
func TestTheLivenessVectorBelongsToTheNextInstruction(t *testing.T) {
	in := &ir.Inst{}
	for _, c := range []struct {
		name string
		next regfile.WarpNotice
		back uint64
	}{
		{"an instruction", regfile.WarpNotice{Inst: in, PC: 0}, 1},
		{"a prefetch", regfile.WarpNotice{Inst: regfile.InsertedInst(), PC: 1 + 1}, 1},
		{"nothing fetched", regfile.WarpNotice{}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Default()
			s.Liveness = Vector
			r := newRig(t, s, 2, setOf(1, 2), setOf(1))
			r.p.wcb.plan.Live = []intervals.Set{setOf(), setOf(1)}
			r.p.wcb.plan.LiveAt = []intervals.Set{setOf(2)}
			r.begin(1, 0)
			r.enter(20, 0, 0)
			r.do(60, 0, all, 4, []ir.RegID{1})
			r.do(61, 0, all, 4, []ir.RegID{2})
			c.next.Event = regfile.WarpSuspended
			r.Warps[0].Send(100, c.next)
			r.run()
			if got := r.Stat("ltrf.written_back_suspended"); got != c.back {
				t.Errorf("%d registers written back, want %d", got, c.back)
			}
			if c.back == 1 && r.p.wcb.blocks[0].live != [...]intervals.Set{setOf(2), setOf(1)}[min(1, c.next.PC)] {
				t.Errorf("live are %v", r.p.wcb.blocks[0].live)
			}
		})
	}
}
