package spec_test

import (
	"errors"
	"testing"

	"kumiko/components/spec"
)

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
