package noc

import (
	"testing"

	"kumiko/components/spec"
	"kumiko/components/spec/spectest"
)

func TestAnInterconnectTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	x := spectest.Of(t, func() Spec { return Spec{Flit: 32, Latency: 20, Lane: 1, Buffer: 4} }, (*Spec).Check)
	x.Within("buffer", 1, spec.MostQueue, func(s *Spec, v int) { s.Buffer = v })
	x.Within("latency", 2, spec.MostCycles, func(s *Spec, v int) { s.Latency = v })
	x.AtLeast("lane_latency", 1, func(s *Spec, v int) { s.Lane = v })
	x.Taken(func(s *Spec) { s.Lane, s.Latency = 5, 6 })
	x.Refused("latency", func(s *Spec) { s.Lane, s.Latency = 5, 5 })
}

func TestRequestsHaveFlitsOfTheirOwnSizeWhereTheSettingSaysSo(t *testing.T) {
	for request, want := range map[int]int{0: 136, 72: 72} {
		s := Spec{Flit: 136, Request: request, Latency: 20, Lane: 1, Buffer: 4}
		if got := s.Requests().Flit; got != want {
			t.Errorf("request_flit_bytes = %d: flits of %d bytes, want %d", request, got, want)
		}
	}
}
