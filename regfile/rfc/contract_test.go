package rfc

import (
	"testing"

	"kumiko/regfile"
	"kumiko/regfile/contracttest"
)

func kind(t testing.TB) *regfile.Kind { return contracttest.Kind(t, "rfc") }

// onBypass gives the main file a result bus.
func onBypass(s *Spec, c *contracttest.Config) {
	s.base.Bypass, s.base.Forward, c.Known = true, 6, 5
}

// paused makes warps leave and enter the active set.
func paused(c *contracttest.Config) { c.Active, c.Suspend = c.Warps/2, 0.2 }

// variants are caches very different from the default.
var variants = map[string]func(*Spec, *contracttest.Config){
	"six entries":                   func(*Spec, *contracttest.Config) {},
	"no entries":                    func(s *Spec, c *contracttest.Config) { s.Entries = 0; paused(c) },
	"one entry":                     func(s *Spec, c *contracttest.Config) { s.Entries = 1 },
	"two entries, warps that pause": func(s *Spec, c *contracttest.Config) { s.Entries = 2; paused(c) },
	"an entry for every register":   func(s *Spec, c *contracttest.Config) { s.Entries = 256 },
	"an entry for every register, nothing bypassed": func(s *Spec, c *contracttest.Config) {
		s.Entries,
			s.BypassLong = 256, false
	},
	"lru, reads allocate": func(s *Spec, c *contracttest.Config) { s.Replacement, s.AllocateReads = LRU, true },
	"two lru entries, reads allocate, warps that pause": func(s *Spec, c *contracttest.Config) {
		s.Entries, s.Replacement, s.AllocateReads = 2, LRU, true
		paused(c)
	},
	"warps that pause": func(s *Spec, c *contracttest.Config) { paused(c) },
	"warps that pause and wait for their place": func(s *Spec, c *contracttest.Config) {
		s.FlushStall = true
		paused(c)
	},
	"few places, slow flush, a port, nobody waits": func(s *Spec, c *contracttest.Config) {
		c.Active, c.Suspend, s.Reads, s.base.Queue = 1, 0.5, 1, 1
	},
	"few places, slow flush, a port": func(s *Spec, c *contracttest.Config) {
		c.Active, c.Suspend, s.Reads, s.base.Queue, s.FlushStall = 1, 0.5, 1, 1, true
	},
	"liveness, warps that pause": func(s *Spec, c *contracttest.Config) { s.Liveness = true; paused(c) },
	"liveness, dead first, wide flush": func(s *Spec, c *contracttest.Config) {
		s.Liveness, s.EvictDead, s.Entries, s.FlushWidth = true, true, 3, 8
		paused(c)
	},
	"all hints": func(s *Spec, c *contracttest.Config) {
		s.Liveness, s.EvictDead, s.EvictFar, s.BypassFar, s.BypassShared = true, true, true, true, true
		paused(c)
	},
	"nothing bypassed, warps that pause": func(s *Spec, c *contracttest.Config) { s.BypassLong = false; paused(c) },
	"shared":                             func(s *Spec, c *contracttest.Config) { s.Organisation = Shared; paused(c) },
	"shared, direct mapped, lru, liveness": func(s *Spec, c *contracttest.Config) {
		s.Organisation, s.Ways, s.EntriesTotal, s.Replacement, s.Liveness = Shared, 1, 32, LRU, true
		paused(c)
	},
	"shared, warps keep their registers": func(s *Spec, c *contracttest.Config) {
		s.Organisation, s.Flush, s.AllocateReads = Shared, false, true
		paused(c)
	},
	"no write buffer, many ports": func(s *Spec, c *contracttest.Config) { s.WriteBuffer, s.Reads, s.Writes = 0, 8, 4 },
	"slow blocking banks of one port": func(s *Spec, c *contracttest.Config) {
		s.base.BankPorts, s.base.Blocking, s.base.ReadLatency, s.base.WriteLatency, s.base.Queue = "1rw", true, 4, 4, 1
		s.Entries = 2
		paused(c)
	},
	"fermi: one file, narrow banks": func(s *Spec, c *contracttest.Config) {
		s.base.SubCores, s.base.Banks, s.base.BankWidth, s.base.BankPorts, s.base.Paths.OutputWidth = 1, 32, 16,
			"1r1w", 3
		s.Liveness = true
		paused(c)
	},
	"a bypass": func(s *Spec, c *contracttest.Config) { onBypass(s, c) },
	"a bypass, liveness, dead first": func(s *Spec, c *contracttest.Config) {
		onBypass(s, c)
		s.Liveness, s.EvictDead, s.EvictFar, s.Entries = true, true, true, 2
		paused(c)
	},
	"a bypass, sources read twice, liveness": func(s *Spec, c *contracttest.Config) {
		onBypass(s, c)
		s.base.ReadTwice, s.base.Inputs, s.Liveness, s.EvictDead, s.Entries = true, 1, true, true, 2
	},
	"a butterfly": func(s *Spec, c *contracttest.Config) {
		s.base.SubCores, s.base.Network, s.base.Collectors = 1, "butterfly", 12
		s.AllocateReads = true
		paused(c)
	},
}

func TestVariantsKeepTheContract(t *testing.T) {
	if testing.Short() {
		t.Skip("many organisations")
	}
	contracttest.Variants(t, kind(t), variants)
}
