package config_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus/config"
)

func TestAPerturbedConfigurationIsTheOneLoadedWithItsNumber(t *testing.T) {
	for _, r := range []config.Request{
		{GPU: "fermi", Design: "ltrf", Set: []string{"sm.count=4"}, Perturbed: true},
		{GPU: "rtx-a6000", Set: []string{"perturb.start_cycles=9"}, Perturbed: true},
	} {
		plain, err := config.Load(r)
		if err != nil {
			t.Fatal(err)
		}
		hash := plain.Hash()
		for _, seed := range []int{1, 7, 1 << 30} {
			own, err := plain.Perturbed(seed)
			if err != nil {
				t.Fatal(err)
			}
			with := r
			with.Set = append(with.Set[:len(with.Set):len(with.Set)], fmt.Sprintf("%s=%d", config.PerturbSeed, seed))
			want, err := config.Load(with)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want.Params(), own.Params()); d != "" {
				t.Errorf("%s, seed %d: parameters (-loaded +perturbed):\n%s", r.GPU, seed, d)
			}
			if own.Hash() != want.Hash() || own.Mem.Map.Perturb != want.Mem.Map.Perturb {
				t.Errorf("%s, seed %d: another hash or another map of memory", r.GPU, seed)
			}
		}
		if plain.Hash() != hash || plain.Mem.Map.Perturb != 0 {
			t.Errorf("%s: the plain configuration has changed", r.GPU)
		}
	}
}

func TestAPerturbationOutOfRangeIsRefusedWithItsSetting(t *testing.T) {
	c, err := config.Load(config.Request{GPU: "fermi"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Perturbed(-1)
	want := "--set perturb.seed=-1: perturb.seed: found -1, expected 0 to 1073741824"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
