package wire

import (
	"slices"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
)

// chipWithSMs returns a flow for a chip, partition 0, and n SMs, each a neighbour of the chip, at the beginning of an
// epoch of the given windows.
func chipWithSMs(workers, n, windows int) *flow {
	e := NewEngine()
	for range n + 1 {
		e.NewPartition("P").NewDomain("D", sim.GHz)
	}
	for _, p := range e.parts[1:] {
		meet(e.parts[0], p)
	}
	f := newFlow(e, workers)
	f.begin(epoch{0, window{8, uint64(sim.GHz)}, noBound, windows})
	return f
}

// alone lets worker 0 do everything, and returns the partitions in the order of their windows.
func (f *flow) alone() (order []int) {
	for part := f.take(0); part >= 0; part = f.finish(0, part) {
		order = append(order, part)
	}
	return order
}

func TestTheChipRunsAsSoonAsItCanAndOnlyTheFirstSMsRunTwoWindowsInARow(t *testing.T) {
	f := chipWithSMs(1, 4, 3)
	want := []int{0, 1, 1, 2, 3, 4, 4, 0, 3, 2, 2, 0, 3, 4, 1}
	if got := f.alone(); !slices.Equal(got, want) || !f.over.Load() {
		t.Errorf("windows of %v, over %v; want %v", got, f.over.Load(), want)
	}
}

func TestNoSMIsMoreThanAWindowAheadOfTheChip(t *testing.T) {
	f := chipWithSMs(2, 3, 9)
	if chip := f.take(0); chip != 0 {
		t.Fatalf("%d runs first, want the chip", chip)
	}
	n := 0
	for part := f.take(1); part >= 0; part = f.finish(1, part) {
		n++
	}
	if n != 3 {
		t.Errorf("SMs run %d windows beside the first of the chip, want one each", n)
	}
	f.finish(0, 0)
	if part := f.take(1); part <= 0 {
		t.Errorf("%d may run when the chip has finished, want an SM", part)
	}
}

func TestAStopEndsAnEpochWhenAllHaveFinishedTheWindowsThatAnyHasBegun(t *testing.T) {
	f := chipWithSMs(2, 3, 9)
	first := f.finish(0, f.take(0)) // an SM begins window 0
	f.engine.Stop()
	var order []int
	for part := f.finish(0, first); part >= 0; part = f.finish(0, part) {
		order = append(order, part)
	}
	// The SM has finished a window at the stop, and the chip too.
	if got := len(order); got != 2 || !f.over.Load() {
		t.Errorf("windows of %v after the stop, over %v; want two SMs, and the end", order, f.over.Load())
	}
	f.engine.stop.Store(false)
	f.begin(epoch{8, window{8, uint64(sim.GHz)}, noBound, 2})
	if got := len(f.alone()); got != 8 {
		t.Errorf("%d windows in the next epoch, want 2 of each partition", got)
	}
}

func TestAnEpochEndsAtTheLimit(t *testing.T) {
	f := chipWithSMs(2, 1, 32)
	f.alone()
	f.begin(epoch{0, window{8, uint64(sim.GHz)}, bound{edge{17, uint64(sim.GHz)}, true}, 32})
	if got := len(f.alone()); got != 6 {
		t.Errorf("%d windows up to cycle 17, want three of both partitions", got)
	}
}

func TestAnotherSMBeginsItsNextWindowWhileOneIsBusy(t *testing.T) {
	f := chipWithSMs(2, 2, 2)
	f.finish(0, f.take(0)) // the chip, and an SM begins
	n := 0
	for part := f.take(1); part >= 0; part = f.finish(1, part) {
		n++
	}
	if n != 2 {
		t.Errorf("the other SM runs %d windows, want 2", n)
	}
}

func TestAWorkerTakesOverAPartitionOnlyWhileItsOwnWait(t *testing.T) {
	f := chipWithSMs(2, 4, 1)
	var own, taken []int
	for part := f.take(1); part >= 0; part = f.finish(1, part) {
		own = append(own, part)
	}
	for part := f.take(0); part >= 0; part = f.finish(0, part) {
		taken = append(taken, part)
	}
	if want := []int{1, 3, 0, 2, 4}; !slices.Equal(own, want) || len(taken) > 0 {
		t.Errorf("worker 1 runs %v, want its own 1 and 3 and then the others; worker 0 %v after that", own, taken)
	}
	f.begin(epoch{8, window{8, uint64(sim.GHz)}, noBound, 1})
	if part := f.take(1); part != 0 {
		t.Errorf("in the next epoch worker 1 begins with %d, want the chip that it has taken over", part)
	}
}
