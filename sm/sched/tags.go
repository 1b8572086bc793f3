package sched

// tagCounter numbers the operations of an SM in issue order. The order of the schedulers' ticks must not
// matter, so each scheduler draws from a sequence of its own: the numbers of scheduler i are i+1, i+1+n, i+1+2n
// ...
//
// After the last number of 32 bits the sequence starts over. 0 means no operation.
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
