package scalar

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/regfile"
	"kumiko/regfile/contracttest"
	"kumiko/regfile/conventional/extensiontest"
)

func kind(t testing.TB) *regfile.Kind { return contracttest.Kind(t, "scalar") }

// variants are files very different from the default.
var variants = map[string]func(*Spec, *contracttest.Config){
	"default":           func(*Spec, *contracttest.Config) {},
	"equal values only": func(s *Spec, _ *contracttest.Config) { s.Affine = false },
	"one port, two entries": func(s *Spec, _ *contracttest.Config) {
		s.Reads, s.Entries = 1, 2
	},
	"warps that pause": func(_ *Spec, c *contracttest.Config) { c.Active, c.Suspend = c.Warps/2, 0.2 },
	"most results of some lanes": func(_ *Spec, c *contracttest.Config) {
		c.Diverge, c.Pool = 0.7, 6
	},
	"slow blocking banks of one port": func(s *Spec, _ *contracttest.Config) {
		s.base.BankPorts, s.base.Blocking, s.base.ReadLatency, s.base.WriteLatency, s.base.Queue = "1rw", true, 9, 9, 1
	},
	"sources read twice, one at a time": func(s *Spec, _ *contracttest.Config) {
		s.base.ReadTwice, s.base.Inputs = true, 1
	},
	"results captured from a bus": func(s *Spec, _ *contracttest.Config) {
		s.base.Bypass, s.base.Forward = true, conventionalForward
	},
	"registers before the collectors": func(s *Spec, _ *contracttest.Config) { s.base.Registers = 2 },
	"one file":                        func(s *Spec, _ *contracttest.Config) { s.base.SubCores = 1 },
}

// conventionalForward is the longest announcement of results with a bypass.
const conventionalForward = 6

func TestVariantsKeepTheContract(t *testing.T) {
	contracttest.Variants(t, kind(t), variants)
}

func TestRandomFilesKeepTheContract(t *testing.T) {
	contracttest.Random(t, kind(t), func(t *rapid.T, c *contracttest.Config) Spec {
		s := Default()
		s.Affine = rapid.Bool().Draw(t, "affine")
		s.Entries = rapid.SampledFrom([]int{0, 1, 2, 5}).Draw(t, "entries")
		s.Reads = rapid.SampledFrom([]int{1, 2, 4, 16}).Draw(t, "reads")
		s.base = extensiontest.Draw(t, c)
		return s
	})
}
