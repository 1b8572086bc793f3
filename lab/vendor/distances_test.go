package main

import "testing"

// For sm_90 ptxas counts on the words of an IMAD.WIDE coming and being read one after the other (h100's halves), and
// for sm_86 it does not.
func TestTheWordsForSM90ReadTheHalvesOfAProductApart(t *testing.T) {
	for arch, want := range map[int]map[edge]int{
		90: {{"int_mul, lower word", "int"}: 3, {"move", "int_mul, upper word of the addend"}: 2,
			{"dmul", "dfma"}: 8, {"fma", "fma"}: 4},
		86: {{"int_mul, lower word", "int"}: 5, {"move", "int_mul, upper word of the addend"}: 4,
			{"dmul", "dfma"}: 10, {"fma", "fma"}: 4},
	} {
		list, err := distances(arch, []string{"atax", "backprop", "gemm", "quasirandomGenerator"})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range list {
			if n, ok := want[x.edge]; ok && n != x.least {
				t.Errorf("sm_%d: %d cycles from %s to %s at %s, want %d", arch, x.least, x.from, x.to, x.place, n)
			}
			delete(want, x.edge)
		}
		for e := range want {
			t.Errorf("sm_%d: no dependence from %s to %s", arch, e.from, e.to)
		}
	}
}
