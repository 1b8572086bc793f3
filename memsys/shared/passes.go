package shared

import (
	"math/bits"

	"kumiko/kernel/ir"
	"kumiko/memsys/req"
)

// Counter counts the passes of accesses for blocks other than a Memory.
type Counter struct{ tally tally }

// Of returns how many passes a part of an access takes if there are as many banks as words in a line.
func (c *Counter) Of(p *req.Part) int {
	n, _ := c.tally.passesOf(p, req.LineBytes/wordBytes, wordBytes, atomic(p.Inst))
	return n
}

// wordBytes is the width of a bank.
const wordBytes = 4

// atomic reports whether an instruction's lanes take turns on one word.
func atomic(in *ir.Inst) bool { return in.Op == ir.OpAtom || in.Op == ir.OpRed }

// passesOf returns the number of passes of a part on banks of word bytes: the most distinct words in one bank
// or, for atomics, the most lanes on one bank. least is the number of passes of as many words without conflict.
func (t *tally) passesOf(p *req.Part, banks, word int, atomic bool) (passes, least int) {
	n := max(int(p.Inst.T.Bytes), 1)
	if a := p.Acc; a.Regular() && !atomic && n == word && int(a.Stride)%word == 0 && p.Mask == ^uint32(0) &&
		(a.Base-p.Base)%uint64(word) == 0 {
		passes = strided(int64(a.Stride)/int64(word), banks)
		return passes, min(passes, (32+banks-1)/banks) // one if all lanes want one word
	}
	var addr [32]uint64
	p.Acc.Lanes(p.Exec, &addr)
	shift := uint(bits.TrailingZeros(uint(word)))
	if !atomic && n == word && oneEach(&addr, p.Mask, p.Base, shift, uint64(banks-1)) {
		return 1, 1
	}
	t.reset(banks)
	last := ^uint64(0)
	for m := p.Mask; m != 0; m &= m - 1 {
		a := addr[bits.TrailingZeros32(m)&31] - p.Base
		if a == last && !atomic {
			continue // the words of the lane before
		}
		last = a
		for w := a >> shift; w <= (a+uint64(n)-1)>>shift; w++ {
			t.add(w, atomic)
		}
	}
	return t.degree, max(1, (int(t.n)+banks-1)/banks)
}

// oneEach reports whether aligned accesses touch each bank at most once, where neighbouring lanes on the same word
// count once. It finds this common case without a tally.
func oneEach(addr *[32]uint64, mask uint32, base uint64, shift uint, banks uint64) bool {
	seen, last := uint32(0), ^uint64(0)
	for m := mask; m != 0; m &= m - 1 {
		a := addr[bits.TrailingZeros32(m)&31] - base
		w := a >> shift
		if a != w<<shift {
			return false
		}
		if w == last {
			continue
		}
		b := uint32(1) << (w & banks & 31)
		if seen&b != 0 {
			return false
		}
		seen |= b
		last = w
	}
	return true
}

// strided returns the passes of 32 lanes at a distance of stride words: they touch
// banks/gcd(stride, banks) banks in turn.
func strided(stride int64, banks int) int {
	if stride == 0 {
		return 1
	}
	gcd := min(int(stride&-stride), banks) // banks is a power of two; the sign does not matter
	return (32*gcd + banks - 1) / banks
}

// maxWords bounds the words touched by one instruction: 32 lanes of 16 bytes
// in words of 4, and one more for each unaligned lane.
const maxWords = 32 * 5

// tally holds the distinct words of each bank as chains. It is kept from one instruction to the next, because most
// of it need not be cleared.
type tally struct {
	banks  uint64
	degree int
	n      uint8
	head   [32]uint8 // 1 + index of the newest word of the bank
	count  [32]uint8
	word   [maxWords]uint64
	next   [maxWords]uint8
}

// reset makes the tally empty.
func (t *tally) reset(banks int) {
	t.banks, t.degree, t.n = uint64(banks), 1, 0
	t.head, t.count = [32]uint8{}, [32]uint8{}
}

// add records that a lane wants word w. A word is counted once for all lanes. With always it is counted for each lane.
func (t *tally) add(w uint64, always bool) {
	b := w & (t.banks - 1)
	if !always {
		for i := t.head[b]; i != 0; i = t.next[i-1] {
			if t.word[i-1] == w {
				return
			}
		}
	}
	t.word[t.n], t.next[t.n] = w, t.head[b]
	t.n++
	t.head[b] = t.n
	t.count[b]++
	t.degree = max(t.degree, int(t.count[b]))
}
