package marks

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/kernel/ir"
)

// next has the distances of an instruction's first sources and of its destination.
type next struct{ Src, Dst []uint8 }

func nextOf(k *ir.Kernel) (out []next) {
	Next(k)
	for i := range k.Insts {
		t := &k.Insts[i].T
		out = append(out, next{append([]uint8(nil), t.NextSrc[:t.NSrc]...),
			append([]uint8(nil), t.NextDst[:t.NDst]...)})
	}
	return out
}

func TestADistanceIsTheNumberOfInstructionsToTheNextRead(t *testing.T) {
	k := kernel(
		mov(2, ir.Imm(1, 1)), // 0: R2 read at 2
		mov(3, ir.Imm(1, 1)), // 1: R3 read at 3
		add(4, 2, 2),         // 2: R2 read at 3, R4 never
		add(2, 2, 3),         // 3: R2 is overwritten by the instruction itself, R3 never read again
		add(5, 2, 2),         // 4
		exit)
	want := []next{{nil, []uint8{2}}, {nil, []uint8{2}}, {[]uint8{1, 1}, []uint8{0}},
		{[]uint8{0, 0}, []uint8{1}}, {[]uint8{0, 0}, []uint8{0}}, {}}
	if d := cmp.Diff(want, nextOf(k)); d != "" {
		t.Error(d)
	}
}

func TestTheShortestPathCounts(t *testing.T) {
	// 0: R1, 1: R2, 2: branch to 5, 3 and 4: others, 5: R4 = R1+R2.
	k := kernel(mov(1, ir.Imm(1, 1)), mov(2, ir.Imm(1, 1)), bra(5), mov(6, ir.Imm(1, 1)), mov(7, ir.Imm(1, 1)),
		add(4, 1, 2), exit)
	k.Insts[2].Guard = ir.P(0)
	got := nextOf(k)
	if got[0].Dst[0] != 3 || got[1].Dst[0] != 2 {
		t.Errorf("distances %v, want 3 of R1 and 2 of R2: over the branch", got)
	}
}

func TestTheNextTurnOfALoopIsAPath(t *testing.T) {
	// 0: R2 = R2+R3 at the top of a loop of three instructions.
	k := kernel(add(2, 2, 3), setp(4), bra(0), exit)
	k.Insts[2].Guard = ir.P(0)
	if got := nextOf(k)[0]; !cmp.Equal(got, next{[]uint8{0, 3}, []uint8{3}}) {
		t.Errorf("distances %v, want 3 for R3 and for the new R2", got)
	}
}

func TestAGuardedWriteDoesNotEndAValue(t *testing.T) {
	guarded := mov(2, ir.Imm(1, 1))
	guarded.Guard = ir.P(0)
	k := kernel(mov(2, ir.Imm(2, 1)), guarded, add(3, 2, 2), exit)
	if got := nextOf(k)[0].Dst[0]; got != 2 {
		t.Errorf("distance %d over a guarded write, want 2", got)
	}
	k = kernel(mov(2, ir.Imm(2, 1)), mov(2, ir.Imm(1, 1)), add(3, 2, 2), exit)
	if got := nextOf(k)[0].Dst[0]; got != 0 {
		t.Errorf("distance %d over a write, want 0", got)
	}
}

func TestADistanceHasALargestValue(t *testing.T) {
	insts := []ir.Inst{mov(2, ir.Imm(1, 1))}
	for range 400 {
		insts = append(insts, mov(3, ir.Imm(1, 1)))
	}
	k := kernel(append(insts, add(4, 2, 2), exit)...)
	if got := nextOf(k)[0].Dst[0]; got != ir.MaxNext {
		t.Errorf("distance %d, want %d", got, ir.MaxNext)
	}
}

// shortest searches all paths behind an instruction, one instruction at a time.
func shortest(k *ir.Kernel, pc int, r ir.RegID) uint8 {
	at := []int{pc}
	seen := make([]bool, len(k.Insts))
	for d := 1; len(at) > 0; d++ {
		var next []int
		for _, p := range at {
			in := &k.Insts[p]
			branch := in.Op == ir.OpBra
			if branch {
				next = append(next, in.Target)
			}
			if in.Op != ir.OpExit && (!branch || in.Guard.Kind != ir.KindNone) {
				next = append(next, p+1)
			}
		}
		at = at[:0]
		for _, p := range next {
			if p >= len(k.Insts) || seen[p] {
				continue
			}
			seen[p] = true
			t := &k.Insts[p].T
			if slices.Contains(t.Src[:t.NSrc], r) {
				return uint8(min(d, ir.MaxNext))
			}
			if t.Guarded || !slices.Contains(t.Dst[:t.NDst], r) {
				at = append(at, p)
			}
		}
	}
	return 0
}

func TestDistancesAreThoseOfASearchOfAllPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "instructions")
		reg := func() int { return rapid.IntRange(0, 3).Draw(t, "register") }
		var insts []ir.Inst
		for range n {
			in := add(reg(), reg(), reg())
			if rapid.IntRange(0, 3).Draw(t, "branch") == 0 {
				in = bra(rapid.IntRange(0, n).Draw(t, "target"))
			}
			if in.Guard = (ir.Operand{}); rapid.Bool().Draw(t, "guarded") {
				in.Guard = ir.P(0)
			}
			insts = append(insts, in)
		}
		k := kernel(append(insts, exit)...)
		Next(k)
		for pc := range k.Insts {
			x := &k.Insts[pc].T
			for i, r := range x.Dst[:x.NDst] {
				if want := shortest(k, pc, r); x.NextDst[i] != want {
					t.Fatalf("instruction %d: distance %d of the new R%d, want %d", pc, x.NextDst[i], r, want)
				}
			}
			for i, r := range x.Src[:x.NSrc] {
				want := shortest(k, pc, r)
				if !x.Guarded && slices.Contains(x.Dst[:x.NDst], r) {
					want = 0
				}
				if x.NextSrc[i] != want {
					t.Fatalf("instruction %d: distance %d of R%d, want %d", pc, x.NextSrc[i], r, want)
				}
			}
		}
	})
}
