package access

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/memsys/req"
)

// newCountedBench is a bench with statistics, a second pipeline of completions, and one reply accepted at a
// time.
func newCountedBench(t *testing.T) (b *bench, hit *wiretest.Source[req.Done], reg *stats.Registry) {
	t.Helper()
	reg = &stats.Registry{}
	b = &bench{d: wire.NewDomain("D", 1e9)}
	var err error
	if b.u, err = New("U", b.d, Spec{InFlight: 4, Queue: 4}, reg); err != nil {
		t.Fatal(err)
	}
	b.src = wiretest.NewSource("Src", b.d, &b.u.In)
	b.out = wiretest.NewSink("Out", b.d, &b.u.Out, 1)
	b.memory = wiretest.NewSink("Memory", b.d, &b.u.Memory, 8)
	b.shared = wiretest.NewSink("Shared", b.d, &b.u.Shared, 8)
	b.constant = wiretest.NewSink("Constant", b.d, &b.u.Constant, 8)
	for _, i := range []int{FromL1Fill, FromL1Hit} {
		b.u.Completions[i].Init(&b.u.Comp, fmt.Sprintf("Completions[%d]", i), 8)
	}
	b.done = wiretest.NewSource("Fill", b.d, &b.u.Completions[FromL1Fill])
	return b, wiretest.NewSource("Hit", b.d, &b.u.Completions[FromL1Hit]), reg
}

// slots returns the slots of the accesses sent to the coalescer so far, in order.
func (b *bench) slots(t *testing.T, n int) []uint16 {
	t.Helper()
	if len(b.memory.Got) != n {
		t.Fatalf("%d parts to the coalescer, want %d", len(b.memory.Got), n)
	}
	var out []uint16
	for _, g := range b.memory.Got {
		out = append(out, g.Msg.Slot)
	}
	return out
}

func TestLoadsTheirLatencyAndTheOccupancyAreCounted(t *testing.T) {
	b, _, reg := newCountedBench(t)
	b.src.Send(1, access(1, ir.OpLd, ir.Global, 0)) // taken in cycle 2
	b.src.Send(1, access(2, ir.OpLd, ir.Local, 0))  // taken in cycle 3
	b.src.Send(1, access(3, ir.OpSt, ir.Global, 0)) // taken in cycle 4
	b.d.RunUntil(10)
	slots := b.slots(t, 3)
	for i, c := range []wire.Cycle{20, 30, 40} { // completed a cycle later
		b.done.Send(c, req.Done{Slot: slots[i], Of: 1})
	}
	b.d.RunUntil(60)
	want := map[string]uint64{
		"mem.access.generic": 0, "mem.access.global": 2, "mem.access.local": 1, "mem.access.shared": 0,
		"mem.access.const": 0, "mem.access.param": 0, "mem.access.tex": 0,
		"mem.access.loads":        2,
		"mem.access.load_latency": (21 - 2) + (31 - 3),
		"mem.access.occupancy":    (21 - 2) + (31 - 3) + (41 - 4),
	}
	if d := cmp.Diff(want, reg.Snapshot()); d != "" {
		t.Errorf("counts (-want +got):\n%s", d)
	}
}

func TestTwoLoadsThatAreCompleteInOneCycleAreAnsweredInTwo(t *testing.T) {
	b, hit, _ := newCountedBench(t)
	b.src.Send(1, access(1, ir.OpLd, ir.Global, 0))
	b.src.Send(1, access(2, ir.OpLd, ir.Global, 0))
	b.d.RunUntil(10)
	slots := b.slots(t, 2)
	b.done.Send(20, req.Done{Slot: slots[0], Of: 1})
	hit.Send(20, req.Done{Slot: slots[1], Of: 1})
	b.d.RunUntil(60)
	if d := cmp.Diff([]wire.Cycle{22, 24}, b.out.Cycles()); d != "" { // the sink takes one in two cycles
		t.Errorf("replies (-want +got):\n%s", d)
	}
}

func TestAStoreIsAnsweredBesideALoad(t *testing.T) {
	b := newBench(t, 4)
	b.src.Send(1, access(1, ir.OpLd, ir.Global, 0))
	b.src.Send(1, access(2, ir.OpSt, ir.Global, 0))
	b.src.Send(1, access(3, ir.OpLd, ir.Global, 0))
	b.d.RunUntil(10)
	for _, slot := range b.slots(t, 3) {
		b.done.Send(20, req.Done{Slot: slot, Of: 1})
	}
	b.d.RunUntil(60)
	if d := cmp.Diff([]wire.Cycle{22, 22, 23}, b.out.Cycles()); d != "" {
		t.Errorf("replies (-want +got):\n%s", d)
	}
}

