package sharing_test

import (
	"testing"

	"kumiko/regfile"
	"kumiko/regfile/contracttest"
	"kumiko/regfile/conventional"
	"kumiko/regfile/sharing"
)

func kind(t *testing.T) *regfile.Kind { return contracttest.Kind(t, "sharing") }

// Whatever the conventional file below it is like.
func TestTheDataPlaneKeepsTheContract(t *testing.T) {
	for name, f := range map[string]func(*conventional.Spec){
		"as it is": func(*conventional.Spec) {},
		"one file, one port, bypass": func(s *conventional.Spec) {
			s.SubCores, s.BankPorts, s.Bypass, s.Forward = 1, "1rw", true, 6
		},
		"narrow banks": func(s *conventional.Spec) { s.SubCores, s.Banks, s.BankWidth = 1, 32, 16 },
	} {
		t.Run(name, func(t *testing.T) {
			contracttest.Contract(t, kind(t), contracttest.Tuned(func(x *sharing.Spec, c *contracttest.Config) {
				base := conventional.Default()
				f(&base)
				x.SetBase(&base)
				x.Dynamic = true
				c.Known, c.Ops = 8, c.Ops/2
			}))
		})
	}
}
