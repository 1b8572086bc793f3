package addrmap

import (
	"testing"

	"pgregory.net/rapid"
)

func TestBlocksTakeTurnsOverTheSlices(t *testing.T) {
	m, err := New(Spec{Block: 256, Policy: "linear"}, 12, 2)
	if err != nil {
		t.Fatal(err)
	}
	for a := uint64(0); a < 1<<16; a += 64 {
		if got, want := m.Slice(a), int(a/256%12); got != want {
			t.Fatalf("address %#x in slice %d, want %d", a, got, want)
		}
	}
}

func TestNoTwoAddressesOfAChannelShareAPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policy := rapid.SampledFrom([]string{"linear", "xor", "ipoly"}).Draw(t, "policy")
		slices, per := 1<<rapid.IntRange(0, 5).Draw(t, "log2 slices"), 1
		if slices > 1 && rapid.Bool().Draw(t, "two per channel") {
			per = 2
		}
		m, err := New(Spec{Block: 256, Policy: policy}, slices, per)
		if err != nil {
			t.Fatal(err)
		}
		base := rapid.Uint64Range(0, 1<<34).Draw(t, "base") &^ 127
		seen := map[[2]uint64]uint64{}
		for a := base; a < base+1<<16; a += 128 {
			k := [2]uint64{uint64(m.Slice(a) / per), m.Local(a)}
			if b, ok := seen[k]; ok {
				t.Fatalf("%#x and %#x both lie at %#x of channel %d", a, b, k[1], k[0])
			}
			seen[k] = a
		}
	})
}

func TestEveryPolicySpreadsAStreamEvenly(t *testing.T) {
	for _, policy := range []string{"linear", "xor", "ipoly", "random"} {
		m, err := New(Spec{Block: 256, Policy: policy}, 16, 2)
		if err != nil {
			t.Fatal(err)
		}
		var n [16]int
		const blocks = 1 << 14
		for b := uint64(0); b < blocks; b++ {
			n[m.Slice(b*256)]++
		}
		for s, c := range n {
			if c < blocks/16*9/10 || c > blocks/16*11/10 {
				t.Errorf("%s: slice %d has %d of %d blocks", policy, s, c, blocks)
			}
		}
	}
}

func TestHashesNeedAPowerOfTwo(t *testing.T) {
	if _, err := New(Spec{Block: 256, Policy: "xor"}, 12, 2); err == nil {
		t.Error("xor over 12 slices was accepted")
	}
}
