package emu

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/stream"
)

// unlike has CTAs with streams of different lengths; only odd CTAs have addresses in a list, with a guard.
const unlike = `
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %tid.x;
	and.b32 %r3, %r1, 1;
	mul.lo.u32 %r4, %r2, %r2;
	and.b32 %r4, %r4, 63;
	setp.eq.u32 %p1, %r3, 1;
	selp.u32 %r5, %r4, %r2, %p1;
	mul.wide.u32 %rd1, %r5, 4;
	add.u64 %rd1, %rd0, %rd1;
	rem.u32 %r6, %r1, 5;
LOOP:
	ld.global.u32 %r7, [%rd1];
	@%p1 st.global.u32 [%rd1], %r7;
	add.u32 %r6, %r6, 1;
	setp.lt.u32 %p2, %r6, 6;
	@%p2 bra LOOP;
	ret;`

// unlikeSource executes 40 CTAs of these.
func unlikeSource(t *testing.T, m *mem.Memory, ahead int) *Source {
	t.Helper()
	e := begin(t, Runner{Mem: m}, textLaunch(kernelText(t, 1, unlike), 40, 64, m.Alloc("a", 256)))
	return NewSource(e, ahead)
}

// own copies the contents of a CTA's streams to memory of its own.
func own(c *stream.CTA) (out []warpOf) {
	for i := range c.Warps {
		w := &c.Warps[i]
		o := warpOf{Runs: slices.Clone(w.Runs), Masks: slices.Clone(w.Masks), Insts: w.Insts, Lanes: w.Lanes}
		for k := range w.Accesses {
			a := &w.Accesses[k]
			x := accessOf{Stride: a.Stride, Space: a.Space, List: slices.Clone(a.List())}
			if a.Regular() {
				x.Base = a.Base
			}
			o.Accesses = append(o.Accesses, x)
		}
		out = append(out, o)
	}
	return out
}

// warpOf has the contents of a warp's stream, independent of its memory.
type warpOf struct {
	Runs         []stream.Run
	Masks        []uint32
	Accesses     []accessOf
	Insts, Lanes uint64
}

type accessOf struct {
	Base   uint64
	Stride int32
	List   []uint64
	Space  ir.Space
}

func TestCTAsInReusedMemoryHaveTheSameStreams(t *testing.T) {
	var a, b mem.Memory
	kept, released := unlikeSource(t, &a, 2), unlikeSource(t, &b, 2)
	n, lists := 0, 0
	for c := kept.Next(); c != nil; c = kept.Next() {
		n++
		x := released.Next()
		if x == nil {
			t.Fatal(n, " CTAs are not there")
		}
		for i := range c.Warps {
			for k := range c.Warps[i].Accesses {
				lists += len(c.Warps[i].Accesses[k].List())
			}
		}
		if d := cmp.Diff(own(c), own(x)); d != "" || x.Index != c.Index || x.Kernel.Name != c.Kernel.Name {
			t.Fatalf("CTA %d (-kept +released):\n%s", c.Index, d)
		}
		if n%7 != 0 { // some are never released
			released.Release(x)
		}
	}
	if n != 40 || lists == 0 || released.Next() != nil {
		t.Errorf("%d CTAs and %d listed addresses, want 40 and some", n, lists)
	}
}

func TestMemoryThatWasReleasedIsUsedAgainAndOtherMemoryIsNot(t *testing.T) {
	count := func(release bool) int {
		var m mem.Memory
		s := unlikeSource(t, &m, 1)
		seen := map[*stream.CTA]bool{}
		for c := s.Next(); c != nil; c = s.Next() {
			seen[c] = true
			if release {
				s.Release(c)
			}
		}
		return len(seen)
	}
	if n := count(false); n != 40 {
		t.Errorf("40 CTAs that are in use lie in %d places", n)
	}
	if n := count(true); n > 4 {
		t.Errorf("40 CTAs, each released before the next is fetched, lie in %d places, want at most 4", n)
	}
}
