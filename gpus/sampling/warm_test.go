package sampling_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sarchlab/akita/v3/sim"
	"pgregory.net/rapid"

	"kumiko/components/wire"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
	"kumiko/gpus/sampling"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/memsys"
	"kumiko/memsys/l1"
	"kumiko/memsys/req"
)

// The instructions of the kernel of these tests, by their PCs.
const (
	load = iota
	store
	atomic
	texture
	prefetch
	loadCG
	loadVolatile
	compute
)

var memoryKernel = func() *ir.Kernel {
	k := &ir.Kernel{Name: "k", Insts: make([]ir.Inst, compute+1)}
	for pc, op := range []ir.Op{ir.OpLd, ir.OpSt, ir.OpAtom, ir.OpTex, ir.OpPrefetch, ir.OpLd, ir.OpLd} {
		k.Insts[pc].Op, k.Insts[pc].T.Space, k.Insts[pc].T.Bytes = op, ir.Global, 4
	}
	k.Insts[loadCG].Mods.Cache = ir.CacheCG
	k.Insts[loadVolatile].Mods.Volatile = true
	return k
}()

// warpOf returns a warp with one instruction for each address, executed by its first lane alone.
func warpOf(pc uint32, space ir.Space, addrs ...uint64) stream.Warp {
	w := stream.Warp{Insts: uint64(len(addrs)), Lanes: uint64(len(addrs))}
	for _, a := range addrs {
		w.Runs = append(w.Runs, stream.Run{PC: pc, N: 1, Mask: 1})
		w.Accesses = append(w.Accesses, stream.Access{Base: a, Space: space})
	}
	return w
}

// lines returns the addresses of n lines from one on.
func lines(first, n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = uint64(first+i) * req.LineBytes
	}
	return out
}

// ctas is a source of CTAs of one kernel, and counts how often each is released.
type ctas struct {
	warps    [][]stream.Warp // of each CTA
	kernel   *ir.Kernel
	given    int
	released []int // numbers of CTAs, in order of release
}

func (s *ctas) Next() *stream.CTA {
	if s.given == len(s.warps) {
		return nil
	}
	s.given++
	return &stream.CTA{Index: s.given - 1, Kernel: s.kernel, Warps: s.warps[s.given-1]}
}

func (s *ctas) Err() error { return nil }

func (s *ctas) Release(c *stream.CTA) { s.released = append(s.released, c.Index) }

