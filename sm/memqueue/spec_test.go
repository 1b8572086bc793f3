package memqueue

import (
	"strings"
	"testing"

	"kumiko/components/spec/spectest"
)

func TestMemoryQueuesAreWithinTheirBounds(t *testing.T) {
	x := spectest.Of(t, func() Spec { return *testSpec() }, (*Spec).Check)
	x.Within("interval", 1, 64, func(s *Spec, v int) { s.Interval = v })
}

func TestTimesArePairsFromWhatTheLinksTakeOn(t *testing.T) {
	for want, change := range map[string]func(s *Spec){
		"global.leave: found [9 3], expected 4 to 1000":     func(s *Spec) { s.Global.Leave = []int{9, 3} },
		"shared.every: found [1], expected two numbers":     func(s *Spec) { s.Shared.Every = []int{1} },
		"constant.loads: found [], expected two numbers":    func(s *Spec) { s.Constant.Loads = nil },
		"copy.stores: found [0 5], expected 1 to 1000":      func(s *Spec) { s.Copy.Stores = []int{0, 5} },
		"global.return: found [1001 0], expected 0 to 1000": func(s *Spec) { s.Global.Return = []int{1001, 0} },
		"shared.transfer: found 65, expected 0 to 64":       func(s *Spec) { s.Shared.Width = 65 },
	} {
		s := testSpec()
		change(s)
		if err := s.Check(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want one that begins with %q", err, want)
		}
	}
}

func TestWithoutEntriesNothingElseCounts(t *testing.T) {
	if err := (&Spec{}).Check(); err != nil {
		t.Error(err)
	}
}
