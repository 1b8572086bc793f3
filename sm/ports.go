package sm

import (
	"fmt"

	"kumiko/components/op"
	"kumiko/components/wire"
)

// AddRegfile gives the scheduler n pairs of ports for the register file's
// notices.
func (s *Scheduler) AddRegfile(n int) {
	s.Done = make([]wire.InPort[op.Done], n)
	s.Read = make([]wire.InPort[op.Read], n)
	for i := range n {
		s.Done[i].Init(&s.Comp, fmt.Sprintf("Done[%d]", i), 4)
		s.Read[i].Init(&s.Comp, fmt.Sprintf("Read[%d]", i), 4)
	}
}

// AddStores gives the scheduler a port for each of n load/store units.
func (s *Scheduler) AddStores(n int) {
	s.Stores = make([]wire.InPort[StoreNote], n)
	for i := range n {
		s.Stores[i].Init(&s.Comp, fmt.Sprintf("Stores[%d]", i), 4)
	}
}
