package sharing

import "testing"

func parse(t *testing.T, f float64) threshold {
	t.Helper()
	th, err := parseThreshold(f)
	if err != nil {
		t.Fatal(err)
	}
	return th
}

// hotspot (table 2): 9216 registers per CTA of 32768, three CTAs without
// sharing. (32768 - 3*9216*0.9) / 921.6 = 8.55: bounded by 2*3 = 6: 3 pairs.
func TestHotspotSharesInThreePairs(t *testing.T) {
	pairs, unshared := parse(t, 0.1).CTAs(32768, 9216, 3, 6)
	if pairs != 3 || unshared != 0 {
		t.Errorf("%d pairs and %d unshared, want 3 and 0", pairs, unshared)
	}
}

// (57 - 50*0.86) / (0.14*50) = 14/7 = 2, below 2 in binary floating point.
func TestAWholeQuotientIsNotRoundedDown(t *testing.T) {
	if pairs, unshared := parse(t, 0.14).CTAs(57, 50, 1, 100); pairs != 1 || unshared != 0 {
		t.Errorf("%d pairs and %d unshared, want 1 and 0", pairs, unshared)
	}
}

func TestAtThresholdZeroEveryCTAThatMayHasAPartner(t *testing.T) {
	if pairs, unshared := parse(t, 0).CTAs(100, 30, 3, 5); pairs != 2 || unshared != 1 {
		t.Errorf("%d pairs and %d unshared, want 2 and 1: five CTAs on the registers of three", pairs, unshared)
	}
	if n := parse(t, 0).Private(36); n != 0 {
		t.Errorf("%d private registers, want none", n)
	}
}

func TestAtThresholdOneNothingIsShared(t *testing.T) {
	if pairs, unshared := parse(t, 1).CTAs(32768, 9216, 3, 6); pairs != 0 || unshared != 3 {
		t.Errorf("%d pairs and %d unshared, want 0 and 3", pairs, unshared)
	}
}

// 36 registers at 0.1: 3.6, so the first three (section 4). 100 at 0.29 are 29,
// not the 28.99... of binary floating point.
func TestARegisterIsPrivateWhenItsNumberIsAtMostTheThreshold(t *testing.T) {
	for _, c := range []struct {
		t       float64
		n, want int
	}{{0.1, 36, 3}, {0.29, 100, 29}, {0.7, 10, 7}, {1, 255, 255}} {
		if got := parse(t, c.t).Private(c.n); got != c.want {
			t.Errorf("%v of %d registers: %d private, want %d", c.t, c.n, got, c.want)
		}
	}
}

func TestAThresholdOutsideZeroToOneIsRefused(t *testing.T) {
	for _, f := range []float64{-0.01, 1.01} {
		if _, err := parseThreshold(f); err == nil {
			t.Errorf("%v was accepted", f)
		}
	}
}

// With all registers a CTA's own, (100 - 2*50*0) / 50 = 2 CTAs, and as many without sharing.
func TestWhereAsManyFitNothingIsShared(t *testing.T) {
	if n := parse(t, 1).Most(100, 50, 2); n != 2 {
		t.Errorf("%d CTAs, want 2", n)
	}
	if pairs, unshared := parse(t, 1).CTAs(100, 50, 2, 5); pairs != 0 || unshared != 2 {
		t.Errorf("%d pairs and %d unshared, want 0 and 2", pairs, unshared)
	}
}

// (100 - 3*30*0.5) / (0.5*30) = 3.67, so nothing is shared; with 120 registers it is 5.
func TestTheMostCTAsAreThoseOfEquation4(t *testing.T) {
	for capacity, want := range map[int]int{100: 3, 120: 5} {
		if n := parse(t, 0.5).Most(capacity, 30, 3); n != want {
			t.Errorf("of %d registers: %d CTAs, want %d", capacity, n, want)
		}
	}
}

// Two pairs and an unshared CTA of 10 registers take 2*1.25*10 + 10 = 35, and of 11 registers
// 38.5, rounded up.
func TestUsedRegistersAreRoundedUp(t *testing.T) {
	for perCTA, want := range map[int]int{10: 35, 11: 39} {
		if n := parse(t, 0.25).Used(perCTA, 2, 1); n != want {
			t.Errorf("CTAs of %d registers use %d, want %d", perCTA, n, want)
		}
	}
}
