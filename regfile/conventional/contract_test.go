package conventional

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/regfile"
	"kumiko/regfile/contracttest"
)

func kind(t testing.TB) *regfile.Kind { return contracttest.Kind(t, "conventional") }

// variants are organisations very different from the default.
var variants = map[string]func(*Spec){
	"fermi: one file, one port, collectors set apart": func(s *Spec) {
		s.SubCores, s.BankPorts, s.Collectors = 1, "1rw", 0
		s.CollectorSets = []CollectorSet{{[]string{"sp"}, 6}, {[]string{"ldst"}, 2}}
	},
	"narrow banks in groups, 1r1w": func(s *Spec) {
		s.SubCores, s.Banks, s.BankWidth, s.BankPorts, s.ReadLatency = 1, 32, 16, "1r1w", 2
	},
	"slow blocking banks, one collector, queue of one": func(s *Spec) {
		s.BankPorts, s.Blocking, s.ReadLatency, s.WriteLatency, s.Collectors, s.Queue, s.Inputs = "1rw", true, 5, 3, 1,
			1, 1
	},
	"narrow slow crossbar, oldest first, reads twice": func(s *Spec) {
		s.Paths.Cycles, s.Paths.Latency, s.Paths.Width, s.Arbitration, s.ReadTwice = 4, 3, 2, "oldest", true
	},
	"issue registers": func(s *Spec) { s.Registers, s.Collectors = 2, 1 },
	"issue registers, collectors for kinds of units": func(s *Spec) {
		s.Registers, s.SubCores, s.Collectors = 1, 1, 0
		s.CollectorSets = []CollectorSet{{[]string{"sp"}, 2}, {[]string{"ldst"}, 1}}
	},
	"no forwarding": func(s *Spec) { s.Forward = 0 },
	"butterfly": func(s *Spec) {
		s.SubCores, s.Network, s.Mesh.Rows, s.Mesh.Columns, s.Mesh.HopLatency, s.Collectors = 1, "butterfly", 2, 4, 2,
			12
	},
	"narrow butterfly of a column": func(s *Spec) {
		s.Network, s.Mesh.Rows, s.Mesh.Columns, s.Paths.Cycles, s.Collectors = "butterfly", 4, 1, 4, 3
	},
}

// bypasses are settings of the bypass, with the latencies known to the file.
var bypasses = map[string]struct {
	known int
	f     func(*Spec)
}{
	"results as soon as told":  {1, func(s *Spec) { s.Forward = 6 }},
	"results sooner than told": {60, func(s *Spec) { s.Forward = 3 }},
	"issue registers": {6,
		func(s *Spec) { s.Forward, s.Registers, s.Collectors = 6, 1, 2 }},
	"one result followed, on a bus of one": {6,
		func(s *Spec) { s.Forward, s.BypassEntries, s.BypassWidth = 5, 1, 1 }},
	"one file, sources read twice, one collector": {8,
		func(s *Spec) { s.Forward, s.SubCores, s.ReadTwice, s.Collectors = 6, 1, true, 1 }},
}

func TestBypassesKeepTheContract(t *testing.T) {
	for name, v := range bypasses {
		t.Run(name, func(t *testing.T) {
			contracttest.Contract(t, kind(t), contracttest.Tuned(func(spec *Spec, c *contracttest.Config) {
				spec.Bypass = true
				v.f(spec)
				c.Known = v.known
				c.Ops /= 2
			}))
		})
	}
}

func TestVariantsKeepTheContract(t *testing.T) {
	if testing.Short() {
		t.Skip("many organisations")
	}
	for name, f := range variants {
		t.Run(name, func(t *testing.T) {
			contracttest.Contract(t, kind(t), contracttest.Tuned(func(spec *Spec, c *contracttest.Config) {
				f(spec)
				c.Ops /= 2
			}))
		})
	}
}

func TestRandomOrganisationsKeepTheContract(t *testing.T) {
	configs := contracttest.Configs()
	names := []string{"four schedulers, dense", "two schedulers, dual issue, slow units, little room",
		"no notices, every register a hazard"}
	k := kind(t)
	rapid.Check(t, func(t *rapid.T) {
		pick := func(name string, of ...int) int { return rapid.SampledFrom(of).Draw(t, name) }
		c := configs[rapid.SampledFrom(names).Draw(t, "machine")]
		c.Ops, c.Programs, c.Seed = 15, 1, uint64(rapid.IntRange(1, 1000).Draw(t, "seed"))
		s := Default()
		s.SubCores = pick("sub-cores", 0, 1)
		s.Banks = pick("banks", 4, 8, 16, 32)
		s.BankPorts = rapid.SampledFrom([]string{"1rw", "1r1w", "2r1w", "2rw"}).Draw(t, "ports")
		s.BankIndex = rapid.SampledFrom([]string{"register+warp", "register", "register+slot", "register^warp"}).Draw(t,
			"index")
		s.Arbitration = rapid.SampledFrom([]string{"round-robin", "oldest"}).Draw(t, "arbitration")
		s.ReadLatency, s.WriteLatency = pick("read", 1, 2, 5), pick("write", 1, 2, 5)
		s.Blocking, s.ReadTwice = rapid.Bool().Draw(t, "blocking"), rapid.Bool().Draw(t, "twice")
		s.Queue, s.Collectors, s.Inputs = pick("queue", 1, 2, 16), pick("collectors", 1, 2, 7), pick("inputs", 1, 3, 8)
		s.Paths.Width, s.Paths.OutputWidth, s.Registers = pick("width", 0, 1, 3), pick("output", 1, 2),
			pick("registers", 0, 0, 1, 2)
		if rapid.Bool().Draw(t, "butterfly") {
			s.Network, s.Paths.Width = "butterfly", 0
			s.Mesh.Rows, s.Mesh.Columns = 1, pick("columns", 1, 2)
			s.Mesh.ChannelWidth, s.Mesh.HopLatency = pick("hop width", 1, 2), pick("hop latency", 1, 3)
			s.Banks = max(s.Banks, 8)
		}
		s.Paths.Cycles, s.Paths.Latency = pick("cycles", 1, 3), pick("latency", 1, 2)
		s.Forward = pick("forward", 0, 1, 2, 3, 4, 5, 6)
		if s.Bypass = s.Forward > MaxForward; s.Bypass {
			c.Known = pick("known latency", 1, 4, 8, 40)
			s.BypassEntries, s.BypassWidth = pick("entries", 1, 3, 16), pick("bus", 0, 1)
		}
		contracttest.TwoOrders(t, contracttest.With(k, s), c)
	})
}
