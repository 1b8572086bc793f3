package sm

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/ir"
	"kumiko/regfile"
)

func TestWhatATraceDoesNotShowTakesItsPlaceInTheCode(t *testing.T) {
	k := kernelOf(inst(ir.ClassInt, nil), inst(ir.ClassInt, nil), inst(ir.ClassInt, nil))
	k.Places = []uint32{2, 3, 6}
	plain := newLayout(k, nil, 8)
	// an operation of 32 bytes before the second group
	with := newLayout(k, &regfile.Insertions{Group: []int32{0, 0, 1}, Ops: []regfile.Inserted{{}, {Bytes: 32}}}, 8)
	var got, inserted []uint64
	for pc := range uint32(3) {
		got, inserted = append(got, plain.offset(pc)), append(inserted, with.offset(pc))
	}
	if d := cmp.Diff([]uint64{16, 24, 48}, got); d != "" {
		t.Errorf("instructions (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]uint64{16, 24, 80}, inserted); d != "" {
		t.Errorf("behind an operation (-want +got):\n%s", d)
	}
}
