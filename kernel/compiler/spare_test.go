package compiler

import (
	"fmt"
	"strings"
	"testing"
)

func TestSpareRegistersBringLoadsAheadOfTheirUses(t *testing.T) {
	// Ten sums, and ten other values, live throughout; each sum reads a value from shared memory. Without registers
	// to spare the last loads stand next to their uses; with eight more registers, more loads go ahead.
	lines := []string{"mov.u32 %r1, %tid.x"}
	each := func(format string) {
		for i := range 10 {
			lines = append(lines, strings.NewReplacer("A", fmt.Sprint(i), "B", fmt.Sprint(10+i), "W",
				fmt.Sprint(4*i)).Replace(format))
		}
	}
	each("ld.shared.f32 %fA, [%r1+W]")
	each("ld.shared.u32 %rB, [%r1+W]")
	for i := range 10 {
		lines = append(lines, fmt.Sprintf("ld.shared.f32 %%f%d, [%%r1+%d]", 10+i, 7000+4*i),
			fmt.Sprintf("fma.rn.f32 %%f%d, %%f%d, %%f%d, %%f%d", i, 10+i, 10+i, i))
	}
	each("st.shared.f32 [%r1+W], %fA")
	each("st.shared.u32 [%r1+W], %rB")
	ahead := func(spare int) int { // loads before the first sum
		text := body(t, Options{Spare: spare}, lines...)
		return strings.Count(text[:strings.Index(text, "fma")], "ld.shared")
	}
	if none, some := ahead(0), ahead(8); some < none+4 {
		t.Errorf("%d loads stand before the first use with 8 registers to spare, %d without", some, none)
	}
}
