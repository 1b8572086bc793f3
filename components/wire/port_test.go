package wire_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sarchlab/akita/v3/sim"

	"kumiko/components/wire"
)

// script is a component whose ticks are a function of the test.
type script struct {
	wire.Comp
	in   wire.InPort[int]
	out  wire.OutPort[int]
	do   func(now wire.Cycle) bool
	seen []wire.Cycle // of ticks
}

func (s *script) Tick(now wire.Cycle) bool {
	s.seen = append(s.seen, now)
	return s.do != nil && s.do(now)
}

func newScript(d *wire.Domain, name string, capacity int) *script {
	s := &script{}
	s.Init(name, d, s)
	s.in.Init(&s.Comp, "In", capacity)
	s.out.Init(&s.Comp, "Out")
	return s
}

// pair is a sender and a receiver, in both orders of construction.
func pair(t *testing.T, capacity, latency int, test func(t *testing.T, d *wire.Domain, from, to *script)) {
	t.Helper()
	for _, senderFirst := range []bool{true, false} {
		t.Run(fmt.Sprintf("senderFirst=%t", senderFirst), func(t *testing.T) {
			d := wire.NewDomain("Core", sim.GHz)
			var from, to *script
			if senderFirst {
				from = newScript(d, "From", 1)
			}
			to = newScript(d, "To", capacity)
			if !senderFirst {
				from = newScript(d, "From", 1)
			}
			wire.Connect(&from.out, &to.in, latency)
			test(t, d, from, to)
		})
	}
}

func TestAMessageIsVisibleLatencyCyclesAfterItsPut(t *testing.T) {
	for _, latency := range []int{1, 2, 63, 64, 65, 200} {
		pair(t, 1, latency, func(t *testing.T, d *wire.Domain, from, to *script) {
			from.do = func(now wire.Cycle) bool {
				if now == 1 {
					from.out.Put(7)
				}
				return false
			}
			var at wire.Cycle
			to.do = func(now wire.Cycle) bool {
				if m := to.in.Head(); m != nil {
					at = now
					to.in.Pop()
				}
				return false
			}
			d.RunUntil(500)
			if want := wire.Cycle(1 + latency); at != want {
				t.Errorf("latency %d: popped at %d, want %d", latency, at, want)
			}
			if n := len(to.seen); n != 2 { // cycle 1, of Init, and the arrival
				t.Errorf("latency %d: the receiver ticked at %v", latency, to.seen)
			}
		})
	}
}

func TestRoomFreedInACycleIsVisibleToTheSenderInTheNext(t *testing.T) {
	pair(t, 1, 1, func(t *testing.T, d *wire.Domain, from, to *script) {
		var puts []wire.Cycle
		from.do = func(now wire.Cycle) bool {
			if from.out.CanPut() {
				from.out.Put(0)
				puts = append(puts, now)
				return true
			}
			return false // the port wakes it
		}
		to.do = func(now wire.Cycle) bool {
			if to.in.Head() != nil {
				to.in.Pop()
			}
			return false
		}
		d.RunUntil(7)
		// Put at 1, visible and popped at 2, room at 3, and so on.
		if want := []wire.Cycle{1, 3, 5, 7}; !cmp.Equal(puts, want) {
			t.Errorf("puts at %v, want %v", puts, want)
		}
	})
}

func TestTheHeadStaysUnchangedToTheEndOfTheCycleOfItsPop(t *testing.T) {
	pair(t, 2, 1, func(t *testing.T, d *wire.Domain, from, to *script) {
		n := 0
		from.do = func(wire.Cycle) bool {
			for from.out.CanPut() {
				n++
				from.out.Put(n)
			}
			return true
		}
		var held *int
		want := 0
		d2 := newScript(d, "Late", 1) // ticks after both
		d2.do = func(wire.Cycle) bool {
			if held != nil && *held != want {
				t.Errorf("held message became %d, want %d", *held, want)
			}
			held = nil
			return true
		}
		to.do = func(wire.Cycle) bool {
			if h := to.in.Head(); h != nil {
				held, want = h, *h
				to.in.Pop()
			}
			return true
		}
		d.RunUntil(20)
		if want < 15 {
			t.Errorf("only %d messages passed", want)
		}
	})
}

