package regmutex

import (
	"math"
	"testing"

	"kumiko/components/spec/spectest"
)

func TestOnlyWhatCanBeBuiltIsTaken(t *testing.T) {
	x := spectest.Of(t, Default, (*Spec).Check)
	for base, fits := range map[float64]bool{-0.1: false, 0: false, 0.01: true, 1: true, 1.01: false,
		math.NaN(): false} {
		change := func(s *Spec) { s.Base = base }
		if fits {
			x.Taken(change)
		} else {
			x.Refused("base", change)
		}
	}
	for pool, fits := range map[float64]bool{-0.1: false, 0: true, 0.99: true, 1: false, math.NaN(): false} {
		change := func(s *Spec) { s.Pool = pool }
		if fits {
			x.Taken(change)
		} else {
			x.Refused("pool", change)
		}
	}
}