// memories returns the memory side of a GPU with some SMs, without the parts not used by a skipped launch.
func memories(t testing.TB, sms int, set ...string) *sampling.GPU {
	t.Helper()
	c := machinetest.Config(t, config.Request{GPU: "gtx980", Set: set})
	d := wire.NewEngine().NewDomain("Core", sim.GHz)
	g := &sampling.GPU{SMs: make([]sampling.SM, sms), GlobalInL1: true}
	var err error
	if g.Memory, err = memsys.NewSystem(d, &c.Mem, sms, 1, nil); err != nil {
		t.Fatal(err)
	}
	for i := range sms {
		side, err := memsys.NewSMSide(d, &c.Mem, memsys.SMConfig{Name: fmt.Sprintf("SM[%d]", i), SM: i, Warps: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		g.Sides = append(g.Sides, sampling.Side{L1: side.L1.Tags, Texture: side.Texture.Tags})
	}
	return g
}

// skip skips a launch of CTAs. An SM holds resident of them.
func skip(g *sampling.GPU, resident int, warps ...[]stream.Warp) (*ctas, *result.Kernel) {
	src, r := &ctas{warps: warps, kernel: memoryKernel}, &result.Kernel{}
	sampling.Skip(g, &sampling.Launch{Kernel: memoryKernel, Resident: resident}, src, r)
	return src, r
}

// has returns, for each line, whether a cache has all its sectors. Afterwards the cache has all of them.
func has(c sampling.Cache, addrs []uint64) []bool {
	out := make([]bool, len(addrs))
	for i, a := range addrs {
		out[i] = c.Lines().Load(a, req.AllSectors) == 0
	}
	return out
}

// wantSectors checks the sectors present in the L1, for the lines from first to end.
func wantSectors(t rapid.TB, c sampling.Cache, first, end uint64, want map[uint64]uint8) {
	t.Helper()
	for a := first; a < end; a += req.LineBytes {
		if got := req.AllSectors &^ c.Lines().Load(a, req.AllSectors); got != want[a] {
			t.Fatalf("line %#x has sectors %04b, want %04b", a, got, want[a])
		}
	}
}

func TestASkippedLoadBringsTheSectorsOfItsBytesIn(t *testing.T) {
	g := memories(t, 1)
	rapid.Check(t, func(t *rapid.T) {
		g.Sides[0].L1.(*l1.Tags).Flush()
		const first, end = 1 << 20, 1<<20 + 256*req.LineBytes // less than the cache
		bytes := rapid.SampledFrom([]uint8{0, 1, 2, 4, 8, 16}).Draw(t, "bytes")
		mask := rapid.Uint32Range(1, ^uint32(0)).Draw(t, "mask")
		var a stream.Access
		if rapid.Bool().Draw(t, "regular") {
			a.SetRegular(ir.Global, rapid.Uint64Range(first+31*300, end-31*300-16).Draw(t, "base"),
				rapid.Int32Range(-300, 300).Draw(t, "stride"))
		} else {
			list := rapid.SliceOfN(rapid.Uint64Range(first, end-16), 32, 32).Draw(t, "addresses")
			mask = ^uint32(0)
			a.SetList(ir.Global, &list, 0, 32)
		}
		var addr [32]uint64
		a.Lanes(mask, &addr)
		want := map[uint64]uint8{}
		for lane, from := range addr {
			for at := from; mask>>lane&1 != 0 && at < from+uint64(max(bytes, 1)); at++ {
				want[at/req.LineBytes*req.LineBytes] |= 1 << (at / req.SectorBytes % 4)
			}
		}
		k := &ir.Kernel{Insts: []ir.Inst{{Op: ir.OpLd, T: ir.Timing{Space: ir.Global, Bytes: bytes}}}}
		w := stream.Warp{Runs: []stream.Run{{N: 1, Mask: mask}}, Accesses: []stream.Access{a}, Insts: 1}
		sampling.Skip(g, &sampling.Launch{Kernel: k, Resident: 1}, &ctas{kernel: k, warps: [][]stream.Warp{{w}}},
			&result.Kernel{})
		wantSectors(t, g.Sides[0].L1, first, end, want)
	})
}

// A warp accesses one line in each space. Addresses outside the spaces of device memory are offsets.
func TestSkippedAccessesOfDeviceMemoryAndTexturesAloneWarmTheirCaches(t *testing.T) {
	g := memories(t, 1)
	spaces := []ir.Space{ir.Shared, ir.Global, ir.Local, ir.Generic, ir.Const, ir.Texture, ir.Param}
	w := stream.Warp{}
	for i, s := range spaces {
		x := warpOf(load, s, lines(100+i, 1)...)
		w.Runs, w.Accesses = append(w.Runs, x.Runs...), append(w.Accesses, x.Accesses...)
	}
	for i := range w.Accesses {
		w.Accesses[i].Stride = 4 // whole lines
		w.Runs[i].Mask = ^uint32(0)
	}
	skip(g, 1, []stream.Warp{w})
	var want, wantTexture []bool
	for _, s := range spaces {
		want = append(want, s == ir.Global || s == ir.Generic)
		wantTexture = append(wantTexture, s == ir.Texture)
	}
	if d := cmp.Diff(want, has(g.Sides[0].L1, lines(100, len(spaces)))); d != "" {
		t.Errorf("lines of the L1 by space (-want +got):\n%s", d)
	}
	if d := cmp.Diff(wantTexture, has(g.Sides[0].Texture, lines(100, len(spaces)))); d != "" {
		t.Errorf("lines of the texture cache by space (-want +got):\n%s", d)
	}
}

// Line 7 was loaded before, and line 8 was not. The L1 writes through without allocation.
func TestASkippedAccessDoesToTheL1WhatASimulatedOneDoes(t *testing.T) {
	for _, c := range []struct {
		name string
		pc   uint32
		want uint8 // sectors of lines 7 and 8 present in the L1
	}{
		{"load", load, 0b11}, {"prefetch", prefetch, 0b11}, {"store", store, 0b01}, {"atomic", atomic, 0b00},
		{"load past the L1", loadCG, 0b01}, {"volatile load", loadVolatile, 0b01},
	} {
		g := memories(t, 1)
		tags := g.Sides[0].L1.Lines()
		tags.Load(7*req.LineBytes, 1)
		skip(g, 1, []stream.Warp{warpOf(c.pc, ir.Global, lines(7, 2)...)})
		var got uint8
		for i := range uint64(2) {
			got |= (1 &^ tags.Load((7+i)*req.LineBytes, 1)) << i
		}
		if got != c.want {
			t.Errorf("%s: the L1 has lines %02b, want %02b", c.name, got, c.want)
		}
	}
}

func TestAnL1WithoutGlobalLoadsHasNoLineOfASkippedLoad(t *testing.T) {
	g := memories(t, 1)
	g.GlobalInL1 = false
	skip(g, 1, []stream.Warp{warpOf(load, ir.Global, lines(0, 1)...)})
	wantSectors(t, g.Sides[0].L1, 0, req.LineBytes, nil)
}

func TestASkippedLaunchWarmsNoCachesThatTheNextLaunchFindsEmpty(t *testing.T) {
	g := memories(t, 1)
	g.Flushes = true
	_, r := skip(g, 1, []stream.Warp{warpOf(load, ir.Global, lines(0, 3)...)})
	wantSectors(t, g.Sides[0].L1, 0, 3*req.LineBytes, nil)
	if r.WarpInstructions != 3 || r.Sample.CTAsSkipped != 1 {
		t.Errorf("%d instructions of %d CTAs, want 3 of one", r.WarpInstructions, r.Sample.CTAsSkipped)
	}
}

// oneSet returns settings of an L1 with one set, which holds the most recently accessed lines.
func oneSet(ways int) []string {
	return []string{"mem.l1.tags.sets=1", fmt.Sprintf("mem.l1.tags.ways=%d", ways)}
}

// ofLines returns CTAs of one warp. Each loads lines of its own.
func ofLines(ctas, each int) (out [][]stream.Warp) {
	for i := range ctas {
		out = append(out, []stream.Warp{warpOf(load, ir.Global, lines(each*i, each)...)})
	}
	return out
}

// missing returns the lines, of one sector each, missing in an L1. The number of lines must equal the capacity of
// the L1.
func missing(c sampling.Cache, numbers []int) (out []int) {
	for _, n := range numbers {
		if c.Lines().Load(uint64(n)*req.LineBytes, 1) != 0 {
			out = append(out, n)
		}
	}
	return out
}

// CTA i loads lines 3i to 3i+2. With two CTAs in flight together, the last four lines are the last two of each.
// With four CTAs they are the last line of each. With one CTA at a time they are the last four lines loaded.
func TestAsManySkippedCTAsAsTheGPUHoldsPassTheCachesTogether(t *testing.T) {
	for resident, want := range map[int][]int{1: {8, 9, 10, 11}, 2: {7, 8, 10, 11}, 4: {2, 5, 8, 11}} {
		g := memories(t, 1, oneSet(4)...)
		skip(g, resident, ofLines(4, 3)...)
		if m := missing(g.Sides[0].L1, want); m != nil {
			t.Errorf("%d CTAs together: lines %d are gone, want %d in the L1", resident, m, want)
		}
	}
}

// Two SMs with two CTAs each have four CTAs in flight together. SM 0 has CTAs 0 and 2.
func TestSkippedCTAsOfAllSMsPassTheCachesTogether(t *testing.T) {
	g := memories(t, 2, oneSet(2)...)
	skip(g, 2, ofLines(4, 3)...)
	for sm, want := range [][]int{{2, 8}, {5, 11}} {
		if m := missing(g.Sides[sm].L1, want); m != nil {
			t.Errorf("SM %d: lines %d are gone, want %d in the L1", sm, m, want)
		}
	}
}

// places returns the SM of each of some skipped CTAs, by the L1 with the CTA's line.
func places(t *testing.T, sms, resident, n int) []int {
	t.Helper()
	g := memories(t, sms)
	skip(g, resident, ofLines(n, 1)...)
	out := make([]int, n)
	for i := range out {
		out[i] = -1
	}
	for i, side := range g.Sides {
		for k := range out {
			if side.L1.Lines().Load(uint64(k)*req.LineBytes, 1) == 0 {
				if out[k] >= 0 {
					t.Errorf("CTA %d is on SMs %d and %d", k, out[k], i)
				}
				out[k] = i
			}
		}
	}
	return out
}

// After the first wave each group of four CTAs goes to the four SMs, beginning at any SM.
func TestSkippedCTAsFillTheSMsInTurnAndThenComeToAnyInEqualShares(t *testing.T) {
	const sms, resident, rows = 4, 3, 20
	at := places(t, sms, resident, sms*rows)
	begins := map[int]bool{}
	for row := range rows {
		on := slices.Clone(at[sms*row : sms*row+sms])
		if row < resident && !slices.Equal(on, []int{0, 1, 2, 3}) {
			t.Errorf("CTAs %d to %d are on SMs %d, want them in turn", sms*row, sms*row+sms-1, on)
		}
		if row >= resident {
			begins[on[0]] = true
		}
		slices.Sort(on)
		if !slices.Equal(on, []int{0, 1, 2, 3}) {
			t.Errorf("CTAs %d to %d are on SMs %d, want one on each", sms*row, sms*row+sms-1, on)
		}
	}
	if len(begins) != sms {
		t.Errorf("rows of CTAs begin at SMs %v alone, want any", begins)
	}
}

// The CTA after the first wave does not continue the rotation. Otherwise it would always be on SM 0.
func TestTheFirstSkippedCTABehindTheFirstWaveComesToAnySM(t *testing.T) {
	on := map[int]bool{}
	for resident := range 6 {
		n := 4 * (resident + 1)
		on[places(t, 4, resident+1, n+1)[n]] = true
	}
	if len(on) < 2 {
		t.Errorf("it is always on the SMs %v", on)
	}
}

// CTAs 0 and 3 access no memory. CTA 1 has a warp with one access and a warp with three, and ends with the second
// warp. CTA 2 ends earlier.
func TestASkippedCTAIsReleasedWhenItsLastWarpHasPassed(t *testing.T) {
	idle := stream.Warp{Runs: []stream.Run{{PC: compute, N: 1, Mask: 1}}, Insts: 1, Lanes: 1}
	one, three := warpOf(load, ir.Global, lines(0, 1)...), warpOf(load, ir.Global, lines(1, 3)...)
	src, r := skip(memories(t, 1), 8, []stream.Warp{idle, idle}, []stream.Warp{one, three}, []stream.Warp{one, idle},
		[]stream.Warp{idle}, []stream.Warp{three, one})
	if d := cmp.Diff([]int{0, 3, 2, 1, 4}, src.released); d != "" {
		t.Errorf("released CTAs (-want +got):\n%s", d)
	}
	if r.WarpInstructions != 13 || r.ThreadInstructions != 13 || r.Sample.WarpInstructionsSkipped != 13 ||
		r.Sample.CTAsSkipped != 5 || !r.Sampled {
		t.Errorf("result %+v, sample %+v; want 13 instructions of 5 CTAs", r, r.Sample)
	}
}

func TestEverySkippedCTAIsReleasedOnce(t *testing.T) {
	src, _ := skip(memories(t, 2), 3, ofLines(100, 5)...)
	slices.Sort(src.released)
	for i, n := range src.released {
		if i != n {
			t.Fatalf("CTA %d is released next to CTA %d", n, i)
		}
	}
	if len(src.released) != 100 {
		t.Errorf("%d CTAs are released, want 100", len(src.released))
	}
}