// A complete load and a complete store may be answered in one cycle, but not with room for
// one reply.
func TestAccessesThatAreKeptAreAnsweredAsRoomPermits(t *testing.T) {
	b, hit, _ := newCountedBench(t)
	b.u.Sink()
	b.out.Refuse = func(now wire.Cycle) bool { return now < 50 }
	for i, op := range []ir.Op{ir.OpLd, ir.OpLd, ir.OpSt, ir.OpLd} {
		b.src.Send(1, access(uint32(i), op, ir.Global, 0))
	}
	b.d.RunUntil(10)
	for i, slot := range b.slots(t, 4) {
		hit.Send(wire.Cycle(20+i), req.Done{Slot: slot, Of: 1}) // the first fills the port
	}
	b.d.RunUntil(40)
	const kept = "3 memory instructions are complete, their replies wait for U.Out" // one has been answered
	if got := b.u.Waiting(); got != kept {
		t.Errorf("waits: %q, want %q", got, kept)
	}
	b.d.RunUntil(100)
	var tags []uint32
	for _, g := range b.out.Got {
		tags = append(tags, g.Msg.Tag)
	}
	if d := cmp.Diff([]uint32{0, 1, 2, 3}, tags); d != "" {
		t.Errorf("replies (-want +got), in the order of their completion:\n%s", d)
	}
}

func TestTheUnitNamesItsOldestAccess(t *testing.T) {
	b, _, _ := newCountedBench(t)
	if got := b.u.Waiting(); got != "" {
		t.Errorf("idle, it waits: %q", got)
	}
	for i := range 3 {
		b.src.Send(1, access(uint32(7+i), ir.OpLd, ir.Global, 0))
	}
	b.d.RunUntil(10)
	slots := b.slots(t, 3)
	want := "3 memory instructions under way, the oldest (tag 7, warp 3) since cycle 2"
	if got := b.u.Waiting(); got != want {
		t.Errorf("waits: %q, want %q", got, want)
	}
	b.done.Send(20, req.Done{Slot: slots[0], Of: 1})
	b.src.Send(21, access(10, ir.OpLd, ir.Global, 0)) // in the slot that has become free
	b.d.RunUntil(40)
	want = "3 memory instructions under way, the oldest (tag 8, warp 3) since cycle 3"
	if got := b.u.Waiting(); got != want {
		t.Errorf("waits: %q, want %q", got, want)
	}
}

func TestTheWindowsOfGenericAddressesEndWhereTheySay(t *testing.T) {
	for _, c := range []struct {
		addr uint64
		want int
	}{
		{ir.SharedWindow - 1, global}, {ir.SharedWindow, shared}, {ir.SharedWindow + ir.SharedWindowSize - 1, shared},
		{ir.LocalWindow, local}, {ir.LocalWindow + ir.LocalWindowSize - 1, local},
		{ir.LocalWindow + ir.LocalWindowSize, global}, {ir.GlobalBase, global},
	} {
		if got := window(c.addr); got != c.want {
			t.Errorf("address %#x: part %d, want %d", c.addr, got, c.want)
		}
	}
	if w := window(ir.SharedWindow + ir.SharedWindowSize); w == shared {
		t.Error("the address behind the window of shared memory is in it")
	}
}

func TestAnAccessWithoutLanesOrSpaceIsAFault(t *testing.T) {
	for _, a := range []req.Access{access(1, ir.OpLd, ir.SpaceNone, 0), access(1, ir.OpLd, ir.Global),
		access(1, ir.OpLd, ir.Texture+1, 0)} {
		b := newBench(t, 4)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("lanes %#x in space %d are taken", a.Exec, a.Acc.Space)
				}
			}()
			b.src.Send(1, a)
			b.d.RunUntil(10)
		}()
	}
	b := newBench(t, 4)
	b.src.Send(1, access(1, ir.OpTex, ir.Texture, 0))
	b.d.RunUntil(10)
	b.slots(t, 1)
}

func TestAPipelineHoldsWhatIsOnItsLink(t *testing.T) {
	d := wire.NewDomain("D", 1e9)
	u, err := New("U", d, Spec{InFlight: 1, Queue: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &ticks{}
	c.Init("C", d, c)
	var out [2]wire.OutPort[req.Done]
	out[0].Init(&c.Comp, "Out[0]")
	out[1].Init(&c.Comp, "Out[1]")
	u.Connect(FromL1Hit, &out[0], 5)
	u.ConnectWide(FromL1Fill, &out[1], Pipeline{Latency: 2, Stages: 3, Width: 4})
	if n := u.Completions[FromL1Hit].Capacity(); n != 6 { // five stages and the last one
		t.Errorf("room for %d completions, want 6", n)
	}
	if n := u.Completions[FromL1Fill].Capacity(); n != 16 {
		t.Errorf("room for %d completions, want 4 in each of 4 stages", n)
	}
}

type ticks struct{ wire.Comp }

func (*ticks) Tick(wire.Cycle) bool { return false }

func TestThePortsOfCachesThatReportMissesStayWhereTheyAre(t *testing.T) {
	b := newBench(t, 1)
	first, second := b.u.Hear(), b.u.Hear()
	if len(b.u.Missed) != 2 || first != &b.u.Missed[0] || second != &b.u.Missed[1] {
		t.Fatal("a port is another one than the unit looks at")
	}
	if first.Name() != "U.Missed[0]" || second.Name() != "U.Missed[1]" {
		t.Errorf("names %s and %s", first.Name(), second.Name())
	}
}
