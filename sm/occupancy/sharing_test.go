package occupancy

import (
	"testing"

	"pgregory.net/rapid"
)

// tesla is the SM of Register Sharing (Jatala et al.), table 1: Tesla C2050.
var tesla = SM{Registers: 32768, SharedBytes: 48 << 10, Threads: 1536, Warps: 48, CTAs: 8}

var gpgpusim = Spec{Rule: RuleGPGPUSim, RegisterUnit: 64, WarpUnit: 2, SharedUnit: 128}

// setOne is table 2 (block, registers per thread) with table 5 (resident CTAs
// at 0, 10, 30, 50, 70 and 90 % sharing) and the shared pairs and unshared CTAs
// at 90 % that equations 1 to 4 give.
var setOne = []struct {
	name             string
	block, registers int
	resident         [6]int
	pairs, unshared  int
}{
	{"backprop", 256, 24, [6]int{5, 5, 5, 5, 6, 6}, 1, 4},
	{"b+tree", 508, 24, [6]int{2, 2, 2, 3, 3, 3}, 1, 1},
	{"hotspot", 256, 36, [6]int{3, 3, 3, 4, 4, 6}, 3, 0},
	{"LIB", 192, 36, [6]int{4, 4, 5, 5, 6, 8}, 4, 0},
	{"MUM", 256, 28, [6]int{4, 4, 4, 5, 5, 6}, 2, 2},
	{"mri-q", 256, 24, [6]int{5, 5, 5, 5, 6, 6}, 1, 4},
	{"sgemm", 128, 48, [6]int{5, 5, 5, 5, 6, 8}, 3, 2},
	{"stencil", 512, 28, [6]int{2, 2, 2, 2, 2, 3}, 1, 1},
}

var thresholds = [6]float64{1, 0.9, 0.7, 0.5, 0.3, 0.1}

func TestTheResidentCTAsOfRegisterSharingTable5(t *testing.T) {
	for _, k := range setOne {
		for i, th := range thresholds {
			r, err := gpgpusim.OfShared(tesla, CTA{Threads: k.block, Registers: k.registers}, th)
			if err != nil {
				t.Fatal(err)
			}
			if r.CTAs != k.resident[i] {
				t.Errorf("%s at threshold %v: %d CTAs, the paper has %d", k.name, th, r.CTAs, k.resident[i])
			}
		}
	}
}

func TestThePairsAndUnsharedCTAsAt90PercentSharing(t *testing.T) {
	for _, k := range setOne {
		r, err := gpgpusim.OfShared(tesla, CTA{Threads: k.block, Registers: k.registers}, 0.1)
		if err != nil {
			t.Fatal(err)
		}
		if r.SharedPairs != k.pairs || r.UnsharedCTAs != k.unshared {
			t.Errorf("%s: %d pairs and %d unshared, want %d and %d", k.name, r.SharedPairs, r.UnsharedCTAs, k.pairs, k.unshared)
		}
	}
}

// Section 4's example: 10 warps of 1K registers, 35K registers, half shared.
// Three CTAs without sharing; with it U + S = 3 and 10U + 15S <= 35, so one
// pair and two unshared CTAs: four. 10 warps are 320 threads; 1K registers per
// warp are 32 per thread.
func TestSection4sExampleGoesFromThreeCTAsToFour(t *testing.T) {
	sm := tesla
	sm.Registers = 35 * 1024
	r, err := gpgpusim.OfShared(sm, CTA{Threads: 320, Registers: 32}, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	if r.CTAs != 4 || r.SharedPairs != 1 || r.UnsharedCTAs != 2 || r.RegistersUnused != 0 {
		t.Errorf("%+v, want 4 CTAs, 1 pair, 2 unshared, 35K - 2x10K - 15K = 0 unused", r)
	}
}

// With room for many CTAs the pairs cannot outnumber the unshared base: M = 2g.
func TestThereAreNoMoreThanTwiceTheUnsharedCTAs(t *testing.T) {
	sm := SM{Registers: 1000 * 32, SharedBytes: 0, Threads: 1 << 20, Warps: 1 << 15, CTAs: 1 << 10}
	r, err := gpgpusim.OfShared(sm, CTA{Threads: 32, Registers: 600}, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	// g = 1; equation 4: (1000 - 600 x 0.99) / 6 = 67; capped at 2.
	if r.CTAs != 2 || r.SharedPairs != 1 || r.UnsharedCTAs != 0 {
		t.Errorf("%+v, want one pair", r)
	}
}

// hotspot at 90 %: twice the three CTAs that registers hold, and 1536 threads are
// six CTAs too. Registers come first.
func TestOfLimitsThatTieTheFirstIsNamed(t *testing.T) {
	r, err := gpgpusim.OfShared(tesla, CTA{Threads: 256, Registers: 36}, 0.1)
	if err != nil || r.CTAs != 6 || r.Limit != ByRegisters {
		t.Errorf("%+v, %v, want 6 CTAs by registers", r, err)
	}
}

func TestAKernelThatThreadsLimitSharesNothing(t *testing.T) {
	c := CTA{Threads: 256, Registers: 12} // backprop's second kernel, table 3
	shared, err := gpgpusim.OfShared(tesla, c, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := gpgpusim.Of(tesla, c)
	if err != nil {
		t.Fatal(err)
	}
	if shared != plain || shared.Limit != ByThreads {
		t.Errorf("with sharing %+v, without %+v", shared, plain)
	}
}

func TestAThresholdOutsideZeroToOneIsRefused(t *testing.T) {
	for _, th := range []float64{-0.1, 1.1} {
		if _, err := gpgpusim.OfShared(tesla, CTA{Threads: 32, Registers: 8}, th); err == nil {
			t.Errorf("threshold %v was accepted", th)
		}
	}
}

// Equations 1 and 2 hold for whatever comes out, and one more CTA breaks them
// or another limit.
func TestSharingKeepsItsEquationsAndIsTheMost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := CTA{Threads: 32 * rapid.IntRange(1, 16).Draw(t, "warps"), Registers: 4 * rapid.IntRange(1, 15).Draw(t, "regs")}
		percent := rapid.IntRange(1, 100).Draw(t, "threshold in percent")
		r, err := gpgpusim.OfShared(tesla, c, float64(percent)/100)
		if err != nil {
			t.Skip(err)
		}
		rtb := c.Threads * c.Registers
		g := tesla.Registers / rtb
		used := func(pairs, unshared int) int { return 100*unshared*rtb + pairs*rtb*(100+percent) }
		if r.CTAs != r.UnsharedCTAs+2*r.SharedPairs || r.SharedPairs > 0 && r.UnsharedCTAs+r.SharedPairs != g {
			t.Fatalf("%+v with g = %d", r, g)
		}
		if used(r.SharedPairs, r.UnsharedCTAs) > 100*tesla.Registers {
			t.Fatalf("%+v takes more registers than there are", r)
		}
		more := r.CTAs + 1
		others := more*c.Threads <= tesla.Threads && more <= tesla.CTAs
		if others && more <= 2*g && used(more-g, 2*g-more) <= 100*tesla.Registers {
			t.Fatalf("%+v, but %d would fit", r, more)
		}
	})
}
