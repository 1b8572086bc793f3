package cerf

import (
	"testing"

	"kumiko/components/spec"
	"kumiko/components/spec/spectest"
	"kumiko/memsys/l1"
)

func TestOnlyWhatCanBeBuiltIsTaken(t *testing.T) {
	x := spectest.Of(t, Default, (*Spec).Check)
	x.Taken(func(s *Spec) { s.Policy = Fair })
	x.Taken(func(s *Spec) { s.Policy = Prioritized })
	x.Refused("policy", func(s *Spec) { s.Policy = "other" })
	x.Taken(func(s *Spec) { s.Dead = DeadLive })
	x.Taken(func(s *Spec) { s.Dead = DeadMeet })
	x.Refused("dead", func(s *Spec) { s.Dead = "other" })
	x.Taken(func(s *Spec) { s.Lanes = LanesFetch })
	x.Taken(func(s *Spec) { s.Lanes = LanesMask })
	x.Refused("lanes", func(s *Spec) { s.Lanes = "other" })
	x.Taken(func(s *Spec) { s.Store = StoreAllocate })
	x.Taken(func(s *Spec) { s.Store = StoreEvict })
	x.Refused("store", func(s *Spec) { s.Store = "other" })
	x.Only("ways", map[int]bool{0: false, 1: true, 2: true, 6: false, 64: true, 128: false},
		func(s *Spec, v int) { s.Ways = v })
	// Four ways of 128 bytes are 512 bytes a set, of which there is a power of two.
	x.Only("bytes", map[int]bool{0: false, 256: false, 512: true, 1000: false, 1024: true, 1536: false, 1 << 17: true},
		func(s *Spec, v int) { s.Bytes = v })
	x.Refused("mshr.entries", func(s *Spec) { s.MSHR.Entries = 1 })
	x.Refused("mshr.merges", func(s *Spec) { s.MSHR.Merges = 0 })
	x.Within("latency", l1.Overhead+1, spec.MostCycles, func(s *Spec, v int) { s.Latency = v })
	x.Within("queue", 1, 256, func(s *Spec, v int) { s.Queue = v })
	x.Within("miss_queue", 3, 256, func(s *Spec, v int) { s.MissQueue = v })
}
