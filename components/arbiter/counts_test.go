package arbiter

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/stats"
	"kumiko/components/wire"
)

// An access put in cycle 10 is seen in 11, and a bank with one port starts one per cycle. A request counts as
// waiting from the cycle of its arrival.
func TestCyclesThatAccessesWaitAreCounted(t *testing.T) {
	for _, c := range []struct {
		name          string
		depth         int
		reads, writes int // each of one requester's, all of bank 0
		grants        uint64
		read, write   uint64
	}{
		{"a read", 16, 1, 0, 1, 0, 0},
		{"three reads wait 0, 1, 2 cycles", 16, 3, 0, 3, 3, 0},
		{"three writes wait 0, 1, 2 cycles", 16, 0, 3, 3, 0, 3},
		{"a write goes before two reads, which wait 1, 2 cycles", 16, 2, 1, 3, 3, 0},
		// 11: the first starts, the second is queued, the third stands at the door; 12: the second
		// starts, the third still stands there; 13: it starts, the fourth is queued; 14: it starts
		{"with room for one, a write at the door waits there", 1, 0, 4, 4, 0, 1 + 2 + 1},
		{"with room for one, a read at the door waits there", 1, 4, 0, 4, 1 + 2 + 1, 0},
	} {
		s := plain(1, 1, 1)
		s.Depth = c.depth
		r := newRig(t, s)
		for range c.reads {
			r.read(10, 0, 0, 5)
		}
		for range c.writes {
			r.write(10, 0, 6)
		}
		r.d.RunUntil(100)
		want := map[string]uint64{"regfile.arbiter.grants": c.grants, "regfile.arbiter.read_conflicts": c.read,
			"regfile.arbiter.write_conflicts": c.write}
		if d := cmp.Diff(want, r.reg.Snapshot()); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

// Of three reads of one bank the first is granted when it arrives, and the others wait one and two cycles in the queue.
// With room for one the second and the fourth of four wait a cycle in the queue. The third waits at the door, and is
// granted when it is let in.
func TestTheWaitsOfQueuedAccessesAreADistribution(t *testing.T) {
	for _, c := range []struct {
		depth, reads, writes int
		read, write          []stats.Bucket
	}{
		{16, 3, 0, []stats.Bucket{{From: 1, To: 1, Count: 1}, {From: 2, To: 2, Count: 1}}, []stats.Bucket{}},
		{16, 0, 3, []stats.Bucket{}, []stats.Bucket{{From: 1, To: 1, Count: 1}, {From: 2, To: 2, Count: 1}}},
		{1, 4, 0, []stats.Bucket{{From: 1, To: 1, Count: 2}}, []stats.Bucket{}},
	} {
		s := plain(1, 1, 1)
		s.Depth = c.depth
		r := newRig(t, s)
		for range c.reads {
			r.read(10, 0, 0, 5)
		}
		for range c.writes {
			r.write(10, 0, 6)
		}
		r.d.RunUntil(100)
		got := map[string][]stats.Bucket{}
		for _, d := range r.reg.Distributions() {
			n := d.Counts()
			got[d.Name] = stats.Buckets(&n)
		}
		want := map[string][]stats.Bucket{"regfile.arbiter.read_wait": c.read, "regfile.arbiter.write_wait": c.write}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%d reads, %d writes, room for %d (-want +got):\n%s", c.reads, c.writes, c.depth, d)
		}
	}
}

func TestAnArbiterNamesTheBankForWhichMostWait(t *testing.T) {
	r := newRig(t, plain(3, 2, 1))
	if got := r.x.Waiting(); got != "" {
		t.Errorf("idle, it says %q", got)
	}
	for _, b := range r.banks {
		b.Refuse = func(wire.Cycle) bool { return true }
	}
	for range 4 {
		r.read(10, 0, 0, 5)
	}
	for range 6 {
		r.read(10, 1, 1, 5)
	}
	for range 3 {
		r.write(10, 1, 6)
	}
	r.d.RunUntil(50)
	taken := r.banks[1].In.Len() // what has come to the bank's door
	n := 6 + 3 - taken
	if want := fmt.Sprintf("%d requests wait for bank 1", n); r.x.Waiting() != want {
		t.Errorf("it says %q, want %q: %d have come to the bank", r.x.Waiting(), want, taken)
	}
}

func TestMessagesOfOneInputFollowEachOther(t *testing.T) {
	d, src, sink, reg := build(8)
	for k := range uint64(3) {
		src[1].Send(1, k)
	}
	d.RunUntil(20)
	if d := cmp.Diff([]wire.Cycle{3, 4, 5}, sink.Cycles()); d != "" {
		t.Errorf("arrivals (-want +got):\n%s", d)
	}
	var passed uint64
	for name, v := range reg.Snapshot() {
		if len(name) > 7 && name[len(name)-7:] == ".passed" {
			passed += v
		}
	}
	if passed != 3 {
		t.Errorf("%d messages counted, want 3", passed)
	}
}
