package addrmap

import (
	"math/bits"

	"kumiko/components/spec"
	"kumiko/components/splitmix"
	"kumiko/components/tagarray"
)

// Spec is the interleaving of memory.
type Spec struct {
	Block  int    `toml:"interleave_bytes" unit:"bytes" doc:"consecutive bytes that one slice serves, a power of two of at least a line"`
	Policy string `toml:"interleave" unit:"-" doc:"function from a block of interleave_bytes to its slice: linear, xor, ipoly or random"`
	Seed   uint64 `toml:"interleave_seed" unit:"-" doc:"seed of the random policy" when:"interleave=random"`
	// Perturb is the number of the perturbation. Each perturbation distributes regions of memory to the slices
	// differently, as if the data lay at other addresses. 0: none.
	Perturb uint64 `toml:"-"`
}

// region is the approximate number of consecutive bytes moved together by a perturbation: a page of a GPU's
// virtual memory.
const region = 64 << 10

// Check returns an error for settings impossible with the given number of slices.
func (s *Spec) Check(slices int) error {
	switch {
	case slices < 1 || slices > 64:
		return spec.Errorf("slices", slices, "1 to 64")
	case s.Block < 128 || s.Block > spec.MostBytes || s.Block&(s.Block-1) != 0:
		return spec.Errorf("interleave_bytes", s.Block, "a power of two from 128 to %d", spec.MostBytes)
	case s.Policy == "random":
		return nil
	case tagarray.CheckIndex(s.Policy, slices) != nil:
		if s.Policy == "xor" || s.Policy == "ipoly" {
			return spec.Errorf("interleave", s.Policy, "linear or random, because %d slices are no power of two",
				slices)
		}
		return spec.Errorf("interleave", s.Policy, "linear, xor, ipoly or random")
	}
	return nil
}

// Map is an interleaving.
type Map struct {
	index  tagarray.Index
	random bool
	seed   uint64
	slices uint64
	per    uint64 // slices per channel
	shift  uint
	mask   uint64

	perturb uint64
	stripes uint64 // of a region
}

// New returns the interleaving over the given number of slices. Each DRAM channel serves
// perChannel consecutive slices.
func New(s Spec, slices, perChannel int) (*Map, error) {
	if err := s.Check(slices); err != nil {
		return nil, err
	}
	if perChannel < 1 || slices%perChannel != 0 {
		return nil, spec.Errorf("slices", slices, "a multiple of the slices per DRAM channel, %d", perChannel)
	}
	m := &Map{
		random: s.Policy == "random", seed: s.Seed, slices: uint64(slices), per: uint64(perChannel),
		shift: uint(bits.TrailingZeros(uint(s.Block))), mask: uint64(s.Block - 1),
	}
	if !m.random {
		m.index = tagarray.NewIndex(s.Policy, slices)
		m.perturb, m.stripes = s.Perturb, max(1, region/uint64(s.Block*slices))
	} else if s.Perturb != 0 {
		m.seed += splitmix.Of(s.Perturb)
	}
	return m, nil
}

// Slice returns the number of the slice serving an address. Divided
// by the slices per channel, it is the number of the DRAM channel.
func (m *Map) Slice(addr uint64) int {
	b := addr >> m.shift
	if m.random {
		return int(splitmix.Of(b+m.seed) % m.slices)
	}
	if m.perturb != 0 {
		b = m.turned(b)
	}
	return m.index.Of(b)
}

// turned rotates a block within its stripe. A stripe is a run of blocks going once
// around the slices. All stripes of a region are rotated by the same amount. So every slice
// keeps one block of each stripe, and neighbours stay neighbours.
func (m *Map) turned(b uint64) uint64 {
	stripe, at := b/m.slices, b%m.slices
	turn := splitmix.Of(m.perturb<<32 ^ stripe/m.stripes)
	return stripe*m.slices + (at+turn%m.slices)%m.slices
}

// Local returns an address within the memory of its channel. The blocks of
// the channel's slices alternate there. With the random policy two blocks may share
// a place; this affects DRAM timing alone.
func (m *Map) Local(addr uint64) uint64 {
	b := (addr>>m.shift)/m.slices*m.per + uint64(m.Slice(addr))%m.per
	return b<<m.shift | addr&m.mask
}

// Runs returns the interleaving as seen by a slice. Memory is divided into runs of `bytes` bytes, and the slice
// serves one in every `parts` runs. parts is 1 if the runs are placed at random.
func (m *Map) Runs() (bytes, parts int) {
	if m.random {
		return 1 << m.shift, 1
	}
	return 1 << m.shift, int(m.slices)
}
