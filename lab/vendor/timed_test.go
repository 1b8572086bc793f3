package main

import (
	"strconv"
	"testing"

	"kumiko/gpus/result"
)

func TestAKernelsLaunchesAreAddedInTheOrderOfTheFirst(t *testing.T) {
	launch := func(name string, cycles, reads, waits uint64) (k result.Kernel) {
		k.Name, k.Cycles = name, cycles
		k.Stats = map[string]uint64{"regfile.bank.reads.operand": reads, "regfile.arbiter.read_conflicts": waits}
		return k
	}
	order, of := sum([]result.Kernel{launch("b", 5, 10, 1), launch("a", 7, 0, 0), launch("b", 6, 30, 3)})
	if len(order) != 2 || order[0] != "b" || of["b"] != (costs{11, 40, 4}) || of["b"].conflicts() != 10 ||
		of["a"].conflicts() != 0 {
		t.Errorf("%q, %+v", order, of)
	}
}

// Nothing that executes is as fast as nothing, and both codes read registers.
func TestBothCodesOfAProgramAreTimed(t *testing.T) {
	rows, err := timed(52, []string{"vecadd"})
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 3 || rows[1][1] != "vecadd" {
		t.Fatalf("%q", rows)
	}
	for _, at := range []int{2, 3} {
		if n, err := strconv.Atoi(rows[1][at]); err != nil || n < 400 {
			t.Errorf("%s %s, want the cycles of a load at least", rows[0][at], rows[1][at])
		}
	}
	if rows[1][2] == rows[1][3] {
		t.Error("the codes take equally long: want two codes")
	}
}
