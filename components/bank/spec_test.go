package bank

import (
	"testing"

	"kumiko/components/spec/spectest"
)

func sound() Spec {
	return Spec{Timing: Timing{ReadLatency: 1, WriteLatency: 1}, Entries: 64, Capacity: 0, Slices: 1}
}

func TestABankTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	x := spectest.Of(t, sound, (*Spec).Check)
	x.Within("entries", 1, 1<<24, func(s *Spec, v int) { s.Entries = v })
	x.Within("capacity", 0, 64, func(s *Spec, v int) { s.Capacity = v })
	x.Within("bank_ports", 0, int(numPorts)-1, func(s *Spec, v int) { s.Ports = Ports(v) })
	x.AtLeast("room", 0, func(s *Spec, v int) { s.Room = v })
	x.Within("side_from", 0, 255, func(s *Spec, v int) { s.SideFrom = v })
	x.Only("slices", map[int]bool{0: false, 1: true, 2: true, 3: false, 4: true, 8: true, 16: false},
		func(s *Spec, v int) { s.Slices = v })
}

func TestABankHasTheBitsOfItsCapacityAndOfItsEntriesWhereThatIsNotGiven(t *testing.T) {
	s := sound()
	if got := s.Bits(); got != 64*1024 {
		t.Errorf("64 entries: %d bits", got)
	}
	s.Capacity = 3
	if got := s.Bits(); got != 3*1024 {
		t.Errorf("3 of 64 entries: %d bits", got)
	}
}

func TestAnIndexIsRefusedForBanksThatItCannotNumber(t *testing.T) {
	for _, c := range []struct {
		policy                  Policy
		banks, warps, registers int
		taken                   bool
	}{
		{ByRegister, 1, 1, 1, true}, {ByRegister, MostBanks, 1, 256, true},
		{ByRegister, 0, 1, 1, false}, {ByRegister, MostBanks + 1, 1, 1, false},
		{ByRegister, 4, 0, 1, false}, {ByRegister, 4, 1, 0, false}, {ByRegister, 4, 1, 257, false},
		{ByRegister, 3, 1, 1, true}, {ByXor, 4, 1, 1, true}, {ByXor, 3, 1, 1, false},
	} {
		if _, err := NewIndex(c.policy, c.banks, c.warps, c.registers, 1); (err == nil) != c.taken {
			t.Errorf("%v: %d banks, %d warps, %d registers: error %v", c.policy, c.banks, c.warps, c.registers, err)
		}
	}
}

func TestAPolicyIsKnownByItsNameAndNoOther(t *testing.T) {
	for p := range numPolicies {
		if got, err := ParsePolicy("bank_index", p.String()); err != nil || got != p {
			t.Errorf("%v: read as %v, %v", p, got, err)
		}
	}
	if _, err := ParsePolicy("bank_index", "none"); err == nil {
		t.Error("a policy \"none\" was read")
	}
}
