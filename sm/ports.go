package sm

import (
	"fmt"

	"kumiko/components/op"
	"kumiko/components/wire"
)

// AddRegfile gives the scheduler n pairs of ports for the register file's
// notices.
func (s *Scheduler) AddRegfile(n int) {
	s.addDone(n)
	s.addRead(n)
}

// AddEarly is AddRegfile(1) with a second port for Done notices.
func (s *Scheduler) AddEarly() {
	s.addDone(2)
	s.addRead(1)
}

func (s *Scheduler) addDone(n int) {
	s.Done = make([]wire.InPort[op.Done], n)
	for i := range s.Done {
		s.Done[i].Init(&s.Comp, fmt.Sprintf("Done[%d]", i), 4)
	}
}

func (s *Scheduler) addRead(n int) {
	s.Read = make([]wire.InPort[op.Read], n)
	for i := range s.Read {
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