func TestLenCountsVisibleMessagesOnly(t *testing.T) {
	pair(t, 4, 2, func(t *testing.T, d *wire.Domain, from, to *script) {
		from.do = func(now wire.Cycle) bool {
			if now <= 3 {
				from.out.Put(int(now))
			}
			return now < 3
		}
		var lens []int
		to.do = func(now wire.Cycle) bool {
			lens = append(lens, to.in.Len())
			return now < 6
		}
		d.RunUntil(6)
		// Put at 1, 2, 3, visible from 3, 4, 5 on.
		if want := []int{0, 0, 1, 2, 3, 3}; !cmp.Equal(lens, want) {
			t.Errorf("lengths %v, want %v", lens, want)
		}
	})
}

func TestRoomIsTheNumberOfPutsThatSucceed(t *testing.T) {
	pair(t, 3, 1, func(t *testing.T, d *wire.Domain, from, to *script) {
		from.do = func(now wire.Cycle) bool {
			room := from.out.Room(math.MaxInt)
			if most := 2; from.out.Room(most) != min(most, room) {
				t.Errorf("cycle %d: room for %d of %d, want %d", now, from.out.Room(most), most, min(most, room))
			}
			for i := 0; i < room; i++ {
				if !from.out.CanPut() {
					t.Errorf("cycle %d: room %d, but put %d is refused", now, room, i)
				}
				from.out.Put(0)
			}
			if from.out.CanPut() || from.out.Room(1) != 0 {
				t.Errorf("cycle %d: more room than %d", now, room)
			}
			return now < 30
		}
		to.do = func(now wire.Cycle) bool {
			for i := 0; i < int(now%4) && to.in.Head() != nil; i++ {
				to.in.Pop()
			}
			return now < 30
		}
		d.RunUntil(30)
	})
}

func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), want) {
			t.Errorf("panic %v, want one with %q", r, want)
		}
	}()
	f()
}

func TestMistakesOfWiringAreRefusedByName(t *testing.T) {
	d := wire.NewDomain("Core", sim.GHz)
	a, b, c := newScript(d, "A", 1), newScript(d, "B", 1), newScript(d, "C", 1)
	wire.Connect(&a.out, &b.in, 1)
	mustPanic(t, "B.In has a sender already, A.Out", func() { wire.Connect(&c.out, &b.in, 1) })
	mustPanic(t, "A.Out is connected already, to B.In", func() { wire.Connect(&a.out, &c.in, 1) })
	mustPanic(t, "latency 0, want at least 1", func() { wire.Connect(&c.out, &c.in, 0) })
	mustPanic(t, "C.Out is not connected", func() { c.out.CanPut() })
	mustPanic(t, "C.Out is not connected", func() { c.out.Put(1) })
	mustPanic(t, "pop without a visible message on C.In", func() { c.in.Pop() })
	mustPanic(t, "put without room on A.Out", func() { a.out.Put(1); a.out.Put(2) })
	mustPanic(t, "capacity 0, want 1 to ", func() { var p wire.InPort[int]; p.Init(&a.Comp, "P", 0) })
	mustPanic(t, "A has a port In already", func() { var p wire.InPort[int]; p.Init(&a.Comp, "In", 1) })
	mustPanic(t, "before its component", func() { var p wire.InPort[int]; p.Init(&wire.Comp{}, "P", 1) })
	mustPanic(t, "before its Init", func() { wire.Connect(&wire.OutPort[int]{}, &c.in, 1) })
	mustPanic(t, "A is initialised again, as Z", func() { a.Init("Z", d, a) })
	mustPanic(t, "whole number of hertz", func() { wire.NewDomain("Core", 0) })
	mustPanic(t, "whole number of hertz", func() { wire.NewDomain("Core", 0.5) })
	mustPanic(t, "no permutation", func() { d.SetTickOrder([]int32{0, 0, 1}) })
	mustPanic(t, "of 2 components, want 3", func() { d.SetTickOrder([]int32{0, 1}) })
	other := newScript(wire.NewDomain("Other", sim.GHz), "O", 1)
	mustPanic(t, "must be in partitions of an engine first", func() { wire.Connect(&c.out, &other.in, 1) })
}
