package streams

import (
	"fmt"
	"strings"
)

// Summary is the measure of a program; the package comment has the paths of its
// numbers.
type Summary struct {
	Instructions       uint64      `json:"instructions"`
	ThreadInstructions uint64      `json:"thread_instructions"`
	Suspensions        Suspensions `json:"suspensions"`
	Operands           Operands    `json:"operands"`
	Values             ValueShares `json:"values"`
	Intervals          Intervals   `json:"intervals,omitzero"`
	Strands            Strands     `json:"strands,omitzero"`
	Caches             Caches      `json:"caches,omitempty"`
}

// Suspensions counts the suspensions of warps.
type Suspensions struct {
	Long    uint64 `json:"long"` // before the first use of a long-latency result
	Barrier uint64 `json:"barrier"`
}

// Operands counts the warp registers read and written by instructions.
type Operands struct {
	Reads  uint64      `json:"reads"`
	Writes uint64      `json:"writes"`
	Merged uint64      `json:"merged"`
	Lane   LaneOperand `json:"lane"`
}

// LaneOperand is the same in accesses of 128 bits.
type LaneOperand struct {
	Reads  uint64 `json:"reads"`
	Writes uint64 `json:"writes"`
}

// ValueShares has, for the values written to registers, how many are read never, once, twice or more often: as a
// share of all values, and in Count as a number.
type ValueShares struct {
	Written       uint64     `json:"written"`
	Reads         uint64     `json:"reads"`
	Count         ValueCount `json:"count"`
	Never         float64    `json:"never"`
	Once          float64    `json:"once"`
	Twice         float64    `json:"twice"`
	More          float64    `json:"more"`
	ReadsPerWrite float64    `json:"reads_per_write"`
	Life          Life       `json:"life"`
}

// ValueCount counts values.
type ValueCount struct {
	Never   uint64 `json:"never"`
	Once    uint64 `json:"once"`
	Twice   uint64 `json:"twice"`
	More    uint64 `json:"more"`
	Within1 uint64 `json:"within_1"` // of those read once: so many instructions later, at most
	Within2 uint64 `json:"within_2"`
	Within3 uint64 `json:"within_3"`
	Later   uint64 `json:"later"`
}

// Life has the values read once by the distance of the read, as shares of all values.
type Life struct {
	One   float64 `json:"1"`
	Two   float64 `json:"2"`
	Three float64 `json:"3"`
	More  float64 `json:"more"`
}

// Shares computes the shares. All are 0 if nothing was written.
func (v *Values) Shares() ValueShares {
	a := v.After
	out := ValueShares{Written: v.Written, Reads: v.Reads, Count: ValueCount{
		Never: v.Never, Once: v.Once, Twice: v.Twice, More: v.More,
		Within1: a[0], Within2: a[0] + a[1], Within3: a[0] + a[1] + a[2], Later: a[3],
	}}
	if v.Written == 0 {
		return out
	}
	share := func(n uint64) float64 { return float64(n) / float64(v.Written) }
	out.Never, out.Once, out.Twice, out.More = share(v.Never), share(v.Once), share(v.Twice), share(v.More)
	out.ReadsPerWrite = share(v.Reads)
	out.Life = Life{share(a[0]), share(a[1]), share(a[2]), share(a[3])}
	return out
}

// Values returns the counts of values of the warps so far.
func (c *Collector) Values() Values { return c.values.Total }

// Summary returns the measure of the warps so far.
func (c *Collector) Summary() *Summary {
	n := &c.counts
	s := &Summary{
		Instructions: n.instructions, ThreadInstructions: n.threads,
		Suspensions: Suspensions{n.long, n.barriers},
		Operands: Operands{Reads: n.reads.Whole, Writes: n.writes.Whole, Merged: n.merged,
			Lane: LaneOperand{n.reads.Lanes, n.writes.Lanes}},
		Values: c.values.Total.Shares(),
	}
	if len(c.banks) == 0 {
		return s
	}
	of := func(i int) *Regions { return c.regions[i].summary() }
	s.Intervals, s.Strands = Intervals{of(0), of(1), of(2)}, Strands{of(3)}
	s.Caches = Caches{}
	for _, cfg := range Families() {
		for _, cfg.Entries = range append([]int{0}, sizes[:]...) {
			counts := c.Counts(cfg)
			for _, live := range []bool{false, true} {
				s.Caches[cfg.Path(live)] = counts.Cache(live)
			}
		}
	}
	return s
}

// Cache returns the counts of a register file cache by its path.
func (s *Summary) Cache(path string) (*Cache, error) {
	cfg, live, err := ParseConfig(path)
	if err != nil {
		return nil, err
	}
	c, ok := s.Caches[cfg.Path(live)]
	if !ok {
		return nil, fmt.Errorf("register file cache %q: it is not in this summary", path)
	}
	return &c, nil
}

// Value returns the number at a path.
func (s *Summary) Value(path string) (float64, error) {
	parts := strings.Split(path, ".")
	if parts[0] != "caches" {
		return lookUp(s, path, parts)
	}
	n := len(parts) - 1
	if n > 1 && parts[n-1] == "lane" {
		n--
	}
	c, err := s.Cache(strings.Join(parts[:n], "."))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	return lookUp(c, path, parts[n:])
}
