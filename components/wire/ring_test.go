package wire_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sarchlab/akita/v3/sim"
	"pgregory.net/rapid"

	"kumiko/components/wire"
)

func TestTakeIsHeadAndPopInOneStep(t *testing.T) {
	pair(t, 2, 1, func(t *testing.T, d *wire.Domain, from, to *script) {
		from.do = func(now wire.Cycle) bool {
			for i := 0; from.out.CanPut(); i++ {
				from.out.Put(10*int(now) + i)
			}
			return now < 2
		}
		var got []int
		to.do = func(now wire.Cycle) bool {
			first := to.in.Take()
			for m := first; m != nil; m = to.in.Take() {
				got = append(got, *m)
			}
			if first != nil && *first != got[len(got)-2] {
				t.Errorf("the first message of two has become %d in the cycle in which it is taken", *first)
			}
			return false
		}
		d.RunUntil(5)
		if diff := cmp.Diff([]int{10, 11, 30, 31}, got[:4]); diff != "" {
			t.Errorf("messages (-want +got):\n%s", diff)
		}
	})
}

func TestAPortWithoutInitHasNoMessages(t *testing.T) {
	var in wire.InPort[int]
	if in.Head() != nil || in.Take() != nil || in.Len() != 0 {
		t.Error("a port that was never initialised has a message")
	}
}

func TestOfferIsThePlaceOfTheNextMessageOrNilWithoutRoom(t *testing.T) {
	pair(t, 1, 1, func(t *testing.T, d *wire.Domain, from, to *script) {
		var put []wire.Cycle
		from.do = func(now wire.Cycle) bool {
			if m := from.out.Offer(); m != nil {
				*m = int(now)
				from.out.PutSlot()
				put = append(put, now)
			}
			return now < 2
		}
		var got []int
		to.do = func(now wire.Cycle) bool {
			if now >= 6 {
				for m := to.in.Take(); m != nil; m = to.in.Take() {
					got = append(got, *m)
				}
			}
			return now < 6
		}
		d.RunUntil(6)
		if d.NextWake() != 7 { // the pop at 6 makes room, and the sender waits
			t.Errorf("the sender is woken at %d, want 7", d.NextWake())
		}
		d.RunUntil(7)
		if diff := cmp.Diff([]wire.Cycle{1, 7}, put); diff != "" {
			t.Errorf("cycles of puts (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]int{1}, got); diff != "" {
			t.Errorf("messages (-want +got):\n%s", diff)
		}
	})
}

// model is a bounded queue as the package describes it: the room freed in a cycle is there for the sender in the
// next.
type model struct {
	capacity, latency int
	queue             []message
	freed             int // in cycle freedAt
	freedAt           wire.Cycle
}

type message struct {
	visible wire.Cycle
	value   int
}

func (m *model) room(now wire.Cycle) int {
	used := len(m.queue)
	if m.freedAt == now {
		used += m.freed
	}
	return m.capacity - used
}

func (m *model) put(now wire.Cycle, v int) {
	m.queue = append(m.queue, message{now + wire.Cycle(m.latency), v})
}

// visible returns the number of messages that the receiver sees at now.
func (m *model) visible(now wire.Cycle) int {
	n := 0
	for n < len(m.queue) && m.queue[n].visible <= now {
		n++
	}
	return n
}

func (m *model) pop(now wire.Cycle) int {
	if m.freedAt != now {
		m.freed, m.freedAt = 0, now
	}
	m.freed++
	v := m.queue[0].value
	m.queue = m.queue[1:]
	return v
}

func TestALinkIsABoundedQueueWhateverIsPutAndTaken(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := wire.NewDomain("Core", sim.GHz)
		m := &model{capacity: rapid.IntRange(1, 5).Draw(rt, "capacity"), freedAt: wire.Never,
			latency: rapid.IntRange(1, 70).Draw(rt, "latency")}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		blocks := [2]*script{newScript(d, "From", 1), newScript(d, "To", m.capacity)}
		if rapid.Bool().Draw(rt, "receiver first") {
			d.SetTickOrder([]int32{1, 0})
		}
		from, to := blocks[0], blocks[1]
		wire.Connect(&from.out, &to.in, m.latency)
		next := 0
		from.do = func(now wire.Cycle) bool {
			for range r.IntN(4) {
				if got, want := from.out.Room(math.MaxInt), m.room(now); got != want {
					rt.Fatalf("cycle %d: room for %d, want %d", now, got, want)
				}
				if from.out.CanPut() {
					from.out.Put(next)
					m.put(now, next)
					next++
				}
			}
			return true
		}
		to.do = func(now wire.Cycle) bool {
			for range r.IntN(4) {
				n := m.visible(now)
				if got := to.in.Len(); got != n {
					rt.Fatalf("cycle %d: %d messages, want %d", now, got, n)
				}
				if v := to.in.Take(); (v != nil) != (n > 0) {
					rt.Fatalf("cycle %d: Take returns %v, %d are visible", now, v, n)
				} else if v != nil {
					if want := m.pop(now); *v != want {
						rt.Fatalf("cycle %d: message %d, want %d", now, *v, want)
					}
				}
			}
			return true
		}
		d.RunUntil(300)
	})
}
