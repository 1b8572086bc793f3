package l1

import (
	"math/bits"

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
	c.waits(now, reason)
	return more || c.In.Head() != nil && reason == cache.Ready
}

// head returns the oldest transaction not looked up yet, or nil.
func (c *Tags) head() *req.Txn {
	if q := c.tags.oldest(); q != nil {
		return &q.slots[q.head].txn
	}
	return c.In.Head()
}

// maxBanks bounds the data banks.
const maxBanks = 32

// wordBytes is the width of a bank holding one word of a line.
const wordBytes = 4

// Place is the part of a line used by a transaction.
type Place struct {
	Addr    uint64 // of the line
	Words   uint32 // used, where each lies in a bank of its own
	Sectors uint8
}

func placeOf(t *req.Txn) Place { return Place{Addr: t.Addr, Words: t.Words, Sectors: t.Sectors} }

// banks tracks the banks of the data array. A transaction uses the banks of its sectors, all from the same
// cycle on. Each bank is busy for the time of the transaction's bytes at its port. If each word of a line lies
// in a bank of its own, a transaction uses the banks of its words for a cycle.
type banks struct {
	words bool
	busy  uint32     // with words: banks in use in a cycle
	at    wire.Cycle // the cycle of busy

	n     int
	shift uint // from an address to the number of its block in one bank
	index tagarray.Index
	width int                  // of a bank's port, in bytes per cycle
	free  [maxBanks]wire.Cycle `bits:"8"`
}

func newBanks(s *Spec) banks {
	return banks{words: s.BankBytes == wordBytes, n: s.Banks, shift: uint(bits.TrailingZeros(uint(s.BankBytes))),
		index: tagarray.NewIndex(s.BankIndex, s.Banks), width: s.Port / s.Banks}
}

// ready returns the first cycle at which all banks of a place are free.
func (b *banks) ready(now wire.Cycle, t *Place) wire.Cycle {
	if b.words {
		if b.at == now && b.busy&t.Words != 0 {
			return now + 1
		}
		return now
	}
	if b.n == 1 {
		return b.free[0]
	}
	var at wire.Cycle
	for m := used(t); m != 0; m &= m - 1 {
		at = max(at, b.free[b.bankOf(t, m)])
	}
	return at
}

// take occupies the banks of a place. They must be free.
func (b *banks) take(now wire.Cycle, t *Place) {
	if b.words {
		if b.at != now {
			b.at, b.busy = now, 0
		}
		b.busy |= t.Words
		return
	}
	if b.n == 1 {
		b.free[0] = now + b.cycles(int(ones(t.Sectors)))
		return
	}
	var bank, sectors [req.Sectors]int
	n := 0
	for m := used(t); m != 0; m &= m - 1 {
		i := b.bankOf(t, m)
		k := 0
		for k < n && bank[k] != i {
			k++
		}
		if k == n {
			bank[k] = i
			n++
		}
		sectors[k]++
	}
	for k := range n {
		b.free[bank[k]] = now + b.cycles(sectors[k])
	}
}

// cycles returns the cycles for which sectors of a transaction occupy a bank.
func (b *banks) cycles(sectors int) wire.Cycle {
	return wire.Cycle(max(1, (sectors*req.SectorBytes+b.width-1)/b.width))
}

// bankOf returns the bank of the first sector of a mask.
func (b *banks) bankOf(t *Place, mask uint8) int {
	return b.index.Of((t.Addr + uint64(bits.TrailingZeros8(mask))*req.SectorBytes) >> b.shift)
}

// used returns the sectors occupying the data array. A place without any
// counts as its first sector; at present there is no such place.
func used(t *Place) uint8 { return max(t.Sectors, 1) }
