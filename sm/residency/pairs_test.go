package residency

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/components/wire"
	"kumiko/regfile"
)

// CTAs of two warps need five of twelve registers, and the second of a pair one: two, and a partner of the first. When
// the first CTA ends, the next takes its place beside the partner.
func TestACTAJoinsAnotherWhereRegistersDoNotSufficeForAWholeOne(t *testing.T) {
	grids := gridsOf(5)
	grids[0].Needs.Registers, grids[0].Pairs, grids[0].Second = 5, 1, 1
	x := serve(t, 1, &Sharing{Policy: LeftOver}, grids, []wire.Cycle{50})
	var got []regfile.Role
	for _, h := range x.given {
		h.Role.Registers = 0
		got = append(got, h.Role)
	}
	want := []regfile.Role{{}, {Pair: regfile.NoPair}, {Side: 1}, {}, {Pair: regfile.NoPair}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// CTAs of two grids have ten of twelve registers. The two left are for a partner of the first, and then, when the first
// has ended, for a partner of the second: never for one of the other grid.
func TestCTAsOfDifferentGridsAreNoPair(t *testing.T) {
	grids := gridsOf(2, 2)
	for i, g := range grids {
		g.Needs.Registers, g.Kernel, g.Pairs, g.Second = 5, i, 2, 2
	}
	x := serve(t, 1, &Sharing{Policy: RoundRobin}, grids, []wire.Cycle{50, 50})
	var got []regfile.Role
	for _, h := range x.given {
		h.Role.Registers = 0
		got = append(got, h.Role)
	}
	want := []regfile.Role{{}, {Kernel: 1, Pair: 2}, {Side: 1}, {Kernel: 1, Side: 1, Pair: 2}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// roles is what an SM holds: the CTAs of each pair, by the place of its first warp, and the others.
type roles struct {
	pairs map[int16][]handed
	alone []handed
}

// rolesAt returns what the SM of a CTA holds when it comes, this CTA included.
func (x *table) rolesAt(i int, life []wire.Cycle) roles {
	s := roles{pairs: map[int16][]handed{}}
	for _, o := range x.given {
		if h := &x.given[i]; o.SM != h.SM || o.Cycle > h.Cycle || o.Cycle+life[o.Grid] <= h.Cycle {
			continue
		}
		if o.Role.Pair == regfile.NoPair {
			s.alone = append(s.alone, o)
		} else {
			s.pairs[o.Role.Pair] = append(s.pairs[o.Role.Pair], o)
		}
	}
	return s
}

// check refuses more registers, pairs or places for shared registers than there are, and a pair that is none.
func (s *roles) check(t *rapid.T, grids []*Grid) {
	registers, pairs, places := 0, map[int]int{}, map[int16]bool{}
	for _, h := range s.alone {
		registers += grids[h.Grid].Needs.Registers
	}
	for first, both := range s.pairs {
		g := grids[both[0].Grid]
		registers += g.Needs.Registers
		if len(both) > 1 {
			registers += g.Second
			if len(both) > 2 || both[0].Grid != both[1].Grid || both[0].Role.Side == both[1].Role.Side {
				t.Fatalf("%+v are no pair", both)
			}
		}
		if pairs[g.Number]++; pairs[g.Number] > g.Pairs {
			t.Fatalf("%d pairs of grid %d, want %d at most", pairs[g.Number], g.Number, g.Pairs)
		}
		for k := range int16(g.Needs.Warps) {
			if places[first+k] || first+k >= 4 {
				t.Fatalf("place %d of a pair of grid %d is taken, or there is none", first+k, g.Number)
			}
			places[first+k] = true
		}
	}
	if registers > 12 {
		t.Fatalf("%+v have %d registers of 12", s, registers)
	}
}

func TestPairsOfGridsSideBySideKeepToTheRoom(t *testing.T) {
	joined := 0
	rapid.Check(t, func(t *rapid.T) {
		var grids []*Grid
		var life []wire.Cycle
		for i := range rapid.IntRange(1, 4).Draw(t, "grids") {
			g := gridsOf(rapid.IntRange(2, 8).Draw(t, "CTAs"))[0]
			g.Number, g.Stream = i, i
			g.Needs.Warps = rapid.IntRange(1, 3).Draw(t, "warps")
			g.Needs.Registers = rapid.IntRange(3, 7).Draw(t, "registers")
			g.Second = rapid.IntRange(0, g.Needs.Registers/2).Draw(t, "registers of a partner")
			g.Pairs = rapid.IntRange(0, 3).Draw(t, "pairs")
			grids, life = append(grids, g), append(life, wire.Cycle(rapid.IntRange(1, 60).Draw(t, "life")))
		}
		policy := rapid.SampledFrom([]string{LeftOver, RoundRobin}).Draw(t, "policy")
		x := serve(t, 2, &Sharing{Policy: policy}, grids, life)
		for i := range x.given {
			s := x.rolesAt(i, life)
			s.check(t, grids)
			for _, both := range s.pairs {
				joined += len(both) - 1
			}
		}
	})
	if joined == 0 {
		t.Error("no CTA ever had a partner: the test shows nothing")
	}
}
