package cerf

import (
	"cmp"
	"math/bits"

	"kumiko/components/bank"
	"kumiko/components/mshr"
	"kumiko/components/spec"
	"kumiko/components/version"
	"kumiko/kernel/ir"
	"kumiko/memsys/l1"
	"kumiko/memsys/req"
	"kumiko/regfile/conventional"
)

// Values of the settings: replacement policies, and choices left open by the paper.
const (
	Fair        = "lru-fair"
	Prioritized = "lru-prioritized"

	DeadLive = "live" // by the compiler's liveness
	DeadMeet = "meet"

	LanesSpilled = "spilled"
	LanesFetch   = "fetch"
	LanesMask    = "mask"

	StoreAllocate = "allocate"
	StoreEvict    = "evict"
)

// Spec configures a register file emulated by a cache. Sections and figures are those of Jing et al., 2016.
type Spec struct {
	Policy string `toml:"policy" unit:"-" doc:"replacement. lru-fair: one LRU order among registers and lines; replaced registers go to the L2. lru-prioritized: a register replaces an inactive entry or a line, and a line never replaces a register"`
	Bytes  int    `toml:"bytes" unit:"bytes" doc:"size of the memory that holds registers and lines: sets x ways x 128. Sets and ways are powers of two"`
	Ways   int    `toml:"ways" unit:"registers or lines" doc:"entries of a set, a power of two"`
	Dead   string `toml:"dead" unit:"-" doc:"when a register becomes inactive at its last read. live: no lane needs it any more. meet: in addition all 32 lanes have read it together" when:"policy=lru-prioritized"`
	Lanes  string `toml:"lanes" unit:"-" doc:"a write of some lanes to a missing register. spilled: the other lanes are fetched and merged if the register has gone to the L2, as a bit per register says; otherwise nobody has written them. fetch: they are always fetched. mask: a mask records the lanes that are there (32 bits more per register)" when:"policy=lru-fair"`
	Store  string `toml:"store" unit:"-" doc:"effect of a global store. allocate: it takes a way for its line, which is written back when replaced. evict: it drops the line and writes the L2"`

	Latency int `toml:"latency" unit:"cycles" doc:"from the arrival of a load with one transaction at the access unit to its reply, for a hit that finds tags and banks free. The path through these is the least"`
	Queue   int `toml:"queue" unit:"transactions" range:"1 to 256" doc:"transactions that may wait in front of the tags. As many may wait behind them for data or for the path to the L2"`
	// At least 3: a miss, and a place for registers.
	MissQueue int       `toml:"miss_queue" unit:"packets" range:"3 to 256" doc:"misses, refetches, spills and stores that may wait for the interconnect. As many registers and lines may be on their way there from the banks"`
	MSHR      mshr.Spec `toml:"mshr"`

	base conventional.Spec
}

// addressBits is the width of addresses assumed for the size of tags (section III.B).
const addressBits = 32

// Default returns the paper's memory of 128 KB and four ways with the policy of the figures after the seventh, and
// with the MSHRs and queues of fermi-gto's L1.
func Default() Spec {
	base := conventional.Default()
	base.SubCores, base.Banks, base.BankWidth = 1, 32, 16 // sections III.B and IV
	base.BankIndex = bank.Turned.String()
	base.Collectors = 16
	return Spec{
		Policy: Fair, Bytes: 128 << 10, Ways: 4, Dead: DeadLive, Lanes: LanesSpilled, // section III
		Store:   StoreAllocate,
		Latency: 30, Queue: 8, MissQueue: 8, MSHR: mshr.Spec{Entries: 128, Merges: 8}, // as fermi-gto's L1
		base: base,
	}
}

// SetBase sets the settings of the banks and collectors.
func (s *Spec) SetBase(base *conventional.Spec) { s.base = *base }

