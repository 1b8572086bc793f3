package sharing

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/regfile"
)

// locksRig has locks of 16 contexts, CTAs of two warps: CTA slot s has contexts
// 2s and 2s+1.
type locksRig struct {
	wire.Comp // writes owner
	d         *wire.Domain
	l         *Locks
	owner     wire.Signal[regfile.WarpSet]
	warps     [2]*wiretest.Source[regfile.WarpNotice]
	seats     *wiretest.Source[Seat]
	taken     *wiretest.Sink[Taken]
	pulses    *wiretest.Sink[Pulse]
	reg       stats.Registry
}

func (r *locksRig) Tick(wire.Cycle) bool { return false }

func newLocksRig(x plan, rule bool) *locksRig {
	x.warps = warpsPerCTA
	r := &locksRig{d: wire.NewDomain("Core", 1e9)}
	r.Init("Pairs", r.d, r)
	r.owner.Init(&r.Comp, regfile.WarpSet{})
	r.l = NewLocks("Locks", r.d, LocksSpec{Contexts: 16, Schedulers: 2, Rule: rule, Owner: &r.owner}, &r.reg)
	for i := range r.warps {
		r.warps[i] = wiretest.NewSource("Scheduler", r.d, &r.l.Warp[i])
	}
	r.seats = wiretest.NewSource("Pairs", r.d, &r.l.Seats)
	r.taken = wiretest.NewSink("Taken", r.d, &r.l.Taken, 16)
	r.pulses = wiretest.NewSink("Throttle", r.d, &r.l.Pulses, 4)
	r.l.Load(x)
	return r
}

// seat puts the seat of a CTA slot at cycle c.
func (r *locksRig) seat(c wire.Cycle, slot int) {
	pair, side := r.l.plan.seat(slot)
	r.seats.Send(c, Seat{Contexts: contexts(slot), Pair: int16(pair), Side: uint8(side)})
}

func (r *locksRig) event(c wire.Cycle, w int, e regfile.WarpEvent) {
	r.warps[w%2].Send(c, regfile.WarpNotice{Warp: uint16(w), Event: e})
}

func (r *locksRig) ask(c wire.Cycle, w int) { r.event(c, w, regfile.WarpHeld) }
func (r *locksRig) end(c wire.Cycle, w int) { r.event(c, w, regfile.WarpFinished) }

// open checks the contexts with access, as of cycle c.
func (r *locksRig) open(t *testing.T, c wire.Cycle, want ...int) {
	t.Helper()
	r.d.RunUntil(c)
	got := []int{}
	for w := range 16 {
		if v := r.l.Closed.Get(); !v.Has(w) {
			got = append(got, w)
		}
	}
	if !slices.Equal(got, want) && len(got)+len(want) > 0 {
		t.Fatalf("cycle %d: contexts %v have access, want %v", c, got, want)
	}
}

func (r *locksRig) stat(t *testing.T, name string, want uint64) {
	t.Helper()
	if got := r.reg.Snapshot()["regfile.sharing."+name]; got != want {
		t.Errorf("%s = %d, want %d", name, got, want)
	}
}

// onePair has CTAs 0 and 1 (contexts 0, 1 and 2, 3) as a pair.
func onePair(rule bool) *locksRig {
	r := newLocksRig(plan{pairs: 1}, rule)
	r.seat(4, 0)
	r.seat(5, 1)
	return r
}

// The request put at 10 is visible at 11, when it is granted; the gate is open
// from 12 on.
func TestAFreeLockIsGrantedTheCycleAfterItsRequest(t *testing.T) {
	r := onePair(true)
	r.ask(10, 2)
	r.open(t, 11)
	r.open(t, 12, 2)
	r.stat(t, "lock_wait_cycles", 0)
	if want := []wiretest.At[Taken]{{Cycle: 12, Msg: Taken{Pair: 0, Side: 1}}}; !slices.Equal(r.taken.Got, want) {
		t.Errorf("taken %v, want %v", r.taken.Got, want)
	}
}

