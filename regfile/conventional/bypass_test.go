package conventional

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/op"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile/filetest"
)

// passing is a file with a bypass before a unit of latency 8. An operation without sources, visible at 10, leaves
// its collector at 11 and is at its unit at 12. Its value is due at the file at 20, so its Result comes at 18, is
// at the result bus at 19 and at the collectors at 20. With forward 6 it is announced at 14 and seen at 15, and an
// operation issued because of it is at the collectors at 16.
func passing(t *testing.T, tune func(*Spec)) *rig {
	t.Helper()
	s := simple()
	s.Bypass, s.Forward, s.Paths.OutputWidth = true, 6, 4
	if tune != nil {
		tune(&s)
	}
	env := oneScheduler()
	times := &op.Times{}
	times.Class[ir.ClassNop] = op.Time{Latency: 8, Initiation: 1}
	env.Units[0].Times = times
	return newRig(t, s, env)
}

// write sends a writer visible at 10 under a mask, and its result at 18.
func (r *rig) write(exec uint32, dst ...ir.RegID) op.Op {
	o := r.masked(10, exec, filetest.Inst(dst))
	o.Announced = true
	r.Finish(18, 0, o)
	return o
}

// masked is send under a mask.
func (r *rig) masked(at wire.Cycle, exec uint32, in *ir.Inst) op.Op {
	r.Tag++
	o := op.Op{Inst: in, Tag: r.Tag, Exec: exec}
	r.Checker.Issue(&o)
	r.Issue[0].Send(at-1, o)
	return o
}

// counts compares the bypass's counters.
func (r *rig) counts(t *testing.T, captures, deferred, holds uint64) {
	t.Helper()
	got := []uint64{r.Stat("bypass.captures"), r.Stat("bypass.deferred"),
		r.Stat("bypass.holds")}
	if d := cmp.Diff([]uint64{captures, deferred, holds}, got); d != "" {
		t.Errorf("captures, deferred, holds (-want +got):\n%s", d)
	}
}

func TestAResultIsAnnouncedForwardCyclesBeforeItsValueAndOnlyOnce(t *testing.T) {
	for forward, want := range map[int]wire.Cycle{3: 17, 4: 16, 5: 15, 6: 14} {
		r := passing(t, func(s *Spec) { s.Forward = forward })
		r.write(version.FullMask, 1)
		r.ready(t, 0, 12)
		if d := cmp.Diff([]wire.Cycle{want + 1}, r.Early[0].Cycles()); d != "" || len(r.Done[0].Got) != 0 {
			t.Errorf("forward %d: %d notices from write-back; early ones (-want +got):\n%s", forward,
				len(r.Done[0].Got), d)
		}
	}
}

func TestAnOperandThatIsOnItsWayIsCapturedAndNotRead(t *testing.T) {
	r := passing(t, nil)
	r.write(version.FullMask, 1)
	r.send(16, 0, 0, 0, filetest.Inst(nil, 1))
	r.ready(t, 0, 12, 21)
	r.counts(t, 1, 0, 0)
	if n := r.Stat("bank.reads.operand"); n != 0 {
		t.Errorf("%d bank reads", n)
	}
}

func TestAnOperandWhoseResultHasArrivedIsReadFromItsBank(t *testing.T) {
	r := passing(t, nil)
	r.write(version.FullMask, 1)
	r.send(20, 0, 0, 0, filetest.Inst(nil, 1)) // read and write at the arbiter at 21, one port
	r.ready(t, 0, 12, 26)
	r.counts(t, 0, 0, 0)
}

func TestOperandsFromBanksAndFromTheBusMeetInTheCollector(t *testing.T) {
	r := passing(t, nil)
	r.write(version.FullMask, 1)
	r.send(15, 0, 0, 0, filetest.Inst(nil, 2, 1, 3)) // R2 and R3 there at 19
	r.send(17, 0, 0, 0, filetest.Inst(nil, 2, 1))    // R2 there at 21
	r.ready(t, 0, 12, 21, 22)
	r.counts(t, 2, 0, 0)
}

func TestARegisterNamedTwiceIsCapturedOnceOrTwiceAsItWouldBeRead(t *testing.T) {
	for twice, want := range map[bool]uint64{false: 1, true: 2} {
		r := passing(t, func(s *Spec) { s.ReadTwice = twice })
		r.write(version.FullMask, 1)
		r.send(16, 0, 0, 0, filetest.Inst(nil, 1, 1))
		r.ready(t, 0, 12, 21)
		r.counts(t, want, 0, 0)
	}
}

func TestEveryRegisterOfAResultIsCaptured(t *testing.T) {
	r := passing(t, nil)
	r.write(version.FullMask, 4, 5)
	r.send(16, 0, 0, 0, filetest.Inst(nil, 5, 4))
	r.ready(t, 0, 12, 21)
	r.counts(t, 2, 0, 0)
}

