package maxwell

import (
	"testing"

	"kumiko/regfile"
	"kumiko/regfile/contracttest"
)

func kind(t testing.TB) *regfile.Kind {
	t.Helper()
	k, err := regfile.Find("maxwell")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// variants are files that differ much from the default.
var variants = map[string]func(*Spec, *contracttest.Config){
	"default":              func(*Spec, *contracttest.Config) {},
	"one slot, one bank":   func(s *Spec, _ *contracttest.Config) { s.Slots, s.Banks, s.Queue = 1, 1, 4 },
	"many slots and banks": func(s *Spec, _ *contracttest.Config) { s.Slots, s.Banks, s.Supply, s.Latches = 8, 16, 8, 9 },
	"slow reads, results not announced": func(s *Spec, _ *contracttest.Config) {
		s.ReadLatency, s.Latches, s.Forward = 5, 6, 0
	},
	"banks by warp too, a cycle ahead": func(s *Spec, _ *contracttest.Config) { s.BankIndex, s.Forward = "register+warp", 1 },
	"no reuse cache, one latch":        func(s *Spec, _ *contracttest.Config) { s.ReuseEntries, s.Latches = 0, 1 },
	"warps that pause, dealt linearly": func(s *Spec, c *contracttest.Config) {
		s.BankIndex, s.Banks = "linear", 3
		c.Active, c.Suspend = c.Warps/2, 0.2
	},
}

func TestVariantsKeepTheContract(t *testing.T) {
	for name, tune := range variants {
		t.Run(name, func(t *testing.T) {
			contracttest.Contract(t, kind(t), func(s any, c *contracttest.Config) {
				c.Ops /= 2
				tune(s.(*Spec), c)
			})
		})
	}
}
