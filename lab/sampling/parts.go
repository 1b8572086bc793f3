package main

import (
	"io"
	"strings"

	"github.com/google/pprof/profile"
)

// shares are the parts of a sampled run's processor time. They add up to one. The rest, in other, belongs to the Go
// runtime and to the program's host side.
type shares struct{ execution, caches, simulation, other float64 }

// partsOf computes the shares from the stacks of a processor profile.
func partsOf(r io.Reader) (shares, error) {
	var s shares
	p, err := profile.Parse(r)
	if err != nil {
		return s, err
	}
	all := 0.0
	for _, x := range p.Sample {
		n := float64(x.Value[0])
		all += n
		*s.shareOf(x) += n
	}
	if all == 0 {
		return s, nil
	}
	for _, x := range []*float64{&s.execution, &s.caches, &s.simulation, &s.other} {
		*x /= all
	}
	return s, nil
}

// shareOf returns the share to which a stack counts. Its innermost function assigned to a share decides.
func (s *shares) shareOf(x *profile.Sample) *float64 {
	for _, l := range x.Location {
		for _, line := range l.Line {
			switch name := line.Function.Name; {
			case strings.HasPrefix(name, "kumiko/gpus/sampled.(*warmer)"):
				return &s.caches
			case strings.HasPrefix(name, "kumiko/kernel/emu."):
				return &s.execution
			case strings.HasPrefix(name, "kumiko/components/wire."):
				return &s.simulation
			}
		}
	}
	return &s.other
}
