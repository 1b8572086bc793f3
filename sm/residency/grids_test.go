package residency

import (
	order "cmp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/stream"
	"kumiko/regfile"
	"kumiko/sm/message"
	"kumiko/sm/smtest"
)

// handed is a CTA given to an SM.
type handed struct {
	Cycle    wire.Cycle
	SM, Grid int
	CTA      int
	Role     regfile.Role
}

// table is a dispatcher with SMs that retire each CTA some cycles after they get it.
type table struct {
	d     *wire.Domain
	p     *Dispatcher
	given []handed
	ended wire.Cycle
}

// gridsOf returns grids of so many CTAs each, of one stream each.
func gridsOf(ctas ...int) (out []*Grid) {
	for i, n := range ctas {
		g := &Grid{Number: i, Stream: i, Needs: Needs{CTAs: 1, Warps: 2}}
		for k := range n {
			g.CTAs = append(g.CTAs, &stream.CTA{Index: k})
		}
		out = append(out, g)
	}
	return out
}

// serve runs grids to their end on SMs of eight warps, twelve registers and four places for shared ones. A CTA of grid
// i takes life[i] cycles there.
func serve(t interface{ Fatal(...any) }, sms int, s *Sharing, grids []*Grid, life []wire.Cycle) *table {
	x := &table{d: wire.NewDomain("core", smtest.GHz)}
	x.p = NewDispatcher("D", x.d, sms, 8, 0)
	for i := range x.p.Credits {
		room := wiretest.NewSource("R", x.d, &x.p.Credits[i])
		room.Send(1, message.CTACredit{Free: 8})
		wiretest.NewSink("G", x.d, &x.p.Grants[i], 8).Receive = func(now wire.Cycle, m message.Grant) {
			g := m.CTA.Memory.(*Grid)
			x.given = append(x.given, handed{now, i, g.Number, m.CTA.Index, m.Role})
			room.Send(now+life[g.Number], message.CTACredit{Free: 1, Gone: []*stream.CTA{m.CTA}})
		}
	}
	streams := 0
	for _, g := range grids {
		streams = max(streams, g.Stream+1)
	}
	err := x.p.LaunchTogether(&Together{Grids: grids, Streams: streams, Sharing: s, SM: Needs{CTAs: 8, Warps: 8,
		Registers: 12}, Shared: 4, Gap: 100, Latency: 7}, func(now wire.Cycle) { x.ended = now })
	if err != nil {
		t.Fatal(err)
	}
	x.d.RunUntil(5000)
	if x.ended == 0 {
		t.Fatal("the grids have not ended: ", x.p.Waiting())
	}
	slices.SortStableFunc(x.given, func(a, b handed) int { // SMs get their CTAs in any order within a cycle
		return order.Or(order.Compare(a.Cycle, b.Cycle), order.Compare(a.CTA, b.CTA))
	})
	return x
}

// gridsOn returns the grids of the CTAs given to an SM, in order.
func (x *table) gridsOn(sm int) (out []int) {
	for _, h := range x.given {
		if h.SM == sm {
			out = append(out, h.Grid)
		}
	}
	return out
}

// An SM has room for four CTAs. The second grid gets what the first, of three CTAs, leaves.
func TestTheNextGridHasWhatTheFirstLeaves(t *testing.T) {
	x := serve(t, 1, &Sharing{Policy: LeftOver}, gridsOf(3, 3), []wire.Cycle{50, 50})
	if d := cmp.Diff([]int{0, 0, 0, 1, 1, 1}, x.gridsOn(0)); d != "" {
		t.Error(d)
	}
	if x.given[3].Cycle != x.given[0].Cycle+3 || x.given[4].Cycle <= x.given[0].Cycle+50 {
		t.Errorf("%+v, want the fourth CTA at once and the fifth when one has retired", x.given)
	}
}

func TestACTAWithoutRoomDoesNotKeepTheNextGridWaiting(t *testing.T) {
	grids := gridsOf(2, 2)
	grids[0].Needs.Warps = 6
	x := serve(t, 1, &Sharing{Policy: LeftOver}, grids, []wire.Cycle{50, 50})
	if d := cmp.Diff([]int{0, 1, 0, 1}, x.gridsOn(0)); d != "" {
		t.Error(d)
	}
}

func TestGridsTakeTurns(t *testing.T) {
	x := serve(t, 1, &Sharing{Policy: RoundRobin}, gridsOf(3, 3), []wire.Cycle{50, 50})
	if d := cmp.Diff([]int{0, 1, 0, 1, 0, 1}, x.gridsOn(0)); d != "" {
		t.Error(d)
	}
}

