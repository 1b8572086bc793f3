package machine_test

import (
	"fmt"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
)

// chase loads through few registers, then uses many.
var chase = func() string {
	var b string
	for range 6 {
		b += "ld.global.u32 %r7, [%rd2]; xor.b32 %r7, %r7, %r7; cvt.u64.u32 %rd4, %r7; add.u64 %rd2, %rd2, %rd4;\n"
	}
	b += "cvt.rn.f32.u32 %f0, %r7;\n"
	for r := 1; r <= 14; r++ {
		b += fmt.Sprintf("add.f32 %%f%d, %%f%d, 0f3F800000;\n", r, r-1)
	}
	for r := 14; r > 0; r-- {
		b += fmt.Sprintf("mul.f32 %%f0, %%f0, %%f%d;\n", r)
	}
	return machinetest.WarpText(b + "st.global.f32 [%rd2], %f0;\n")
}()

func chased(t *testing.T, ctas int, set ...string) result.Kernel {
	t.Helper()
	m := machine(t, "sharing-unroll", gpus.Options{Check: true},
		append([]string{"sm.registers=2176", "regfile.threshold=0.5"}, set...)...)
	if err := machinetest.Launch(t, m, chase, ctas, 64, 20); err != nil {
		t.Fatal(err)
	}
	return m.Results()[0]
}

// Two CTAs to each of two SMs, over before the first window is: in SM 0 the
// second CTA does not load before the first one has ended, in SM 1 nothing is
// held back.
func TestOnlySM0HoldsBackWhileTheProbabilityIs1(t *testing.T) {
	off, on := chased(t, 4), chased(t, 4, "regfile.sharing.dynamic=true", "regfile.sharing.window=100000")
	for sm, held := range []bool{true, false} {
		if n := on.SMs[sm].IssueSlots["dynamic"]; n > 0 != held {
			t.Errorf("SM %d lost %d issue slots to held memory instructions, want some: %v", sm, n, held)
		}
	}
	// One load of each of the two warps was held, once.
	if n := on.Stats["regfile.sharing.dynamic.withheld"]; n < 2 {
		t.Errorf("%d instructions were held back", n)
	}
	if on.Cycles <= off.Cycles {
		t.Errorf("%d cycles with SM 0 holding back, %d without", on.Cycles, off.Cycles)
	}
}

// With windows of 64 cycles the probability moves, and SM 1 holds back too.
func TestTheProbabilityMovesOnTheMachine(t *testing.T) {
	on := chased(t, 200, "regfile.sharing.dynamic=true", "regfile.sharing.window=64")
	s := on.Stats
	if s["regfile.sharing.dynamic.lowered"] == 0 || s["regfile.sharing.dynamic.raised"] == 0 ||
		on.SMs[1].IssueSlots["dynamic"] == 0 {
		t.Errorf("lowered %d times, raised %d times, SM 1 held back in %d slots", s["regfile.sharing.dynamic.lowered"],
			s["regfile.sharing.dynamic.raised"], on.SMs[1].IssueSlots["dynamic"])
	}
	mean := float64(s["regfile.sharing.dynamic.probability_steps"]) / 10 / float64(s["regfile.sharing.dynamic.windows"])
	if !(mean > 0 && mean < 1) {
		t.Errorf("mean probability %v, SM 0's zeros included", mean)
	}
}

// Blocks of 64 threads of 20 registers leave 0.7 of a CTA on 2176 registers and share. Of blocks of 32 threads
// three CTAs fit and 0.4 of another; at threshold 0.5 this leaves nothing to share. Every launch has a plan of its
// own.
func TestLaunchesWithAndWithoutSharingAlternate(t *testing.T) {
	m := machine(t, "sharing-unroll", gpus.Options{Check: true}, "sm.registers=2176", "regfile.threshold=0.5")
	for i, block := range []int{64, 32, 64, 32} {
		if err := machinetest.Launch(t, m, chase, 24, block, 20); err != nil {
			t.Fatal(err)
		}
		r := m.Results()[i]
		if share := block == 64; (r.IssueSlots["lock"] > 0) != share ||
			(r.Stats["regfile.sharing.ctas_shared"] == 24) != share {
			t.Errorf("launch %d, blocks of %d: %d slots lost to locks, %d CTAs shared", i, block, r.IssueSlots["lock"],
				r.Stats["regfile.sharing.ctas_shared"])
		}
	}
}
