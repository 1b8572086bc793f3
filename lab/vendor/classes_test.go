package main

import "testing"

func TestInstructionsOfBothCodesAreCountedByClass(t *testing.T) {
	rows, err := classes(52, []string{"vecadd"})
	if err != nil {
		t.Fatal(err)
	}
	of := map[string][]string{}
	for _, r := range rows[1:] {
		of[r[0]] = r
	}
	// Two loads, a sum and a store each; ptxas fills its groups of three.
	for _, c := range []string{"load", "fadd", "store"} {
		if r := of[c]; r == nil || r[1] != r[2] || r[3] != "1.00" {
			t.Errorf("%s: %q, want as many in both", c, r)
		}
	}
	if r := of["nop"]; r == nil || r[1] != "0" || r[2] == "0" || r[3] != "-" {
		t.Errorf("nop: %q, want some by ptxas alone", r)
	}
}
