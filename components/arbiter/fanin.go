package arbiter

import (
	"fmt"

	"kumiko/components/stats"
	"kumiko/components/wire"
)

// FaninSpec configures a RoundRobin arbiter.
type FaninSpec struct {
	Inputs   int
	Capacity int // capacity of an input in messages, including those on the link
	// Stat is the prefix of the statistics' names, such as "regfile.dispatch".
	Stat string
}

// RoundRobin joins several inputs into one output. Each cycle it passes one message, from the next input in turn
// with a message.
type RoundRobin[T any] struct {
	wire.Comp
	In  []wire.InPort[T]
	Out wire.OutPort[T]

	turn      int
	passed    uint64
	conflicts uint64
}

// NewRoundRobin builds a round-robin arbiter.
func NewRoundRobin[T any](name string, d *wire.Domain, s FaninSpec, reg *stats.Registry) *RoundRobin[T] {
	r := &RoundRobin[T]{In: make([]wire.InPort[T], s.Inputs)}
	r.Init(name, d, r)
	for i := range r.In {
		r.In[i].Init(&r.Comp, fmt.Sprintf("In[%d]", i), s.Capacity)
	}
	r.Out.Init(&r.Comp, "Out")
	reg.Count(s.Stat+".passed", stats.Messages, "messages that an arbiter with several inputs passed on", name,
		&r.passed)
	reg.Count(s.Stat+".conflicts", stats.Cycles,
		"message-cycles spent at the head of an input because another input went first", name, &r.conflicts)
	return r
}

// Tick passes a message on.
func (r *RoundRobin[T]) Tick(wire.Cycle) bool {
	i := r.turn
	for n := len(r.In); n > 0; n-- {
		if r.In[i].Head() != nil {
			if !r.Out.CanPut() {
				r.Out.Held()
				return false
			}
			again := r.pass(i)
			r.turn = r.next(i)
			return again
		}
		i = r.next(i)
	}
	return false
}

// pass forwards the head of input i. It reports whether any input has another message for the next cycle.
func (r *RoundRobin[T]) pass(i int) bool {
	again := false
	for j := range r.In {
		if j != i && r.In[j].Head() != nil {
			r.conflicts++
			again = true
		}
	}
	if again {
		r.Out.Held() // what goes first takes the place behind the port
	}
	in := &r.In[i]
	r.Out.Put(*in.Head())
	in.Pop()
	r.passed++
	return again || in.Head() != nil
}

func (r *RoundRobin[T]) next(i int) int {
	if i++; i == len(r.In) {
		return 0
	}
	return i
}

// Waiting reports how many messages are held.
func (r *RoundRobin[T]) Waiting() string {
	n := 0
	for i := range r.In {
		n += r.In[i].Len()
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d messages wait for %s", n, r.Out.Name())
}
