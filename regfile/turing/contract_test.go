package turing

import (
	"testing"

	"kumiko/regfile"
	"kumiko/regfile/contracttest"
)

func kind(t testing.TB) *regfile.Kind { return contracttest.Kind(t, "turing") }

// variants are files very different from the default.
var variants = map[string]func(*Spec, *contracttest.Config){
	"default":                 func(*Spec, *contracttest.Config) {},
	"one bank, a short queue": func(s *Spec, _ *contracttest.Config) { s.Banks, s.Queue = 1, 4 },
	"many banks and ports, no announced results": func(s *Spec, _ *contracttest.Config) {
		s.Banks, s.Ports, s.Forward = 16, 8, 0
	},
	"any ports, the shortest window, results announced early": func(s *Spec, _ *contracttest.Config) {
		s.Ports, s.Window, s.Forward = 0, 1, 4
	},
	"a long window, one latch and one place": func(s *Spec, _ *contracttest.Config) {
		s.Window, s.Latches, s.Waiting = 8, 1, 1
	},
	"no register file cache": func(s *Spec, _ *contracttest.Config) { s.Reuse = false },
	"warps that pause, dealt linearly": func(s *Spec, c *contracttest.Config) {
		s.BankIndex, s.Banks = "linear", 3
		c.Active, c.Suspend = c.Warps/2, 0.2
	},
}

func TestVariantsKeepTheContract(t *testing.T) {
	contracttest.Variants(t, kind(t), variants)
}
