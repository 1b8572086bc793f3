package rfc

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/regfile/contracttest"
)

// anyCache draws a cache, and a main file that it stands before.
func anyCache(t *rapid.T, c *contracttest.Config) *Spec {
	pick := func(name string, of ...int) int { return rapid.SampledFrom(of).Draw(t, name) }
	flip := func(name string) bool { return rapid.Bool().Draw(t, name) }
	s := Default()
	s.Organisation = rapid.SampledFrom([]string{Partitioned, Shared}).Draw(t, "organisation")
	s.Replacement = rapid.SampledFrom([]string{FIFO, LRU}).Draw(t, "replacement")
	s.Entries, s.Ways = pick("entries", 0, 1, 2, 3, 6, 40), pick("ways", 1, 2, 8)
	s.EntriesTotal = 4 * s.Ways * pick("sets", 1, 2, 8)
	s.Reads, s.Writes, s.WriteBuffer = pick("reads", 1, 3, 8), pick("writes", 1, 2), pick("buffer", 0, 1, 4)
	s.AllocateReads, s.BypassLong, s.BypassShared, s.BypassFar = flip("allocate"), flip("long"), flip("shared"),
		flip("bypass far")
	s.Liveness, s.EvictFar = flip("liveness"), flip("evict far")
	s.EvictDead = s.Liveness && flip("evict dead")
	s.Flush, s.FlushWidth = s.Organisation == Partitioned || flip("flush"), pick("width", 1, 2, 8)
	s.FlushStall = flip("stall")
	b := &s.base
	b.SubCores, b.Banks = pick("sub-cores", 0, 1), pick("banks", 4, 8, 16)
	b.BankPorts = rapid.SampledFrom([]string{"1rw", "1r1w", "2r1w", "2rw"}).Draw(t, "ports")
	b.ReadLatency, b.WriteLatency, b.Blocking = pick("read", 1, 4), pick("write", 1, 4), flip("blocking")
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
		c.Pool = rapid.SampledFrom([]int{3, 5, 8}).Draw(t, "registers")
		c.Active = rapid.SampledFrom([]int{0, 2, 4}).Draw(t, "active")
		c.Suspend = rapid.SampledFrom([]float64{0, 0.1, 0.5}).Draw(t, "suspend")
		s := anyCache(t, &c)
		contracttest.TwoOrders(t, k, s, c)
	})
}