// Check refuses impossible settings.
func (s *Spec) Check() error {
	switch {
	case s.Ways < 1 || s.Ways > 64 || !power(s.Ways):
		return spec.Errorf("ways", s.Ways, "a power of two up to 64")
	case s.Bytes%(s.Ways*req.LineBytes) != 0 || !power(s.sets()):
		return spec.Errorf("bytes", s.Bytes, "sets x %d ways x %d bytes, with a power of two of sets", s.Ways,
			req.LineBytes)
	case s.prefixBits() < 1:
		return spec.Errorf("bytes", s.Bytes, "fewer: an address of %d bits leaves no prefix for the SM", addressBits)
	case s.MSHR.Entries < 2:
		return spec.Errorf("mshr.entries", s.MSHR.Entries, "at least 2: loads leave one to registers")
	}
	return cmp.Or(spec.Ranges(s), spec.OneOf("policy", s.Policy, Fair, Prioritized),
		spec.OneOf("dead", s.Dead, DeadLive, DeadMeet),
		spec.OneOf("lanes", s.Lanes, LanesSpilled, LanesFetch, LanesMask),
		spec.OneOf("store", s.Store, StoreAllocate, StoreEvict), spec.Within("mshr", s.MSHR.Check()),
		spec.InRange("latency", s.Latency, l1.Overhead+1, spec.MostCycles))
}

// fits refuses a conventional file unsuited for tags before its banks.
func (s *Spec) fits(capacity int) error {
	groups := s.base.Banks * s.base.BankWidth / req.LineBytes
	switch {
	case s.base.BankIndex != bank.Turned.String() && s.base.BankIndex != bank.Linear.String():
		return spec.Errorf("policy", s.Policy,
			"regfile.conventional.bank_index = %s or %s, as registers have linear addresses; found %s", bank.Turned,
			bank.Linear, s.base.BankIndex)
	case s.base.SubCores != 1:
		return spec.Errorf("policy", s.Policy,
			"regfile.conventional.sub_cores = 1, as all warps share the memory; found %d", s.base.SubCores)
	case s.base.OperandStages != 0:
		return spec.Errorf("policy", s.Policy,
			"regfile.conventional.operand_stages = 0, as the stage is that of the tags; found %d", s.base.OperandStages)
	case !power(groups) || groups > s.sets():
		return spec.Errorf("bytes", s.Bytes,
			"at least a set in each of a power of two of tag banks; %d banks of %d bytes make %d", s.base.Banks,
			s.base.BankWidth, groups)
	case capacity > s.entries():
		return spec.Errorf("bytes", s.Bytes, "room for the %d warp registers of the SM (%d bytes)", capacity,
			capacity*req.LineBytes)
	}
	return nil
}

func power(n int) bool { return n > 0 && bits.OnesCount(uint(n)) == 1 }

func (s *Spec) sets() int    { return s.Bytes / req.LineBytes / s.Ways }
func (s *Spec) entries() int { return s.Bytes / req.LineBytes }

// prefixBits returns the number of address bits above the number of a register and the offset.
func (s *Spec) prefixBits() int { return addressBits - bits.Len(uint(s.Bytes-1)) }

// tagBits returns the number of address bits above the set and the offset.
func (s *Spec) tagBits() int {
	return addressBits - bits.Len(uint(req.LineBytes-1)) - bits.Len(uint(s.sets()-1))
}

// lastRead marks the last read of a register: no lane needs it afterwards (ir.Timing.Dead).
const lastRead bank.Hint = 1

// operandHints returns the compiler's hints on operands for the tags: under lru-prioritized whether a read is the last,
// otherwise nothing.
func (s *Spec) operandHints() bank.Hints {
	if s.Policy != Prioritized {
		return bank.Hints{}
	}
	return bank.Hints{Last: lastRead, AnyOrder: true,
		Source: func(t *ir.Timing, i int) bank.Hint { return bank.Hint(t.Dead >> i & 1) }}
}

// dies reports whether a register becomes inactive after a read.
func (s *Spec) dies(a *bank.Access) bool {
	return a.Hint&lastRead != 0 && (s.Dead == DeadLive || a.Content.Lanes == version.FullMask)
}
