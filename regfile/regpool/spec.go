package regpool

import (
	"slices"

	"kumiko/components/spec"
	"kumiko/regfile/conventional"
)

// Values of pool, when_short and reserve.
const (
	PoolCTA = "cta"
	PoolSM  = "sm"

	Block = "block"
	Fail  = "fail"

	ReserveNone = "none"
	ReserveWarp = "warp"
	ReserveCTA  = "cta"
)

// Spec configures registers moving while warps run. The data plane is the one of the same GPU.
type Spec struct {
	Pool      string `toml:"pool" unit:"-" doc:"whose registers a warp gives up and gains. cta: those of its CTA, which has the registers of its launch for each of its warps. sm: those of the SM, beside the registers with which warps begin"`
	WhenShort string `toml:"when_short" unit:"-" doc:"what becomes of a request that the pool cannot meet. block: the warp waits, and gets its registers as soon as there are enough, before later requests. fail: the request fails, and the program repeats it"`
	Retry     int    `toml:"retry" unit:"cycles" range:"1 to 10000" doc:"from a request that has failed to the next one" when:"when_short=fail"`
	Registers int    `toml:"registers" unit:"registers" doc:"of a thread in a block, the unit in which warps have registers: 8, 16 or 32"`
	Reserve   string `toml:"reserve" unit:"-" doc:"registers of the pool kept against deadlocks. warp: as many as let one warp reach the most that the kernel asks for. cta: as many as let all warps of one CTA reach them. none: no registers" when:"pool=sm"`
	Warps     int    `toml:"warps" unit:"warps" range:"0 to 512" doc:"most resident warps of a kernel that changes its registers. 0: as many as the file holds beside the reserve" when:"pool=sm"`

	base conventional.Spec
}

// Default returns the settings of Hopper's setmaxnreg (PTX ISA section 9.7.19.5): a pool for each CTA, multiples of
// 8, requests that block. The rest is of RDNA4 (AMD, "RDNA4" Instruction Set Architecture, section 3.3.3), except
// retry: an allocation and a branch back, each of about ten cycles.
func Default() Spec {
	return Spec{Pool: PoolCTA, WhenShort: Block, Retry: 20, Registers: 8, Reserve: ReserveWarp,
		base: conventional.Default()}
}

// SetBase sets the settings of the conventional register file.
func (s *Spec) SetBase(base *conventional.Spec) { s.base = *base }

// Check refuses impossible settings.
func (s *Spec) Check() error {
	switch {
	case s.Pool != PoolCTA && s.Pool != PoolSM:
		return spec.Errorf("pool", s.Pool, "cta or sm")
	case s.WhenShort != Block && s.WhenShort != Fail:
		return spec.Errorf("when_short", s.WhenShort, "block or fail")
	case !slices.Contains([]int{8, 16, 32}, s.Registers):
		return spec.Errorf("registers", s.Registers, "8, 16 or 32")
	case s.Reserve != ReserveNone && s.Reserve != ReserveWarp && s.Reserve != ReserveCTA:
		return spec.Errorf("reserve", s.Reserve, "none, warp or cta")
	}
	return spec.Ranges(s)
}

// blocks returns the blocks of a number of registers.
func (s *Spec) blocks(registers int) int { return (registers + s.Registers - 1) / s.Registers }

// mostBlocks bounds the blocks of a warp in a pool of the SM: a warp of RDNA4 has at most eight (section 3.3.3).
const mostBlocks = 8

// registersNamed is the number of registers with names.
const registersNamed = 256

// most returns the most blocks of a warp.
func (s *Spec) most() int {
	if s.Pool == PoolSM {
		return mostBlocks
	}
	return registersNamed / s.Registers
}
