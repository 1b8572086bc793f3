package compiler

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/compiler/internal/randptx"
	"kumiko/kernel/ir"
)

func TestTheStepIsTheMostRegistersThatCostNoCTA(t *testing.T) {
	for _, c := range []struct{ registers, threads, want int }{
		{20, 256, 20}, // 6 CTAs by 48 warps and by registers: 32768 / (6 * 256) = 21.3
		{22, 256, 24}, // 24 charged, 5 CTAs: 32768 / (5 * 256) = 25.6
		{28, 256, 32}, // 4 CTAs
		{16, 64, 64},  // 8 CTAs by their number: 32768 / (8 * 64)
		{16, 65, 40},  // charged as 96 threads: 32768 / (8 * 96) = 42.7
		{63, 1024, 63},
	} {
		if got := fermi.step(c.registers, c.threads); got != c.want {
			t.Errorf("%d registers, CTAs of %d threads: %d, want %d", c.registers, c.threads, got, c.want)
		}
	}
}

func TestNoStepCostsACTAAndNoneIsLeftOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Room{Registers: 1024 * rapid.IntRange(8, 64).Draw(t, "K"), Warps: rapid.IntRange(16, 64).Draw(t, "warps"),
			CTAs: rapid.IntRange(1, 32).Draw(t, "CTAs"), Unit: rapid.SampledFrom([]int{1, 4, 8}).Draw(t, "unit")}
		n, threads := rapid.IntRange(1, 255).Draw(t, "registers"), rapid.IntRange(1, 1024).Draw(t, "threads")
		held := func(n int) int {
			all := roundUp(threads, 32)
			return min(r.CTAs, r.Warps*32/all, r.Registers/(all*roundUp(n, r.Unit)))
		}
		step := r.step(n, threads)
		if held(n) > 0 && (held(step) < held(n) || step < n || held(roundUp(step, r.Unit)+1) == held(n)) {
			t.Errorf("%d registers hold %d CTAs, the step %d holds %d, and one more %d", n, held(n), step,
				held(step), held(roundUp(step, r.Unit)+1))
		}
	})
}

// sums is a kernel of 18 sums, each of a value from memory and the one before.
func sums(space string) []string {
	lines := []string{"mov.u32 %r1, %tid.x", "ld.param.u64 %l1, [a]", "mov.f32 %f0, 0f00000000"}
	base := "%r1"
	if space == "global" {
		base = "%l1"
	}
	for i := range 18 {
		lines = append(lines, fmt.Sprintf("ld.%s.f32 %%f%d, [%s+%d]", space, 1+i, base, 4*i),
			fmt.Sprintf("fma.rn.f32 %%f0, %%f%d, %%f0, %%f0", 1+i))
	}
	return append(lines, "st."+space+".f32 ["+base+"], %f0")
}

// before counts the loads in front of the first sum.
func before(text string) int { return strings.Count(text[:strings.Index(text, "fma")], "ld.") }

func TestLoadsGoAheadInTheRegistersThatTheLaunchAsksFor(t *testing.T) {
	few := before(body(t, Options{Ahead: true, Registers: 12}, sums("global")...))
	many := before(body(t, Options{Ahead: true, Registers: 40}, sums("global")...))
	if few > 11 || many < few+3 {
		t.Errorf("%d loads stand before the first sum with 12 registers, %d with 40", few, many)
	}
}

func TestALoadGoesNoFartherAheadThanCoversItsLatency(t *testing.T) {
	// Sums wait for one another 6 cycles each: five of them cover the 30 cycles of a load from shared memory, and
	// fourteen the 80 cycles assumed for a load from elsewhere.
	for space, want := range map[string]int{"shared": 6, "global": 14} {
		if n := before(body(t, Options{Ahead: true, Registers: 64}, sums(space)...)); n < want-1 || n > want+1 {
			t.Errorf("%d loads of %s memory stand before the first sum, want about %d", n, space, want)
		}
	}
}

func TestACTAOfUnknownSizeLeavesTheScheduleAsItIs(t *testing.T) {
	a, b := body(t, Options{Ahead: true, SM: fermi}, sums("shared")...), body(t, Options{}, sums("shared")...)
	if a != b {
		t.Errorf("another schedule:\n%s\nand\n%s", a, b)
	}
}

func TestLoadsAheadCostNoCTA(t *testing.T) {
	changed := 0
	for seed := range uint64(40) {
		src := randptx.Program(seed, randptx.Options{Vars: 8, Stmts: 80, Depth: 2})
		m := mustParse(t, "fuzz.ptx", []byte(src))
		compiled := func(opt Options) *ir.Kernel {
			return mustCompile(t, m.Kernels[0], opt)
		}
		base, ahead := compiled(Options{}), compiled(Options{Ahead: true, Threads: 192, SM: fermi})
		if most := fermi.step(base.Footprint, 192); ahead.Footprint > most {
			t.Errorf("seed %d: %d registers, the kernel needs %d, the step is %d", seed, ahead.Footprint,
				base.Footprint, most)
		}
		if text(ahead) != text(base) {
			changed++
		}
	}
	if changed < 30 {
		t.Errorf("%d of 40 programs have another schedule", changed)
	}
}
