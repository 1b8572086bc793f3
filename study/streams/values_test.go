package streams

import (
	"testing"

	"kumiko/kernel/ir"
)

// inst reads and writes the given registers.
func inst(dst []ir.RegID, src ...ir.RegID) ir.Inst {
	in := ir.Inst{Op: ir.OpAdd}
	in.T.NSrc, in.T.NDst = uint8(copy(in.T.Src[:], src)), uint8(copy(in.T.Dst[:], dst))
	return in
}

func TestValuesAreCountedByTheirReads(t *testing.T) {
	var v ValueCounter
	step := func(executed bool, in ir.Inst) { v.Step(&in.T, executed) }
	v.Begin()
	step(true, inst([]ir.RegID{1}))       // value A
	step(true, inst([]ir.RegID{2}, 1, 1)) // B; A is read twice
	step(true, inst([]ir.RegID{3}, 1))    // C; A is read a third time
	step(true, inst([]ir.RegID{1}, 7))    // D ends A; register 7 holds no value
	step(false, inst([]ir.RegID{3}, 2))   // executed by no lane
	step(true, inst(nil, 2))              // B is read once, four instructions after it was written
	step(true, inst([]ir.RegID{4}, 1))    // E; D is read once, three after; C never
	step(true, inst(nil, 4, 4))           // E is read twice
	v.End()
	want := Values{Written: 5, Reads: 7, Never: 1, Once: 2, Twice: 1, More: 1, After: [4]uint64{0, 0, 1, 1}}
	if v.Total != want {
		t.Errorf("got %+v, expected %+v", v.Total, want)
	}
}

func TestEveryWarpBeginsWithoutValues(t *testing.T) {
	var v ValueCounter
	for range 2 {
		v.Begin()
		in := inst([]ir.RegID{1}, 1) // reads nothing, writes one that is never read
		v.Step(&in.T, true)
		v.End()
	}
	if want := (Values{Written: 2, Never: 2}); v.Total != want {
		t.Errorf("got %+v, expected %+v", v.Total, want)
	}
}
