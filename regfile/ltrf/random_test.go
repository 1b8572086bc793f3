package ltrf

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/wire/wiretest"
	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/ir"
	"kumiko/regfile/contracttest"
	"kumiko/regfile/conventional/extensiontest"
)

// anyCache draws a cache, and a main file for it.
func anyCache(t *rapid.T, c *contracttest.Config) Spec {
	pick := func(name string, of ...int) int { return rapid.SampledFrom(of).Draw(t, name) }
	flip := func(name string) bool { return rapid.Bool().Draw(t, name) }
	word := func(name string, of ...string) string { return rapid.SampledFrom(of).Draw(t, name) }
	s := Default()
	size(&s, pick("interval", ir.NumSources+ir.NumDests, 16, 32))
	s.Liveness, s.WriteBack = word("liveness", None, Dynamic), word("write back", Set, Dirty)
	if s.Liveness == Dynamic && flip("live") {
		s.WriteBack = Live
	}
	s.Keep, s.Pending = flip("keep"), word("pending", Slot, Wait)
	s.Lookups, s.FillGrants = pick("lookups", 1, 2, 8), pick("grants", 1, 4, 16)
	s.BackCycles, s.BackBuffers = pick("back", 1, 4, 20), pick("buffers", 1, 2, 4)
	s.base = extensiontest.Draw(t, c)
	cut(&s, c)
	return s
}

func TestRandomCachesKeepTheContract(t *testing.T) {
	contracttest.Random(t, kind(t), anyCache)
}

// Where everything is live always, liveness changes nothing: not a cycle, and not an access.
func TestWithEverythingLiveLTRFPlusIsLTRF(t *testing.T) {
	if testing.Short() {
		t.Skip("many organisations")
	}
	every := intervals.Set{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	var suspended, ended uint64
	for name, c := range contracttest.Configs() {
		paused(&c)
		c.Regions = 16
		run := func(liveness, back string) *contracttest.Outcome {
			s := Default()
			s.Liveness, s.WriteBack = liveness, back
			c.Plan = func(sets []intervals.Set) any {
				p := &Plan{Sets: sets, LiveAt: []intervals.Set{every}}
				for range sets {
					p.Live = append(p.Live, every)
				}
				return p
			}
			o, err := contracttest.Run(contracttest.With(kind(t), s), c, 0)
			if err != nil {
				t.Fatal(err)
			}
			return o
		}
		ltrf, plus := run(None, Set), run(Vector, Live)
		suspended += ltrf.Stats["regfile.ltrf.written_back_suspended"]
		ended += ltrf.Stats["regfile.ltrf.written_back_interval"]
		wiretest.Same(t, name, ltrf, plus)
	}
	if suspended == 0 || ended == 0 {
		t.Errorf("%d and %d registers are written back: the test shows nothing", suspended, ended)
	}
}
