package maxwell

import (
	"math"
	"testing"

	"kumiko/kernel/ir"
)

// alternate is a number of instructions in turn, each under the given flags.
func alternate(flags uint8, list ...[]ir.RegID) []ir.Inst {
	var out []*ir.Inst
	for i := range 6 {
		out = append(out, fma(-1, flags, list[i%len(list)]...))
	}
	return sequence(out...)
}

// The cycles of six instructions of one warp without stalls. Sources: CuAssembler's
// microbenchmarks (TestData/microbench/RegBank) on a GPU of compute capability 5.0, whose figures
// stand behind each line.
func TestSixInstructionsTakeTheCyclesOfTheHardware(t *testing.T) {
	a, b, c := regs(8, 12, 16), regs(9, 13, 5), regs(10, 14, 6)
	const both = flagA | flagB
	for _, x := range []struct {
		name string
		seq  []ir.Inst
		want float64
	}{
		{"no conflict", alternate(0, regs(8, 9, 10)), 6},                                         // 6.02
		{"three of one bank", alternate(0, a), 18},                                               // 17.6
		{"a flagged", alternate(flagA, a), 12},                                                   // 11.8
		{"b flagged", alternate(flagB, a), 12},                                                   // 11.8
		{"both flagged", alternate(both, a), 6},                                                  // 6.07
		{"a register twice", alternate(0, regs(8, 8, 16)), 12},                                   // 11.77
		{"twice, a flagged", alternate(flagA, regs(8, 8, 16)), 12},                               // 11.77
		{"twice, both flagged", alternate(both, regs(8, 8, 16)), 6},                              // 6.00
		{"twice, no conflict", alternate(0, regs(9, 9, 16)), 6},                                  // 5.96
		{"three of three banks", sequence(pattern("3000"), pattern("0300"), pattern("0030")), 9}, // 8.91
		{"three and one", sequence(pattern("3000"), pattern("0100"), pattern("0100")), 8},        // 7.93
		{"three and twice two", sequence(pattern("3000"), pattern("2100"), pattern("2100")), 14}, // 13.86
		{"always three", sequence(pattern("3000"), pattern("3000"), pattern("3000")), 18},        // 17.75
		{"two of two banks", sequence(pattern("2100"), pattern("1200"), pattern("0021")), 6},     // 5.96
		{"two in turn", alternate(0, a, b), 9},                                                   // 8.92
		{"two in turn, flagged", alternate(both, a, b), 6},                                       // 6.12
		{"three in turn, flagged", alternate(both, a, b, c), 9},                                  // 8.92
	} {
		if got := perSix(t, Default(), load{seq: x.seq, warps: 1, n: 1200}); math.Abs(got-x.want) > 0.03 {
			t.Errorf("%s: %.2f cycles, want %g", x.name, got, x.want)
		}
	}
}

// Every triple of instructions without three registers in one bank, and with at most three of a
// bank in all, takes six cycles (5.96 to 6.04 measured): the same 238 triples of patterns as in
// CuAssembler's list, up to the names of banks, and their rotations.
func TestConflictsOfTwoCostNothingWhileTheBanksKeepUp(t *testing.T) {
	patterns := []string{"2100", "2010", "2001", "1200", "0210", "0201", "1020", "0120", "0021", "1002", "0102", "0012",
		"1110", "1101", "1011", "0111", "2000", "0200", "0020", "0002"}
	n := 0
	for _, p := range patterns {
		for _, q := range patterns {
			for _, r := range patterns {
				if !fits(p, q, r) {
					continue
				}
				n++
				got := perSix(t, Default(), load{seq: sequence(pattern(p), pattern(q), pattern(r)), warps: 1, n: 120})
				if math.Abs(got-6) > 0.11 {
					t.Errorf("%s, %s, %s: %.2f cycles, want 6", p, q, r, got)
				}
			}
		}
	}
	if n < 238 {
		t.Errorf("only %d triples", n)
	}
}

// fits reports whether no bank serves more than three registers of three patterns.
func fits(list ...string) bool {
	var sum [4]int
	for _, p := range list {
		for b := range sum {
			sum[b] += int(p[b] - '0')
		}
	}
	return max(sum[0], sum[1], sum[2], sum[3]) <= 3
}

// stalled returns the mean over the possible phases of the warps' starts.
func stalled(t testing.TB, seq []ir.Inst, warps int, stalls ...int) float64 {
	t.Helper()
	phases := uint64(60)
	if testing.Short() {
		phases = 4
	}
	warps = min(warps, active)
	sum := 0.0
	for seed := range phases {
		sum += perSix(t, Default(), load{seq: seq, warps: warps, stalls: stalls, seed: seed + 1,
			n: max(240, 60*warps)})
	}
	return sum / float64(phases)
}

// active is the number of warps of a scheduler issuing by turns: with more warps, and stalls of 5 and above, the
// measured cycles equal those of four.
const active = 4

// times is n stalls alike.
func times(n, stall int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = stall
	}
	return out
}

// The cycles of six instructions of several stalling warps. Sources as above.
func TestWarpsThatStallTakeTheCyclesOfTheHardware(t *testing.T) {
	one, three := pair(8, 9, flagA), alternate(flagA|flagB, regs(8, 12, 16), regs(9, 13, 5))
	for _, x := range []struct {
		name         string
		seq          []ir.Inst
		warps, stall int
		want, within float64
	}{
		{"stall 2, two warps", one, 2, 2, 6, 0.01},                  // 6.5
		{"stall 2, 16 warps", one, 16, 2, 6, 0.01},                  // 6.0
		{"stall 3, two warps", one, 2, 3, 9, 0.01},                  // 9.4
		{"stall 3, three warps", one, 16, 3, 12, 0.1},               // 11.6
		{"stall 2, two registers in turn", three, 16, 2, 10.4, 0.3}, // 10.41
	} {
		if got := stalled(t, x.seq, x.warps, times(6, x.stall)...); math.Abs(got-x.want) > x.within {
			t.Errorf("%s: %.2f cycles, want %g", x.name, got, x.want)
		}
	}
	for stall := 5; stall <= 11; stall++ {
		got := stalled(t, alternate(0, regs(8, 9, 10)), 16, times(6, stall)...)
		if want := 1.5 * float64(stall); math.Abs(got-want) > 0.1 {
			t.Errorf("stall %d: %.2f cycles, want %g", stall, got, want)
		}
	}
}
