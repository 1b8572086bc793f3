package rfc

import (
	"testing"

	"kumiko/components/spec/spectest"
)

func TestOnlyWhatCanBeBuiltIsTaken(t *testing.T) {
	x := spectest.Of(t, Default, (*Spec).Check)
	x.Taken(func(s *Spec) { s.Organisation = Partitioned })
	x.Taken(func(s *Spec) { s.Organisation = Shared })
	x.Refused("organisation", func(s *Spec) { s.Organisation = "other" })
	x.Taken(func(s *Spec) { s.Replacement = FIFO })
	x.Taken(func(s *Spec) { s.Replacement = LRU })
	x.Refused("replacement", func(s *Spec) { s.Replacement = "other" })
	x.Within("entries_total", 1, 1<<14, func(s *Spec, v int) { s.Organisation, s.EntriesTotal, s.Ways = Shared, v, 1 })
	x.Only("ways", map[int]bool{0: false, 1: true, 7: false, 8: true, 128: true, 256: false},
		func(s *Spec, v int) { s.Organisation, s.Ways = Shared, v })
	x.Taken(func(s *Spec) { s.Ways = 7 }) // which nobody looks at where each warp has its own
	x.Refused("evict_dead", func(s *Spec) { s.EvictDead = true })
	x.Taken(func(s *Spec) { s.EvictDead, s.Liveness = true, true })
}
