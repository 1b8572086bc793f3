package arbiter

import (
	"fmt"

	"kumiko/components/stats"
	"kumiko/components/wire"
)

// fanin is what the blocks that join several inputs have in common.
type fanin[T any] struct {
	wire.Comp
	In  []wire.InPort[T]
	Out wire.OutPort[T]

	passed    uint64
	conflicts uint64
}

// FaninSpec configures a block that joins inputs.
type FaninSpec struct {
	Inputs   int
	Capacity int // messages that an input holds, those on the link included
	// Stat is the prefix of the statistics' names, such as "regfile.dispatch".
	Stat string
}

func (f *fanin[T]) setup(name string, d *wire.Domain, t wire.Tickable, s FaninSpec, reg *stats.Registry) {
	f.Init(name, d, t)
	f.In = make([]wire.InPort[T], s.Inputs)
	for i := range f.In {
		f.In[i].Init(&f.Comp, fmt.Sprintf("In[%d]", i), s.Capacity)
	}
	f.Out.Init(&f.Comp, "Out")
	reg.Count(s.Stat+".passed", stats.Messages, "messages that an arbiter with several inputs passed on", name, &f.passed)
	reg.Count(s.Stat+".conflicts", stats.Cycles, "message-cycles spent at the head of an input because another input went first", name, &f.conflicts)
}

// pass sends the head of input i on and tells whether any input has something
// left for the next cycle.
func (f *fanin[T]) pass(i int) bool {
	again := false
	for j := range f.In {
		if j != i && f.In[j].Head() != nil {
			f.conflicts++
			again = true
		}
	}
	in := &f.In[i]
	f.Out.Put(*in.Head())
	in.Pop()
	f.passed++
	return again || in.Head() != nil
}

// Waiting says how many messages are held.
func (f *fanin[T]) Waiting() string {
	n := 0
	for i := range f.In {
		n += f.In[i].Len()
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d messages wait for %s", n, f.Out.Name())
}

// RoundRobin joins several inputs into one output, a message per cycle: the
// next input in turn that has one.
type RoundRobin[T any] struct {
	fanin[T]
	turn int
}

// NewRoundRobin builds a round-robin arbiter.
func NewRoundRobin[T any](name string, d *wire.Domain, s FaninSpec, reg *stats.Registry) *RoundRobin[T] {
	r := &RoundRobin[T]{}
	r.setup(name, d, r, s, reg)
	return r
}

// Tick passes a message on.
func (r *RoundRobin[T]) Tick(wire.Cycle) bool {
	i := r.turn
	for n := len(r.In); n > 0; n-- {
		if r.In[i].Head() != nil {
			if !r.Out.CanPut() {
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

func (r *RoundRobin[T]) next(i int) int {
	if i++; i == len(r.In) {
		return 0
	}
	return i
}

// Oldest joins several inputs into one output, a message per cycle: the oldest
// at the heads of the inputs, the lowest input where they tie.
type Oldest[T any] struct {
	fanin[T]
	born func(*T) uint64
}

// NewOldest builds an age arbiter. born gives a message's time or number of
// birth: the lowest is the oldest.
func NewOldest[T any](name string, d *wire.Domain, s FaninSpec, born func(*T) uint64, reg *stats.Registry) *Oldest[T] {
	o := &Oldest[T]{born: born}
	o.setup(name, d, o, s, reg)
	return o
}

// Tick passes a message on.
func (o *Oldest[T]) Tick(wire.Cycle) bool {
	best := -1
	var since uint64
	for i := range o.In {
		if h := o.In[i].Head(); h != nil {
			if b := o.born(h); best < 0 || b < since {
				best, since = i, b
			}
		}
	}
	if best < 0 || !o.Out.CanPut() {
		return false
	}
	return o.pass(best)
}
