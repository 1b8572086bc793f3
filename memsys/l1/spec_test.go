package l1

import (
	"testing"

	"kumiko/components/mshr"
	"kumiko/components/spec"
	"kumiko/components/spec/spectest"
	"kumiko/components/tagarray"
	"kumiko/memsys/cache"
)

func TestAnL1TakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	sound := func() Spec {
		return Spec{Geometry: cache.Geometry{
			Tags: tagarray.Spec{Sets: 4, Ways: 2, Line: 128, Sector: 32, Replace: "lru", Index: "linear"},
			MSHR: mshr.Spec{Entries: 4, Merges: 2}},
			Latency: 30, Port: 128, Banks: 1, BankBytes: 32, BankIndex: "linear", TagBanks: 1, Queue: 4, MissQueue: 4,
			Allocate: "on_miss", Write: "through", LocalWrite: "back"}
	}
	x := spectest.Of(t, sound, (*Spec).Check)
	x.Within("latency", Overhead+1, spec.MostCycles, func(s *Spec, v int) { s.Latency = v })
	x.Within("port_bytes", 1, spec.MostBytes, func(s *Spec, v int) { s.Port = v })
	x.Within("miss_queue", 2, spec.MostQueue, func(s *Spec, v int) { s.MissQueue = v })
	x.Within("banks", 1, maxBanks, func(s *Spec, v int) { s.Banks, s.Port = v, 128*max(v, 1) })
	x.Refused("port_bytes", func(s *Spec) { s.Banks, s.Port = 3, 128 })
	x.Only("tag_banks", map[int]bool{0: false, 1: true, 2: true, 3: false, 4: true, maxTagBanks: true, 16: false},
		func(s *Spec, v int) { s.TagBanks, s.TagQueue = v, 4 })
	x.Within("tag_queue", 1, spec.MostQueue, func(s *Spec, v int) { s.TagBanks, s.TagQueue = 4, v })
	x.Taken(func(s *Spec) { s.Banks, s.BankBytes = 32, 4 })
	x.Refused("bank_bytes", func(s *Spec) { s.Banks, s.BankBytes = 16, 4 })
	x.Refused("bank_bytes", func(s *Spec) { s.Banks, s.BankBytes, s.BankIndex = 32, 4, "xor" })
	x.Only("bank_bytes", map[int]bool{16: false, 32: true, 48: false, 64: true, spec.MostBytes: true,
		2 * spec.MostBytes: false}, func(s *Spec, v int) { s.BankBytes = v })
	x.Refused("bank_index", func(s *Spec) { s.Banks, s.Port, s.BankIndex = 3, 96, "xor" })
	x.Refused("tags.ways", func(s *Spec) { s.Tags.Ways = 0 })
	for _, how := range []string{"through", "evict", "back"} {
		x.Taken(func(s *Spec) { s.Write, s.LocalWrite = how, how })
	}
	x.Taken(func(s *Spec) { s.Allocate = "on_fill" })
	x.Refused("allocate", func(s *Spec) { s.Allocate = "on_read" })
	x.Refused("write", func(s *Spec) { s.Write = "around" })
	x.Refused("local_write", func(s *Spec) { s.LocalWrite = "around" })
}
