package regdram

import (
	"testing"

	"kumiko/kernel/compiler/intervals"
	"kumiko/regfile"
	"kumiko/regfile/contracttest"
)

func kind(t testing.TB) *regfile.Kind { return contracttest.Kind(t, "reg-dram") }

func swapped(_ *Spec, c *contracttest.Config) {
	c.InFile = max(1, c.Warps/3)
	c.Plan = func([]intervals.Set) any { return &regfile.Launch{Registers: c.Registers} }
}

var variants = map[string]func(*Spec, *contracttest.Config){
	"as it is":             swapped,
	"one warp in the file": func(s *Spec, c *contracttest.Config) { swapped(s, c); c.InFile = 1 },
	"one at a time":        func(s *Spec, c *contracttest.Config) { swapped(s, c); s.Queue = 1 },
	"one file":             func(s *Spec, c *contracttest.Config) { swapped(s, c); s.base.SubCores = 1 },
	"results announced before they are there": func(s *Spec, c *contracttest.Config) {
		swapped(s, c)
		s.base.Bypass, s.base.Forward, c.Known = true, 6, 9
	},
	"results come late": func(s *Spec, c *contracttest.Config) {
		swapped(s, c)
		c.Latency, c.Pool = 400,
			min(c.Pool, 6)
	},
	"slow blocking banks of one port": func(s *Spec, c *contracttest.Config) {
		swapped(s, c)
		s.base.BankPorts, s.base.Blocking, s.base.ReadLatency = "1rw", true, 4
	},
}

func TestKeepsTheContract(t *testing.T) {
	if testing.Short() {
		t.Skip("many organisations")
	}
	contracttest.Variants(t, kind(t), variants)
}

// Every register of a warp is moved in each direction as often as the warp comes back. No warp is still away at the
// end.
func TestEveryRegisterOfAWarpIsMovedEachWay(t *testing.T) {
	late := uint64(0)
	for name, c := range contracttest.Configs() {
		s := Default()
		swapped(&s, &c)
		o, err := contracttest.Run(contracttest.With(kind(t), s), c, 0)
		if err != nil {
			t.Fatal(err)
		}
		want := uint64(o.Restored * c.Registers)
		out, in := o.Stats["regfile.reg-dram.registers_out"], o.Stats["regfile.reg-dram.registers_in"]
		if o.Restored < 5 || out != want || in != want || o.Stats["regfile.bank.reads.switch"] != want {
			t.Errorf("%s: %d warps came back: %d registers out and %d in, %d read, want %d", name, o.Restored, out, in,
				o.Stats["regfile.bank.reads.switch"], want)
		}
		late += o.Stats["regfile.reg-dram.late_results"]
	}
	if late == 0 {
		t.Error("no result has come for a register that was in memory")
	}
}
