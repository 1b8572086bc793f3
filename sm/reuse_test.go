package sm

import (
	"testing"

	"kumiko/components/stats"
	"kumiko/kernel/ir"
	"kumiko/sm/message"
)

// A register written at 10 is read at 15, twice by one instruction, and at 200; then it is
// written again at 210, and the warp ends at 1500, where it is read once more.
func TestReuseIsCountedFromIssueToIssue(t *testing.T) {
	c := &reuseCount{last: make([]uint64, 2*mostRegisters), uses: make([]uint32, 2*mostRegisters),
		held: make([]bool, 2*mostRegisters)}
	issue := func(now uint64, last bool, dst, src []ir.RegID) {
		in := &ir.Inst{}
		in.T.NDst, in.T.NSrc = uint8(copy(in.T.Dst[:], dst)), uint8(copy(in.T.Src[:], src))
		c.Issued(now, &message.Fetched{Inst: in, Warp: 1, Last: last}, 0)
	}
	issue(5, false, nil, []ir.RegID{7}) // never written
	issue(10, false, []ir.RegID{7}, nil)
	issue(15, false, nil, []ir.RegID{7, 7})
	issue(200, false, nil, []ir.RegID{3, 7})
	issue(210, false, []ir.RegID{7}, nil)
	issue(1500, true, nil, []ir.RegID{7})
	if c.all != 3 || c.withinNear != 1 || c.within != 2 {
		t.Errorf("%d reads, %d within 100 cycles, %d within 1000; want 3, 1, 2", c.all, c.withinNear, c.within)
	}
	var reg stats.Registry
	reg.Histogram("reads", stats.Accesses, "", &c.reads)
	reads := reg.Distributions()[0].Counts()
	if reads[2] != 1 || reads[1] != 1 || reads[0] != 0 {
		t.Errorf("reads of values: %v, want one value read twice and one read once", reads)
	}
	for i, h := range c.held {
		if h {
			t.Errorf("register %d has a value after its warp's end", i)
		}
	}
}
