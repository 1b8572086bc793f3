package rfc

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/regfile/contracttest"
	"kumiko/regfile/conventional/extensiontest"
)

// anyCache draws a cache, and a main file for it.
func anyCache(t *rapid.T, c *contracttest.Config) Spec {
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
	s.base = extensiontest.Draw(t, c)
	return s
}

func TestRandomCachesKeepTheContract(t *testing.T) {
	contracttest.Random(t, kind(t), anyCache)
}
