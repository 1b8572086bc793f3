package flow

import (
	"slices"
	"sync/atomic"
	"testing"
)

// stop is what the flows of these tests look at.
type stop struct{ now bool }

// chipWithSMs returns a flow for a chip, part 0, and n SMs, each a neighbour of the chip, at the beginning of an epoch
// of the given windows. With a follower of the chip, this is the last part.
func chipWithSMs(workers, n, windows int, follower bool) (*Flow, *stop) {
	parts := []Part{{Leader: NoLeader}}
	for range n {
		parts = append(parts, Part{Neighbours: []int{0}, Leader: NoLeader})
	}
	if follower {
		parts = append(parts, Part{Neighbours: []int{0}, Leader: 0})
	}
	for i := range parts[1:] {
		parts[0].Neighbours = append(parts[0].Neighbours, i+1)
	}
	s := &stop{}
	f := newFlow(parts, workers, func(int, int) {}, func(int) bool { return s.now })
	f.begin(windows)
	return f, s
}

// alone lets worker 0 do everything, and returns the parts in the order of their windows.
func (f *Flow) alone() (order []int) {
	for part := f.take(0); part >= 0; part = f.finish(0, part) {
		order = append(order, part)
	}
	return order
}

func TestTheChipRunsAsSoonAsItCanAndOnlyTheFirstSMsRunTwoWindowsInARow(t *testing.T) {
	f, _ := chipWithSMs(1, 4, 3, false)
	want := []int{0, 1, 1, 2, 3, 4, 4, 0, 3, 2, 2, 0, 3, 4, 1}
	if got := f.alone(); !slices.Equal(got, want) || !f.over.Load() {
		t.Errorf("windows of %v, over %v; want %v", got, f.over.Load(), want)
	}
}

func TestNoSMIsMoreThanAWindowAheadOfTheChip(t *testing.T) {
	f, _ := chipWithSMs(2, 3, 9, false)
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
	f, s := chipWithSMs(2, 3, 9, false)
	first := f.finish(0, f.take(0)) // an SM begins window 0
	s.now = true
	var order []int
	for part := f.finish(0, first); part >= 0; part = f.finish(0, part) {
		order = append(order, part)
	}
	// The SM has finished a window at the stop, and the chip too.
	if got := len(order); got != 2 || !f.over.Load() {
		t.Errorf("windows of %v after the stop, over %v; want two SMs, and the end", order, f.over.Load())
	}
	s.now = false
	f.begin(2)
	if got := len(f.alone()); got != 8 {
		t.Errorf("%d windows in the next epoch, want 2 of each partition", got)
	}
}

func TestAnotherSMBeginsItsNextWindowWhileOneIsBusy(t *testing.T) {
	f, _ := chipWithSMs(2, 2, 2, false)
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
	f, _ := chipWithSMs(2, 4, 1, false)
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
	f.begin(1)
	if part := f.take(1); part != 0 {
		t.Errorf("in the next epoch worker 1 begins with %d, want the chip that it has taken over", part)
	}
}

func TestAFollowerRunsEachWindowBetweenTwoOfItsLeader(t *testing.T) {
	const windows = 5
	f, _ := chipWithSMs(1, 3, windows, true)
	const follower = 4
	ran := map[int]int{}
	for _, part := range f.alone() {
		if d := ran[0] - ran[follower]; part == 0 && d != 0 || part == follower && d != 1 {
			t.Fatalf("part %d runs when the leader has run %d windows and the follower %d", part, ran[0],
				ran[follower])
		}
		ran[part]++
	}
	if ran[0] != windows || ran[follower] != windows || !f.over.Load() {
		t.Errorf("windows of each partition %v, over %v; want %d", ran, f.over.Load(), windows)
	}
}

func TestTheFollowerGoesBeforeTheSMsWhenItsLeaderHasRun(t *testing.T) {
	f, _ := chipWithSMs(1, 3, 4, true)
	chip := f.take(0)
	for part := f.take(0); part >= 0; part = f.finish(0, part) {
		if part == 4 {
			t.Error("the follower runs beside its leader")
		}
	}
	if part := f.finish(0, chip); chip != 0 || part != 4 {
		t.Errorf("%d runs after part %d, want the follower, 4, after the chip", part, chip)
	}
}

func TestAStopEndsAnEpochWhenTheFollowerHasRunToo(t *testing.T) {
	f, s := chipWithSMs(2, 3, 9, true)
	chip := f.take(0)
	s.now = true
	var order []int
	for part := f.finish(0, chip); part >= 0; part = f.finish(0, part) {
		order = append(order, part)
	}
	slices.Sort(order)
	if want := []int{1, 2, 3, 4}; !slices.Equal(order, want) || !f.over.Load() {
		t.Errorf("%v run after the chip has seen the stop, over %v; want %v once each", order, f.over.Load(), want)
	}
}

// counts has the windows that each part has finished, for runs by several goroutines.
type counts struct {
	parts []Part
	done  []atomic.Int64
	wrong atomic.Int64 // windows begun too early
}

func (c *counts) run(part, _ int) {
	mine := c.done[part].Load()
	for _, n := range c.parts[part].Neighbours {
		other := c.done[n].Load()
		if other < mine || c.parts[part].Leader == n && other != mine+1 || c.parts[n].Leader == part && other != mine {
			c.wrong.Add(1)
		}
	}
	c.done[part].Add(1)
}

func TestNoPartBeginsAWindowBeforeItsNeighboursHaveFinishedTheOneBefore(t *testing.T) {
	for workers := 2; workers <= 5; workers++ {
		f, _ := chipWithSMs(1, 3, 1, true)
		c := &counts{parts: f.parts, done: make([]atomic.Int64, len(f.parts))}
		f = New(c.parts, workers, c.run, func(int) bool { return false })
		total := int64(0)
		for windows := 1; windows <= 40; windows++ {
			if got := f.Run(windows); got != windows {
				t.Fatalf("%d windows run, want %d", got, windows)
			}
			total += int64(windows)
			for i := range c.done {
				if got := c.done[i].Load(); got != total {
					t.Fatalf("%d workers: part %d has run %d windows after an epoch, want %d", workers, i, got, total)
				}
			}
		}
		f.Close()
		if n := c.wrong.Load(); n > 0 {
			t.Errorf("%d workers: %d windows begin too early", workers, n)
		}
	}
}

func TestAnEpochWithAStopHasTheWindowsOfTheLastPartToBegin(t *testing.T) {
	f, _ := chipWithSMs(1, 3, 1, true)
	c := &counts{parts: f.parts, done: make([]atomic.Int64, len(f.parts))}
	f = New(c.parts, 2, c.run, func(part int) bool { return part == 0 && c.done[0].Load() >= 3 })
	defer f.Close()
	windows := f.Run(1000)
	if windows < 3 || windows > 4 {
		t.Errorf("%d windows run, want the chip's third, or one more of an SM", windows)
	}
	for i := range c.done {
		if got := c.done[i].Load(); got != int64(windows) {
			t.Errorf("part %d has run %d windows, want %d", i, got, windows)
		}
	}
}
