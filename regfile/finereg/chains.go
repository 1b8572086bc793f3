package finereg

import "math/bits"

// chains are the PCRF pointer table and the free space monitor.
type chains struct {
	lines   []line   `row:"RMU: pointer table"`      // pointer table, by CTA slot
	monitor []uint64 `row:"RMU: free space monitor"` // a bit per entry: occupied
	entries int
	free    int
}

// line is the place of a CTA's registers.
type line struct {
	head  uint16
	count int // live registers
}

func newChains(ctas, entries int) chains {
	return chains{lines: make([]line, ctas), monitor: make([]uint64, (entries+63)/64), entries: entries, free: entries}
}

// begin assigns a launch the given number of entries. All are free.
func (x *chains) begin(entries int) { x.entries, x.free = entries, entries }

// occupy adds the lowest-numbered free entry to the front of a CTA's chain, and returns the contents of its tag.
func (x *chains) occupy(cta int) (entry, next uint16, end bool) {
	for w, m := range x.monitor {
		if e := w<<6 + bits.TrailingZeros64(^m); m != ^uint64(0) && e < x.entries {
			return uint16(e), x.link(cta, uint16(e)), x.lines[cta].count == 1
		}
	}
	panic("finereg: no free entry")
}

// link puts a free entry at the front of a CTA's chain, and returns the previous first entry.
func (x *chains) link(cta int, entry uint16) (next uint16) {
	l := &x.lines[cta]
	next = l.head
	l.head = entry
	l.count++
	x.monitor[entry>>6] |= 1 << (entry & 63)
	x.free--
	return next
}

// release frees the entry at the head of a CTA's chain.
func (x *chains) release(cta int, t *Taken) {
	l := &x.lines[cta]
	if l.head != t.Entry {
		panic("finereg: a chain was not walked from its head")
	}
	l.head = t.Tag.Next
	l.count--
	if t.Tag.End != (l.count == 0) {
		panic("finereg: a chain ends where the pointer table does not say so")
	}
	x.monitor[t.Entry>>6] &^= 1 << (t.Entry & 63)
	x.free++
}
