package finereg

import (
	"maps"
	"slices"
	"testing"

	"kumiko/kernel/compiler/intervals"
	"kumiko/regfile"
	"kumiko/regfile/contracttest"
)

func kind(t testing.TB) *regfile.Kind {
	t.Helper()
	k, err := regfile.Find("finereg")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// swapped tunes a configuration so that a third of the warps have their registers in the ACRF; all registers are
// live. The PCRF has space for halves/2 CTAs.
func swapped(s *Spec, c *contracttest.Config, halves int) {
	c.InFile = max(1, c.Warps/3)
	s.PCRF, s.Vector = halves*c.Registers/2, max(8, c.Registers/8)
	entries := s.PCRF
	c.Plan = func([]intervals.Set) any {
		return &Plan{Launch: &regfile.Launch{Registers: c.Registers}, Entries: entries}
	}
}

var variants = map[string]func(*Spec, *contracttest.Config){
	"room for all":                func(s *Spec, c *contracttest.Config) { swapped(s, c, 2*c.Warps) },
	"room for one":                func(s *Spec, c *contracttest.Config) { swapped(s, c, 2) },
	"room for one and a half":     func(s *Spec, c *contracttest.Config) { swapped(s, c, 3) },
	"room for two":                func(s *Spec, c *contracttest.Config) { swapped(s, c, 4) },
	"one warp in the ACRF":        func(s *Spec, c *contracttest.Config) { swapped(s, c, 2); c.InFile = 1 },
	"entries one after the other": func(s *Spec, c *contracttest.Config) { swapped(s, c, 3); s.Chain = 4 },
	"a slow PCRF": func(s *Spec, c *contracttest.Config) {
		swapped(s, c, 2)
		s.Latency, s.Chain = 20,
			3
	},
	"one file": func(s *Spec, c *contracttest.Config) { swapped(s, c, 3); s.base.SubCores = 1 },
	"slow blocking banks of one port": func(s *Spec, c *contracttest.Config) {
		swapped(s, c, 3)
		s.base.BankPorts, s.base.Blocking, s.base.ReadLatency = "1rw", true, 4
	},
	"results come soon, vectors seldom": func(s *Spec, c *contracttest.Config) {
		swapped(s, c, 2)
		s.Lines, c.Latency = 1, 3
	},
	"results are sought": func(s *Spec, c *contracttest.Config) {
		swapped(s, c, 3)
		s.Returns, c.Latency = ReturnWalk,
			60
	},
	"results are sought, entries one after the other": func(s *Spec, c *contracttest.Config) {
		swapped(s, c, 2)
		s.Returns, s.Chain, c.Latency = ReturnWalk, 4, 60
	},
	"results announced before they are there": func(s *Spec, c *contracttest.Config) {
		swapped(s, c, 2)
		s.base.Bypass, s.base.Forward, c.Known = true, 6, 9
	},
	"results come late": func(s *Spec, c *contracttest.Config) {
		swapped(s, c, 2)
		c.Latency, c.Pool = 400,
			min(c.Pool, 6)
	},
}

func TestKeepsTheContractHoweverSmallThePCRFIs(t *testing.T) {
	if testing.Short() {
		t.Skip("many organisations")
	}
	contracttest.Variants(t, kind(t), variants)
}

// outcomes runs every configuration with a variant.
func outcomes(t *testing.T, k *regfile.Kind, tune func(*Spec, *contracttest.Config)) (out []*contracttest.Outcome) {
	t.Helper()
	configs := contracttest.Configs()
	for _, name := range slices.Sorted(maps.Keys(configs)) {
		s, c := Default(), configs[name]
		tune(&s, &c)
		o, err := contracttest.Run(contracttest.With(k, s), c, 0)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, o)
	}
	return out
}

// What the variants are there for does happen: warps come back, results come late, and
// orders are refused where there is room for one alone.
func TestTheContractSwapsAndRefuses(t *testing.T) {
	if testing.Short() {
		t.Skip("many organisations")
	}
	for name, tune := range variants {
		restored, refused, late := 0, 0, uint64(0)
		for _, o := range outcomes(t, kind(t), tune) {
			restored += o.Restored
			refused += o.Refused
			late += o.Stats["regfile.finereg.late_results"]
		}
		if restored < 20 || late == 0 && name != "results come soon, vectors seldom" ||
			(refused > 0) != (name != "room for all") {
			t.Errorf("%s: %d warps came back, %d orders were refused, %d results came late", name, restored, refused,
				late)
		}
	}
}
