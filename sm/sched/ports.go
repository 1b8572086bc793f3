package sched

import (
	"fmt"

	"kumiko/components/op"
	"kumiko/components/wire"
)

// AddNotices adds the ports for notices of operations from the register file and the load/store unit. early:
// the register file has a second port for Done notices. results is the most Done notices per cycle.
func (s *Scheduler) AddNotices(early bool, results int) {
	done := 1
	if early {
		done = 2
	}
	s.Done = make([]wire.InPort[op.Done], done)
	for i := range s.Done {
		s.Done[i].Init(&s.Comp, fmt.Sprintf("Done[%d]", i), max(4, 2*results))
	}
	s.Read.Init(&s.Comp, "Read", 4)
	s.Stores.Init(&s.Comp, "Stores", 4)
}
