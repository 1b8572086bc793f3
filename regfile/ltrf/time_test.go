package ltrf

import (
	"fmt"
	"testing"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// prefetchTime returns the time of a prefetch of n registers in n banks of the main file, with a read time of
// latency cycles, until the last has arrived: see the package comment.
func prefetchTime(n, latency int) wire.Cycle {
	if n == 0 {
		return 5
	}
	return wire.Cycle(12 + latency + n - 1)
}

// serial is LTRF naming one register of a warp per cycle and handing the cache over whole. Its times are computed
// by prefetchTime.
func serial() Spec {
	s := Default()
	s.Rate, s.Handover = 1, Whole
	return s
}

// Four registers of a warp go together through all stages, as there are four grants in a cycle too.
func TestAtARateOfFourAPrefetchTakesAQuarterOfTheCyclesForItsRegisters(t *testing.T) {
	for _, n := range []int{1, 4, 5, 8, 16} {
		r := newRig(t, Default(), 2, from(3, n))
		r.begin(1, 0)
		r.enter(20, 0, 0)
		r.run()
		wiretest.Same(t, fmt.Sprintf("%d registers", n), []wire.Cycle{20 + prefetchTime(1, 1) + wire.Cycle((n-1)/4)},
			r.opened(prefetchGate))
	}
}

func TestAPrefetchTakesTheTimeOfItsLastRegister(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 16} {
		for _, latency := range []int{1, 8} {
			s := serial()
			s.base.ReadLatency = latency
			r := newRig(t, s, 2, from(3, n))
			r.begin(1, 0)
			r.enter(20, 0, 0)
			r.run()
			wiretest.Same(
				t,
				fmt.Sprintf("%d registers, %d cycles", n, latency),
				[]wire.Cycle{20 + prefetchTime(n, latency)},
				r.opened(prefetchGate),
			)
			wiretest.Same(t, "after the start", []wire.Cycle{6}, r.opened(refetchGate))
		}
	}
}

// Registers in one bank of the main file arrive one by one. With one port and a read occupying it for latency
// cycles, k registers need latency*(k-1) cycles more than one, if this is longer than the naming of one per cycle.
func TestRegistersOfOneBankComeOneByOne(t *testing.T) {
	for _, latency := range []int{1, 8} {
		for _, k := range []int{1, 2, 5} {
			s := serial()
			s.base.ReadLatency, s.base.WriteLatency, s.base.Blocking, s.base.BankPorts = latency, latency, true, "1r1w"
			r := newRigOf(t, s, 1, from(0, k))
			r.begin(1, 0)
			r.enter(20, 0, 0)
			r.run()
			// Through one input of the crossbar each takes 4 cycles too.
			apart := max(latency, 4)
			wiretest.Same(t, fmt.Sprintf("%d registers, %d cycles", k, latency),
				[]wire.Cycle{20 + prefetchTime(1, latency) + wire.Cycle(apart*(k-1))}, r.opened(prefetchGate))
		}
	}
}

// An interval with all registers already there is entered as fast as one without any.
func TestWhatStaysIsNotFetched(t *testing.T) {
	r := newRig(t, serial(), 2, from(0, 8), from(2, 3), from(2, 7))
	r.begin(1, 0)
	r.enter(20, 0, 0)
	r.enter(100, 0, 1) // R0, R1 and R5 to R7 leave
	r.enter(200, 0, 2) // R5 to R8 enter
	r.run()
	// The vector of leaving registers is processed in 5 cycles; the first of them would also be spent on an empty
	// vector.
	wiretest.Same(t, "opened", []wire.Cycle{20 + prefetchTime(8, 1), 100 + 5 + 4, 200 + prefetchTime(4, 1)},
		r.opened(prefetchGate))
	wiretest.Same(t, "fetched, kept, written back", [3]uint64{12, 6, 5}, [3]uint64{r.Stat("ltrf.prefetched"),
		r.Stat("ltrf.kept"), r.Stat("ltrf.written_back_interval")})
}

