package streams

import "math/bits"

// Accesses counts accesses to a warp register, as a whole and as accesses of 128 bits. A warp has eight
// clusters of four lanes (Gebhart et al., section 2.1). An access counts once for each cluster with one
// of its lanes.
type Accesses struct {
	Whole uint64
	Lanes uint64 // 1 to 8 for each
}

func (a *Accesses) add(mask uint32) {
	a.Whole++
	a.Lanes += uint64(clusters(mask))
}

func (a *Accesses) plus(b Accesses) {
	a.Whole += b.Whole
	a.Lanes += b.Lanes
}

func sum(list ...Accesses) (out Accesses) {
	for _, a := range list {
		out.plus(a)
	}
	return out
}

func (a Accesses) minus(b Accesses) Accesses { return Accesses{a.Whole - b.Whole, a.Lanes - b.Lanes} }

// clusters returns the number of groups of four lanes with a lane in the mask.
func clusters(mask uint32) int {
	mask |= mask >> 1
	mask |= mask >> 2
	return bits.OnesCount32(mask & 0x11111111)
}

// Counts has the events in one register file cache.
type Counts struct {
	Reads  Accesses // operands read
	Writes Accesses // results
	Hits   Accesses // of the reads, those from the cache
	Fills  Accesses // operands written into the cache because they missed
	// Results written into the cache, Bypass past it into the main file.
	Results, Bypass Accesses
	// Values written back: Evict for a replacement, Flush at a suspension, and
	// Partial because the entry lacked lanes needed by an access. Dead values are counted
	// separately; they are written back only without liveness.
	Evict, EvictDead     Accesses
	Flush, FlushDead     Accesses
	Partial, PartialDead Accesses
}

// Cache has the accesses made by a cache: of whole warp registers, and
// in Lane accesses of 128 bits.
type Cache struct {
	Hits       uint64 `json:"hits"` // operands read from the cache
	MainReads  uint64 `json:"main_reads"`
	MainWrites uint64 `json:"main_writes"`
	// Writes of the main file by cause.
	Evict   uint64 `json:"evict"`
	Flush   uint64 `json:"flush"`
	Partial uint64 `json:"partial"`
	Bypass  uint64 `json:"bypass"`
	// Elided counts the dead values not written back.
	Elided      uint64 `json:"elided"`
	CacheReads  uint64 `json:"cache_reads"` // operands, and values to be written back
	CacheWrites uint64 `json:"cache_writes"`
	Lane        Lane   `json:"lane"`
	// Shares avoiding the main file: of all operands, of all results, and of both
	// together.
	ReadsAvoided    float64 `json:"reads_avoided"`
	WritesAvoided   float64 `json:"writes_avoided"`
	AccessesAvoided float64 `json:"accesses_avoided"`
}

// Lane counts accesses of 128 bits, of four lanes.
type Lane struct {
	MainReads   uint64 `json:"main_reads"`
	MainWrites  uint64 `json:"main_writes"`
	CacheReads  uint64 `json:"cache_reads"`
	CacheWrites uint64 `json:"cache_writes"`
}

// Cache computes the accesses. With live, dead values are dropped.
func (c *Counts) Cache(live bool) Cache {
	evict, flush, partial := c.Evict, c.Flush, c.Partial
	dead := sum(c.EvictDead, c.FlushDead, c.PartialDead)
	if !live {
		evict, flush, partial = sum(evict, c.EvictDead), sum(flush, c.FlushDead), sum(partial, c.PartialDead)
		dead = Accesses{}
	}
	back := sum(evict, flush, partial)
	mainReads, mainWrites := c.Reads.minus(c.Hits), sum(back, c.Bypass)
	reads, writes := sum(c.Hits, back), sum(c.Results, c.Fills)
	return Cache{
		Hits: c.Hits.Whole, MainReads: mainReads.Whole, MainWrites: mainWrites.Whole,
		Evict: evict.Whole, Flush: flush.Whole, Partial: partial.Whole, Bypass: c.Bypass.Whole, Elided: dead.Whole,
		CacheReads: reads.Whole, CacheWrites: writes.Whole,
		Lane:            Lane{mainReads.Lanes, mainWrites.Lanes, reads.Lanes, writes.Lanes},
		ReadsAvoided:    avoided(mainReads.Whole, c.Reads.Whole),
		WritesAvoided:   avoided(mainWrites.Whole, c.Writes.Whole),
		AccessesAvoided: avoided(mainReads.Whole+mainWrites.Whole, c.Reads.Whole+c.Writes.Whole),
	}
}

// avoided returns 1 - left / all; 0 if all is 0. It is negative if more accesses are left than there were, as
// when entries with few lanes are written back again and again.
func avoided(left, all uint64) float64 {
	if all == 0 {
		return 0
	}
	return (float64(all) - float64(left)) / float64(all)
}
