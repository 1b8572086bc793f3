package forward_test

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/forward"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// The kernel of the tests: a loop from 1 to 3 with a loop at 2 within, and a barrier at 3.
//
//	0: nop
//	1: guarded nop
//	2: load
//	3: bar
//	4: exit
func kernel(barrier bool) *ir.Kernel {
	k := &ir.Kernel{Insts: make([]ir.Inst, 5)}
	k.Insts[1].T.Guarded = true
	k.Insts[2].Op, k.Insts[2].T.Space = ir.OpLd, ir.Global
	if barrier {
		k.Insts[3].Op = ir.OpBar
	}
	return k
}

// warp executes the outer loop once for each entry of inner, with this number of iterations of the inner loop.
func warp(inner []int) stream.Warp {
	w := stream.Warp{Runs: []stream.Run{{PC: 0, N: 1, Mask: 1}}}
	w.Insts = 1
	for _, n := range inner {
		w.Runs = append(w.Runs, stream.Run{PC: 1, N: 2, Mask: 1})
		for range n {
			w.Runs = append(w.Runs, stream.Run{PC: 2, N: 1, Mask: 1})
		}
		w.Runs = append(w.Runs, stream.Run{PC: 3, N: 1, Mask: 1})
		w.Masks = append(w.Masks, 1)
		w.Accesses = append(w.Accesses, make([]stream.Access, n+1)...)
		w.Insts += uint64(3 + n)
	}
	w.Runs = append(w.Runs, stream.Run{PC: 4, N: 1, Mask: 1})
	w.Insts++
	for i := range w.Accesses {
		w.Accesses[i].Base = uint64(i)
	}
	return w
}

// walked has a cursor's results for a warp.
type walked struct {
	insts, barriers uint64
	last            uint32
}

// walk walks a warp to its end and fails at a step absent from the whole warp.
func walk(t rapid.TB, k *ir.Kernel, w *stream.Warp, steps map[[2]uint32]bool, learn bool) walked {
	var c stream.Cursor
	c.Start(k, w)
	var out walked
	before := ^uint32(0)
	for d := (stream.Dyn{}); c.Next(&d); {
		step := [2]uint32{before, d.PC}
		if learn {
			steps[step] = true
		} else if !steps[step] {
			t.Fatalf("from %d to %d, which the warp never does", before, d.PC)
		}
		before = d.PC
		out.insts++
		if d.Inst.Op == ir.OpBar {
			out.barriers++
		}
		if (d.Access != nil) != (d.Inst.Op == ir.OpLd) {
			t.Fatalf("instruction %d: access %v", d.PC, d.Access)
		}
	}
	out.last = before
	return out
}

// ahead moves a CTA ahead. It fails if the reported parts do not add up to the returned number, or if the warps
// skip different numbers of barriers.
func ahead(t *rapid.T, c *stream.CTA, f *forward.CTA, next []int) uint64 {
	f.Locate(next)
	var heard uint64
	barriers := make([]int, len(c.Warps))
	n := f.Ahead(rapid.Uint64Range(0, 200).Draw(t, "n"), func(w int, from, to stream.Place) {
		for _, r := range c.Warps[w].Runs[from.Run:to.Run] {
			heard += uint64(r.N)
			if c.Kernel.Insts[r.PC].Op == ir.OpBar {
				barriers[w]++
			}
		}
	})
	if n != heard {
		t.Fatalf("%d instructions are left out, and %d were told", n, heard)
	}
	missed := -1
	for _, b := range barriers {
		if missed >= 0 && b != missed {
			t.Fatalf("warps leave out %d and %d barriers", missed, b)
		}
		missed = b
	}
	return n
}

func TestWhatIsLeftOfACTAIsAPathThroughItsKernel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := kernel(rapid.Bool().Draw(t, "barriers"))
		c := &stream.CTA{Kernel: k}
		outer := rapid.IntRange(1, 30).Draw(t, "outer")
		for range rapid.IntRange(1, 4).Draw(t, "warps") {
			c.Warps = append(c.Warps, warp(rapid.SliceOfN(rapid.IntRange(0, 6), outer, outer).Draw(t, "inner")))
		}
		f := forward.New(c)
		steps := make([]map[[2]uint32]bool, len(c.Warps))
		whole := make([]walked, len(c.Warps))
		for i := range c.Warps {
			steps[i] = map[[2]uint32]bool{}
			whole[i] = walk(t, k, &c.Warps[i], steps[i], true)
		}
		skipped := uint64(0)
		at, next := make([]stream.Cursor, len(c.Warps)), make([]int, len(c.Warps))
		for i := range at {
			at[i].Start(k, &f.Warps[i])
		}
		for range rapid.IntRange(1, 4).Draw(t, "times") {
			for i := range at {
				var d stream.Dyn
				for range rapid.IntRange(0, 20).Draw(t, "steps") {
					at[i].Next(&d)
				}
				next[i] = at[i].Run() + 1
			}
			skipped += ahead(t, c, f, next)
		}
		left := uint64(0)
		for i := range c.Warps {
			got := walk(t, k, &f.Warps[i], steps[i], false)
			left += whole[i].insts - got.insts
			if got.last != whole[i].last {
				t.Fatalf("the last instruction is %d, want %d", got.last, whole[i].last)
			}
		}
		if left != skipped {
			t.Fatalf("%d instructions fewer, want %d", left, skipped)
		}
	})
}

func TestALongLoopIsLeftOutButForAnIteration(t *testing.T) {
	c := &stream.CTA{Kernel: kernel(true), Warps: []stream.Warp{warp(make([]int, 100)), warp(make([]int, 100))}}
	f := forward.New(c)
	done, rest := f.Locate([]int{1, 1})
	if done != 1 || rest != 301 {
		t.Errorf("%v instructions done and %v left, want 1 and 301", done, rest)
	}
	// Of 100 iterations of three instructions the warp executes the first, and jumps from it to the last.
	if got := f.Ahead(1000, func(int, stream.Place, stream.Place) {}); got != 2*99*3 {
		t.Errorf("%d instructions are left out, want %d", got, 2*99*3)
	}
	if f.Settled() {
		t.Error("the warps have come to what they leave out before they have moved")
	}
	if done, rest := f.Locate([]int{1, 1}); done != 298 || rest != 4 {
		t.Errorf("%v instructions done and %v left, want 298 and 4", done, rest)
	}
	f.Locate([]int{200, 200})
	if !f.Settled() {
		t.Error("the warps have still to come to what they leave out behind it")
	}
}

func TestWarpsThatMeetAtBarriersOfTheirOwnStayAsTheyAre(t *testing.T) {
	k := kernel(true)
	if !forward.Possible(k) {
		t.Error("a kernel with one barrier of all warps is refused")
	}
	k.Insts[3].T.BarID = 1
	if forward.Possible(k) {
		t.Error("a kernel with barrier 1 is taken")
	}
	k.Insts[3].T.BarID, k.Insts[3].Op = 0, ir.OpMbarWait
	if forward.Possible(k) {
		t.Error("a kernel that waits for an mbarrier is taken")
	}
}
