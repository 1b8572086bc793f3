package emu

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/compiler"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// member has one lane's sources of an instruction across lanes.
type member struct {
	value      uint64
	agrees     bool
	mask, b, c uint32
}

// syncOp is an instruction across lanes on a value %rd1 (%r3 its low word), a predicate %p1, %r6 and %r7, and the
// membermask %r4, with the results %r5 and %p2. Its function computes the results of lane l from the lanes of a
// round. It reports false if the ISA leaves the result undefined.
type syncOp struct {
	text string
	want func(w *[32]member, l int, round uint32) (r uint32, p, defined bool)
}

// each calls f with the lanes of a mask.
func each(m uint32, f func(l int)) {
	for ; m != 0; m &= m - 1 {
		f(lowest(m))
	}
}

func votes(w *[32]member, round uint32) (yes uint32) {
	each(round, func(l int) { yes |= b2u(w[l].agrees) << l })
	return yes
}

func equals(w *[32]member, l int, round uint32, bits int) (same uint32) {
	each(round, func(k int) { same |= b2u((w[k].value^w[l].value)<<(64-bits) == 0) << k })
	return same
}

func folded[T uint32 | int32](f func(x, y T) T) func(*[32]member, int, uint32) (uint32, bool, bool) {
	return func(w *[32]member, _ int, round uint32) (uint32, bool, bool) {
		acc := T(w[lowest(round)].value)
		each(round&(round-1), func(l int) { acc = f(acc, T(w[l].value)) })
		return uint32(acc), false, true
	}
}

// shuffled is the pseudocode of PTX ISA section 9.7.9.6.
func shuffled(mode string) func(*[32]member, int, uint32) (uint32, bool, bool) {
	return func(w *[32]member, l int, round uint32) (uint32, bool, bool) {
		lane, b, cval, seg := l, int(w[l].b&31), int(w[l].c&31), int(w[l].c>>8&31)
		maxLane := lane&seg | cval&^seg
		minLane := lane & seg
		j, ok := 0, false
		switch mode {
		case "up":
			j = lane - b
			ok = j >= maxLane
		case "down":
			j = lane + b
			ok = j <= maxLane
		case "bfly":
			j = lane ^ b
			ok = j <= maxLane
		case "idx":
			j = minLane | b&^seg
			ok = j <= maxLane
		}
		if !ok {
			j = lane
		}
		return uint32(w[j].value), ok, round>>j&1 != 0
	}
}

func syncOps() []syncOp {
	vote := func(f func(yes, round uint32) (uint32, bool)) func(*[32]member, int, uint32) (uint32, bool, bool) {
		return func(w *[32]member, _ int, round uint32) (uint32, bool, bool) {
			r, p := f(votes(w, round), round)
			return r, p, true
		}
	}
	match := func(bits int, all bool) func(*[32]member, int, uint32) (uint32, bool, bool) {
		return func(w *[32]member, l int, round uint32) (uint32, bool, bool) {
			same := equals(w, l, round, bits)
			if all && same != round {
				same = 0
			}
			return same, all && same != 0, true
		}
	}
	all := []syncOp{
		{"vote.sync.ballot.b32 %r5, %p1, %r4;", vote(func(yes, _ uint32) (uint32, bool) { return yes, false })},
		{"vote.sync.any.pred %p2, %p1, %r4;", vote(func(yes, _ uint32) (uint32, bool) { return 0, yes != 0 })},
		{"vote.sync.all.pred %p2, %p1, %r4;", vote(func(yes, m uint32) (uint32, bool) { return 0, yes == m })},
		{"vote.sync.uni.pred %p2, %p1, %r4;", vote(func(yes, m uint32) (uint32, bool) {
			return 0, yes == m || yes == 0
		})},
		{"match.any.sync.b32 %r5, %r3, %r4;", match(32, false)},
		{"match.any.sync.b64 %r5, %rd1, %r4;", match(64, false)},
		{"match.all.sync.b32 %r5|%p2, %r3, %r4;", match(32, true)},
		{"match.all.sync.b64 %r5|%p2, %rd1, %r4;", match(64, true)},
		{"redux.sync.add.u32 %r5, %r3, %r4;", folded(func(x, y uint32) uint32 { return x + y })},
		{"redux.sync.add.s32 %r5, %r3, %r4;", folded(func(x, y uint32) uint32 { return x + y })},
		{"redux.sync.min.u32 %r5, %r3, %r4;", folded(func(x, y uint32) uint32 { return min(x, y) })},
		{"redux.sync.max.u32 %r5, %r3, %r4;", folded(func(x, y uint32) uint32 { return max(x, y) })},
		{"redux.sync.min.s32 %r5, %r3, %r4;", folded(func(x, y int32) int32 { return min(x, y) })},
		{"redux.sync.max.s32 %r5, %r3, %r4;", folded(func(x, y int32) int32 { return max(x, y) })},
		{"redux.sync.and.b32 %r5, %r3, %r4;", folded(func(x, y uint32) uint32 { return x & y })},
		{"redux.sync.or.b32 %r5, %r3, %r4;", folded(func(x, y uint32) uint32 { return x | y })},
		{"redux.sync.xor.b32 %r5, %r3, %r4;", folded(func(x, y uint32) uint32 { return x ^ y })},
		{"elect.sync %r5|%p2, %r4;", func(_ *[32]member, l int, round uint32) (uint32, bool, bool) {
			return uint32(lowest(round)), lowest(round) == l, true
		}},
		{"bar.warp.sync %r4;", func(*[32]member, int, uint32) (uint32, bool, bool) { return 0, false, true }},
	}
	for _, mode := range []string{"up", "down", "bfly", "idx"} {
		all = append(all, syncOp{"shfl.sync." + mode + ".b32 %r5|%p2, %r3, %r6, %r7, %r4;", shuffled(mode)})
	}
	return all
}

