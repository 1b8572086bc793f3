package cache

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/req"
)

// The head waits for a register in cycles 10 to 13, for a bank, its owner's reason, from 13
// to 20, then it goes; the next waits from 30 to 31.
func TestAStallCountsOnceAndForItsCycles(t *testing.T) {
	s := NewStalls("bank")
	var reg stats.Registry
	s.Register(&reg, "L1", "mem.l1.", "transactions", "at the head")
	const bank = NumReasons
	for _, n := range []struct {
		at wire.Cycle
		r  Reason
	}{{9, Ready}, {10, NoEntry}, {11, NoEntry}, {13, bank}, {20, Ready}, {30, NoEntry}, {31, Ready}} {
		s.Note(n.at, n.r)
	}
	want := map[string]uint64{}
	for _, n := range []string{"no_line", "no_mshr_entry", "no_mshr_merge", "miss_queue", "bank"} {
		want["mem.l1.reservation_failures."+n], want["mem.l1.stall_cycles."+n] = 0, 0
	}
	want["mem.l1.reservation_failures.no_mshr_entry"], want["mem.l1.stall_cycles.no_mshr_entry"] = 2, 3+1
	want["mem.l1.reservation_failures.bank"], want["mem.l1.stall_cycles.bank"] = 1, 7
	if d := cmp.Diff(want, reg.Snapshot()); d != "" {
		t.Errorf("counts (-want +got):\n%s", d)
	}
	s.Note(40, NoLine)
	if got := s.Head(req.GlobalLoad, 0x80); got != "global_load of line 0x80 at the head: no_line" {
		t.Errorf("the head: %q", got)
	}
}

func TestACoreSaysHowManyLinesAreOutstanding(t *testing.T) {
	c := newCore(t, small())
	same(t, "idle", c.Waiting("the L2", ""), "")
	m := c.missed(0, 1, 0)
	same(t, "a miss", c.Waiting("the L2", ""), "1 lines from the L2")
	same(t, "a miss and a head", c.Waiting("the L2", "load at the head"), "1 lines from the L2, load at the head")
	same(t, "the line is awaited", c.Awaited(c.Find(0)), true)
	c.come(m, 1)
	same(t, "the line is awaited after it has come", c.Awaited(c.Find(0)), false)
	same(t, "after it has come", c.Waiting("the L2", ""), "")
	same(t, "fills", c.Fills, uint64(1))
}

func TestAnswersAreDrainedBeforeTheNextFill(t *testing.T) {
	c := newCore(t, small())
	same(t, "draining, idle", c.Draining(), false)
	m := c.missed(0, 1, 7)
	c.Fill(m.Register, 0, 1, plenty)
	same(t, "draining after a fill", c.Draining(), true)
	if got := c.answer(); len(got) != 1 || got[0] != 7 {
		t.Errorf("answered %v, want 7", got)
	}
	same(t, "draining after the answer", c.Draining(), false)
}

// waker ticks when it is told, and notes when.
type waker struct {
	wire.Comp
	out   wire.OutPort[int]
	r     Reason
	ticks []wire.Cycle
}

func (w *waker) Tick(now wire.Cycle) bool {
	w.ticks = append(w.ticks, now)
	if len(w.ticks) == 1 {
		Await(now, &w.Comp, &w.out, w.r)
	}
	return false
}

func TestWhoWaitsForRoomThatNoPortReportsLooksAgain(t *testing.T) {
	for r, want := range map[Reason][]wire.Cycle{Full: {1, 2}, NoEntry: {1}} {
		d := wire.NewDomain("D", 1e9)
		w := &waker{r: r}
		w.Init("W", d, w)
		w.out.Init(&w.Comp, "Out")
		wiretest.NewSink("Sink", d, &w.out, 1)
		d.RunUntil(20)
		if d := cmp.Diff(want, w.ticks); d != "" {
			t.Errorf("reason %d: ticks (-want +got):\n%s", r, d)
		}
	}
}
