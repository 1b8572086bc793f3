package bow

import (
	"testing"

	"kumiko/regfile"
	"kumiko/regfile/contracttest"
)

func kind(t testing.TB) *regfile.Kind { return contracttest.Kind(t, "bow") }

// variants are windows very different from the default.
var variants = map[string]func(*Spec, *contracttest.Config){
	"through":      func(*Spec, *contracttest.Config) {},
	"back":         func(s *Spec, _ *contracttest.Config) { s.Writes = Back },
	"hints":        func(s *Spec, _ *contracttest.Config) { s.Writes = Hints },
	"window of 1":  func(s *Spec, _ *contracttest.Config) { s.Window, s.Writes = 1, Hints },
	"one entry":    func(s *Spec, _ *contracttest.Config) { s.Entries, s.Writes = 1, Back },
	"half as many": func(s *Spec, _ *contracttest.Config) { s.Entries, s.Writes = 6, Hints },
	"all registers, for good": func(s *Spec, _ *contracttest.Config) {
		s.Window, s.Entries, s.Writes = 1024, 256, Hints
	},
	"a long window, few entries, warps that pause": func(s *Spec, c *contracttest.Config) {
		s.Window, s.Entries, s.Writes = 20, 5, Back
		c.Active, c.Suspend = c.Warps/2, 0.2
	},
	"slow blocking banks of one port, a port": func(s *Spec, _ *contracttest.Config) {
		s.base.BankPorts, s.base.Blocking, s.base.ReadLatency, s.base.WriteLatency, s.base.Queue = "1rw", true, 9, 9, 1
		s.Reads, s.WriteBacks, s.Writes = 1, 1, Back
	},
	"sources read twice, one at a time": func(s *Spec, _ *contracttest.Config) {
		s.base.ReadTwice, s.base.Inputs, s.Writes = true, 1, Hints
	},
	"registers before the collectors": func(s *Spec, _ *contracttest.Config) {
		s.base.Registers, s.Window, s.Writes = 2, 8, Hints
	},
	"one file": func(s *Spec, _ *contracttest.Config) { s.base.SubCores, s.Writes, s.Window = 1, Back, 8 },
}

func TestVariantsKeepTheContract(t *testing.T) {
	contracttest.Variants(t, kind(t), variants)
}
