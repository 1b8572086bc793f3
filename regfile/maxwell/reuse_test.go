package maxwell

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// Flags of reuse of operand slots.
const (
	flagA = 1 << iota
	flagB
	flagC
)

// hits runs a sequence of instructions with the given distance in cycles, and returns the number of operands found
// in the reuse cache.
func hits(t *testing.T, gap wire.Cycle, tune func(*Spec), list ...access) uint64 {
	t.Helper()
	r := newRig(t, tune)
	operands := uint64(0)
	for i, a := range list {
		in := fma(-1, a.flags, a.src...)
		if a.class != ir.ClassNop {
			in.T.Class = a.class
		}
		r.send(10+gap*wire.Cycle(i), a.warp, 0, in)
		operands += uint64(len(a.src))
	}
	r.run()
	r.Checked(operands)
	hits := r.Stat("maxwell.reuse_hits")
	if got := hits + r.Stat("maxwell.merged_reads") + r.Stat("bank.reads.operand"); got != operands {
		t.Errorf("%d hits, merged reads and reads, want %d", got, operands)
	}
	return hits
}

// access is an instruction of a warp.
type access struct {
	src   []ir.RegID
	flags uint8
	warp  uint16
	class ir.Class // 0: an fma
}

func regs(list ...ir.RegID) []ir.RegID { return list }

func TestAnOperandHitsIfItsRegisterWasFlaggedInItsSlot(t *testing.T) {
	for name, c := range map[string]struct {
		list []access
		want uint64
	}{
		"flagged":      {[]access{{src: regs(1, 2), flags: flagA}, {src: regs(1, 2)}}, 1},
		"both flagged": {[]access{{src: regs(1, 2), flags: flagA | flagB}, {src: regs(1, 2)}}, 2},
		"not flagged":  {[]access{{src: regs(1, 2)}, {src: regs(1, 2), flags: flagA}}, 0},
		"another slot": {[]access{{src: regs(1, 2), flags: flagA}, {src: regs(2, 1)}}, 0},
		"another warp": {[]access{{src: regs(1), flags: flagA}, {src: regs(1), warp: 1}}, 0},
		"a warp in between": {[]access{{src: regs(1), flags: flagA}, {src: regs(1), flags: flagA, warp: 1},
			{src: regs(1)}}, 1},
		"two warps in between": {[]access{{src: regs(1), flags: flagA}, {src: regs(1), flags: flagA, warp: 1},
			{src: regs(1), flags: flagA, warp: 2}, {src: regs(1)}}, 0},
		"no flag anew": {[]access{{src: regs(1), flags: flagA}, {src: regs(1)}, {src: regs(1)}}, 1},
		"flagged anew": {[]access{{src: regs(1), flags: flagA}, {src: regs(1), flags: flagA},
			{src: regs(1)}}, 2},
		"a load reads the banks": {[]access{{src: regs(1), flags: flagA}, {src: regs(1), class: ir.ClassLoad}}, 0},
		"a load leaves nothing":  {[]access{{src: regs(1), flags: flagA, class: ir.ClassLoad}, {src: regs(1)}}, 0},
		"loads take nothing away": {[]access{{src: regs(1), flags: flagA}, {src: regs(2), class: ir.ClassLoad},
			{src: regs(3), class: ir.ClassLoad}, {src: regs(1)}}, 1},
		"named twice, one slot hits": {[]access{{src: regs(1, 2), flags: flagA}, {src: regs(1, 1)}}, 1},
		"third slot":                 {[]access{{src: regs(1, 2, 3), flags: flagC}, {src: regs(4, 5, 3)}}, 1},
	} {
		for _, gap := range []wire.Cycle{1, 4} {
			if got := hits(t, gap, nil, c.list...); got != c.want {
				t.Errorf("%s, every %d cycles: %d hits, want %d", name, gap, got, c.want)
			}
		}
	}
}

// R1 is flagged, then R2 is read without a flag in the same slot, then R3.
func TestUnflaggedReadsDoAsIsSet(t *testing.T) {
	for rule, want := range map[string][2]uint64{Enter: {1, 0}, Clear: {0, 0}, Pass: {1, 1}} {
		tune := func(s *Spec) { s.Unflagged = rule }
		a := access{src: regs(1), flags: flagA}
		if got := hits(t, 1, tune, a, access{src: regs(2)}, a); got != want[0] {
			t.Errorf("%s, one register in between: %d hits, want %d", rule, got, want[0])
		}
		if got := hits(t, 1, tune, a, access{src: regs(2)}, access{src: regs(3)}, a); got != want[1] {
			t.Errorf("%s, two registers in between: %d hits, want %d", rule, got, want[1])
		}
	}
}

func TestRegistersAreLostAtASwitchOfWarpsIfThatIsSet(t *testing.T) {
	a := access{src: regs(1), flags: flagA}
	for rule, want := range map[string]uint64{Keep: 2, Lose: 1} {
		other := access{src: regs(9), warp: 1, class: ir.ClassLoad}
		got := hits(t, 1, func(s *Spec) { s.Switch = rule }, a, a, other, a)
		if got != want {
			t.Errorf("%s: %d hits, want %d", rule, got, want)
		}
	}
}

