package config

import (
	"fmt"
	"slices"

	"kumiko/components/spec"
	"kumiko/memsys/req"
	"kumiko/regfile"
	"kumiko/sm/occupancy"
)

// Possible contents of a pool.
const (
	poolRegisters = "registers"
	poolShared    = "shared"
	poolL1        = "l1"
)

// Pool is a memory of an SM shared by the L1 data cache with registers, with shared memory, or with both. The L1
// gets the part left by the resident CTAs of a launch.
type Pool struct {
	Bytes   int      `toml:"bytes" unit:"bytes" doc:"size of the pool of an SM"`
	Holds   []string `toml:"holds" unit:"-" doc:"what lies in the pool: l1 and registers, shared or both"`
	LeastL1 int      `toml:"least_l1" unit:"bytes" doc:"what the L1 has at least, even where CTAs leave less"`
	Shares  []int    `toml:"shared_sizes" unit:"bytes" doc:"sizes of shared memory that the pool can be divided into, ascending: a launch has the first that holds its CTAs, or what they take where none does or there are no sizes"`
	Admits  bool     `toml:"admits" unit:"-" doc:"no more CTAs are resident than leave least_l1 of the pool; otherwise it has to hold those that registers and shared memory let in, each by its own capacity"`
}

// check refuses impossible settings, such as a pool for the L1 alone.
func (p *Pool) check() error {
	for _, h := range p.Holds {
		if h != poolRegisters && h != poolShared && h != poolL1 {
			return spec.Errorf("holds", h, "%s, %s and %s", poolRegisters, poolShared, poolL1)
		}
	}
	switch {
	case !p.has(poolL1) || len(p.Holds) < 2:
		return spec.Errorf("holds", p.Holds, "%s, and %s, %s or both", poolL1, poolRegisters, poolShared)
	case p.Admits && p.LeastL1 >= p.Bytes:
		return spec.Errorf("least_l1", p.LeastL1, "less than the pool (%d), which is to have room for CTAs", p.Bytes)
	case !slices.IsSorted(p.Shares) || len(p.Shares) > 0 && (p.Shares[0] < 0 || !p.has(poolShared)):
		return spec.Errorf("shared_sizes", p.Shares, "ascending numbers of bytes, with %s in the pool", poolShared)
	case p.LeastL1 < req.LineBytes || p.LeastL1 > spec.MostBytes:
		return spec.Errorf("least_l1", p.LeastL1, "%d to %d bytes", req.LineBytes, spec.MostBytes)
	}
	return spec.InRange("bytes", p.Bytes, p.LeastL1, spec.MostBytes)
}

func (p *Pool) has(what string) bool { return slices.Contains(p.Holds, what) }

// bound returns the part of the pool available to CTAs.
func (p *Pool) bound() occupancy.Pool {
	if !p.Admits {
		return occupancy.Pool{}
	}
	return occupancy.Pool{Bytes: p.Bytes - p.LeastL1, Registers: p.has(poolRegisters), Shared: p.has(poolShared)}
}

// poolOf returns the part of the pool available to a register file that decides itself how much of the pool it
// uses. shared is the shared memory of one CTA, in bytes.
func (c *Config) poolOf(shared int) regfile.Pool {
	p := &c.OnChip.Unified
	if c.OnChip.Memory != unified || !p.has(poolRegisters) || !kind(c.RegFile.Outer()).Pools {
		return regfile.Pool{}
	}
	out := regfile.Pool{Bytes: p.Bytes - p.LeastL1}
	if p.has(poolShared) {
		out.PerCTA = c.Occupancy.CTAShared(shared)
	}
	return out
}

// RegisterPool returns the bytes of the pool available to registers, if their kind decides itself how many bytes it
// uses; otherwise 0.
func (c *Config) RegisterPool() int { return c.poolOf(0).Bytes }

// registersInPool returns the bytes of the pool used by registers.
func (c *Config) registersInPool(a *regfile.Admission) int {
	if kind(c.RegFile.Outer()).Pools {
		return a.Pooled
	}
	return registerBytes * a.Used
}

// share returns the part of the pool divided off as shared memory if CTAs use so many bytes.
func (p *Pool) share(bytes int) int {
	for _, size := range p.Shares {
		if size >= bytes {
			return size
		}
	}
	return bytes
}

// divide allots the pool to a launch's resident CTAs and the rest to the L1. registers are the bytes of all
// registers. shared is the shared memory per CTA, in bytes.
func (p *Pool) divide(a *regfile.Admission, registers, shared, ways int) error {
	used := 0
	if p.has(poolRegisters) {
		used += registers
	}
	if p.has(poolShared) {
		used += p.share(a.Resident * shared)
	}
	if used > p.Bytes {
		return fmt.Errorf("onchip.unified.bytes: found %d, expected at least the %d bytes that the %d resident CTAs "+
			"take", p.Bytes, used, a.Resident)
	}
	set := ways * req.LineBytes
	least := (p.LeastL1 + set - 1) / set
	a.L1Sets = max((p.Bytes-used)/set, least)
	a.Figures = append(slices.Clip(a.Figures), regfile.Figure{Name: "l1_bytes", Doc: "bytes of L1",
		Value: a.L1Sets * set})
	return nil
}
