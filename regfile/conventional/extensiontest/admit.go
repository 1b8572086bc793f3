package extensiontest

import (
	"testing"

	"kumiko/regfile"
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
