package memsys

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/wire"
	"kumiko/memsys/l1"
)

func TestTheOrderInWhichBlocksTickChangesNothing(t *testing.T) {
	// With the core's clock both domains tick at the same times.
	for _, s := range []Spec{GTX980(), tight(GTX480()), Gebhart(), refreshing(GTX980()),
		clocked(tight(GTX980()), coreMHz), clocked(GTX980(), 877)} {
		ref := randomMachine(t, s, 4, 150, 1)
		ref.run(t)
		for seed := range uint64(3) {
			m := randomMachine(t, s, 4, 150, 1)
			for _, p := range m.engine.Partitions() {
				for _, d := range p.Domains() {
					perm := make([]int32, d.Len())
					for i, p := range rand.New(rand.NewPCG(seed, 0)).Perm(len(perm)) {
						perm[i] = int32(p)
					}
					d.SetTickOrder(perm)
				}
			}
			m.run(t)
			same(t, ref, m)
		}
	}
}

func same(t *testing.T, a, b *machine) {
	t.Helper()
	for i := range a.drivers {
		if d := cmp.Diff(a.drivers[i].done, b.drivers[i].done); d != "" {
			t.Fatalf("SM %d: cycles of the replies differ:\n%s", i, d)
		}
	}
	if d := cmp.Diff(a.reg.Snapshot(), b.reg.Snapshot()); d != "" {
		t.Fatalf("statistics differ:\n%s", d)
	}
}

func TestWakesForNothingChangeNothing(t *testing.T) {
	for _, s := range []Spec{GTX980(), tight(GTX980()), refreshing(GTX980()), clocked(GTX980(), 877)} {
		ref := randomMachine(t, s, 2, 150, 5)
		ref.run(t)
		m := randomMachine(t, s, 2, 150, 5)
		for range 60000 { // every block in every cycle
			m.wakeAll()
			m.until(t, m.dom.Now()+1)
		}
		m.run(t)
		same(t, ref, m)
	}
}

func (m *machine) wakeAll() {
	for _, s := range m.sides {
		s.Access.Wake()
		s.Coalescer.Wake()
		s.Shared.Wake()
		s.Constant.Wake()
		for _, c := range []*l1.Cache{s.L1, s.Texture} {
			c.Tags.Wake()
			c.Data.Wake()
		}
		s.Port.Wake()
	}
	m.sys.Requests.Wake()
	m.sys.Replies.Wake()
	for _, l := range m.sys.Slices {
		l.Tags.Wake()
		l.Data.Wake()
	}
	for _, c := range m.sys.Channels {
		c.Wake()
	}
}

// partitioned is the random machine with every SM in a partition of its own, and the slices in a number of parts.
func partitioned(t testing.TB, s Spec, sms, n int, seed uint64, workers, parts int) *machine {
	e := wire.NewEngine()
	e.SetWorkers(workers)
	m := &machine{engine: e, dom: e.NewPartition("Memory").NewDomain("Memory", coreMHz*1e6)}
	e.SetWindow(s.LaneLatency(), coreMHz*1e6)
	var err error
	if m.sys, err = NewSystem(m.dom, &s, sms, parts, &m.reg); err != nil {
		t.Fatal(err)
	}
	for i := range sms {
		d := e.NewPartition("SM").NewDomain("SM", coreMHz*1e6)
		side, err := NewSMSide(d, &s, SMConfig{Name: "SM[0]", SM: i, Warps: 64}, &m.reg)
		if err != nil {
			t.Fatal(err)
		}
		m.sys.Attach(i, side)
		m.sides = append(m.sides, side)
		v := newDriver("Driver", d, side, 64)
		m.drivers = append(m.drivers, v)
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		for range n {
			v.add(anyAccess(r))
		}
	}
	m.run(t)
	return m
}

func TestPartitionsAndWorkersChangeNothing(t *testing.T) {
	for _, s := range []Spec{GTX980(), tight(GTX980()), Gebhart(), refreshing(clocked(GTX980(), 877)),
		clocked(tight(GTX980()), coreMHz)} {
		ref := partitioned(t, s, 4, 150, 3, 1, 1)
		same(t, ref, partitioned(t, s, 4, 150, 3, 2, 1))
		ref = partitioned(t, s, 4, 60, 4, 1, 1)
		for _, c := range []struct{ parts, workers int }{{2, 2}, {3, 1}, {99, 3}} {
			m := partitioned(t, s, 4, 60, 4, c.workers, c.parts)
			same(t, ref, m)
			parts := 5 // the SMs, and the rest
			if s.Backing != "fixed" {
				parts += min(c.parts, s.DRAM.Channels)
			}
			if got := len(m.engine.Partitions()); got != parts {
				t.Errorf("%d partitions, want %d", got, parts)
			}
		}
	}
}

func TestSlicesWhoseRepliesTakeTooShortStayTogether(t *testing.T) {
	for latency, want := range map[int]int{12: 1, 13: 3} { // of replies, 3 and 4; the link to an SM takes 8
		s := GTX980()
		s.NoC.Latency = latency
		e := wire.NewEngine()
		d := e.NewPartition("Memory").NewDomain("Memory", coreMHz*1e6)
		if _, err := NewSystem(d, &s, 1, 2, nil); err != nil {
			t.Fatal(err)
		}
		if got := len(e.Partitions()); got != want {
			t.Errorf("latency %d: %d partitions, want %d", latency, got, want)
		}
	}
}
