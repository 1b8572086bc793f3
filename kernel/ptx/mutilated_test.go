package ptx

import (
	"slices"
	"strings"
	"testing"
)

// Each form of the page without one of its modifiers, and without one of its operands, is read
// or refused: nothing panics.
func TestFormsThatLackAModifierOrAnOperandAreReadOrRefused(t *testing.T) {
	tried := 0
	try := func(f coveredForm) {
		defer func() {
			if p := recover(); p != nil {
				t.Errorf("%s %s: %v", f.inst, f.operands, p)
			}
		}()
		tried++
		_, _ = f.parse() // either
	}
	for _, f := range forms(t) {
		parts := strings.Split(f.inst, ".")
		for i := 1; i < len(parts); i++ {
			try(coveredForm{strings.Join(slices.Delete(slices.Clone(parts), i, i+1), "."), f.operands, ""})
		}
		operands := strings.Split(f.operands, ",")
		for i := range operands {
			try(coveredForm{f.inst, strings.Join(slices.Delete(slices.Clone(operands), i, i+1), ","), ""})
		}
	}
	if tried < 5000 {
		t.Errorf("%d tried, want at least 5000", tried)
	}
}
