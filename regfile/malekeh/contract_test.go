package malekeh

import (
	"testing"

	"kumiko/regfile"
	"kumiko/regfile/contracttest"
)

func kind(t testing.TB) *regfile.Kind { return contracttest.Kind(t, "malekeh") }

// variants are units very different from the default.
var variants = map[string]func(*Spec, *contracttest.Config){
	"default":            func(*Spec, *contracttest.Config) {},
	"bits, near results": func(s *Spec, _ *contracttest.Config) { s.Hints, s.Near, s.Writes = Bit, 12, Near },
	"one unit, one entry": func(s *Spec, _ *contracttest.Config) {
		s.Units, s.Entries, s.Prefer = 1, 1, false
	},
	"a wait":      func(s *Spec, _ *contracttest.Config) { s.Wait = 8 },
	"a long wait": func(s *Spec, _ *contracttest.Config) { s.Wait, s.Near, s.Units = 300, 254, 1 },
	"a unit and all registers for every warp": func(s *Spec, _ *contracttest.Config) {
		s.Units, s.Entries = 64, 256
	},
	"warps that pause": func(s *Spec, c *contracttest.Config) { c.Active, c.Suspend = c.Warps/2, 0.2 },
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
	"one file":                        func(s *Spec, _ *contracttest.Config) { s.base.SubCores, s.Units = 1, 8 },
}

// conventionalForward is the longest announcement of results with a bypass.
const conventionalForward = 6

func TestVariantsKeepTheContract(t *testing.T) {
	contracttest.Variants(t, kind(t), variants)
}
