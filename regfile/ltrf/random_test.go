package ltrf

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/ir"
	"kumiko/regfile/contracttest"
)

// anyCache draws a cache, and a main file that it stands before.
func anyCache(t *rapid.T, c *contracttest.Config) *Spec {
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
	b := &s.base
	b.SubCores, b.Banks = pick("sub-cores", 0, 1), pick("banks", 4, 8, 16)
	b.BankPorts = word("ports", "1rw", "1r1w", "2r1w", "2rw")
	b.ReadLatency, b.WriteLatency, b.Blocking = pick("read", 1, 4, 20), pick("write", 1, 4, 20), flip("blocking")
	b.CrossbarCycles = pick("cycles", 1, 4)
	b.Queue, b.Collectors, b.Inputs = pick("queue", 1, 2, 16), pick("collectors", 1, 2, 7), pick("inputs", 1, 3, 8)
	b.ReadTwice, b.OperandStages = flip("twice"), pick("stages", 0, 0, 2)
	b.Forward = pick("forward", 0, 2, 3, 6)
	if b.Bypass = b.Forward > 2; b.Bypass {
		c.Known = pick("known latency", 1, 4, 8, 40)
		b.BypassEntries, b.BypassWidth = pick("followed", 1, 3, 16), pick("bus", 0, 1)
	}
	return &s
}

func TestRandomCachesKeepTheContract(t *testing.T) {
	if testing.Short() {
		t.Skip("many organisations")
	}
	configs := contracttest.Configs()
	names := []string{"four schedulers, dense", "two schedulers, dual issue, slow units, little room",
		"no notices, every register a hazard"}
	k := kind(t)
	rapid.Check(t, func(t *rapid.T) {
		c := configs[rapid.SampledFrom(names).Draw(t, "machine")]
		c.Ops, c.Programs, c.Seed = 25, 2, uint64(rapid.IntRange(1, 1000).Draw(t, "seed"))
		c.Pool = rapid.SampledFrom([]int{3, 5, 8, c.Pool}).Draw(t, "registers")
		c.Active = rapid.SampledFrom([]int{0, 2, 4}).Draw(t, "active")
		c.Suspend = rapid.SampledFrom([]float64{0, 0.1, 0.5}).Draw(t, "suspend")
		s := anyCache(t, &c)
		cut(s, &c)
		contracttest.TwoOrders(t, k, s, c)
	})
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
			o, err := contracttest.Run(kind(t), &s, c, 0)
			if err != nil {
				t.Fatal(err)
			}
			return o
		}
		ltrf, plus := run(None, Set), run(Vector, Live)
		suspended += ltrf.Stats["regfile.ltrf.written_back_suspended"]
		ended += ltrf.Stats["regfile.ltrf.written_back_interval"]
		same(t, name, ltrf, plus)
	}
	if suspended == 0 || ended == 0 {
		t.Errorf("%d and %d registers are written back: the test shows nothing", suspended, ended)
	}
}