// syncKernel returns a kernel, as parsed and as compiled, with the instructions of body. Its lanes read their
// sources from a buffer. %p3 is the side of a branch taken by a lane. Lanes marked so in the buffer exit before.
func syncKernel(t *testing.T, body string) (m *ir.Module, ways []*Runner) {
	m = parseText(t, `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out)
{
.reg .pred %p<8>; .reg .b32 %r<16>; .reg .b64 %rd<8>;
mov.u32 %r0, %tid.x; mov.u32 %r5, 0; setp.ne.u32 %p2, 0, 0;
ld.param.u64 %rd2, [in]; mul.wide.u32 %rd3, %r0, 32; add.u64 %rd2, %rd2, %rd3;
ld.global.u64 %rd1, [%rd2]; cvt.u32.u64 %r3, %rd1;
ld.global.u32 %r1, [%rd2+8]; ld.global.u32 %r4, [%rd2+12]; ld.global.u32 %r6, [%rd2+16]; ld.global.u32 %r7, [%rd2+20];
and.b32 %r2, %r1, 1; setp.ne.u32 %p1, %r2, 0;
and.b32 %r2, %r1, 2; setp.ne.u32 %p3, %r2, 0;
and.b32 %r2, %r1, 4; setp.ne.u32 %p4, %r2, 0;
@%p4 exit;
`+body+`
selp.u32 %r2, 1, 0, %p2;
ld.param.u64 %rd2, [out]; mul.wide.u32 %rd3, %r0, 8; add.u64 %rd2, %rd2, %rd3;
st.global.v2.u32 [%rd2], {%r5, %r2};
ret;
}
`)
	cfg.Build(m.Kernels[0].Insts).SetReconv(m.Kernels[0].Insts)
	compiled, err := compiler.Compile(m.Kernels[0], compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	asCompiled := func(*host.Launch) (*ir.Kernel, error) { return compiled, nil }
	return m, []*Runner{{Mem: &mem.Memory{}, Out: io.Discard},
		{Mem: &mem.Memory{}, Out: io.Discard, Compile: asCompiled}}
}

// runSync launches the kernel on one warp and compares the results of its lanes. The lanes of exited have exited,
// and those of side have taken the branch.
func runSync(t *rapid.T, m *ir.Module, ways []*Runner, op *syncOp, w *[32]member, side, exited uint32) {
	live := ^exited
	for i, r := range ways {
		in, out := r.Mem.Alloc("in", 32*32), r.Mem.Alloc("out", 8*32)
		data, _ := r.Mem.Bytes(in, 32*32)
		for l := range w {
			putLane(data[32*l:], &w[l], side>>l&1, exited>>l&1)
		}
		mustRun(t, r, textLaunch(m, 1, 32, in, out))
		got, _ := r.Mem.Bytes(out, 8*32)
		each(live, func(l int) {
			round := uint32(1) << l
			if w[l].mask&round != 0 {
				each(live&w[l].mask, func(k int) { round |= b2u(w[k].mask == w[l].mask) << k })
			}
			value, p, defined := op.want(w, l, round)
			if g := uint64(value) | uint64(b2u(p))<<32; defined && binary.LittleEndian.Uint64(got[8*l:]) != g {
				t.Fatalf("%s way %d, lane %d with the membermask %#x, sides %#x, exited %#x: %#x, want %#x",
					op.text, i, l, w[l].mask, side, exited, binary.LittleEndian.Uint64(got[8*l:]), g)
			}
		})
	}
}

func putLane(b []byte, m *member, side, exited uint32) {
	words := []uint32{uint32(m.value), uint32(m.value >> 32), b2u(m.agrees) | side<<1 | exited<<2, m.mask, m.b, m.c}
	for i, v := range words {
		binary.LittleEndian.PutUint32(b[4*i:], v)
	}
}

// warpful draws the sources of a warp's lanes, except their membermasks. Values are often equal.
func warpful(t *rapid.T) (w [32]member) {
	x := rapid.Uint64().Draw(t, "seed")
	next := func() uint64 {
		x = x*6364136223846793005 + 1442695040888963407
		return x ^ x>>29
	}
	kinds := next()%4 + 1
	for l := range w {
		w[l] = member{value: next() % kinds * 0x9e3779b97f4a7c15, agrees: next()%8 < x>>60, b: uint32(next() >> 20),
			c: uint32(next() >> 20)}
	}
	return w
}

// groups assigns the membermasks of a few groups to lanes. Each lane belongs to a random group.
func groups(t *rapid.T, w *[32]member) {
	n := rapid.IntRange(1, 6).Draw(t, "groups")
	of := rapid.SliceOfN(rapid.IntRange(0, n-1), 32, 32).Draw(t, "group")
	masks := make([]uint32, n)
	for l, g := range of {
		masks[g] |= 1 << l
	}
	for l, g := range of {
		w[l].mask = masks[g]
	}
}

func TestLanesExecuteSyncInstructionsWithTheLanesOfTheirMembermask(t *testing.T) {
	for _, op := range syncOps() {
		m, ways := syncKernel(t, op.text)
		rapid.Check(t, func(t *rapid.T) {
			w := warpful(t)
			groups(t, &w)
			runSync(t, m, ways, &op, &w, 0, rapid.Uint32().Draw(t, "exited"))
		})
	}
}

// Membermasks without their own lane, or with lanes of other membermasks, are undefined in the ISA and decided
// here.
func TestLanesExecuteSyncInstructionsWithAnyMembermaskOfTheirs(t *testing.T) {
	for _, op := range syncOps() {
		m, ways := syncKernel(t, op.text)
		rapid.Check(t, func(t *rapid.T) {
			w := warpful(t)
			few := rapid.SliceOfN(rapid.Uint32(), 1, 3).Draw(t, "membermasks")
			for l := range w {
				w[l].mask = rapid.SampledFrom(few).Draw(t, "membermask")
			}
			runSync(t, m, ways, &op, &w, 0, rapid.Uint32().Draw(t, "exited"))
		})
	}
}

func TestTheSidesOfABranchMeetInSyncInstructions(t *testing.T) {
	for _, op := range syncOps() {
		other := strings.NewReplacer("%r5", "%r8", "%p2", "%p5", "%r3", "%r9", "%rd1", "%rd4").Replace(op.text)
		m, ways := syncKernel(t, `mov.u32 %r9, %r3; mov.u64 %rd4, %rd1; mov.u32 %r8, 0; setp.ne.u32 %p5, 0, 0;
@%p3 bra OTHER; `+op.text+` bra.uni ON;
OTHER: add.u32 %r10, %r3, 1; `+other+` mov.u32 %r5, %r8; mov.pred %p2, %p5;
ON:`)
		rapid.Check(t, func(t *rapid.T) {
			w := warpful(t)
			groups(t, &w)
			runSync(t, m, ways, &op, &w, rapid.Uint32().Draw(t, "side"), rapid.Uint32().Draw(t, "exited"))
		})
	}
}

// noted runs a kernel on one warp, and returns its notes.
func noted(t *testing.T, body string, grid int) string {
	t.Helper()
	var m mem.Memory
	var out bytes.Buffer
	mustRun(t, &Runner{Mem: &m, Out: &out}, textLaunch(kernelText(t, 0, body), grid, 32))
	return out.String()
}

func TestALaneOutsideItsMembermaskIsNotedOnce(t *testing.T) {
	got := noted(t, "\nvote.sync.ballot.b32 %r5, %p1, 0x7fffffff;\nret;", 3)
	if want := "note: test.ptx:11:1: kernel k: vote.b32: thread (31,0,0), lane 31, is not in its own membermask " +
		"0x7fffffff, which PTX leaves undefined: it executes the instruction alone\n"; got != want {
		t.Errorf("found %q, want %q", got, want)
	}
}

func TestMembermasksThatNameLanesWithOtherOnesAreNoted(t *testing.T) {
	got := noted(t, "setp.eq.u32 %p1, %r0, 7; selp.u32 %r1, 0x80, -1, %p1;\n"+
		"redux.sync.add.u32 %r5, %r0, %r1;\nret;", 1)
	want := "note: test.ptx:11:1: kernel k: redux.u32: thread (0,0,0), lane 0, has the membermask 0xffffffff, "
	if !strings.HasPrefix(got, want) || strings.Count(got, "note:") != 1 {
		t.Errorf("found %q, want %q", got, want)
	}
}

func TestListsOfLanesAreRanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.Uint32().Draw(t, "mask") & bits.RotateLeft32(rapid.Uint32().Draw(t, "and"), 3)
		back := uint32(0)
		for _, s := range strings.FieldsFunc(lanes(m), func(r rune) bool { return r == ',' }) {
			from, to := 0, 0
			if n, _ := fmt.Sscanf(s, "%d-%d", &from, &to); n < 2 {
				to = from
			}
			for l := from; l <= to; l++ {
				back |= 1 << l
			}
		}
		if back != m {
			t.Fatalf("the lanes of %#x are listed as %s", m, lanes(m))
		}
	})
}
