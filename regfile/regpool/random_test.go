package regpool

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/wire"
)

// player plays random warps, in random order, obeying the gate. A warp goes through some changes, up and down, and
// ends.
type player struct {
	r     *rig
	t     *rapid.T
	least int
	has   [16]int // blocks as far as the warp knows
	left  [16]int // changes to come; -1: no warp
	wants [16]int // 0: it does not wait
	given [16]int // cycle from which an issued change is known to the pool
}

// act lets a warp do its next step.
func (p *player) act(w int, now wire.Cycle) {
	v := p.r.x.Closed.Get()
	switch {
	case p.left[w] < 0 || int(now) < p.given[w]:
	case p.wants[w] > 0:
		if !v.Has(w) {
			p.r.take(now, w, p.wants[w])
			p.has[w], p.wants[w], p.given[w] = p.wants[w], 0, int(now)+3
		}
	case p.left[w] == 0:
		p.r.end(now, w)
		p.left[w] = -1
	default:
		p.left[w]--
		p.given[w] = int(now) + 3
		if n := rapid.IntRange(p.least, p.r.x.plan.most).Draw(p.t, "blocks"); n > p.has[w] {
			p.r.ask(now, w, n)
			p.wants[w] = n
		} else {
			p.r.give(now, w, n)
			p.has[w] = n
		}
	}
}

// sound checks for lost blocks, blocks with two owners, and pools with fewer than no blocks.
func (p *player) sound(now wire.Cycle) {
	x, seen := p.r.x, map[uint16]int{}
	for _, b := range x.idle {
		seen[b]++
	}
	for c := range x.warps {
		for i := range int(x.warps[c].held) {
			seen[x.table[c*x.spec.most()+i]]++
		}
	}
	if len(seen) != x.spec.Blocks {
		p.t.Fatalf("cycle %d: %d of %d blocks have a place", now, len(seen), x.spec.Blocks)
	}
	for b, n := range seen {
		if n != 1 {
			p.t.Fatalf("cycle %d: block %d is %d times in use", now, b, n)
		}
	}
	for i, n := range x.free {
		if n < 0 {
			p.t.Fatalf("cycle %d: pool %d has %d blocks", now, i, n)
		}
	}
}

// play runs the four CTAs to their ends, and reports whether all warps have ended.
func (p *player) play(changes int) bool {
	for cta := range uint16(4) {
		p.r.begin(wire.Cycle(1+cta), cta)
	}
	for w := range p.left {
		p.left[w] = rapid.IntRange(0, changes).Draw(p.t, "changes")
		p.has[w] = p.r.x.plan.start
	}
	for now := wire.Cycle(8); now < 3000; now++ {
		p.r.d.RunUntil(now)
		p.sound(now)
		ended := true
		first := rapid.IntRange(0, 7).Draw(p.t, "warp")
		for i := range 8 {
			w := 2 * ((first + i) % 8)
			p.act(w, now)
			p.act(w+1, now)
			ended = ended && p.left[w] < 0 && p.left[w+1] < 0
		}
		if ended {
			p.r.d.RunUntil(now + 4)
			p.sound(now + 4)
			return true
		}
	}
	return false
}

// With a reserve for a CTA every request is granted in the end, in any order: while a CTA waits, another one can
// have the most for all of its warps, and returns it.
func TestWithAReserveForACTAAllWarpsComeToTheirEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := ofSM(rapid.IntRange(16, 32).Draw(t, "pool"), func(s *Spec) {
			s.Reserve = ReserveCTA
			s.WhenShort = rapid.SampledFrom([]string{Block, Fail}).Draw(t, "short")
			s.Retry = rapid.IntRange(1, 9).Draw(t, "retry")
		})
		p := &player{r: r, t: t, least: 2}
		if !p.play(3) {
			t.Fatalf("warps wait forever: %s", r.x.Waiting())
		}
		if len(r.x.idle) != 64 || r.x.free[0] < 16 || r.x.Waiting() != "" {
			t.Fatalf("%d blocks are idle and %d in the pool at the end", len(r.x.idle), r.x.free[0])
		}
	})
}

// Warps independent of others: while one waits, one can have the most.
func TestWithAReserveForAWarpWarpsAloneComeToTheirEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &player{r: ofSM(rapid.IntRange(4, 32).Draw(t, "pool"), func(s *Spec) { s.Reserve = ReserveWarp }), t: t,
			least: 2}
		if !p.play(3) {
			t.Fatalf("warps wait forever: %s", p.r.x.Waiting())
		}
	})
}

// The warps of a CTA begin with four blocks each and ask for at most seven. A warp waiting for
// another to give would wait forever where none gives. Here one change is made, and the end of a warp gives.
func TestNoBlockOfACTAIsLostOrGivenTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &player{r: newRig(plan{on: true, start: 4, most: 7}, same), t: t, least: 1}
		p.play(1)
	})
}
