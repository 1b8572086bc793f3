package regpool_test

import (
	"testing"

	"kumiko/regfile/contracttest"
	"kumiko/regfile/conventional"
	"kumiko/regfile/regpool"
)

// The contract is kept whatever the conventional file below is like, and whether each CTA has a pool or the SM has one.
func TestTheDataPlaneKeepsTheContract(t *testing.T) {
	kind := contracttest.Kind(t, "regpool")
	for name, f := range map[string]func(*conventional.Spec){
		"as it is": func(*conventional.Spec) {},
		"one file, one port, bypass": func(s *conventional.Spec) {
			s.SubCores, s.BankPorts, s.Bypass, s.Forward = 1, "1rw", true, 6
		},
	} {
		for _, pool := range []string{regpool.PoolCTA, regpool.PoolSM} {
			t.Run(name+", "+pool, func(t *testing.T) {
				contracttest.Contract(t, kind, contracttest.Tuned(func(x *regpool.Spec, c *contracttest.Config) {
					base := conventional.Default()
					f(&base)
					x.SetBase(&base)
					x.Pool = pool
					c.Known, c.Ops = 8, c.Ops/2
				}))
			})
		}
	}
}
