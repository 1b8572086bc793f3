package sched

import (
	"testing"

	"kumiko/kernel/ir"
)

func TestTextureFetchesLowerTheirCounterInOrder(t *testing.T) {
	var f fetches
	var lowered []uint8
	lower := func(n uint8) { lowered = append(lowered, n) }
	fetch := func(counter uint8) *ir.Inst { return &ir.Inst{Control: ir.Control{Set: true, Write: counter}} }
	f.add(1, fetch(5))
	f.add(2, fetch(4))
	f.add(3, fetch(5))
	if f.done(2, fetch(4), lower); len(lowered) != 0 {
		t.Fatalf("%v lowered before the first fetch", lowered)
	}
	if f.done(1, fetch(5), lower); len(lowered) != 2 || lowered[0] != 5 || lowered[1] != 4 {
		t.Fatalf("%v lowered behind the first fetch, want 5 and 4", lowered)
	}
	if f.done(3, fetch(5), lower); len(lowered) != 3 || f.n != 0 {
		t.Fatalf("%v lowered, %d left", lowered, f.n)
	}
	// One that is not kept lowers its counter at once.
	if f.done(9, fetch(3), lower); len(lowered) != 4 || lowered[3] != 3 {
		t.Fatalf("%v lowered", lowered)
	}
}