func TestThePartnerWarpWaitsUntilTheHolderFinishes(t *testing.T) {
	r := onePair(true)
	r.ask(10, 1)
	r.ask(20, 3)
	r.open(t, 40, 1)
	r.end(50, 1) // visible, and the lock granted, at 51: 30 cycles after the request was
	r.open(t, 51, 1)
	r.open(t, 52, 3)
	r.stat(t, "lock_requests", 2)
	r.stat(t, "lock_grants", 2)
	r.stat(t, "lock_wait_cycles", 30)
	r.stat(t, "lock_refused_held", 1)
	r.stat(t, "lock_refused_rule", 0)
}

// Figure 5: warps of both CTAs hold a lock each, and the others cannot get
// theirs.
func TestAFreeLockIsRefusedWhileThePartnerCTAHoldsAnother(t *testing.T) {
	r := onePair(true)
	r.ask(10, 0)
	r.ask(20, 3)
	r.open(t, 40, 0)
	r.stat(t, "lock_refused_rule", 1)
	r.ask(50, 1) // of the CTA that has a lock
	r.open(t, 60, 0, 1)
	r.end(70, 0)
	r.open(t, 80, 1)
	r.end(90, 1)
	r.open(t, 100, 3)
}

func TestWithoutTheRuleTheFreeLockIsGranted(t *testing.T) {
	r := onePair(false)
	r.ask(10, 0)
	r.ask(20, 3)
	r.open(t, 40, 0, 3)
}

func TestTheRuleConcernsPartnersAlone(t *testing.T) {
	r := newLocksRig(plan{pairs: 2}, true) // slots 0 and 2, 1 and 3
	for slot := range 4 {
		r.seat(4+wire.Cycle(slot), slot)
	}
	r.ask(10, 0) // pair 0, first CTA
	r.ask(11, 7) // pair 1, second CTA
	r.open(t, 20, 0, 7)
}

func TestUnsharedWarpsHaveAccessFromTheirSeatOn(t *testing.T) {
	r := newLocksRig(plan{pairs: 1, unshared: 1}, true)
	r.seat(10, 1) // visible at 11
	r.open(t, 11)
	r.open(t, 12, 2, 3)
	r.end(20, 2)
	r.open(t, 22, 3)
}

