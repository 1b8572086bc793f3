package sched

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/sm/message"
	"kumiko/sm/smtest"
)

// supplier keeps the instruction buffers of warps full, except where holds is true.
type supplier struct {
	wire.Comp
	out   wire.OutPort[message.Fetched]
	notes wire.InPort[message.FetchNote]
	k     *ir.Kernel
	room  [4]int
	next  [4]int
	holds func(warp, pc int, now wire.Cycle) bool
}

func newSupplier(d *wire.Domain, s *Scheduler, k *ir.Kernel) *supplier {
	x := &supplier{k: k, room: [4]int{8, 8, 8, 8}, holds: func(int, int, wire.Cycle) bool { return false }}
	x.Init("Supplier", d, x)
	x.out.Init(&x.Comp, "Out")
	x.notes.Init(&x.Comp, "Notes", 8)
	wire.Connect(&x.out, &s.Fetched, 1)
	wire.Connect(&s.Notes, &x.notes, 1)
	return x
}

func (x *supplier) Tick(now wire.Cycle) bool {
	for n := x.notes.Head(); n != nil; n = x.notes.Head() {
		x.room[n.Warp] += int(n.Freed)
		x.notes.Pop()
	}
	for w := range x.next {
		for x.room[w] > 0 && x.next[w] < len(x.k.Insts) && now > 1 && !x.holds(w, x.next[w], now) {
			pc := x.next[w]
			x.out.Put(message.Fetched{Inst: &x.k.Insts[pc], PC: uint32(pc), Exec: ^uint32(0), Warp: uint16(w),
				Last: pc == len(x.k.Insts)-1})
			x.room[w]--
			x.next[w]++
		}
	}
	return true
}

// span is a span of cycles in which one warp issues.
type span struct{ Warp, From, To int }

// spans returns the issue of four warps of one scheduler under cggty. Each has 32 independent instructions, the
// second with the given control word. Cycles count from the first issue.
func spans(second ir.Control, holds func(warp, pc int, now wire.Cycle) bool) []span {
	k := smtest.KernelOf()
	for i := range 32 {
		in := smtest.Inst(ir.ClassFMA, []int{1 + i}, 0)
		if in.Control = ir.Plain(1); i == 1 {
			in.Control = second
		}
		k.Insts = append(k.Insts, in)
	}
	spec := testSetup()
	spec.Choice = Spec{Policy: "cggty", Dependences: ByControl}
	spec.Buffer = 8
	b := newBenchWithout(spec, k)
	x := newSupplier(b.d, b.s, k)
	if holds != nil {
		x.holds = holds
	}
	b.warps(1, 0b1111)
	b.d.RunUntil(300)
	var out []span
	first := -1
	for _, g := range b.issue.Got {
		at, w := int(g.Cycle), int(g.Msg.Warp)
		if first < 0 {
			first = at
		}
		at -= first
		if n := len(out); n > 0 && out[n-1].Warp == w && out[n-1].To == at-1 {
			out[n-1].To = at
		} else {
			out = append(out, span{w, at, at})
		}
	}
	return out
}

func wantSpans(t *testing.T, want, got []span) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// Huerta et al. (MICRO 2025), figure 4b: the second instruction has a stall of 4. The figure lets W0
// go on at 102, listing 2 of the paper means 101.
func TestYoungerWarpsGoOnWhileOlderOnesAreStalled(t *testing.T) {
	stall := ir.Plain(4)
	wantSpans(t, []span{{3, 0, 1}, {2, 2, 3}, {1, 4, 5}, {3, 6, 35}, {2, 36, 65}, {1, 66, 95}, {0, 96, 97},
		{0, 101, 130}}, spans(stall, nil))
}

// Figure 4c: the second instruction yields.
func TestAYieldGivesTheNextCycleToTheYoungestOtherWarp(t *testing.T) {
	yield := ir.Plain(1)
	yield.Yield = true
	wantSpans(t, []span{{3, 0, 1}, {2, 2, 3}, {3, 4, 33}, {2, 34, 63}, {1, 64, 65}, {0, 66, 67}, {1, 68, 97},
		{0, 98, 127}}, spans(yield, nil))
}

// Figure 4a: the youngest warp has no instruction from its 17th on for a time. Whoever has issued
// last goes on though the youngest has instructions again.
func TestAWarpThatIssuesGoesOnThoughAYoungerOneIsReadyAgain(t *testing.T) {
	for _, until := range []wire.Cycle{17, 30, 46} {
		got := spans(ir.Plain(1), func(warp, pc int, now wire.Cycle) bool {
			return warp == 3 && pc == 16 && now < until+3
		})
		wantSpans(t, []span{{3, 0, 15}, {2, 16, 47}, {3, 48, 63}, {1, 64, 95}, {0, 96, 127}}, got)
	}
}
