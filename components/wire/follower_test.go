package wire_test

import (
	"slices"
	"testing"

	"github.com/sarchlab/akita/v3/sim"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
)

// ledPair has a leader and its follower, each with a feeder.
type ledPair struct {
	engine           *wire.Engine
	leader, follower *feeder
}

func newPair() ledPair {
	x := ledPair{wire.NewEngine(), &feeder{burst: 1}, &feeder{burst: 1}}
	p := x.engine.NewPartition("Leader")
	x.leader.Init("A", p.NewDomain("A", sim.GHz), x.leader)
	x.follower.Init("B", p.NewFollower("Follower").NewDomain("B", sim.GHz), x.follower)
	for _, f := range []*feeder{x.leader, x.follower} {
		f.out.Init(&f.Comp, "Out")
		f.room = func() bool { return f.out.Connected() && f.out.CanPut() }
	}
	return x
}

// sink joins a sink to a feeder in the domain of another component.
func (x ledPair) sink(from, beside *feeder, latency, capacity int) *wiretest.Sink[int] {
	s := wiretest.NewLooseSink[int]("Sink", beside.Domain(), capacity)
	wire.Connect(&from.out, &s.In, latency)
	return s
}

func TestASpaceThatAFollowerFreesIsSeenInTheNextCycle(t *testing.T) {
	for _, latency := range []int{1, 2, 5, 40} {
		for _, back := range []bool{false, true} {
			x := newPair()
			from, to := x.leader, x.follower
			if back {
				from, to = to, from
			}
			x.sink(from, to, latency, 1)
			if err := x.engine.Run(); err != nil {
				t.Fatal(err)
			}
			for i, at := range from.sent { // taken when it arrives, so that there is room a cycle later
				if want := wire.Cycle(1 + i*(latency+1)); at != want {
					t.Fatalf("latency %d: message %d sent in cycle %d, want %d", latency, i, at, want)
				}
			}
			if len(from.sent) != 60 {
				t.Errorf("latency %d: %d messages sent, want 60", latency, len(from.sent))
			}
		}
	}
}

func TestAPortBehindALinkToAFollowerHasRoomForOneTripOfMessages(t *testing.T) {
	x := newPair()
	s := wiretest.NewLooseSink[int]("Sink", x.follower.Domain(), 3)
	s.In.Sink().SetBehind()
	wire.Connect(&x.leader.out, &s.In, 5)
	if got := s.In.Capacity(); got != 8 {
		t.Errorf("a capacity of %d, want 3 and the latency of 5", got)
	}
}

func TestALeaderThatPutsTooManyMessagesInACycleIsNamed(t *testing.T) {
	x := newPair()
	x.leader.burst = 4
	x.sink(x.leader, x.follower, 16, 11)
	mustPanic(t, "A.Out puts 4 messages in a cycle", func() { _ = x.engine.Run() })
}

func TestALeaderPutsThreeMessagesInACycle(t *testing.T) {
	x := newPair()
	x.leader.burst = 3
	x.sink(x.leader, x.follower, 16, 11)
	if err := x.engine.Run(); err != nil || len(x.leader.sent) != 60 {
		t.Errorf("%d sent, error %v", len(x.leader.sent), err)
	}
}

func TestALeaderThatAsksForMoreRoomThanItCanKnowIsNamed(t *testing.T) {
	x := newPair()
	x.leader.room = func() bool { return x.leader.out.Room(12) > 0 }
	x.sink(x.leader, x.follower, 16, 11)
	mustPanic(t, "A.Out puts 4 messages in a cycle, or asks for more room", func() { _ = x.engine.Run() })
}

func TestAFollowerIsFollowedByNobody(t *testing.T) {
	x := newPair()
	mustPanic(t, "Second is to follow Follower, which follows Leader itself", func() {
		x.follower.Domain().Partition().NewFollower("Second")
	})
}

func TestAFollowerIsJoinedToItsLeaderAlone(t *testing.T) {
	x := newPair()
	sm := &feeder{}
	sm.Init("C", x.engine.NewPartition("SM").NewDomain("C", sim.GHz), sm)
	mustPanic(t, "joins partitions Follower and SM, of which one follows another partition", func() {
		x.sink(x.follower, sm, 8, 1)
	})
}

