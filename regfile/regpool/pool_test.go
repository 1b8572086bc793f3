package regpool

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/storage"
	"kumiko/regfile"
)

// Warp 1 gives up three of its four blocks at 10, seen at 11. Warp 0 asks at 20 for three more, seen and granted at
// 21: the gate is open from 22 on.
func TestRegistersOfTheCTAAreGivenTheCycleAfterTheirRequest(t *testing.T) {
	r := ofCTA(same)
	r.begin(1, 0)
	r.give(10, 1, 1)
	r.ask(20, 0, 7)
	r.opens(t, 0, 22)
	r.stat(t, "at_once", 1)
	r.stat(t, "released", 3)
	r.stat(t, "gained", 3)
}

// Warp 1 gives up three blocks at 30. Warp 0 has waited for them since 11.
func TestARequestThatBlocksIsMetInTheCycleInWhichThereAreEnough(t *testing.T) {
	r := ofCTA(same)
	r.begin(1, 0)
	r.ask(10, 0, 7)
	r.give(20, 1, 3) // one block: too few
	r.give(30, 1, 1)
	r.opens(t, 0, 32)
	r.stat(t, "wait_cycles", 20) // 11 to 31
	r.stat(t, "waiting", 20)
	r.stat(t, "failures", 0)
}

// A request fails at 11, 16, 21 and 26. The blocks are there at 24, and the next try is at 31.
func TestARequestThatFailsIsRepeatedAfterTheGivenTime(t *testing.T) {
	r := ofCTA(func(s *Spec) { s.WhenShort, s.Retry = Fail, 5 })
	r.begin(1, 0)
	r.ask(10, 0, 7)
	r.give(26, 1, 1)
	r.opens(t, 0, 32)
	r.stat(t, "failures", 4)
}

// The gate is closed to the warp again in the second cycle after the issue: it asks anew.
func TestARequestIsForOneInstruction(t *testing.T) {
	r := ofCTA(same)
	r.begin(1, 0)
	r.give(10, 1, 1)
	r.ask(20, 0, 5)
	r.opens(t, 0, 22)
	r.take(30, 0, 5)
	r.waits(t, 0, 32)
	r.ask(40, 0, 6)
	r.opens(t, 0, 42)
}

func TestAWarpThatHasAsManyRegistersAsItAsksForWaitsForNone(t *testing.T) {
	r := ofCTA(same)
	r.begin(1, 0)
	r.ask(10, 0, 4)
	r.opens(t, 0, 12)
	r.stat(t, "gained", 0)
}

func TestRegistersOfOneCTAAreNotForAnother(t *testing.T) {
	r := ofCTA(same)
	r.begin(1, 0)
	r.begin(2, 1)
	r.give(10, 1, 1)
	r.ask(20, 4, 7)
	r.waits(t, 4, 100)
	if w, want := r.x.Waiting(), "warps [4] wait for registers; warp 4 has 32 and asks for 56, of 0 in the pool of "+
		"its CTA"; w != want {
		t.Errorf("waiting: %q, want %q", w, want)
	}
}

func TestARequestForFewRegistersPassesOneForMany(t *testing.T) {
	r := ofCTA(same)
	r.begin(1, 0)
	r.ask(10, 0, 7)
	r.ask(12, 1, 5)
	r.give(20, 2, 3)
	r.opens(t, 1, 22)
	r.waits(t, 0, 30)
}

func TestOfTwoRequestsThatCanBeMetTheOlderGoesFirst(t *testing.T) {
	r := ofCTA(same)
	r.begin(1, 0)
	r.ask(10, 1, 5)
	r.ask(12, 0, 5)
	r.give(20, 2, 3)
	r.opens(t, 1, 22)
	r.waits(t, 0, 30)
}

// If one warp gives up registers and another asks for some in the same cycle, those given up are added first.
func TestWhatIsGivenUpInACycleIsThereForARequestOfTheCycle(t *testing.T) {
	r := ofCTA(same)
	r.begin(1, 0)
	r.ask(10, 0, 5)
	r.give(10, 1, 3)
	r.opens(t, 0, 12)
	r.stat(t, "at_once", 1)
}

func TestTheRegistersOfAnEndedWarpAreForItsCTA(t *testing.T) {
	r := ofCTA(same)
	r.begin(1, 0)
	r.ask(10, 0, 8)
	r.end(20, 1)
	r.opens(t, 0, 22)
}

// The blocks in the CTA's pool are gone with the CTA: the next one begins anew.
func TestANewCTAHasTheRegistersOfItsLaunchAlone(t *testing.T) {
	r := ofCTA(same)
	r.begin(1, 0)
	r.give(10, 1, 1)
	for w := range 4 {
		r.end(20, w)
	}
	r.begin(30, 0)
	r.ask(40, 0, 5)
	r.waits(t, 0, 100)
	if n := len(r.x.idle); n != 64-16 {
		t.Errorf("%d blocks are idle, want 48 beside those of four warps", n)
	}
}

