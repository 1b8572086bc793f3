package tagarray

import (
	"math/bits"

	"kumiko/components/spec"
)

// Spec is the geometry and the policies of a tag array.
type Spec struct {
	Sets    int    `toml:"sets" unit:"sets" doc:"number of sets: any with index linear, a power of two otherwise"`
	Ways    int    `toml:"ways" unit:"lines" doc:"lines per set"`
	Line    int    `toml:"line_bytes" unit:"bytes" doc:"line size, a power of two"`
	Sector  int    `toml:"sector_bytes" unit:"bytes" doc:"size of a sector, the unit of valid and dirty bits and of fetches. At most 8 sectors per line; the line size for a cache without sectors"`
	Replace string `toml:"replacement" unit:"-" doc:"line of a set that is replaced: lru, fifo or random"`
	Index   string `toml:"index" unit:"-" doc:"function from a line to its set. linear: line number mod sets. xor: line number folded by exclusive or. ipoly: remainder by an irreducible polynomial (Rau, ISCA 1991)"`
	Seed    uint64 `toml:"seed" unit:"-" doc:"seed of random replacement" when:"replacement=random"`
}

// mostLines bounds the number of lines of an array.
const mostLines = 1 << 20

// Bytes returns the amount of data covered by the tags, in bytes.
func (s *Spec) Bytes() int { return s.Sets * s.Ways * s.Line }

// Check refuses impossible settings of a tag array.
func (s *Spec) Check() error {
	switch {
	case s.Sets < 1 || s.Sets > mostLines:
		return spec.Errorf("sets", s.Sets, "1 to %d", mostLines)
	case s.Ways < 1 || s.Ways > mostLines/s.Sets:
		return spec.Errorf("ways", s.Ways, "at least 1, and at most %d lines in all", mostLines)
	case s.Line < 1 || bits.OnesCount(uint(s.Line)) != 1:
		return spec.Errorf("line_bytes", s.Line, "a power of two")
	case s.Sector < 1 || s.Line%s.Sector != 0 || s.Line/s.Sector > 8:
		return spec.Errorf("sector_bytes", s.Sector, "an eighth of the line of %d bytes or more, dividing it", s.Line)
	case s.Replace != "lru" && s.Replace != "fifo" && s.Replace != "random":
		return spec.Errorf("replacement", s.Replace, "lru, fifo or random")
	}
	return CheckIndex(s.Index, s.Sets)
}
