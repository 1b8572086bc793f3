package maxwell

import (
	"math/rand/v2"
	"testing"

	"kumiko/kernel/ir"
)

// dependent returns instructions, each reading the result of the one before and two registers, of other banks or of
// the same.
func dependent(rng *rand.Rand, n int) []ir.Inst {
	var out []ir.Inst
	for i := range n {
		other := func() ir.RegID { return ir.RegID(40 + rng.IntN(40)) }
		out = append(out, *fma(4+(i+1)%n, 0, ir.RegID(4+i), other(), other()))
	}
	return out
}

// violations runs dependent instructions of several warps under a stall, and returns how many
// operands were wrong and in how many cycles nothing moved.
func violations(t *testing.T, seed uint64, stall int, deaf bool) (wrong int, halts uint64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 2))
	l := load{seq: dependent(rng, 24), warps: 5, stalls: times(24, stall), seed: seed, n: 2000}
	x := newDrive(t, Default(), l, true)
	x.f.deaf = deaf
	for x.d.Step(100000) {
	}
	if x.e.got != l.n {
		t.Fatalf("%d instructions arrived, want %d", x.e.got, l.n)
	}
	return len(x.f.check.Violations()), x.reg.Snapshot()["regfile.maxwell.halts"]
}

// With a unit of latency 4 a stall of 6 is enough, whatever the conflicts, if the scheduler obeys the gate and
// stops stall counts while it is closed. A stall of 5 is too short, and so is a stall of 6 with stall counts
// running while the gate is closed.
func TestAFixedLatencyHoldsInSpiteOfConflicts(t *testing.T) {
	halts, deaf := uint64(0), 0
	for seed := uint64(1); seed <= 20; seed++ {
		wrong, n := violations(t, seed, 6, false)
		if wrong > 0 {
			t.Errorf("seed %d: %d operands are wrong with a stall of 6", seed, wrong)
		}
		halts += n
		if wrong, _ := violations(t, seed, 5, false); wrong == 0 {
			t.Errorf("seed %d: no operand is wrong with a stall of 5", seed)
		}
		wrong, _ = violations(t, seed, 6, true)
		deaf += wrong
	}
	if halts < 1000 || deaf == 0 {
		t.Errorf("only %d cycles in which nothing moves; %d operands are wrong without the gate", halts, deaf)
	}
}
