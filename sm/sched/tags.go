package sched

// tagCounter numbers the operations of an SM in issue order. Schedulers of one
// SM tick in an order that must not matter, so each draws from a sequence of
// its own: the numbers of scheduler i are i+1, i+1+n, i+1+2n ...
//
// Behind the last number of 32 bits the sequence starts over: 0 is no operation.
type tagCounter struct{ next, step, first uint32 }

func newTags(index, schedulers int) tagCounter {
	first := uint32(index) + 1
	return tagCounter{next: first, step: uint32(schedulers), first: first}
}

func (t *tagCounter) draw() uint32 {
	v := t.next
	if t.next += t.step; t.next < t.step {
		t.next = t.first
	}
	return v
}
