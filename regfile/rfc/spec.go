package rfc

import (
	"cmp"

	"kumiko/components/spec"
	"kumiko/regfile/conventional"
)

// Spec configures a register file cache before a conventional file.
type Spec struct {
	Organisation string `toml:"organisation" unit:"-" default:"partitioned" doc:"partitioned: each active warp has its own entries. shared: one set-associative cache serves all active warps"`
	Entries      int    `toml:"entries" unit:"registers per warp" default:"6" range:"0 to 256" doc:"partitioned: entries of an active warp, fully associative. 0: no cache, only its pipeline stage" when:"organisation=partitioned"`
	EntriesTotal int    `toml:"entries_total" unit:"registers per SM" default:"128" doc:"shared: entries for all warps together" when:"organisation=shared"`
	Ways         int    `toml:"ways" unit:"registers" default:"8" doc:"shared: entries of a set. set = (register + warp) modulo the sets" when:"organisation=shared"`
	Replacement  string `toml:"replacement" unit:"-" default:"fifo" doc:"fifo: the entry allocated first is evicted; overwriting does not make it younger. lru: the entry is evicted that was neither read nor written for longest"`

	Reads       int `toml:"reads" unit:"registers per cycle" default:"3" range:"1 to 64" doc:"read ports of a sub-core's cache, for operands and for registers written back at a flush or a partial read"`
	Writes      int `toml:"writes" unit:"registers per cycle" default:"1" range:"1 to 64" doc:"write ports of a sub-core's cache. An eviction reads the entry that its write replaces"`
	WriteBuffer int `toml:"write_buffer" unit:"registers" default:"4" range:"0 to 64" doc:"results that may wait for a write port before the write-back stage stalls. Reads find them there"`

	AllocateReads bool `toml:"allocate_reads" unit:"-" doc:"a read that misses brings its register into the cache, through a write port"`
	BypassLong    bool `toml:"bypass_long" unit:"-" default:"true" doc:"results of global, local and texture loads and of atomics go to the main file"`
	BypassShared  bool `toml:"bypass_shared" unit:"-" doc:"results of shared-memory loads and atomics go to the main file too"`
	BypassFar     bool `toml:"bypass_far" unit:"-" doc:"results that are read, if at all, only after the next use of a long-latency result go to the main file"`

	Liveness  bool `toml:"liveness" unit:"-" doc:"a register that no lane needs after a read (static liveness) is not written back"`
	EvictDead bool `toml:"evict_dead" unit:"-" doc:"with liveness: registers that no lane needs are evicted first"`
	EvictFar  bool `toml:"evict_far" unit:"-" doc:"registers that are read, if at all, only after the next use of a long-latency result are evicted before others, and after dead ones"`

	Flush      bool `toml:"flush" unit:"-" default:"true" doc:"a warp that leaves the active set writes its registers back. Otherwise they stay, which needs room for every warp"`
	FlushWidth int  `toml:"flush_width" unit:"registers per cycle" default:"1" range:"1 to 64" doc:"registers that a sub-core's cache writes back per cycle at a flush" when:"flush=true"`

	FlushStall bool `toml:"flush_stall" unit:"-" doc:"true: a warp that has become active does not issue while its entries hold another warp's registers. false: it issues, and its results go to the main file until then" when:"organisation=partitioned,flush=true"`

	base conventional.Spec
}

// Names of the organisations and replacement policies.
const (
	Partitioned = "partitioned"
	Shared      = "shared"
	FIFO        = "fifo"
	LRU         = "lru"
)

// Default returns the cache of Gebhart et al., ISCA 2011: six FIFO entries per active warp (section 5.1), three
// read ports and one write port (section 3.1), allocation for results and not for sources (section 3.1), a bypass
// for results of long-latency operations and a flush at suspension (section 3.3), no liveness (a refinement of
// section 3.1 with help of the compiler). The write buffer holds the registers of one result, for the result with
// the most of them. The width of the flush is not in the paper; it is assumed to be a bank's write port. No warp
// waits for a flush, since the paper finds that a flush costs accesses (section 5.3) and no performance (section
// 5.4). The 128 entries for all warps are from LTRF's comparison (Sadrosadati et al., ASPLOS 2018, section 2.2: 16
// KB), without a number of ways.
func Default() Spec {
	s := Spec{base: conventional.Default()}
	spec.Defaults(&s)
	return s
}

// SetBase sets the settings of the main file.
func (s *Spec) SetBase(base *conventional.Spec) { s.base = *base }

// Check refuses impossible settings of a cache, as far as they can be judged without the SM.
func (s *Spec) Check() error {
	if err := cmp.Or(spec.Ranges(s), spec.OneOf("organisation", s.Organisation, Partitioned, Shared),
		spec.OneOf("replacement", s.Replacement, FIFO, LRU)); err != nil {
		return err
	}
	switch {
	case s.Organisation == Shared && (s.EntriesTotal < 1 || s.EntriesTotal > 1<<14):
		return spec.Errorf("entries_total", s.EntriesTotal, "1 to %d registers", 1<<14)
	case s.Ways < 1 || s.Organisation == Shared && s.EntriesTotal%s.Ways != 0:
		return spec.Errorf("ways", s.Ways, "a divisor of the %d entries", s.EntriesTotal)
	case s.EvictDead && !s.Liveness:
		return spec.Errorf("evict_dead", true, "false, or liveness: nothing is known to be dead")
	}
	return nil
}

// empty reports whether the cache has no entry at all.
func (s *Spec) empty() bool { return s.Organisation == Partitioned && s.Entries == 0 }

// hints reports whether the cache uses the compiler's hints on operands and results.
func (s *Spec) hints() bool { return !s.empty() && (s.Liveness || s.EvictFar) }