// A warp whose new set needs banks of the old one waits for them: the old register leaves its bank of the cache,
// and then the bank is granted to the new register.
func TestABankIsTakenOverWhenItsRegisterHasBeenRead(t *testing.T) {
	r := newRig(t, serial(), 2, from(0, 16), from(16, 16))
	r.begin(1, 0)
	r.enter(20, 0, 0)
	r.enter(100, 0, 1)
	r.run()
	// Notice 101, sequencer 102, WCB 103, Back 104, arbiter 105, bank 106, Back 107, allocation 108: five cycles
	// later than with a free bank, at the allocation unit at 103.
	wiretest.Same(
		t,
		"opened",
		[]wire.Cycle{20 + prefetchTime(16, 1), 100 + prefetchTime(16, 1) + 5},
		r.opened(prefetchGate),
	)
	wiretest.Same(t, "waits for banks", uint64(5), r.Stat("ltrf.bank_waits"))
}

func TestAnOperandTakesACycleMoreThanFromABankAndAThirdOneTwo(t *testing.T) {
	s := Default()
	s.base.Paths.OutputWidth = 4
	r := newRig(t, s, 2, from(0, 4))
	r.begin(1, 0)
	r.enter(20, 0, 0)
	r.do(100, 0, all, 0, nil, 1)
	r.do(120, 0, all, 0, nil, 1, 2)
	r.do(140, 0, all, 0, nil, 1, 2, 3)
	r.do(160, 0, all, 0, nil)
	r.run()
	// Collector 101, WCB 102, arbiter 103, bank 104, crossbar 105, collector 106, unit 107. What
	// reads nothing is ready at 162, and spends a cycle for the look-up too.
	wiretest.Same(t, "at the unit", []wire.Cycle{107, 127, 148, 164}, r.Units[0].Cycles())
	wiretest.Same(t, "waits for a port", uint64(1), r.Stat("ltrf.lookup_waits"))
}

func TestASuspendedWarpsWorkingSetIsFetchedAgain(t *testing.T) {
	r := newRig(t, serial(), 2, from(0, 6))
	r.begin(1, 0)
	r.enter(20, 0, 0)
	r.do(60, 0, all, 4, []ir.RegID{2})
	r.notify(100, 0, regfile.WarpSuspended)
	r.notify(200, 0, regfile.WarpActivated)
	r.do(300, 0, all, 0, nil, 2)
	r.run()
	wiretest.Same(t, "opened", []wire.Cycle{6, 200 + prefetchTime(6, 1)}, r.opened(refetchGate))
	wiretest.Same(
		t,
		"written, fetched",
		[2]uint64{6, 6},
		[2]uint64{r.Stat("bank.writes.flush"), r.Stat("bank.reads.flush")},
	)
}

// Two warps share one offset: the second is given it when the last register of the first is
// on its way.
func TestAnOffsetIsFreeWhenTheLastRegisterIsOnItsWay(t *testing.T) {
	r := newRig(t, serial(), 1, from(0, 3))
	r.begin(1, 0)
	r.enter(20, 0, 0)
	r.notify(100, 0, regfile.WarpSuspended)
	r.begin(101, 1)
	r.enter(110, 1, 0)
	r.notify(300, 1, regfile.WarpSuspended)
	r.notify(302, 0, regfile.WarpActivated)
	r.run()
	// Suspended 300: the third register is named at 304, read, and freed at 310 in the allocation unit: notice 301,
	// sequencer 302 to 304, WCB 305, Back 306, arbiter 307, bank 308, Back 309, allocation 310. Its global unit
	// then reassigns the offset: a bank at 311. Activated 302: notice 303, and without waiting a bank for the first
	// register at 305.
	wiretest.Same(t, "opened again", []wire.Cycle{302 + prefetchTime(3, 1) + 6}, r.opened(refetchGate)[2:])
	if r.Stat("ltrf.offset_waits")+r.Stat("ltrf.bank_waits") == 0 {
		t.Error("nobody waited")
	}
}
