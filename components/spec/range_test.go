package spec_test

import (
	"cmp"
	"testing"

	"kumiko/components/spec"
)

func TestBothEndsOfARangeAreWithinIt(t *testing.T) {
	if err := cmp.Or(spec.InRange("low", 1, 1, 4), spec.InRange("high", 4, 1, 4)); err != nil {
		t.Error(err)
	}
}

func TestTheFirstNumberOutOfItsRangeIsRefusedByName(t *testing.T) {
	for v, want := range map[int]string{0: "queue: found 0, expected 1 to 4", 5: "queue: found 5, expected 1 to 4"} {
		err := cmp.Or(spec.InRange("fine", 2, 2, 2), spec.InRange("queue", v, 1, 4), spec.InRange("late", 9, 1, 4))
		if err == nil || err.Error() != want {
			t.Errorf("%d: %v, want %s", v, err, want)
		}
	}
}
