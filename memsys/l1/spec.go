package l1

import (
	"cmp"

	"kumiko/components/spec"
	"kumiko/components/tagarray"
	"kumiko/memsys/cache"
	"kumiko/memsys/req"
)

// Spec is the geometry, policy and timing of a first-level cache.
type Spec struct {
	cache.Geometry
	Latency     int    `toml:"latency" unit:"cycles" doc:"from the arrival of a load with one transaction at the access unit to its reply, for a hit"`
	Port        int    `toml:"port_bytes" unit:"bytes per cycle" range:"1 to 1073741824" doc:"width of the data array, over all banks. A transaction occupies the banks of its sectors"`
	Banks       int    `toml:"banks" unit:"banks" doc:"banks of the data array, up to 32. Transactions on different banks are served in one cycle"`
	BankBytes   int    `toml:"bank_bytes" unit:"bytes" doc:"consecutive bytes that lie in one bank, a power of two, at least a sector. 4: each of the 32 words of a line lies in a bank of its own"`
	BankIndex   string `toml:"bank_index" unit:"-" doc:"function from a block of bank_bytes to its bank: linear, xor or ipoly"`
	TagBanks    int    `toml:"tag_banks" unit:"banks" doc:"banks of the tag array, a power of two up to 8. 1: transactions are looked up in order. Otherwise each bank looks up one per cycle, in the order of its own, and as many waiting for a line are answered per cycle; the bank of a line is the exclusive or of its number's digits to this base"`
	TagQueue    int    `toml:"tag_queue" unit:"transactions" doc:"transactions that may wait in front of a bank of the tag array" when:"tag_banks!=1"`
	Queue       int    `toml:"queue" unit:"transactions" range:"1 to 65536" doc:"transactions that may wait in front of the cache"`
	MissQueue   int    `toml:"miss_queue" unit:"packets" doc:"misses, stores and write-backs that may wait for the interconnect"`
	Allocate    string `toml:"allocate" unit:"-" doc:"when a missing line gets a way: on_miss or on_fill"`
	Write       string `toml:"write" unit:"-" doc:"effect of a global store. through: updates a line that is there. evict: drops it. back: allocates a line, which is written when evicted"`
	LocalWrite  string `toml:"local_write" unit:"-" doc:"effect of a local store: through, evict or back"`
	CacheGlobal bool   `toml:"cache_global" unit:"-" doc:"global loads are cached. Otherwise only ld.global.nc is"`
	Perfect     bool   `toml:"perfect" unit:"-" doc:"every load and store hits. Atomics still go to the L2"`
}

// Overhead is the part of Latency spent outside the cache: the links
// from the access unit through the coalescer, and the reply.
const Overhead = 3

// pipeline returns the depth of the hit pipeline.
func (s *Spec) pipeline() int { return s.Latency - Overhead }

// single reports whether a hit takes a single cycle. Then the data array is read in the
// cycle of the look-up, beside the tags, and is not a block of its own.
func (s *Spec) single() bool { return s.pipeline() <= toData }

// Check returns an error for settings outside their ranges.
func (s *Spec) Check() error {
	if err := s.Geometry.Check(); err != nil {
		return err
	}
	if err := s.checkBanks(); err != nil {
		return err
	}
	if s.MissQueue < 2 || s.MissQueue > spec.MostQueue {
		return spec.Errorf("miss_queue", s.MissQueue, "2 (a miss may come with a write-back) to %d", spec.MostQueue)
	}
	return cmp.Or(spec.Ranges(s), spec.OneOf("allocate", s.Allocate, "on_miss", "on_fill"),
		spec.OneOf("write", s.Write, "through", "evict", "back"),
		spec.OneOf("local_write", s.LocalWrite, "through", "evict", "back"),
		spec.InRange("latency", s.Latency, Overhead+1, spec.MostCycles))
}

// checkBanks returns an error for impossible banks of the data array or of the tags.
func (s *Spec) checkBanks() error {
	words := s.BankBytes == wordBytes
	switch {
	case s.Banks < 1 || s.Banks > maxBanks:
		return spec.Errorf("banks", s.Banks, "1 to %d", maxBanks)
	case s.Port%s.Banks != 0:
		return spec.Errorf("port_bytes", s.Port, "a multiple of the %d banks", s.Banks)
	case words && (s.Banks != req.LineBytes/wordBytes || s.Port != req.LineBytes || s.BankIndex != "linear"):
		return spec.Errorf("bank_bytes", s.BankBytes,
			"at least %d, or %d with banks = %d, port_bytes = %d and bank_index = \"linear\"", req.SectorBytes,
			wordBytes, req.LineBytes/wordBytes, req.LineBytes)
	case !words && s.BankBytes < req.SectorBytes || s.BankBytes > spec.MostBytes || s.BankBytes&(s.BankBytes-1) != 0:
		return spec.Errorf("bank_bytes", s.BankBytes, "a power of two from %d to %d", req.SectorBytes, spec.MostBytes)
	case tagarray.CheckIndex(s.BankIndex, s.Banks) != nil:
		return spec.Errorf("bank_index", s.BankIndex, "linear, or, over a power of two of banks, xor or ipoly")
	case s.TagBanks < 1 || s.TagBanks > maxTagBanks || s.TagBanks&(s.TagBanks-1) != 0:
		return spec.Errorf("tag_banks", s.TagBanks, "a power of two up to %d", maxTagBanks)
	case s.TagBanks > 1:
		return spec.InRange("tag_queue", s.TagQueue, 1, spec.MostQueue)
	}
	return nil
}
