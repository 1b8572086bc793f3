package ltrf

import (
	"cmp"

	"kumiko/components/spec"
	"kumiko/regfile/conventional"
)

// Spec configures a register file with a prefetched register cache.
type Spec struct {
	Interval int    `toml:"interval" unit:"registers" doc:"most registers of a register-interval. An active warp has this many in the cache"`
	Banks    int    `toml:"banks" unit:"banks" doc:"banks of a sub-core's cache. There are as many as an interval has registers, so that each register of a warp is in a different bank"`
	Regions  string `toml:"regions" unit:"-" doc:"region of the program that a prefetch serves: intervals (register-intervals) or strands, which end at long-latency operations, backward branches and barriers"`
	Encoding string `toml:"encoding" unit:"-" doc:"form of a register vector in the program. bit: 32 bytes after an instruction with a bit that announces them, without an issue slot. instruction: 40 bytes, with an issue slot"`
	Liveness string `toml:"liveness" unit:"-" doc:"knowledge of registers that no lane needs. none. dynamic: a register lives from its write to the read that the compiler marks as the last (LTRF+). vector: the compiler's table for the warp's next instruction"`

	WriteBack string `toml:"interval_write_back" unit:"-" doc:"registers of the last interval that are written back to the main file. set: all. dirty: those written, which takes a bit each. live: those that some lane needs (LTRF+)"`
	Keep      bool   `toml:"keep" unit:"-" doc:"true: registers of both the last interval and the next stay in the cache. false: they are written back and fetched again"`
	Pending   string `toml:"pending" unit:"-" doc:"a register of the next interval whose result is outstanding. slot: it gets a place, to which the result goes. wait: the warp waits for the result"`

	Rate     int    `toml:"rate" unit:"registers per cycle" doc:"registers of each warp that the sequencer names, entering and leaving, and that its address allocation unit gives a bank"`
	Handover string `toml:"handover" unit:"-" doc:"when the part of the cache of a warp that has left the active set goes to another. bank: bank by bank, as each has been read. whole: when all have been read"`

	Lookups     int `toml:"lookups" unit:"registers per cycle" range:"1 to 8" doc:"read ports of a warp's control block: operands of a warp that are looked up per cycle"`
	FillGrants  int `toml:"fill_grants" unit:"registers per cycle" range:"1 to 64" doc:"registers that a sub-core requests from the main file to fill the cache"`
	BackCycles  int `toml:"back_cycles" unit:"cycles" range:"1 to 64" doc:"cycles that a register occupies each port of the crossbar back to the main file"`
	BackBuffers int `toml:"back_buffers" unit:"registers" range:"1 to 16" doc:"registers of each cache bank that may wait for the crossbar back to the main file"`

	base conventional.Spec
}

// Names of the settings' values.
const (
	Intervals = "intervals"
	Strands   = "strands"

	Bit         = "bit"
	Instruction = "instruction"

	None    = "none"
	Dynamic = "dynamic"
	Vector  = "vector"

	Set   = "set"
	Dirty = "dirty"
	Live  = "live"

	ByBank = "bank"
	Whole  = "whole"

	Slot = "slot"
	Wait = "wait"
)

// Default returns LTRF as in Sadrosadati et al., ASPLOS 2018: 16 registers per interval and as many banks (table
// 3), vectors flagged by a bit of the instruction before them (section 3.3), no liveness (added by LTRF+, section
// 3.2), two read ports of a warp's control block (section 4.1), and a crossbar of a quarter of a register's width
// (section 4.3), with 16 ports carrying 4 registers per cycle.
//
// The paper does not describe the path back: it is assumed to have the same width. Two registers per bank wait for
// it, so that one crosses while the next is read. Four registers of a warp are named and get a bank in a cycle, as
// many as the crossbar carries: each bank has a queue of its own (figure 5), and a unit assigning one bank per
// cycle would be slower than the quarter crossbar, which the paper finds to cost nothing. At the end of an interval
// registers go back, the paper says: all of them, since its storage has no dirty bits (table 4).
func Default() Spec {
	return Spec{
		Interval: 16, Banks: 16, Regions: Intervals, Encoding: Bit, Liveness: None,
		WriteBack: Set, Keep: true, Pending: Slot,
		Rate: 4, Handover: ByBank, Lookups: 2, FillGrants: 4, BackCycles: 4, BackBuffers: 2,
		base: conventional.Default(),
	}
}

// SetBase sets the settings of the main file.
func (s *Spec) SetBase(base *conventional.Spec) { s.base = *base }

// Check refuses impossible settings of a cache, as far as they can be judged without the SM.
func (s *Spec) Check() error {
	if err := cmp.Or(spec.Ranges(s), spec.OneOf("regions", s.Regions, Intervals, Strands),
		spec.OneOf("encoding", s.Encoding, Bit, Instruction),
		spec.OneOf("liveness", s.Liveness, None, Dynamic, Vector),
		spec.OneOf("interval_write_back", s.WriteBack, Set, Dirty, Live),
		spec.OneOf("handover", s.Handover, ByBank, Whole), spec.OneOf("pending", s.Pending, Slot, Wait),
		spec.InRange("interval", s.Interval, 1, mostBanks)); err != nil {
		return err
	}
	switch {
	case s.Banks != s.Interval:
		return spec.Errorf("banks", s.Banks, "the %d registers of an interval, so that each has a bank", s.Interval)
	case s.WriteBack == Live && s.Liveness == None:
		return spec.Errorf("interval_write_back", Live, "set or dirty, or liveness: nothing is known to be dead")
	}
	return spec.InRange("rate", s.Rate, 1, mostBanks)
}

// mostBanks bounds the banks of a cache.
const mostBanks = 64