func TestAFollowerHasNoStockComponents(t *testing.T) {
	x := newPair()
	mustPanic(t, "partition Follower, which follows another and takes none", func() {
		x.follower.Domain().Partition().Schedule(sim.NewEventBase(1, nil))
	})
	mustPanic(t, "socket Socket: partition Follower follows another and has no stock components", func() {
		wire.NewSocket("Socket", wire.SocketSpec[int, int]{Out: &x.follower.out, Buffer: 1,
			Conn: sim.NewDirectConnection("Conn", x.engine, sim.GHz)})
	})
}

func TestALeaderWithoutDomainsRunsItsFollowers(t *testing.T) {
	e := wire.NewEngine()
	s := newScript(e.NewPartition("Leader").NewFollower("Follower").NewDomain("D", sim.GHz), "S", 1)
	ticks := 0
	s.do = func(now wire.Cycle) bool { ticks++; return now < 40 }
	if err := e.Run(); err != nil || ticks != 40 {
		t.Errorf("%d ticks, want 40; error %v", ticks, err)
	}
}

func TestASignalReachesAFollowerAndItsLeaderAfterTheLatency(t *testing.T) {
	for _, workers := range []int{1, 2} {
		x := newPair()
		x.engine.SetWorkers(workers)
		seen := map[string]wire.Cycle{}
		for _, c := range []struct {
			name     string
			from, to *feeder
		}{{"down", x.leader, x.follower}, {"up", x.follower, x.leader}} {
			var s wire.Signal[bool]
			s.Init(&c.from.Comp, false)
			w := newScript(c.from.Domain(), "W", 1)
			w.do = func(now wire.Cycle) bool {
				if now == 13 {
					s.Set(true)
				}
				return now < 60
			}
			tap := wire.NewTap(&s, &c.to.Comp, 9)
			r := newScript(c.to.Domain(), "R", 1)
			r.do = func(now wire.Cycle) bool {
				if seen[c.name] == 0 && tap.Get() {
					seen[c.name] = now
				}
				return now < 60
			}
		}
		if err := x.engine.Run(); err != nil || seen["down"] != 22 || seen["up"] != 22 {
			t.Errorf("%d workers: seen in cycles %v, want 22; error %v", workers, seen, err)
		}
	}
}

func TestALinkToAFollowerIsInNoCredit(t *testing.T) {
	x := newPair()
	r := &between{}
	r.Init("Relay", x.leader.Domain(), r)
	r.in.Init(&r.Comp, "In", 2)
	r.out.Init(&r.Comp, "Out")
	wire.Connect(&x.leader.out, &r.in, 1)
	s := wiretest.NewLooseSink[int]("Sink", x.follower.Domain(), 1)
	wire.Connect(&r.out, &s.In, 4)
	x.leader.room = wire.NewCredit(&x.leader.out, &r.out).CanPut
	mustPanic(t, "a credit of A.Out for Relay.Out, whose link leads to another clock or to a follower",
		func() { _ = x.engine.Run() })
}

func TestAFollowerTakesItsTurnAfterTheLeader(t *testing.T) {
	for _, sms := range []int{0, 1} {
		e, order := wire.NewEngine(), []int{}
		p := e.NewPartition("Leader")
		parts := []*wire.Partition{p, p.NewFollower("Follower")}
		for range sms {
			parts = append(parts, e.NewPartition("SM"))
		}
		var blocks []*script
		for i, p := range parts {
			s := newScript(p.NewDomain("D", sim.GHz), "S", 16)
			s.do = func(now wire.Cycle) bool {
				if i < 2 {
					order = append(order, i)
				}
				return now < 64
			}
			blocks = append(blocks, s)
		}
		wire.Connect(&blocks[0].out, &blocks[1].in, 16)
		want := []int{16, 16, 16, 16, 16, 16, 16, 16}
		if sms > 0 { // the window is 8, and halves run two
			wire.Connect(&blocks[2].out, &blocks[0].in, 8)
			want = []int{8, 8, 16, 16, 16, 16, 16, 16, 8, 8}
		}
		if err := e.Run(); err != nil {
			t.Fatal(err)
		}
		if got := lengths(order); !slices.Equal(got, want) || order[0] != 0 {
			t.Errorf("%d SMs: turns of %v ticks, want %v", sms, got, want)
		}
	}
}

