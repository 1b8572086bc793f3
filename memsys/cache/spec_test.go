package cache

import (
	"testing"

	"kumiko/components/mshr"
	"kumiko/components/spec/spectest"
	"kumiko/components/tagarray"
)

func TestAGeometryHasTheLinesAndSectorsOfRequests(t *testing.T) {
	sound := func() Geometry {
		return Geometry{Tags: tagarray.Spec{Sets: 4, Ways: 2, Line: 128, Sector: 32, Replace: "lru", Index: "linear"},
			MSHR: mshr.Spec{Entries: 4, Merges: 2}}
	}
	x := spectest.Of(t, sound, (*Geometry).Check)
	x.Only("tags.sector_bytes", map[int]bool{16: false, 32: true, 64: false, 128: true},
		func(s *Geometry, v int) { s.Tags.Sector = v })
	x.Only("tags.line_bytes", map[int]bool{64: false, 128: true, 256: false},
		func(s *Geometry, v int) { s.Tags.Line = v })
	x.Refused("tags.ways", func(s *Geometry) { s.Tags.Ways = 0 })
	x.Refused("mshr.entries", func(s *Geometry) { s.MSHR.Entries = 0 })
}
