package regfile_test

import (
	"testing"

	"kumiko/regfile"
)

func TestTheRulesAdmitWhatRegistersAndEverythingElseAllow(t *testing.T) {
	for name, x := range map[string]struct {
		registers, others, want int
		limit                   string
	}{
		"registers bind": {4, 16, 4, ""}, "others bind": {4, 3, 3, "warps"}, "both bind": {4, 4, 4, ""},
		"one CTA": {1, 16, 1, ""},
	} {
		a, err := (&regfile.Launch{CTARegisters: 512, ByRegisters: x.registers, Others: x.others,
			OthersLimit: "warps"}).ByRules()
		if err != nil || a.Resident != x.want || a.Active != x.want || a.Limit != x.limit || a.Used != 512*x.want {
			t.Errorf("%s: %+v, error %v; want %d CTAs, limit %q", name, a, err, x.want, x.limit)
		}
	}
}

func TestACTAThatDoesNotFitIsRefusedWithItsNeed(t *testing.T) {
	l := &regfile.Launch{WarpsPerCTA: 2, Registers: 8, Capacity: 15, Others: 4}
	const want = "a CTA needs 16 warp registers, an SM has 15"
	if _, err := l.ByRules(); err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
}
