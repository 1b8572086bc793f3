package cerf

import (
	"math/bits"

	"kumiko/components/storage"
	"kumiko/regfile"
)

// stateBits is the size of an entry's state: inactive, register, line, dirty.
const stateBits = 2

// State returns the storage of the data banks and of the tags, as counted by the paper (section III.E). State not
// counted by the paper is marked apart.
func (f *File) State() []regfile.State {
	s, n := &f.spec, f.spec.entries()
	out := append(f.File.State(), regfile.State{Block: "Tags", What: "tags and states", Count: len(f.tags.banks),
		Bits: n * (s.tagBits() + stateBits), Ports: s.base.BankPorts, Kind: storage.SRAM,
		Width: s.Ways * (s.tagBits() + stateBits)}) // the ways of a set are read at once
	apart := func(what string, n, width int) {
		out = append(out, regfile.State{Block: "Tags", What: what, Count: 1, Bits: n * width, Apart: true,
			Kind: storage.SRAM, Width: width})
	}
	apart("replacement", n/s.Ways, s.Ways*bits.Len(uint(s.Ways-1)))
	if s.Policy == Fair {
		if s.Lanes == LanesMask {
			apart("lane masks", n, 32)
		} else {
			apart("lane masks of MSHRs", s.MSHR.Entries, 32)
		}
		if s.Lanes == LanesSpilled {
			apart("registers that have gone to the L2", n/32, 32)
		}
	}
	return out
}
