package l1

import (
	"math/bits"

	"kumiko/components/tagarray"
	"kumiko/components/wire"
	"kumiko/memsys/req"
)

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
		at = max(at, b.free[b.of(t, m)])
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
		i := b.of(t, m)
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

// of returns the bank of the first sector of a mask.
func (b *banks) of(t *Place, mask uint8) int {
	return b.index.Of((t.Addr + uint64(bits.TrailingZeros8(mask))*req.SectorBytes) >> b.shift)
}

// used returns the sectors occupying the data array. A place without any
// counts as its first sector; at present there is no such place.
func used(t *Place) uint8 { return max(t.Sectors, 1) }
