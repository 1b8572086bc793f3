package arbiter

import (
	"kumiko/components/bank"
	"kumiko/components/wire"
)

// pending is a request in a bank's queue.
type pending struct {
	a     bank.Access
	since wire.Cycle // cycle of its arrival
}

// fifo is a bounded queue of requests from whose middle one can be taken.
type fifo struct {
	buf  []pending
	head int
	n    int
}

func (f *fifo) full() bool { return f.n == len(f.buf) }

func (f *fifo) at(i int) *pending {
	i += f.head
	if i >= len(f.buf) {
		i -= len(f.buf)
	}
	return &f.buf[i]
}

func (f *fifo) push(a *bank.Access, now wire.Cycle) {
	p := f.at(f.n)
	p.a, p.since = *a, now
	f.n++
}

// remove takes out the i-th request; those before it keep their order.
func (f *fifo) remove(i int) {
	for ; i > 0; i-- {
		*f.at(i) = *f.at(i - 1)
	}
	f.head++
	f.n--
	if f.head == len(f.buf) || f.n == 0 { // an empty queue starts over: its first places stay in cache
		f.head = 0
	}
}

// holds tells whether a request for the entry is queued.
func (f *fifo) holds(entry uint32) bool {
	for i := 0; i < f.n; i++ {
		if f.at(i).a.Entry == entry {
			return true
		}
	}
	return false
}
