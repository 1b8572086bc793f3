package sm

import (
	"testing"

	"kumiko/kernel/ir"
	"kumiko/sm/message"
	"kumiko/sm/reason"
	"kumiko/sm/smtest"
)

// Before its instructions the warp has 3 and 2 live registers. It starts at 10 and issues
// them at 14 and 20; of two lanes one executes both, the other the second alone.
func TestLiveRegistersAreSummedUpToTheNextInstruction(t *testing.T) {
	c := newLiveCount("L", nil)
	c.live, c.lanes = []uint16{3, 2}, make([]standing, 2)
	c.warps = make([]uint64, 2)
	for range 2 { // the next CTA in its place begins anew
		c.time, c.laneTime = 0, 0
		c.Admitted(10, 0, []uint16{1})
		c.Issued(14, &message.Fetched{PC: 0, Warp: 1, Exec: 0b0100}, 0)
		c.Issued(20, &message.Fetched{PC: 1, Warp: 1, Exec: 0b1100, Last: true}, 0)
		if c.time != 3*4+2*6 || c.laneTime != 3*4+2*6+2*10 {
			t.Errorf("%d registers of warps, %d of lanes; want 24, 44", c.time, c.laneTime)
		}
	}
}

// The only warp of the launch holds 6 registers and names 6 in 6 instructions. It reads
// four values: R1 and R2 at a distance of 7, R3 of 13 and R4 of 7 cycles.
func TestAnSMCountsWindowsReuseAndLiveRegistersWhereItIsToldTo(t *testing.T) {
	s := testSpec()
	w := newWhole(t, s, &thinOptions{subCores: 1})
	w.m.CountWindows(w.stats)
	w.m.CountReuse(w.stats)
	w.m.CountLive(w.stats)
	w.run(t, s, chain(1))
	got := w.stats.Snapshot()
	for name, want := range map[string]uint64{"sm.windows.warp.windows": 1, "sm.windows.warp.touched": 6,
		"sm.windows.warp.allocated": 6, "sm.windows.cta.allocated": 6, "sm.reuse.registers": 4,
		"sm.reuse.registers_within_100": 4} {
		if got[name] != want {
			t.Errorf("%s is %d, want %d", name, got[name], want)
		}
	}
}

// R7 is written at 10, and read 100 cycles later, then 1000 later, then 1001 later.
func TestNearAndFarReadsAreOfAtMost100And1000Cycles(t *testing.T) {
	c := &reuseCount{last: make([]uint64, 3*mostRegisters), uses: make([]uint32, 3*mostRegisters),
		held: make([]bool, 3*mostRegisters)}
	write, read := smtest.Inst(ir.ClassInt, []int{7}), smtest.Inst(ir.ClassInt, nil, 7)
	c.Issued(10, &message.Fetched{Inst: &write, Warp: 2}, 0)
	c.Issued(11, &message.Fetched{Inst: &read, Warp: 1}, 0) // another warp's R7 has no value
	for _, at := range []uint64{110, 1110, 2111} {
		c.Issued(at, &message.Fetched{Inst: &read, Warp: 2}, 0)
	}
	if c.all != 3 || c.withinNear != 1 || c.within != 2 {
		t.Errorf("%d reads, %d within 100 cycles, %d within 1000; want 3, 1, 2", c.all, c.withinNear, c.within)
	}
}

// Both CTAs hold 2 warps of 8 registers, until one has retired.
func TestAWindowOfAnSMKnowsTheRegistersOfTheResidentCTAs(t *testing.T) {
	c, issue := counted()
	issue(0, 1000, 3, false)
	c.scopes[ofSM].want(t, "two CTAs", 1, 3, 32)
	c.Retired(0, 1)
	issue(0, 1000, 3, false)
	c.scopes[ofSM].want(t, "and one", 2, 3+3, 32+16)
}

// ears hears of issues.
type ears struct{ issues, states, aside int }

func (e *ears) Issued(uint64, *message.Fetched, uint32) { e.issues++ }
func (e *ears) States(uint64, int, *[reason.Num]uint64, []uint16, int, reason.Reason) {
	e.states++
}
func (e *ears) Aside(uint64, uint16, bool) { e.aside++ }

func TestAnObserverHearsOfEveryIssueUntilItIsDetached(t *testing.T) {
	s := testSpec()
	w, e := newWhole(t, s, &thinOptions{subCores: 1}), &ears{}
	w.m.Observe(e)
	w.run(t, s, chain(1))
	if e.issues != 6 || e.states == 0 {
		t.Errorf("%d issues, %d states; want 6 and some", e.issues, e.states)
	}
	w.m.Observe(nil)
	w.run(t, s, chain(1))
	if e.issues != 6 {
		t.Errorf("%d issues were told to nobody", e.issues-6)
	}
}
