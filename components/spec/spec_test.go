package spec_test

import (
	"cmp"
	"errors"
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

func TestAWordThatIsNoneOfASettingsValuesIsRefusedWithThem(t *testing.T) {
	if err := cmp.Or(spec.OneOf("store", "evict", "allocate", "evict"),
		spec.OneOf("on", "a", "a", "b", "c")); err != nil {
		t.Error(err)
	}
	if err := spec.OneOf("on", "d", "a", "b", "c"); err == nil || err.Error() != "on: found d, expected a, b or c" {
		t.Errorf("error %v", err)
	}
}

func TestAnErrorAboutAnotherSectionKeepsItsKey(t *testing.T) {
	if err := spec.Within("regfile.outer", spec.Elsewhere("regfile.inner.size", 3, "%d", 4)); err == nil ||
		err.Error() != "regfile.inner.size: found 3, expected 4" {
		t.Errorf("error %v", err)
	}
	other := errors.New("no value")
	if err := spec.Within("regfile.outer", other); err != other {
		t.Errorf("error %v", err)
	}
}
