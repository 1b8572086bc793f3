package fetch

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/components/tagarray"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/req"
	"kumiko/sm/message"
	"kumiko/sm/smtest"
)

// smallL0 has room for four lines of 128 bytes, and a stream buffer of three.
func smallL0() *l0 {
	c := newL0s(L0Spec{Lines: 4, Ways: 4, Latency: 5, Misses: 2, Stream: 3}, 128, 1, "S", nil)
	c[0].reset(128 * 20)
	return &c[0]
}

// asks returns the lines to request now.
func (c *l0) asks() (out []uint64) {
	for a, ok := c.ask(); ok; a, ok = c.ask() {
		out = append(out, a/128)
	}
	return out
}

func wantLines(t *testing.T, what string, got []uint64, want ...uint64) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func TestAMissIsAskedForFirstAndThenTheLinesBehindIt(t *testing.T) {
	c := smallL0()
	if o := c.lookUp(128*7+8, 1); o != fetchWaits {
		t.Errorf("%v, want a miss", o)
	}
	wantLines(t, "asked for", c.asks(), 7, 8, 9, 10)
	if w := c.arrived(128 * 7); w != smtest.SetOf(1) {
		t.Errorf("warps %v go on, want 1", w)
	}
	if o := c.lookUp(128*7, 2); o != fetchHit {
		t.Errorf("%v, want a hit", o)
	}
}

func TestTheFirstLineOfTheStreamBufferMovesIntoTheCacheAndAnotherOneIsFetched(t *testing.T) {
	c := smallL0()
	c.lookUp(128*7, 1)
	c.asks()
	c.arrived(128 * 8)
	if o := c.lookUp(128*8, 1); o != fetchHit || c.tags.Find(128*8) < 0 {
		t.Errorf("%v, want a hit and the line in the cache", o)
	}
	wantLines(t, "asked for", c.asks(), 11)
}

func TestAWarpWaitsForTheFirstLineOfTheStreamBufferThatIsOnItsWay(t *testing.T) {
	c := smallL0()
	c.lookUp(128*7, 1)
	c.asks()
	if o := c.lookUp(128*8, 3); o != fetchWaits {
		t.Errorf("%v, want to wait", o)
	}
	if w := c.arrived(128 * 8); w != smtest.SetOf(3) || c.tags.Find(128*8) < 0 {
		t.Errorf("warps %v go on, want 3", w)
	}
	wantLines(t, "asked for", c.asks(), 11)
}

// Line 9 is in the buffer, but not its first.
func TestAMissOnAnotherLineEmptiesTheStreamBufferAndBeginsBehindIt(t *testing.T) {
	c := smallL0()
	c.lookUp(128*7, 1)
	c.asks()
	if o := c.lookUp(128*9, 2); o != fetchWaits {
		t.Errorf("%v, want a miss", o)
	}
	wantLines(t, "asked for", c.asks(), 9, 10, 11, 12)
	if w := c.arrived(128 * 8); w != (message.WarpSet{}) || c.tags.Find(128*8) >= 0 {
		t.Error("a line that was given up is kept")
	}
}

func TestTheStreamStopsAtALineThatIsHereAndAtTheProgramsEnd(t *testing.T) {
	c := smallL0()
	c.fill(128 * 9)
	c.lookUp(128*7, 1)
	wantLines(t, "before line 9, which is here", c.asks(), 7, 8)
	c = smallL0()
	c.lookUp(128*18, 1)
	wantLines(t, "the program has 20 lines", c.asks(), 18, 19)
}

func TestABufferThatWarpsWaitForIsNotEmptied(t *testing.T) {
	c := smallL0()
	c.lookUp(128*7, 1)
	c.asks()
	c.lookUp(128*8, 3)
	if o := c.lookUp(128*2, 4); o != fetchRefused {
		t.Errorf("%v, want to be put off", o)
	}
}

// For any order of fetches: every waiting warp continues when its line arrives, and every
// awaited line is requested once.
func TestEveryWarpThatWaitsForALineGoesOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := smallL0()
		waiting, under := map[int]uint64{}, map[uint64]int{}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			switch rapid.IntRange(0, 2).Draw(t, "what") {
			case 0:
				w, line := rapid.IntRange(0, 7).Draw(t, "warp"), uint64(rapid.IntRange(0, 19).Draw(t, "line"))
				if _, ok := waiting[w]; !ok && c.lookUp(128*line, w) == fetchWaits {
					waiting[w] = line
				}
			case 1:
				if a, ok := c.ask(); ok {
					under[a/128]++
				}
			case 2:
				for line := range uint64(20) {
					if under[line] == 0 {
						continue
					}
					under[line]--
					set := c.arrived(128 * line)
					for w := range 8 {
						if set.Has(w) {
							if waiting[w] != line {
								t.Fatalf("warp %d waits for line %d and got %d", w, waiting[w], line)
							}
							delete(waiting, w)
						}
					}
					break
				}
			}
		}
		for range 200 {
			if a, ok := c.ask(); ok {
				under[a/128]++
			}
			for line := range uint64(20) {
				for ; under[line] > 0; under[line]-- {
					set := c.arrived(128 * line)
					for w := range 8 {
						if set.Has(w) {
							delete(waiting, w)
						}
					}
				}
			}
		}
		if len(waiting) > 0 {
			t.Fatalf("warps %v wait for ever", waiting)
		}
	})
}

func TestTheSMsCacheAnswersARequestPerCycleAndAsksTheL2Once(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	c := NewL1I("L1I", d, ICacheSpec{Misses: 4, Tags: tagarray.Spec{Sets: 1, Ways: 4, Line: 128, Sector: 128,
		Replace: "lru", Index: "linear"}}, 8, nil)
	in := wiretest.NewSource("In", d, &c.In)
	out := wiretest.NewSink("Out", d, &c.Out, 8)
	ask := wiretest.NewSink("Ask", d, &c.ToMem, 4)
	reply := wiretest.NewSource("Reply", d, &c.FromMem)
	for i := range uint8(3) {
		in.Send(10, LineRequest{Addr: CodeBase, Core: i})
	}
	reply.Send(40, req.Packet{Addr: CodeBase, Sectors: req.AllSectors, Reply: true})
	in.Send(60, LineRequest{Addr: CodeBase, Core: 3})
	d.RunUntil(100)
	if len(ask.Got) != 1 {
		t.Errorf("%d requests to the L2, want 1", len(ask.Got))
	}
	smtest.WantCycles(t, "replies", smtest.Arrivals(out), []wire.Cycle{42, 43, 44, 62})
}

// Line 7 misses, and another warp comes to it; 8 is in the stream buffer and on its way.
func TestFetchesOfLinesOnTheirWayAndLinesAskedForAreCounted(t *testing.T) {
	c := smallL0()
	c.lookUp(128*7, 1)
	c.lookUp(128*7, 2)
	c.asks()
	c.lookUp(128*8, 3)
	if c.missed != 1 || c.merged != 2 || c.prefetched != 3 {
		t.Errorf("%d misses, %d fetches of lines on their way, %d lines asked for by the buffer; want 1, 2, 3",
			c.missed, c.merged, c.prefetched)
	}
}

func TestAnL0WantsALineAsLongAsItsBufferHasRoom(t *testing.T) {
	c := smallL0()
	if c.wants() {
		t.Error("a line is wanted before a miss")
	}
	for c.lookUp(128*7, 1); c.wants(); {
		if _, ok := c.ask(); !ok {
			t.Fatal("a line is wanted and not asked for")
		}
	}
	if len(c.stream) != 3 {
		t.Errorf("%d lines in the buffer, want 3", len(c.stream))
	}
}
