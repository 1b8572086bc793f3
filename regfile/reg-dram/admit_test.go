package regdram

import (
	"testing"

	"kumiko/regfile"
)

// Of CTAs of 16 warp registers four fit in the file, and two more are off the chip.
func TestCTAsOffTheChipAddToTheFittingCTAs(t *testing.T) {
	for name, x := range map[string]struct {
		registers, others, slotted int
		resident, active, held     int
		limit                      string
	}{
		"registers bind":           {4, 16, 16, 6, 4, 4, ""},
		"slots bind":               {4, 16, 3, 6, 3, 4, ""},
		"others bind a little":     {4, 5, 16, 5, 4, 4, ""},
		"others bind":              {4, 3, 16, 3, 3, 3, "warps"},
		"both bind":                {4, 4, 16, 4, 4, 4, ""},
		"one CTA fits in the file": {1, 16, 16, 3, 1, 1, ""},
	} {
		s := Default()
		s.OffChip = 2
		a, err := s.Admit(&regfile.Launch{WarpsPerCTA: 2, Registers: 8, CTARegisters: 512, Capacity: 64,
			ByRegisters: x.registers, Others: x.others, Slotted: x.slotted, OthersLimit: "warps"})
		if err != nil || a.Resident != x.resident || a.Active != x.active || a.Held != x.held || a.Limit != x.limit {
			t.Errorf("%s: %+v, error %v; want %+v", name, a, err, x)
		}
		if a.Used != 512*x.held || a.Figures[0].Value != x.resident-x.held {
			t.Errorf("%s: %d registers, %d CTAs off the chip; want %d and %d", name, a.Used, a.Figures[0].Value,
				512*x.held, x.resident-x.held)
		}
	}
}

func TestACTAThatDoesNotFitIsRefusedWithItsNeed(t *testing.T) {
	s := Default()
	const want = "a CTA needs 16 warp registers, an SM has 15"
	if _, err := s.Admit(&regfile.Launch{WarpsPerCTA: 2, Registers: 8, Capacity: 15, Others: 4}); err == nil ||
		err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
}
