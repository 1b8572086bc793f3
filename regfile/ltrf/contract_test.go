package ltrf

import (
	"testing"

	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/contracttest"
)

func kind(t testing.TB) *regfile.Kind { return contracttest.Kind(t, "ltrf") }

// cut divides programs into regions small enough for the cache.
func cut(s *Spec, c *contracttest.Config) {
	c.Regions = s.Interval
	c.Plan = func(sets []intervals.Set) any { return &Plan{Sets: sets} }
}

// paused makes warps leave and enter the active set.
func paused(c *contracttest.Config) { c.Active, c.Suspend = c.Warps/2, 0.2 }

// size gives intervals so many registers.
func size(s *Spec, n int) { s.Interval, s.Banks = n, n }

// variants are caches very different from the default.
var variants = map[string]func(*Spec, *contracttest.Config){
	"nobody pauses":    func(*Spec, *contracttest.Config) {},
	"warps that pause": func(_ *Spec, c *contracttest.Config) { paused(c) },
	"a warp active":    func(_ *Spec, c *contracttest.Config) { c.Active, c.Suspend = 1, 0.5 },
	"small intervals, warps that pause": func(s *Spec, c *contracttest.Config) {
		size(s, ir.NumSources+ir.NumDests)
		paused(c)
	},
	"large intervals, warps that pause": func(s *Spec, c *contracttest.Config) { size(s, 64); paused(c) },
	"liveness": func(s *Spec, c *contracttest.Config) {
		s.Liveness, s.WriteBack = Dynamic,
			Live
	},
	"liveness, warps that pause": func(s *Spec, c *contracttest.Config) {
		s.Liveness, s.WriteBack = Dynamic, Live
		paused(c)
	},
	"liveness, whole sets go back": func(s *Spec, c *contracttest.Config) { s.Liveness = Dynamic; paused(c) },
	"dirty registers go back":      func(s *Spec, c *contracttest.Config) { s.WriteBack = Dirty; paused(c) },
	"nothing stays":                func(s *Spec, c *contracttest.Config) { s.Keep = false; paused(c) },
	"nothing stays, liveness": func(s *Spec, c *contracttest.Config) {
		s.Keep, s.Liveness, s.WriteBack = false, Dynamic, Live
		paused(c)
	},
	"prefetches wait for results": func(s *Spec, c *contracttest.Config) { s.Pending = Wait; paused(c) },
	"prefetches wait for results, liveness": func(s *Spec, c *contracttest.Config) {
		s.Pending, s.Liveness, s.WriteBack = Wait, Dynamic, Live
		paused(c)
	},
	"one grant, one look-up, one buffer": func(s *Spec, c *contracttest.Config) {
		s.FillGrants, s.Lookups, s.BackBuffers = 1, 1, 1
		paused(c)
	},
	"many grants, slow way back": func(s *Spec, c *contracttest.Config) {
		s.FillGrants, s.Lookups, s.BackCycles = 16, 8, 16
		paused(c)
	},
	"slow blocking banks of one port": func(s *Spec, c *contracttest.Config) {
		s.base.BankPorts, s.base.Blocking, s.base.ReadLatency, s.base.WriteLatency, s.base.Queue = "1rw", true, 9, 9, 1
		paused(c)
	},
	"one file, narrow network, few banks": func(s *Spec, c *contracttest.Config) {
		s.base.SubCores, s.base.Banks, s.base.Paths.Cycles = 1, 4, 4
		paused(c)
	},
	"one file, butterfly": func(s *Spec, c *contracttest.Config) {
		s.base.SubCores, s.base.Banks, s.base.Network = 1, 16, "butterfly"
		paused(c)
	},
	"a bypass": func(s *Spec, c *contracttest.Config) { onBypass(s, c); paused(c) },
	"a bypass, liveness": func(s *Spec, c *contracttest.Config) {
		onBypass(s, c)
		s.Liveness, s.WriteBack = Dynamic, Live
		paused(c)
	},
}

// onBypass gives the main file a result bus.
func onBypass(s *Spec, c *contracttest.Config) {
	s.base.Bypass, s.base.Forward, c.Known = true, 6, 5
}

func TestTheContractIsKept(t *testing.T) {
	if testing.Short() {
		t.Skip("many organisations")
	}
	contracttest.Variants(t, kind(t), variants, cut)
}
