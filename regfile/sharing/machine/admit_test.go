package machine_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/sm/occupancy"
)

// sharingAt is the Tesla C2050 of the paper's table 1 with a sharing threshold.
func sharingAt(t machinetest.T, threshold float64, set ...string) *config.Config {
	c := machinetest.Config(t, config.Request{GPU: "tesla-c2050", Design: "sharing",
		Set: append(set, fmt.Sprintf("regfile.threshold=%v", threshold))})
	return c
}

// figures returns the number of pairs and of unshared CTAs.
func figures(t *testing.T, o config.Occupancy) (pairs, unshared int) {
	t.Helper()
	p, ok := o.Figure("shared_pairs")
	u, also := o.Figure("unshared_ctas")
	if !ok || !also {
		t.Fatalf("%+v has no pairs or no unshared CTAs", o)
	}
	return p, u
}

// setOne is table 2 (block, registers per thread) with table 5 (resident CTAs at 0, 10, 30, 50, 70 and 90 %
// sharing) and the shared pairs and unshared CTAs at 90 % from equations 1 to 4.
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

func TestTheResidentCTAsOfTable5(t *testing.T) {
	for i, threshold := range [6]float64{1, 0.9, 0.7, 0.5, 0.3, 0.1} {
		c := sharingAt(t, threshold)
		for _, k := range setOne {
			r, err := c.CTAs(occupancy.CTA{Threads: k.block, Registers: k.registers})
			if err != nil {
				t.Fatal(err)
			}
			if r.CTAs != k.resident[i] {
				t.Errorf("%s at threshold %v: %d CTAs, the paper has %d", k.name, threshold, r.CTAs, k.resident[i])
			}
			if p, u := figures(t, r); threshold == 0.1 && (p != k.pairs || u != k.unshared) {
				t.Errorf("%s: %d pairs and %d unshared, want %d and %d", k.name, p, u, k.pairs, k.unshared)
			}
		}
	}
}

// Section 4's example: 10 warps of 1K registers, 35K registers, half shared.
// Three CTAs without sharing; with it U + S = 3 and 10U + 15S <= 35, so one
// pair and two unshared CTAs: four. 10 warps are 320 threads; 1K registers per
// warp are 32 per thread.
func TestSection4sExampleGoesFromThreeCTAsToFour(t *testing.T) {
	r, err := sharingAt(t, 0.5, "sm.registers=35840").CTAs(occupancy.CTA{Threads: 320, Registers: 32})
	if err != nil {
		t.Fatal(err)
	}
	if p, u := figures(t, r); r.CTAs != 4 || p != 1 || u != 2 || r.RegistersUnused != 0 {
		t.Errorf("%+v, want 4 CTAs, 1 pair, 2 unshared, 35K - 2x10K - 15K = 0 unused", r)
	}
}

// hotspot at 90 %: registers permit twice the three CTAs without sharing, and 1536 threads are six CTAs too.
// Registers come first.
func TestOfLimitsThatTieRegistersAreNamed(t *testing.T) {
	r, err := sharingAt(t, 0.1).CTAs(occupancy.CTA{Threads: 256, Registers: 36})
	if err != nil || r.CTAs != 6 || r.Limit != occupancy.ByRegisters {
		t.Errorf("%+v, %v, want 6 CTAs by registers", r, err)
	}
}

func TestAKernelThatThreadsLimitSharesNothing(t *testing.T) {
	c := sharingAt(t, 0.1)
	cta := occupancy.CTA{Threads: 256, Registers: 12} // backprop's second kernel, table 3
	shared, err := c.CTAs(cta)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := c.Occupancy.Of(c.Capacity(), cta)
	if err != nil {
		t.Fatal(err)
	}
	if p, _ := figures(t, shared); p != 0 || shared.CTAs != plain.CTAs || shared.Limit != plain.Limit ||
		shared.RegistersUnused != plain.RegistersUnused || plain.Limit != occupancy.ByThreads {
		t.Errorf("with sharing %+v, without %+v", shared, plain)
	}
}

func TestAKernelOfWhichNoCTAFitsIsRefused(t *testing.T) {
	_, err := sharingAt(t, 0.1, "sm.registers=2304").CTAs(occupancy.CTA{Threads: 64, Registers: 40})
	if err == nil || !strings.Contains(err.Error(),
		"register file sharing: a CTA needs 80 warp registers, an SM has 72") {
		t.Errorf("error %v", err)
	}
}

// Equations 1 and 2 hold for whatever comes out, and one more CTA breaks them
// or another limit.
func TestSharingKeepsItsEquationsAndIsTheMost(t *testing.T) {
	paired := 0
	rapid.Check(t, func(t *rapid.T) {
		cta := occupancy.CTA{Threads: 32 * rapid.IntRange(1, 16).Draw(t, "warps"),
			Registers: 4 * rapid.IntRange(1, 15).Draw(t, "regs")}
		percent := rapid.IntRange(1, 100).Draw(t, "threshold in percent")
		c := sharingAt(t, float64(percent)/100)
		r, err := c.CTAs(cta)
		if err != nil {
			t.Skip(err)
		}
		pairs, _ := r.Figure("shared_pairs")
		unshared, _ := r.Figure("unshared_ctas")
		rtb := cta.Threads * cta.Registers
		g := c.SM.Registers / rtb
		used := func(pairs, unshared int) int { return 100*unshared*rtb + pairs*rtb*(100+percent) }
		if r.CTAs != unshared+2*pairs || pairs > 0 && unshared+pairs != g {
			t.Fatalf("%+v with g = %d", r, g)
		}
		if used(pairs, unshared) > 100*c.SM.Registers {
			t.Fatalf("%+v takes more registers than there are", r)
		}
		more := r.CTAs + 1
		others := more*cta.Threads <= c.SM.Threads && more <= c.SM.CTAs
		if others && more <= 2*g && used(more-g, 2*g-more) <= 100*c.SM.Registers {
			t.Fatalf("%+v, but %d would fit", r, more)
		}
		if pairs > 0 {
			paired++
		}
	})
	if paired == 0 {
		t.Error("no case shared anything")
	}
}
