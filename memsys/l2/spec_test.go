package l2

import (
	"testing"

	"kumiko/components/mshr"
	"kumiko/components/spec"
	"kumiko/components/spec/spectest"
	"kumiko/components/tagarray"
	"kumiko/memsys/cache"
)

func TestASliceTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	sound := func() Spec {
		return Spec{Slices: 4, Geometry: cache.Geometry{
			Tags: tagarray.Spec{Sets: 4, Ways: 2, Line: 128, Sector: 32, Replace: "lru", Index: "linear"},
			MSHR: mshr.Spec{Entries: 4, Merges: 2}},
			Latency: 30, Port: 32, Queue: 4, MissQueue: 4, AtomicRate: 1, AtomicLatency: 1, AtomicQueue: 4}
	}
	x := spectest.Of(t, sound, (*Spec).Check)
	x.Within("miss_queue", 2, spec.MostQueue, func(s *Spec, v int) { s.MissQueue = v })
	x.Only("tags.sector_bytes", map[int]bool{32: true, 128: false}, func(s *Spec, v int) { s.Tags.Sector = v })
	x.Refused("mshr.entries", func(s *Spec) { s.MSHR.Entries = 0 })
}