func TestWithoutSharingEveryContextHasAccess(t *testing.T) {
	r := newLocksRig(plan{unshared: 4}, true)
	r.end(10, 3)
	r.open(t, 20, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
}

func TestOfTwoFirstRequestsTheOwnersIsGranted(t *testing.T) {
	for _, first := range []int{0, 2} {
		r := onePair(true)
		var owner regfile.WarpSet
		owner.Add(first)
		r.owner.Set(owner)
		r.ask(10, 0)
		r.ask(10, 2)
		r.open(t, 20, first)
	}
}

func TestARequestThatComesBeforeItsSeatIsKept(t *testing.T) {
	r := newLocksRig(plan{pairs: 1}, true)
	r.ask(10, 0)
	r.seat(20, 0)
	r.open(t, 21)
	r.open(t, 22, 0)
}

func TestALockThatIsFreeAgainCanBeTakenByAnotherCTAInTheSameSlot(t *testing.T) {
	r := onePair(true)
	r.ask(10, 0)
	r.end(20, 0)
	r.end(20, 1)
	r.seat(30, 0)
	r.open(t, 35)
	r.ask(40, 1)
	r.open(t, 45, 1)
}

func TestIssuesAndWithheldInstructionsArePassedOn(t *testing.T) {
	r := onePair(true)
	r.event(10, 0, regfile.WarpIssued)
	r.event(10, 1, regfile.WarpIssued)
	r.warps[0].Send(12, regfile.WarpNotice{Warp: 0, Event: regfile.WarpHeld, Gate: dynamicGate})
	r.d.RunUntil(20)
	want := []wiretest.At[Pulse]{{Cycle: 12, Msg: Pulse{Issued: true}}, {Cycle: 14, Msg: Pulse{Withheld: 1}}}
	if !slices.Equal(r.pulses.Got, want) {
		t.Errorf("pulses %v, want %v", r.pulses.Got, want)
	}
	r.stat(t, "lock_requests", 0)
}

func TestTheReportNamesWhoHoldsWhat(t *testing.T) {
	r := onePair(true)
	if w := r.l.Waiting(); w != "" {
		t.Errorf("waiting %q, nobody asks", w)
	}
	r.ask(10, 0)
	r.ask(12, 2)
	r.ask(13, 3)
	r.d.RunUntil(20)
	want := "warp 2 waits for lock 0 of pair 0, which warp 0 holds; warp 3 waits for lock 1 of pair 0, while warp 0 " +
		"of the partner CTA holds lock 0"
	if w := r.l.Waiting(); w != want {
		t.Errorf("waiting %q, want %q", w, want)
	}
}

func TestALongReportIsCutShort(t *testing.T) {
	r := newLocksRig(plan{pairs: 4}, true)
	for slot := range 8 {
		r.seat(4+wire.Cycle(slot), slot)
	}
	for w := range 8 {
		r.ask(20, w)
	}
	for w := 8; w < 16; w++ {
		r.ask(30, w)
	}
	r.d.RunUntil(50)
	if w := r.l.Waiting(); !strings.HasSuffix(w, "and 2 more") || len(w) > 400 {
		t.Errorf("waiting %q (%d characters)", w, len(w))
	}
}

// Random requests, ends and new CTAs against the rules: no warp has access without holding its lock, no lock has
// two holders, and with the rule no two partner CTAs hold locks at once. Every grantable request has been granted.
func TestLocksNeverHaveTwoHolders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rule := rapid.Bool().Draw(t, "rule")
		r := newLocksRig(plan{pairs: 2, unshared: 1}, rule)
		const slots = 5
		for s := range slots {
			r.seat(2+wire.Cycle(s), s)
		}
		const idle, asking, ended = 0, 1, 2
		state := make([]int, slots*warpsPerCTA)
		for i := range 60 {
			c := wire.Cycle(20 + 4*i)
			w := rapid.IntRange(0, len(state)-1).Draw(t, "warp")
			switch v := r.l.Closed.Get(); {
			case state[w] == ended && state[w^1] == ended:
				r.seat(c, w/warpsPerCTA)
				state[w], state[w^1] = idle, idle
			case state[w] == idle && v.Has(w) && rapid.Bool().Draw(t, "ask"):
				r.ask(c, w)
				state[w] = asking
			case state[w] == idle || state[w] == asking && !v.Has(w):
				r.end(c, w)
				state[w] = ended
			}
			r.d.RunUntil(c + 3)
			r.sound(t, state, rule)
		}
	})
}

func (r *locksRig) sound(t *rapid.T, state []int, rule bool) {
	closed := r.l.Closed.Get()
	var holders [2][2][]int // by pair and side
	for w := range state {
		pair, side := r.l.plan.seat(w / warpsPerCTA)
		if pair == alone {
			if closed.Has(w) != (state[w] == 2) {
				t.Fatalf("warp %d shares nothing: closed %v", w, closed.Has(w))
			}
			continue
		}
		if !closed.Has(w) {
			if state[w] != 1 {
				t.Fatalf("warp %d has access and did not ask", w)
			}
			holders[pair][side] = append(holders[pair][side], w%warpsPerCTA)
		}
	}
	for p, h := range holders {
		for _, i := range h[0] {
			if slices.Contains(h[1], i) {
				t.Fatalf("lock %d of pair %d has two holders", i, p)
			}
		}
		if rule && len(h[0]) > 0 && len(h[1]) > 0 {
			t.Fatalf("both CTAs of pair %d hold locks: %v", p, h)
		}
		for w := range state {
			pair, side := r.l.plan.seat(w / warpsPerCTA)
			if pair != p || state[w] != 1 || !closed.Has(w) {
				continue
			}
			other := h[1-side]
			if rule && len(other) == 0 || !rule && !slices.Contains(other, w%warpsPerCTA) {
				t.Fatalf("warp %d waits although nothing speaks against it: %v", w, h)
			}
		}
	}
}
