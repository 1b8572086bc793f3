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
		m, err := New(Spec{Block: 256, Policy: policy, Perturb: rapid.Uint64Range(0, 3).Draw(t, "perturbation")},
			slices, per)
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
		for b := range uint64(blocks) {
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

// The L2's tags rely on this: of the blocks going once around the slices, each
// slice has one.
func TestAPerturbationKeepsOneBlockOfEachStripeOnEverySlice(t *testing.T) {
	for _, c := range []struct {
		policy string
		slices int
	}{{"linear", 6}, {"linear", 12}, {"xor", 8}, {"ipoly", 16}} {
		for perturb := range uint64(4) {
			m, err := New(Spec{Block: 256, Policy: c.policy, Perturb: perturb}, c.slices, 1)
			if err != nil {
				t.Fatal(err)
			}
			for stripe := range uint64(3000) {
				seen := 0
				for b := range uint64(c.slices) {
					seen |= 1 << m.Slice((stripe*uint64(c.slices)+b)*256)
				}
				if seen != 1<<c.slices-1 {
					t.Fatalf("%s over %d slices, perturbation %d, stripe %d: slices %b", c.policy, c.slices, perturb,
						stripe, seen)
				}
			}
		}
	}
}

func TestPerturbationsDealRegionsDifferentlyAndNoneChangesNothing(t *testing.T) {
	for _, policy := range []string{"linear", "xor", "ipoly", "random"} {
		deal := func(perturb uint64) (out [4096]int) {
			m, err := New(Spec{Block: 256, Policy: policy, Seed: 1, Perturb: perturb}, 8, 2)
			if err != nil {
				t.Fatal(err)
			}
			for b := range out {
				out[b] = m.Slice(uint64(b) * 256)
			}
			return out
		}
		if policy == "linear" {
			for b, s := range deal(0) {
				if s != b%8 {
					t.Fatalf("without perturbation block %d is in slice %d", b, s)
				}
			}
		}
		once, again := deal(1), deal(1)
		if once != again || deal(0) == deal(1) || deal(1) == deal(2) {
			t.Errorf("%s: perturbations 0, 1 and 2 are not three deals", policy)
		}
	}
}