func TestAReaderOfLanesThatAResultLacksWaitsForTheWriteAndReadsTheBank(t *testing.T) {
	r := passing(t, func(s *Spec) { s.BankPorts = "1r1w" })
	first := r.send(2, 0, 0, 0, filetest.Inst([]ir.RegID{1}))
	first.Announced = true // unit 0 at 4: announced at 6
	r.Finish(8, 0, first)
	r.write(0xffff, 1)
	r.masked(16, 0xffffff, filetest.Inst(nil, 1))
	// The result at the collectors at 20, write and read at the arbiter at 21, at
	// the crossbar at 23, at the collector at 24.
	r.ready(t, 0, 4, 12, 25)
	r.counts(t, 0, 1, 0)
}

func TestAReaderOfNoOtherLanesThanAResultHasCapturesIt(t *testing.T) {
	r := passing(t, nil)
	r.write(0xffff, 1)
	r.masked(16, 0xff, filetest.Inst(nil, 1))
	r.ready(t, 0, 12, 21)
	r.counts(t, 1, 0, 0)
}

func TestASecondWriterOfARegisterWaitsForTheFirstResult(t *testing.T) {
	r := passing(t, nil)
	r.write(version.FullMask, 1)
	o := r.send(16, 0, 0, 0, filetest.Inst([]ir.RegID{1})) // could leave at 17
	o.Announced = true
	r.send(16, 0, 0, 0, filetest.Inst([]ir.RegID{2})) // at the collectors at 17
	r.Finish(30, 0, o)
	r.ready(t, 0, 12, 19, 21)
	r.counts(t, 0, 0, 4)
}

func TestAResultThatComesSoonerThanExpectedIsAnnouncedWhenItComes(t *testing.T) {
	r := passing(t, func(s *Spec) { s.Forward = 3 }) // due to be announced at 17
	o := r.send(10, 0, 0, 0, filetest.Inst([]ir.RegID{1}))
	o.Announced = true
	r.Finish(12, 0, o) // at the collectors at 14
	r.ready(t, 0, 12)
	if d := cmp.Diff([]wire.Cycle{15}, r.Early[0].Cycles()); d != "" {
		t.Errorf("early notices (-want +got):\n%s", d)
	}
}

func TestAReaderOfALateResultKeepsItsCollectorUntilItComes(t *testing.T) {
	r := passing(t, nil)
	o := r.send(10, 0, 0, 0, filetest.Inst([]ir.RegID{1}))
	o.Announced = true
	r.Finish(50, 0, o)
	r.send(16, 0, 0, 0, filetest.Inst(nil, 1))
	r.ready(t, 0, 12, 53)
}

func TestResultsBeyondTheTableAreAnnouncedByWriteback(t *testing.T) {
	r := passing(t, func(s *Spec) { s.BypassEntries = 1 })
	r.write(version.FullMask, 1)
	o := r.send(11, 0, 0, 0, filetest.Inst([]ir.RegID{2}))
	r.Finish(19, 0, o)
	r.ready(t, 0, 12, 13)
	if d := cmp.Diff([]wire.Cycle{20}, r.Done[0].Cycles()); d != "" || r.Stat("bypass.untracked") != 1 {
		t.Errorf("%d untracked; notices from write-back (-want +got):\n%s", r.Stat("bypass.untracked"), d)
	}
}

func TestPredicatesAreAnnouncedByWritebackAlone(t *testing.T) {
	r := passing(t, nil)
	in := filetest.Inst([]ir.RegID{1})
	in.T.DstPreds = 1 // read at issue: no collector could wait for it
	o := r.send(10, 0, 0, 0, in)
	r.Finish(18, 0, o)
	r.ready(t, 0, 12)
	if d := cmp.Diff([]wire.Cycle{19}, r.Done[0].Cycles()); d != "" || len(r.Early[0].Got) != 0 {
		t.Errorf("%d early; notices from write-back (-want +got):\n%s", len(r.Early[0].Got), d)
	}
}

func TestANarrowBusDelaysTheSecondOfTwoResults(t *testing.T) {
	r := passing(t, func(s *Spec) { s.BypassWidth = 1 })
	r.write(version.FullMask, 1)
	o := r.send(11, 0, 0, 0, filetest.Inst([]ir.RegID{2}))
	o.Announced = true
	r.Finish(18, 1, o) // together with the first
	r.send(16, 0, 0, 0, filetest.Inst(nil, 1))
	r.send(17, 0, 0, 0, filetest.Inst(nil, 2))
	r.ready(t, 0, 12, 13, 21, 22)
	if n := r.Stat("bypass.conflicts"); n != 1 {
		t.Errorf("%d cycles of waiting, want 1", n)
	}
}

func TestFaultsOnTheResultBusAreCaught(t *testing.T) {
	faults["none"] = func(c version.Content) version.Content { return c }
	for name, f := range faults {
		t.Run(name, func(t *testing.T) {
			r := passing(t, nil)
			for i, d := range []ir.RegID{1, 1} {
				o := r.send(10+20*cycle(i), 0, 0, 0, filetest.Inst([]ir.RegID{d}))
				o.Announced = true
				r.Finish(18+20*cycle(i), 0, o)
			}
			r.Domain.RunUntil(30)
			r.f.subs[0].bus.Alter(f)
			r.send(36, 0, 0, 0, filetest.Inst(nil, 1, 3))
			verdict(t, r, name)
			r.counts(t, 1, 0, 0)
		})
	}
}
