package wire_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
)

// feeder sends up to burst numbers per cycle, as long as its function room reports space.
type feeder struct {
	wire.Comp
	out   wire.OutPort[int]
	room  func() bool
	burst int
	next  int
	sent  []wire.Cycle
}

func (f *feeder) Tick(now wire.Cycle) bool {
	for range f.burst {
		if f.next == 60 || !f.room() {
			return false
		}
		f.out.Put(f.next)
		f.next++
		f.sent = append(f.sent, now)
	}
	return f.next < 60
}

// between passes every message on in the cycle of its arrival.
type between struct {
	wire.Comp
	in  wire.InPort[int]
	out wire.OutPort[int]
}

func (r *between) Tick(wire.Cycle) bool {
	for m := r.in.Head(); m != nil; m = r.in.Head() {
		r.out.Put(*m)
		r.in.Pop()
	}
	return false
}

// path is a feeder and a sink refusing messages in some cycles, joined by one link, or by two with a relay between.
type path struct {
	latency, capacity, burst int
	refuse                   []bool // by cycle, over and over
	order                    uint64 // of the ticks
}

// run runs the path in a domain or, if far, with the sink in the partition that the path's own follows.
func (p path) run(relayed, far bool) (sent, got []wire.Cycle, numbers []int) {
	e := wire.NewEngine()
	d := e.NewPartition("P").NewDomain("D", 1e9)
	end := d
	if far {
		d = d.Partition().NewFollower("F").NewDomain("E", 1e9)
	}
	f := &feeder{burst: p.burst}
	f.Init("Feeder", d, f)
	f.out.Init(&f.Comp, "Out")
	f.room = f.out.CanPut
	last, latency := &f.out, p.latency
	if relayed {
		r := &between{}
		r.Init("Relay", d, r)
		r.in.Init(&r.Comp, "In", 2*p.burst)
		r.out.Init(&r.Comp, "Out")
		wire.Connect(&f.out, &r.in, 1)
		f.room = wire.NewCredit(&f.out, &r.out).CanPut
		last, latency = &r.out, p.latency-1
	}
	s := wiretest.NewLooseSink[int]("Sink", end, p.capacity)
	wire.Connect(last, &s.In, latency)
	s.Refuse = func(now wire.Cycle) bool { return p.refuse[int(now)%len(p.refuse)] }
	perm := make([]int32, d.Len())
	for i, k := range rand.New(rand.NewPCG(p.order, 0)).Perm(len(perm)) {
		perm[i] = int32(k)
	}
	d.SetTickOrder(perm)
	if _, err := e.RunUntil(end, 3000); err != nil {
		panic(err)
	}
	for _, g := range s.Got {
		got, numbers = append(got, g.Cycle), append(numbers, g.Msg)
	}
	return f.sent, got, numbers
}

func TestAPathWithACreditEqualsOneLinkToTheCycle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		far := rapid.Bool().Draw(t, "far")
		p := path{
			latency: rapid.IntRange(2, 40).Draw(t, "latency"), capacity: rapid.IntRange(1, 9).Draw(t, "capacity"),
			burst: rapid.IntRange(1, 3).Draw(t, "burst"), order: rapid.Uint64Range(0, 20).Draw(t, "order"),
			refuse: append(rapid.SliceOfN(rapid.Bool(), 0, 12).Draw(t, "refuse"), false),
		}
		wantSent, wantGot, _ := p.run(false, false)
		sent, got, numbers := p.run(true, far)
		if !slices.Equal(sent, wantSent) {
			t.Fatalf("sent in cycles %v, over one link in %v", sent, wantSent)
		}
		if !slices.Equal(got, wantGot) {
			t.Fatalf("received in cycles %v, over one link in %v", got, wantGot)
		}
		if len(numbers) != 60 || !slices.IsSorted(numbers) {
			t.Fatalf("received %v, want 60 numbers in order", numbers)
		}
	})
}

func TestACreditForAnotherDomainIsRefused(t *testing.T) {
	a, b := &feeder{}, &feeder{}
	a.Init("A", wire.NewDomain("D", 1e9), a)
	b.Init("B", wire.NewDomain("E", 1e9), b)
	a.out.Init(&a.Comp, "Out")
	b.out.Init(&b.Comp, "Out")
	defer func() {
		if recover() == nil {
			t.Error("two blocks of different domains share a credit")
		}
	}()
	wire.NewCredit(&a.out, &b.out)
}