func TestStreamsHaveSMsOfTheirOwn(t *testing.T) {
	x := serve(t, 4, &Sharing{Policy: Spatial}, gridsOf(5, 5), []wire.Cycle{50, 50})
	for sm, want := range []int{0, 0, 1, 1} {
		for _, g := range x.gridsOn(sm) {
			if g != want {
				t.Errorf("SM %d has a CTA of grid %d, want %d alone", sm, g, want)
			}
		}
	}
}

// A quarter of eight warps is one CTA of two, and three quarters are three.
func TestAStreamTakesNoMoreThanItsShare(t *testing.T) {
	x := serve(t, 1, &Sharing{Policy: LeftOver, Share: []int{25, 75}}, gridsOf(2, 5), []wire.Cycle{50, 50})
	if d := cmp.Diff([]int{0, 1, 1, 1, 0, 1, 1}, x.gridsOn(0)); d != "" {
		t.Error(d)
	}
}

func TestAGridBeginsAGapAfterThoseItWaitsFor(t *testing.T) {
	grids := gridsOf(1, 1, 2)
	grids[2].After = []*Grid{grids[0], grids[1]}
	serve(t, 2, &Sharing{Policy: LeftOver}, grids, []wire.Cycle{30, 200, 5})
	if last := max(grids[0].End, grids[1].End); grids[2].Ready != last+100 || grids[2].Begin != last+107 ||
		grids[0].Begin != grids[1].Begin {
		t.Errorf("%+v, %+v, %+v", grids[0], grids[1], grids[2])
	}
}

func TestMistakesOfSharesAreNamed(t *testing.T) {
	for _, k := range []struct {
		policy string
		share  []int
		want   string
	}{{LeftOver, []int{50}, "share: found [50], expected a share for each of 2 streams"},
		{LeftOver, []int{20, 80}, "share: found 20, expected room for a CTA of launch 1: it needs 2 warps, and the " +
			"share has 1"},
		{Spatial, nil, "policy: found spatial, expected another one, or at least 2 SMs for as many streams"}} {
		p := NewDispatcher("D", wire.NewDomain("core", smtest.GHz), 1, 8, 0)
		err := p.LaunchTogether(&Together{Grids: gridsOf(1, 1), Streams: 2, SM: Needs{CTAs: 8, Warps: 8},
			Sharing: &Sharing{Policy: k.policy, Share: k.share}}, nil)
		if err == nil || !strings.Contains(err.Error(), k.want) {
			t.Errorf("%v, want %q", err, k.want)
		}
	}
}

// Whatever the grids: each CTA is handed out once, in the order of its grid, an SM never holds more than it has, and no
// grid begins before those it waits for have ended.
func TestGridsSideBySideKeepToRoomAndOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var grids []*Grid
		var life []wire.Cycle
		streams := rapid.IntRange(1, 3).Draw(t, "streams")
		for i := range rapid.IntRange(1, 6).Draw(t, "grids") {
			g := gridsOf(rapid.IntRange(1, 6).Draw(t, "CTAs"))[0]
			g.Number, g.Stream = i, rapid.IntRange(0, streams-1).Draw(t, "stream")
			g.Needs.Warps = rapid.IntRange(1, 8).Draw(t, "warps")
			for _, before := range grids {
				if before.Stream == g.Stream || rapid.IntRange(0, 4).Draw(t, "after") == 0 {
					g.After = append(g.After, before)
				}
			}
			grids, life = append(grids, g), append(life, wire.Cycle(rapid.IntRange(1, 60).Draw(t, "life")))
		}
		policy := rapid.SampledFrom([]string{LeftOver, RoundRobin, Spatial}).Draw(t, "policy")
		x := serve(t, 3, &Sharing{Policy: policy}, grids, life)
		next, all := make([]int, len(grids)), 0
		for _, h := range x.given {
			if h.CTA != next[h.Grid] {
				t.Fatalf("CTA %d of grid %d came, want %d", h.CTA, h.Grid, next[h.Grid])
			}
			next[h.Grid]++
			all++
			used := 0
			for _, o := range x.given[:all] {
				if o.SM == h.SM && o.Cycle+life[o.Grid] > h.Cycle {
					used += grids[o.Grid].Needs.Warps
				}
			}
			if used > 8 {
				t.Fatalf("SM %d holds %d warps of 8", h.SM, used)
			}
		}
		for i, g := range grids {
			if next[i] != len(g.CTAs) {
				t.Fatalf("grid %d: %d of %d CTAs", i, next[i], len(g.CTAs))
			}
			for _, b := range g.After {
				if g.Begin < b.End+100 {
					t.Fatalf("grid %d begins at %d, and one before it ends at %d", i, g.Begin, b.End)
				}
			}
		}
	})
}
