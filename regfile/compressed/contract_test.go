package compressed

import (
	"testing"

	"kumiko/regfile"
	"kumiko/regfile/contracttest"
)

func kind(t testing.TB) *regfile.Kind { return contracttest.Kind(t, "compressed") }

// variants are files very different from the default.
var variants = map[string]func(*Spec, *contracttest.Config){
	"default":           func(*Spec, *contracttest.Config) {},
	"equal values only": func(s *Spec, _ *contracttest.Config) { s.Delta = 0 },
	"slow": func(s *Spec, _ *contracttest.Config) {
		s.Compression, s.Decompression = 20, 7
	},
	"quick and many": func(s *Spec, _ *contracttest.Config) {
		s.Compressors, s.Decompressors, s.Compression = 16, 16, 1
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
	"a butterfly": func(s *Spec, _ *contracttest.Config) {
		s.base.Network, s.base.SubCores = "butterfly", 1
	},
	"narrow banks": func(s *Spec, _ *contracttest.Config) {
		s.base.BankWidth, s.base.Banks = 16, 128
	},
	"registers before the collectors": func(s *Spec, _ *contracttest.Config) { s.base.Registers = 2 },
	"one file":                        func(s *Spec, _ *contracttest.Config) { s.base.SubCores = 1 },
}

// conventionalForward is the longest announcement of results with a bypass.
const conventionalForward = 6

func TestVariantsKeepTheContract(t *testing.T) {
	contracttest.Variants(t, kind(t), variants)
}