// A warp of CTA 0 has two blocks and gets four of the five of the SM's pool. At its end CTA 1 gets them.
func TestThePoolOfTheSMIsForAllCTAs(t *testing.T) {
	r := ofSM(5, same)
	r.begin(1, 0)
	r.begin(2, 1)
	r.ask(10, 0, 6)
	r.opens(t, 0, 12)
	r.take(14, 0, 6)
	r.ask(16, 4, 6)
	r.waits(t, 4, 30)
	if w := r.x.Waiting(); !strings.Contains(w, "of 8 in the pool of its SM") {
		t.Errorf("waiting: %q", w)
	}
	r.end(40, 0)
	r.opens(t, 4, 42)
}

// The two blocks of a beginning warp wait for the next warp of its context.
func TestAWarpKeepsTheRegistersWithWhichItBeganFromThePoolOfTheSM(t *testing.T) {
	r := ofSM(0, same)
	r.begin(1, 0)
	r.give(10, 0, 1)
	r.ask(20, 1, 3)
	r.waits(t, 1, 50)
	r.stat(t, "released", 0)
}

// The pool has eight blocks, and warps 0 and 1 get three each. That leaves two, and each of these warps needs one more
// to have the most that a warp can have. If warp 2 got the two that it asks for, no warp could have the most: it waits.
func TestTheReserveLetsOneWarpHaveTheMost(t *testing.T) {
	r := ofSM(8, func(s *Spec) { s.Reserve = ReserveWarp })
	r.begin(1, 0)
	r.ask(10, 0, 5)
	r.opens(t, 0, 12)
	r.take(12, 0, 5)
	r.ask(20, 1, 5)
	r.opens(t, 1, 22)
	r.take(22, 1, 5)
	r.ask(30, 2, 4)
	r.waits(t, 2, 60)
	r.ask(70, 0, 6) // the reserve is for it
	r.opens(t, 0, 72)
}

// Four warps of a CTA need sixteen blocks beside those with which they begin, and the pool has sixteen. CTA 0 has
// one. CTA 1 gets none before all warps of CTA 0 have got theirs, and one of them has ended.
func TestTheReserveLetsAllWarpsOfOneCTAHaveTheMost(t *testing.T) {
	r := ofSM(16, func(s *Spec) { s.Reserve = ReserveCTA })
	r.begin(1, 0)
	r.begin(2, 1)
	r.ask(10, 0, 3)
	r.opens(t, 0, 12)
	r.take(12, 0, 3)
	r.ask(20, 4, 3)
	r.waits(t, 4, 60)
	for w := range 4 {
		r.ask(70, w, 6)
	}
	r.opens(t, 3, 72)
	r.waits(t, 4, 100)
	r.end(110, 0)
	r.opens(t, 4, 112)
}

// The pool has sixteen blocks. Warp 0, the only warp left of CTA 0, has taken four and needs no more, and CTA 1 has
// taken eight. If CTA 2 took the other four, none would be left until warp 0 ends and returns its four. These are too
// few, because CTA 1 may ask for eight more and CTA 2 for twelve.
func TestTheReserveHoldsBeyondTheFirstCTAThatCanEnd(t *testing.T) {
	r := ofSM(16, func(s *Spec) { s.Reserve = ReserveCTA })
	r.begin(1, 0)
	r.begin(2, 1)
	r.begin(3, 2)
	for w := 1; w < 4; w++ {
		r.end(10, w)
	}
	r.ask(12, 0, 6)
	r.opens(t, 0, 14)
	r.take(14, 0, 6)
	for w := 4; w < 6; w++ {
		r.ask(20, w, 6)
	}
	r.opens(t, 5, 22)
	r.ask(30, 8, 6)
	r.waits(t, 8, 60)
	r.end(70, 0)
	r.waits(t, 8, 100) // CTA 1 may still ask for eight, and eight are left
	r.end(110, 4)
	r.opens(t, 8, 112)
}

func TestAKernelThatChangesNothingPassesEveryGate(t *testing.T) {
	r := newRig(plan{}, same)
	r.begin(1, 0)
	r.ask(10, 0, 7)
	r.end(20, 0)
	r.d.RunUntil(30)
	if v := r.x.Closed.Get(); v != (regfile.WarpSet{}) {
		t.Errorf("the gate is closed to %v", v)
	}
	r.stat(t, "requests", 0)
}

// 64 blocks: a bit each for those in use, and six bits for the place of each of the 32 that each of 16 warps may
// have. A warp has up to 32 blocks, and a pool up to 64.
func TestTheStateIsATableOfPlacesAndTheBlocksOfWarpsAndPools(t *testing.T) {
	row := func(what string, entries, width int) regfile.State {
		return regfile.State{Block: "Registers", What: what, Count: 1, Bits: entries * width, Ports: "1rw",
			Kind: storage.FlipFlop, Width: width}
	}
	if d := cmp.Diff([]regfile.State{row("blocks in use", 64, 1), row("places of blocks", 16*32, 6),
		row("blocks of each warp", 16, 6), row("blocks in the pools", 4, 7)}, ofCTA(same).x.State()); d != "" {
		t.Errorf("a pool for each CTA (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]regfile.State{row("blocks in use", 64, 1), row("places of blocks", 16*8, 6),
		row("blocks of each warp", 16, 4), row("blocks in the pools", 1, 7)}, ofSM(8, same).x.State()); d != "" {
		t.Errorf("a pool of the SM (-want +got):\n%s", d)
	}
}
