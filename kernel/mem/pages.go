package mem

import "math/bits"

// PageBytes is the size of the pages whose stores are noted: the smallest page of GPUs.
const PageBytes = 1 << pageShift

const pageShift = 12

// Pages is the set of pages of a backed memory that a kernel may have changed.
type Pages struct {
	base  uint64   // of the memory
	pages []uint64 // a bit for each page
	words []uint64 // a bit for each element of pages that is not zero
}

// Note begins to note the pages that kernels write. The memory is backed.
func (m *Memory) Note() {
	n := (len(m.backing) + PageBytes - 1) / PageBytes
	m.noted = &Pages{base: m.base, pages: make([]uint64, (n+63)/64), words: make([]uint64, (n+64*64-1)/(64*64))}
}

// Noted returns the pages written since they were taken, nil where they are not noted.
func (m *Memory) Noted() *Pages { return m.noted }

// Add adds the pages of [lo, hi), a part of a region.
func (p *Pages) Add(lo, hi uint64) {
	for i := (lo - p.base) >> pageShift; i <= (hi-1-p.base)>>pageShift; i++ {
		p.pages[i>>6] |= 1 << (i & 63)
		p.words[i>>12] |= 1 << (i >> 6 & 63)
	}
}

// Take calls do with the runs of successive pages in the set, in the order of addresses, and empties it.
func (p *Pages) Take(do func(lo, hi uint64)) {
	first, next := uint64(0), uint64(0) // the run so far
	for i, word := range p.words {
		p.words[i] = 0
		for ; word != 0; word &= word - 1 {
			j := i<<6 | bits.TrailingZeros64(word)
			page := p.pages[j]
			p.pages[j] = 0
			for ; page != 0; page &= page - 1 {
				k := uint64(j<<6 | bits.TrailingZeros64(page))
				if k != next && next > first {
					do(p.base+first<<pageShift, p.base+next<<pageShift)
				}
				if k != next {
					first = k
				}
				next = k + 1
			}
		}
	}
	if next > first {
		do(p.base+first<<pageShift, p.base+next<<pageShift)
	}
}
