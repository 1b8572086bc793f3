package arbiter

import (
	"kumiko/components/bank"
	"kumiko/components/wire"
)

// read is a read in a bank's queue.
type read struct {
	entry, tag, lanes uint32
	since             uint32 // low half of the cycle of its arrival
	to, slot          uint8
	cause             bank.Cause
	hint              bank.Hint
}

// write is a write in a bank's queue.
type write struct {
	a     bank.Access
	since wire.Cycle // its arrival
}

// fifo is a bounded queue. Elements can be removed from the middle.
type fifo[T any] struct {
	buf  []T `bits:"type"`
	head int
	n    int
}

func (f *fifo[T]) full() bool { return f.n == len(f.buf) }

func (f *fifo[T]) at(i int) *T {
	i += f.head
	if i >= len(f.buf) {
		i -= len(f.buf)
	}
	return &f.buf[i]
}

// push makes room at the end and returns it to be filled in.
func (f *fifo[T]) push() *T {
	f.n++
	return f.at(f.n - 1)
}

// remove removes the i-th element. The elements before it keep their order.
func (f *fifo[T]) remove(i int) {
	for ; i > 0; i-- {
		*f.at(i) = *f.at(i - 1)
	}
	f.head++
	f.n--
	if f.head == len(f.buf) || f.n == 0 { // an empty queue starts over: its first places stay in cache
		f.head = 0
	}
}
