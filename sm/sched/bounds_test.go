package sched

import "testing"

func TestPoliciesAndSizesAreWithinTheirBounds(t *testing.T) {
	for name, k := range map[string]struct {
		spec Spec
		ok   bool
	}{
		"scoreboards":    {Spec{Policy: "gto", Dependences: byScoreboard}, true},
		"control words":  {Spec{Policy: "gto", Dependences: ByControl}, true},
		"no dependences": {Spec{Policy: "gto", Dependences: "none"}, false},
		"no policy":      {Spec{Policy: "none"}, false},
		"by control words": {
			Spec{Policy: TwoLevel, Inner: "gto", Active: 8, Dependences: ByControl}, false},
		"two levels":          {Spec{Policy: TwoLevel, Inner: "gto", Active: 8}, true},
		"the least active":    {Spec{Policy: TwoLevel, Inner: "gto", Active: 2}, true},
		"less than one each":  {Spec{Policy: TwoLevel, Inner: "gto", Active: 1}, false},
		"not as many of each": {Spec{Policy: TwoLevel, Inner: "gto", Active: 7}, false},
		"more than warps":     {Spec{Policy: TwoLevel, Inner: "gto", Active: 18}, false},
		"no inner policy":     {Spec{Policy: TwoLevel, Active: 8}, false},
		"the longest stall":   {Spec{Policy: "gto", SuspendAfter: 1_000_000}, true},
		"a longer stall":      {Spec{Policy: "gto", SuspendAfter: 1_000_001}, false},
		"one warp in a group": {Spec{Policy: FetchGroup, Group: 1}, true},
		"64 warps in a group": {Spec{Policy: FetchGroup, Group: 64}, true},
		"65 warps in a group": {Spec{Policy: FetchGroup, Group: 65}, false},
		"no warp in a group":  {Spec{Policy: FetchGroup}, false},
	} {
		if err := k.spec.Check(2, 16); (err == nil) != k.ok {
			t.Errorf("%s: error %v, want one: %v", name, err, !k.ok)
		}
	}
}

func TestTheLeastAndTheLargestCachesOfConstantsAreAccepted(t *testing.T) {
	for _, s := range []ConstantSpec{{}, {Lines: 1, Ways: 1, Line: 64, Latency: 2},
		{Lines: 8, Ways: 8, Line: 64, Latency: 1000, Hold: 1000}} {
		if err := s.Check(); err != nil {
			t.Errorf("%+v: %v", s, err)
		}
	}
	for _, s := range []ConstantSpec{{Lines: -2, Ways: 1, Line: 64, Latency: 2}, {Lines: 2, Line: 64, Latency: 2},
		{Lines: 1, Ways: 1, Line: 64, Latency: 1}, {Lines: 9, Ways: 2, Line: 64, Latency: 2},
		{Lines: 2, Ways: 1, Line: 3, Latency: 2}, {Lines: 2, Ways: 1, Line: 64, Latency: 8, Hold: 9},
		{Lines: 2, Ways: 1, Line: 64, Latency: 1001}, {Lines: 2, Ways: 1, Line: 64, Latency: 8, Hold: -1}} {
		if s.Check() == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
}
