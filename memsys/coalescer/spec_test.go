package coalescer

import (
	"testing"

	"kumiko/components/spec/spectest"
)

func TestACoalescerTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	x := spectest.Of(t, func() Spec { return Spec{Segment: 128, Around: 32, Queue: 4, Rate: 1} }, (*Spec).Check)
	sizes := map[int]bool{0: false, 16: false, 32: true, 64: false, 128: true, 256: false}
	x.Only("segment_bytes", sizes, func(s *Spec, v int) { s.Segment = v })
	x.Only("bypass_segment_bytes", sizes, func(s *Spec, v int) { s.Around = v })
}
