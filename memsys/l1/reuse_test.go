package l1

import (
	"testing"

	"kumiko/components/stats"
)

// A line comes at 10 into entry 0, is read at 60 and at 1500, and gives way at 1600 to
// one that is not read.
func TestReuseOfLinesIsCountedWhileTheyAreThere(t *testing.T) {
	u := &reuse{addr: make([]uint64, 1), last: make([]uint64, 1), uses: []uint32{unused}}
	var reg stats.Registry
	reg.Histogram("reads", stats.Accesses, "", &u.reads)
	u.note(5, -1, 128, false) // no place
	u.note(10, 0, 256, false)
	u.note(60, 0, 256, true)
	u.note(1500, 0, 256, true)
	u.note(1600, 0, 512, false)
	u.note(1700, 0, 768, false)
	if n := reg.Distributions()[0].Counts(); u.all != 2 || u.withinNear != 1 || u.within != 1 || n[2] != 1 || n[0] != 1 {
		t.Errorf("%d reads, %d within 100 cycles, %d within 1000, lines by reads %v", u.all, u.withinNear, u.within, n)
	}
}
