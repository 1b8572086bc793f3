package addrmap

import (
	"strings"
	"testing"

	"kumiko/components/spec"
	"kumiko/components/splitmix"
)

func TestTheBoundsOfAnInterleaving(t *testing.T) {
	for _, c := range []struct {
		spec   Spec
		slices int
		want   string // of the error; empty: none
	}{
		{Spec{Block: 128, Policy: "linear"}, 1, ""},
		{Spec{Block: spec.MostBytes, Policy: "random"}, 64, ""},
		{Spec{Block: 256, Policy: "linear"}, 0, "slices"},
		{Spec{Block: 256, Policy: "linear"}, 65, "slices"},
		{Spec{Block: 64, Policy: "linear"}, 4, "interleave_bytes"},
		{Spec{Block: 384, Policy: "linear"}, 4, "interleave_bytes"},
		{Spec{Block: 2 * spec.MostBytes, Policy: "linear"}, 4, "interleave_bytes"},
		{Spec{Block: 256, Policy: "xor"}, 12, "no power of two"},
		{Spec{Block: 256, Policy: "ipoly"}, 12, "no power of two"},
		{Spec{Block: 256, Policy: "odd"}, 12, "linear, xor, ipoly or random"},
	} {
		err := c.spec.Check(c.slices)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%+v over %d slices: %v", c.spec, c.slices, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%+v over %d slices: error %v, want one about %q", c.spec, c.slices, err, c.want)
		}
	}
}

func TestTheRandomPolicyTakesTheSliceThatTheGeneratorNames(t *testing.T) {
	m, err := New(Spec{Block: 256, Policy: "random", Seed: 5}, 6, 2)
	if err != nil {
		t.Fatal(err)
	}
	for b := range uint64(100) {
		if got, want := m.Slice(b*256+7), int(splitmix.Of(b+5)%6); got != want {
			t.Errorf("block %d in slice %d, want %d", b, got, want)
		}
	}
}

// Twelve slices of two per channel: of twelve blocks in a row a channel has two, neighbours in its memory.
func TestTheBlocksOfAChannelsSlicesTakeTurnsInItsMemory(t *testing.T) {
	m, err := New(Spec{Block: 256, Policy: "linear"}, 12, 2)
	if err != nil {
		t.Fatal(err)
	}
	for block := range uint64(100) {
		want := (block/12*2+block%2)*256 + 9
		if got := m.Local(block*256 + 9); got != want {
			t.Errorf("block %d at %d of its channel, want %d", block, got, want)
		}
	}
}

// All stripes of a region are rotated by the same amount, the stripes of the next region by the generator's
// amount for it.
func TestAPerturbationTurnsRegionsAsAWhole(t *testing.T) {
	const slices, block, perturb = 8, 256, 3
	m, err := New(Spec{Block: block, Policy: "linear", Perturb: perturb}, slices, 1)
	if err != nil {
		t.Fatal(err)
	}
	const stripes = 64 << 10 / (block * slices) // of a region
	for b := range uint64(stripes * slices * 5) {
		turn := splitmix.Of(perturb<<32 ^ b/slices/stripes)
		if got, want := m.Slice(b*block), int((b+turn%slices)%slices); got != want {
			t.Fatalf("block %d in slice %d, want %d", b, got, want)
		}
	}
}