// Instructions without a gap replace the registers of collectors in turns: with n collectors a register hits after
// n-1 others.
func TestAsManyRegistersAreKeptAsThereAreStages(t *testing.T) {
	for stages := minStages; stages <= maxStages; stages++ {
		for others := range maxStages + 1 {
			list := []access{{src: regs(60), flags: flagA}}
			for i := range others {
				list = append(list, access{src: regs(ir.RegID(i))})
			}
			want := uint64(0)
			if others < stages {
				want = 1
			}
			got := hits(t, 1, func(s *Spec) { s.Stages = stages }, append(list, access{src: regs(60)})...)
			if got != want {
				t.Errorf("%d stages, %d others: %d hits, want %d", stages, others, got, want)
			}
		}
	}
}

// A hit stays in its collector: the third instruction, in the first one's collector, leaves R1 alone there.
func TestAHitTakesNothingAway(t *testing.T) {
	one, two := access{src: regs(1), flags: flagA}, access{src: regs(2), flags: flagA}
	if got := hits(t, 1, nil, one, two, two, one); got != 2 {
		t.Errorf("%d hits, want 2", got)
	}
}

// All collectors are free whenever an instruction comes. Under hit, warp 1 takes the second one,
// since warp 0 has the first.
func TestAnInstructionChoosesAmongFreeCollectors(t *testing.T) {
	zero, one := access{src: regs(1), flags: flagA}, access{src: regs(1), flags: flagA, warp: 1}
	for choice, want := range map[string][2]uint64{Hit: {1, 2}, Lowest: {0, 1}, Turns: {1, 1}} {
		tune := func(s *Spec) { s.Choice = choice }
		if got := hits(t, 4, tune, zero, one, zero); got != want[0] {
			t.Errorf("%s: %d hits, want %d", choice, got, want[0])
		}
		if got := hits(t, 4, tune, zero, zero, one, zero); got != want[1] {
			t.Errorf("%s, after a hit: %d hits, want %d", choice, got, want[1])
		}
	}
}

func TestWithoutAReuseCacheNothingHits(t *testing.T) {
	a := access{src: regs(1, 2, 3), flags: flagA | flagB | flagC}
	if got := hits(t, 1, func(s *Spec) { s.Reuse = false }, a, a, a); got != 0 {
		t.Errorf("%d hits", got)
	}
}

// A collector has room for one register of an operand slot: the last of a wide operand.
func TestOfAWideOperandTheLastRegisterIsKept(t *testing.T) {
	r := newRig(t, nil)
	for i := range wire.Cycle(2) {
		in := fma(-1, flagA|flagB, 4, 5, 6)
		in.T.Slots = 0<<0 | 0<<2 | 1<<4
		r.send(10+i, 0, 0, in)
	}
	r.run()
	if got := r.Stat("maxwell.reuse_hits"); got != 2 {
		t.Errorf("%d hits, want 2", got)
	}
	r.Checked(6)
}

// The second instruction reads R1 while the first, bringing it, has not yet read it.
func TestAHitGetsAValueThatIsStillBeingRead(t *testing.T) {
	r := newRig(t, nil)
	w := fma(1, 0)
	r.write(12, r.send(10, 0, 0, w), 0, w)
	r.send(20, 0, 0, fma(-1, flagC, 5, 9, 1))
	r.send(21, 0, 0, fma(-1, 0, 2, 3, 1))
	r.run()
	if got := r.Stat("maxwell.reuse_hits"); got != 1 {
		t.Errorf("%d hits, want 1", got)
	}
	r.Checked(6)
}

// R1 is written between the flagged read and the hit.
func TestAStaleHitIsReported(t *testing.T) {
	for flags, want := range map[uint8]int{0: 0, flagA: 32} {
		r := newRig(t, nil)
		w := fma(1, 0)
		r.send(10, 0, 0, fma(-1, flags, 1))
		r.write(16, r.send(14, 0, 0, w), 0, w)
		r.send(30, 0, 0, fma(-1, 0, 1))
		r.run()
		if got := len(r.Checker.Violations()); got != want {
			t.Errorf("flags %d: %d violations, want %d", flags, got, want)
		}
	}
}

// R1 is read with a flag by lanes of one path.
func TestAnOperandHitsForLanesThatReadItAlone(t *testing.T) {
	const path = 0xf0
	for lanes, want := range map[uint32]uint64{path: 1, 0x30: 1, 0xf: 0, 0xff: 0} {
		r := newRig(t, nil)
		r.sendLanes(10, 0, 0, fma(-1, flagA, 1), path)
		r.sendLanes(20, 0, 0, fma(-1, 0, 1), lanes)
		r.run()
		if got := r.Stat("maxwell.reuse_hits"); got != want {
			t.Errorf("lanes %#x: %d hits, want %d", lanes, got, want)
		}
	}
}

// Warps 0 and 1 have left R1 in a collector each; then warp 1 may be a new one.
func TestANewWarpFindsNothingOfTheOneBefore(t *testing.T) {
	for _, started := range []bool{false, true} {
		for warp := range uint16(2) {
			r := newRig(t, nil)
			for w := range uint16(2) {
				r.send(10+wire.Cycle(w), w, 0, fma(-1, flagA, 1))
			}
			if started {
				r.Warps[0].Send(20, regfile.WarpNotice{Event: regfile.WarpStarted, Warp: 1})
			}
			r.send(30, warp, 0, fma(-1, 0, 1))
			r.run()
			want := uint64(1)
			if started && warp == 1 {
				want = 0
			}
			if got := r.Stat("maxwell.reuse_hits"); got != want {
				t.Errorf("started %v: warp %d has %d hits, want %d", started, warp, got, want)
			}
		}
	}
}
