package extensiontest

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/regfile"
	"kumiko/regfile/contracttest"
	"kumiko/regfile/conventional"
)

// Launch returns a launch of CTAs of two warps with eight registers each, on an SM with two-level schedulers.
func Launch() *regfile.Launch {
	return &regfile.Launch{WarpsPerCTA: 2, Registers: 8, CTARegisters: 512, Capacity: 64, Warps: 64, Schedulers: 2,
		Active: 8, Others: 16, OthersLimit: "warps", ByRegisters: 4}
}

// AdmitsByTheGPUsRules tests that a design with an active set admits as many CTAs as have registers, with as many
// active warps as have places.
func AdmitsByTheGPUsRules(t *testing.T, admit func(*regfile.Launch) (regfile.Admission, error)) {
	t.Helper()
	l := Launch()
	if a, err := admit(l); err != nil || a.Resident != 4 || a.Active != 4 || a.Used != 4*512 {
		t.Errorf("%+v, error %v; want the 4 CTAs for which there are registers", a, err)
	}
	l.ByRegisters = 0
	if _, err := admit(l); err == nil {
		t.Error("a CTA that does not fit is admitted")
	}
}

// Draw draws a conventional file for a design before it. With a bypass it also draws the unit latencies known to
// the file.
func Draw(t *rapid.T, c *contracttest.Config) conventional.Spec {
	pick := func(name string, of ...int) int { return rapid.SampledFrom(of).Draw(t, name) }
	flip := func(name string) bool { return rapid.Bool().Draw(t, name) }
	s := conventional.Default()
	s.SubCores, s.Banks = pick("sub-cores", 0, 1), pick("banks", 4, 8, 16)
	s.BankPorts = rapid.SampledFrom([]string{"1rw", "1r1w", "2r1w", "2rw"}).Draw(t, "ports")
	s.ReadLatency, s.WriteLatency, s.Blocking = pick("read", 1, 4, 20), pick("write", 1, 4, 20), flip("blocking")
	s.Paths.Cycles = pick("cycles", 1, 4)
	s.Queue, s.Collectors, s.Inputs = pick("queue", 1, 2, 16), pick("collectors", 1, 2, 7), pick("inputs", 1, 3, 8)
	s.ReadTwice, s.OperandStages = flip("twice"), pick("stages", 0, 0, 2)
	s.Forward = pick("forward", 0, 2, 3, 6)
	if s.Bypass = s.Forward > conventional.MaxForward; s.Bypass {
		c.Known = pick("known latency", 1, 4, 8, 40)
		s.BypassEntries, s.BypassWidth = pick("followed", 1, 3, 16), pick("bus", 0, 1)
	}
	return s
}
