package maxwell

import (
	"testing"

	"kumiko/regfile"
	"kumiko/regfile/contracttest"
)

func kind(t testing.TB) *regfile.Kind { return contracttest.Kind(t, "maxwell") }

// variants are files very different from the default.
var variants = map[string]func(*Spec, *contracttest.Config){
	"default":                 func(*Spec, *contracttest.Config) {},
	"one bank, a short queue": func(s *Spec, _ *contracttest.Config) { s.Banks, s.Queue = 1, 4 },
	"many stages, banks and latches, results not announced": func(s *Spec, _ *contracttest.Config) {
		s.Stages, s.Banks, s.Latches, s.Forward = 8, 16, 9, 0
	},
	"banks by warp too, a cycle ahead": func(s *Spec, _ *contracttest.Config) {
		s.BankIndex, s.Forward = "register+warp", 1
	},
	"no reuse cache": func(s *Spec, _ *contracttest.Config) { s.Reuse = false },
	"warps that pause, dealt linearly": func(s *Spec, c *contracttest.Config) {
		s.BankIndex, s.Banks = "linear", 3
		c.Active, c.Suspend = c.Warps/2, 0.2
	},
}

func TestVariantsKeepTheContract(t *testing.T) {
	contracttest.Variants(t, kind(t), variants)
}
