package l1

import (
	"kumiko/components/tagarray"
	"kumiko/components/wire"
	"kumiko/memsys/cache"
	"kumiko/memsys/req"
)

// maxTagBanks bounds the banks of the tag array.
const maxTagBanks = 8

// tagBanks are the banks of the tag array. The transactions of one part of an access
// wait in front of them. The transactions of the next part come when all have been
// looked up: measured loads take the time of their fullest bank, whatever the loads
// beside them (lab/docs/silicon.md).
type tagBanks struct {
	index tagarray.Index
	queue []tagQueue `part:"Bank"`
	next  uint64     // age of the next transaction
	n     int        // waiting transactions
	slot  uint16     // of their access
	part  uint8      // of the same access
}

// tagQueue holds the transactions in front of a bank, oldest first.
type tagQueue struct {
	slots   []waiting `bits:"type"`
	head, n int
	tried   bool // in this cycle
}

type waiting struct {
	age uint64
	txn req.Txn
}

func newTagBanks(s *Spec) tagBanks {
	if s.TagBanks == 1 {
		return tagBanks{}
	}
	b := tagBanks{index: tagarray.NewIndex("xor", s.TagBanks), queue: make([]tagQueue, s.TagBanks)}
	for i := range b.queue {
		b.queue[i].slots = make([]waiting, s.TagQueue)
	}
	return b
}

// put appends a transaction to the queue of its bank, and reports whether it is the
// turn of its access and there was room.
func (b *tagBanks) put(t *req.Txn) bool {
	q := &b.queue[b.index.Of(t.Addr/req.LineBytes)]
	if q.n == len(q.slots) || b.n > 0 && (t.Slot != b.slot || t.Index != b.part) {
		return false
	}
	b.n++
	b.slot, b.part = t.Slot, t.Index
	i := q.head + q.n
	if i >= len(q.slots) {
		i -= len(q.slots)
	}
	q.slots[i] = waiting{b.next, *t}
	q.n++
	b.next++
	return true
}

// oldest returns the queue with the oldest transaction not tried yet,
// or nil.
func (b *tagBanks) oldest() *tagQueue {
	var best *tagQueue
	for i := range b.queue {
		q := &b.queue[i]
		if q.n > 0 && !q.tried && (best == nil || q.slots[q.head].age < best.slots[best.head].age) {
			best = q
		}
	}
	return best
}

// pop removes the oldest transaction.
func (q *tagQueue) pop() {
	q.n--
	if q.head++; q.head == len(q.slots) {
		q.head = 0
	}
}

// lookups looks up at most one transaction in each bank, the oldest first. It reports whether a transaction may
// be looked up in the next cycle. The counted stall reason is the oldest waiting transaction's.
func (c *Tags) lookups(now wire.Cycle) bool {
	for t := c.In.Head(); t != nil && c.tags.put(t); t = c.In.Head() {
		c.In.Pop()
	}
	more, reason := false, cache.Ready
	for q := c.tags.oldest(); q != nil; q = c.tags.oldest() {
		q.tried = true
		r := c.serve(now, &q.slots[q.head].txn)
		if r == cache.Ready {
			q.pop()
			c.tags.n--
			more = more || q.n > 0
		} else if reason == cache.Ready {
			reason = r
		}
	}
	for i := range c.tags.queue {
		c.tags.queue[i].tried = false
	}
	c.stalls.Note(now, reason)
	return more || c.In.Head() != nil && reason == cache.Ready
}

// head returns the oldest transaction not looked up yet, or nil.
func (c *Tags) head() *req.Txn {
	if q := c.tags.oldest(); q != nil {
		return &q.slots[q.head].txn
	}
	return c.In.Head()
}