// arrivals returns the cycles in which messages arrive over a link with room for one, within a domain or to a
// follower's. The partition has a slow domain too if that has a clock, and events.
func arrivals(t *testing.T, follow bool, slow sim.Freq, latency int, events ...sim.VTimeInSec) (got []wire.Cycle) {
	t.Helper()
	e := wire.NewEngine()
	p := e.NewPartition("Leader")
	if slow != 0 {
		p.NewDomain("Slow", slow)
	}
	d := p.NewDomain("D", 100)
	to := d
	if follow {
		to = p.NewFollower("Follower").NewDomain("D", 100)
	}
	s, r := newScript(d, "S", 1), newScript(to, "R", 1)
	wire.Connect(&s.out, &r.in, latency)
	s.do = func(wire.Cycle) bool {
		if s.out.Room(1) > 0 {
			s.out.Put(0)
		}
		return true
	}
	r.do = func(now wire.Cycle) bool {
		if r.in.Take() != nil {
			got = append(got, now)
		}
		return true
	}
	for _, at := range events {
		p.Schedule(sim.NewEventBase(at, handlerFunc(func() {})))
	}
	if _, err := e.RunUntil(d, 1900); err != nil {
		t.Fatal(err)
	}
	return got
}

func TestEventsOfALeaderChangeNothingOfItsFollowers(t *testing.T) {
	for _, c := range []struct {
		slow   sim.Freq
		events []sim.VTimeInSec
	}{
		{0, nil},
		{0, []sim.VTimeInSec{0}}, // before the first edge
		{0, []sim.VTimeInSec{0.001, 0.5, 0.505, 7}},
		{1, []sim.VTimeInSec{1.995, 2.995, 3.995, 4.995}},
	} {
		for _, latency := range []int{8, 20} {
			want := arrivals(t, false, c.slow, latency, c.events...)
			if got := arrivals(t, true, c.slow, latency, c.events...); !slices.Equal(got, want) || len(got) < 80 {
				t.Errorf("%+v, latency %d: arrivals in cycles %v, want %v", c, latency, got, want)
			}
		}
	}
}

func TestAPanicOfAFollowerNamesItWhoeverRunsIt(t *testing.T) {
	for _, capacity := range []int{1, 24} { // with the leader, and after it
		x := newPair()
		s := x.sink(x.leader, x.follower, 8, capacity)
		s.Receive = func(wire.Cycle, int) { panic("of the sink") }
		x.engine.SetWorkers(2)
		mustPanic(t, "of the sink (in partition Follower)", func() { _ = x.engine.Run() })
	}
}

func TestWaitsAreListedInTheOrderInWhichTheChipWasBuilt(t *testing.T) {
	for _, follow := range []bool{false, true} {
		e := wire.NewEngine()
		p := e.NewPartition("Chip")
		core := p.NewDomain("Core", sim.GHz)
		parts := []*wire.Domain{core, core}
		if follow {
			parts = []*wire.Domain{p.NewFollower("F[0]").NewDomain("Core", sim.GHz),
				p.NewFollower("F[1]").NewDomain("Core", sim.GHz)}
		}
		sm := e.NewPartition("SM").NewDomain("Core", sim.GHz)
		for _, c := range []struct {
			name string
			d    *wire.Domain
		}{{"Net", core}, {"L2[0]", parts[0]}, {"L2[1]", parts[1]}, {"D[0]", parts[0]}, {"D[1]", parts[1]}, {"SM", sm},
			{"Unit", core}} {
			newWaits(c.d, c.name, "waits")
		}
		want := []string{"Net: waits", "L2[0]: waits", "L2[1]: waits", "D[0]: waits", "D[1]: waits", "Unit: waits",
			"SM: waits"}
		if got := e.Waiting(); !slices.Equal(got, want) {
			t.Errorf("follow %v: %v, want %v", follow, got, want)
		}
	}
}
