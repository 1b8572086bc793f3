package streams

import "math/bits"

// ring has the registers of a cache by age.
type ring struct {
	head uint8 // the oldest
	regs [32]uint8
}

// entry returns the place of the i-th oldest.
func (q *ring) entry(i, size int) *uint8 {
	if i += int(q.head); i >= size {
		i -= size
	}
	return &q.regs[i]
}

// remove closes the gap of a register; left is the number of remaining ones.
func (q *ring) remove(r uint8, size, left int) {
	i := 0
	for *q.entry(i, size) != r {
		i++
	}
	for ; i < left; i++ {
		*q.entry(i, size) = *q.entry(i+1, size)
	}
}

// enqueue makes room in first-in first-out caches and puts a register in as the
// youngest.
func (b *bank) enqueue(r uint8, set uint64) {
	for x := set & b.full; x != 0; x &= x - 1 {
		c := bits.TrailingZeros64(x) & 63
		size := int(sizeOf[c])
		q := &b.fifo[c]
		if b.policy == Aware {
			b.expel(q, c, size)
			*q.entry(size-1, size) = r
			continue
		}
		at := &q.regs[q.head]
		victim := *at
		*at = r
		if q.head++; int(q.head) == size {
			q.head = 0
		}
		b.evictOne(victim, c)
	}
	for x := set &^ b.full; x != 0; x &= x - 1 {
		c := bits.TrailingZeros64(x) & 63
		size := int(sizeOf[c])
		*b.fifo[c].entry(int(b.taken[c]), size) = r
		b.take(c, size)
	}
}

func (b *bank) take(c, size int) {
	if b.taken[c]++; int(b.taken[c]) == size {
		b.full |= 1 << c
	}
}

// expel evicts the oldest register not read before the next suspension (far), or else the oldest.
func (b *bank) expel(q *ring, c, size int) {
	victim := *q.entry(0, size)
	for i := range size {
		if v := *q.entry(i, size); b.far[v] {
			victim = v
			break
		}
	}
	q.remove(victim, size, size-1)
	b.evictOne(victim, c)
}

// evictOne evicts a register from configuration c.
func (b *bank) evictOne(r uint8, c int) {
	bit := uint64(1) << c
	b.present[r] &^= bit
	switch {
	case b.clean[r]&bit != 0:
	case b.part[r]&bit != 0:
		b.backPart(r, bit, &b.evict)
	case b.dead[r]&bit != 0:
		b.evict.dead[c].Whole++
		b.evict.dead[c].Lanes += b.whole
	default:
		b.evict.live[c].Whole++
		b.evict.live[c].Lanes += b.whole
	}
}

// room makes room in least-recently-used caches. Whatever the size, an entry was
// last accessed when its register was: one order serves all of them.
func (b *bank) room(set uint64) {
	set &^= b.boundless
	for x := set &^ b.full; x != 0; x &= x - 1 {
		c := bits.TrailingZeros64(x) & 63
		b.take(c, int(sizeOf[c]))
		set &^= x & -x
	}
	for r := b.recent.oldest(); set != 0; r = b.recent.younger(r) {
		if v := b.present[r] & set; v != 0 {
			b.back(uint8(r), v, &b.evict)
			b.present[r] &^= v
			set &^= v
		}
	}
}

// recency is the order of the registers' last accesses, as a list.
type recency struct {
	next, prev [257]uint16 // 256 is both ends
}

const ends = 256

func (l *recency) begin() {
	*l = recency{}
	l.next[ends], l.prev[ends] = ends, ends
	for r := range ends {
		l.next[r] = uint16(r) // alone: not in the list
		l.prev[r] = uint16(r)
	}
}

func (l *recency) oldest() uint16          { return l.next[ends] }
func (l *recency) younger(r uint16) uint16 { return l.next[r] }

// touch makes a register the youngest.
func (l *recency) touch(r uint8) {
	n, p := l.next[r], l.prev[r]
	l.next[p], l.prev[n] = n, p
	last := l.prev[ends]
	l.next[last], l.prev[r] = uint16(r), last
	l.next[r], l.prev[ends] = ends, uint16(r)
}
