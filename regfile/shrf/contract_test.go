package shrf

import (
	"testing"

	"kumiko/kernel/compiler/intervals"
	"kumiko/regfile/contracttest"
)

// PlanOf keeps the first registers of every set, writes odd-numbered ones of these through, and treats every
// register as live.
func PlanOf(entries int) func(sets []intervals.Set) any {
	return func(sets []intervals.Set) any {
		p := &Plan{Strands: make([]Strand, len(sets))}
		for i := range sets {
			s := &p.Strands[i]
			s.Live = every
			for e, r := range sets[i].Registers() {
				if e == entries {
					break
				}
				s.keep(r, e)
				if r%2 == 1 {
					s.Through.Add(r)
				}
			}
		}
		return p
	}
}

var variants = map[string]func(*Spec, *contracttest.Config){
	"nobody pauses":    func(*Spec, *contracttest.Config) {},
	"warps that pause": func(_ *Spec, c *contracttest.Config) { c.Active, c.Suspend = c.Warps/2, 0.2 },
	"a warp active":    func(_ *Spec, c *contracttest.Config) { c.Active, c.Suspend = 1, 0.5 },
	"few entries":      func(s *Spec, c *contracttest.Config) { s.Entries, c.Active, c.Suspend = 3, c.Warps/2, 0.2 },
	"many ports": func(s *Spec, c *contracttest.Config) {
		s.Reads, s.Writes, s.FlushWidth, c.Active, c.Suspend = 16, 16, 16, c.Warps/2, 0.2
	},
	"slow blocking banks of one port": func(s *Spec, c *contracttest.Config) {
		s.base.BankPorts, s.base.Blocking, s.base.ReadLatency, s.base.WriteLatency, s.base.Queue = "1rw", true, 9, 9, 1
		c.Active, c.Suspend = c.Warps/2, 0.2
	},
	"one file": func(s *Spec, c *contracttest.Config) { s.base.SubCores, c.Active, c.Suspend = 1, c.Warps/2, 0.2 },
	"a bypass": func(s *Spec, c *contracttest.Config) {
		s.base.Bypass, s.base.Forward, c.Known = true, 6, 5
		c.Active, c.Suspend = c.Warps/2, 0.2
	},
}

func TestTheContractIsKept(t *testing.T) {
	contracttest.Variants(t, contracttest.Kind(t, "shrf"), variants, func(s *Spec, c *contracttest.Config) {
		c.Regions, c.Plan = 16, PlanOf(s.Entries)
	})
}
