package stream

import (
	"math/bits"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/kernel/ir"
)

func TestLanesHaveTheAddressesOfAnAccessWhetherListedOrNot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, stride := rapid.Uint64().Draw(t, "base"), rapid.Int32().Draw(t, "stride")
		mask := rapid.Uint32Range(1, ^uint32(0)).Draw(t, "mask")
		var want, got, listed [32]uint64
		lists := []uint64{7, 7, 7} // of another access
		for l := range want {
			if mask>>l&1 != 0 {
				want[l] = base + uint64(l)*uint64(int64(stride))
				lists = append(lists, want[l])
			}
		}
		var a Access
		a.SetList(ir.Shared, &lists, 3, bits.OnesCount32(mask))
		a.Lanes(mask, &listed)
		if a.Regular() || a.Space != ir.Shared || !cmp.Equal(lists[3:], a.List()) {
			t.Fatalf("%+v has the list %v, want %v", a, a.List(), lists[3:])
		}
		a.SetRegular(ir.Global, base, stride)
		a.Lanes(mask, &got)
		if !a.Regular() || a.List() != nil || a.Space != ir.Global {
			t.Fatalf("%+v, want an access without a list", a)
		}
		if d := cmp.Diff([2][32]uint64{want, want}, [2][32]uint64{got, listed}); d != "" {
			t.Fatal(d)
		}
	})
}

func TestAnAccessTakes24Bytes(t *testing.T) {
	if n := unsafe.Sizeof(Access{}); n != 24 {
		t.Errorf("%d bytes, want 24", n)
	}
}
