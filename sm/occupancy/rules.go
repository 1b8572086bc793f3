package occupancy

import (
	"cmp"

	"kumiko/components/spec"
)

// Spec has an SM's rules for allocating storage to CTAs.
type Spec struct {
	Rule         string `toml:"rule" unit:"-" doc:"how much of an SM a CTA takes. gpgpusim: registers per thread are rounded up to a multiple of 4, threads to a multiple of 32. cuda: the vendor's allocation units are used"`
	RegisterUnit int    `toml:"register_unit" unit:"32-bit registers" range:"1 to 65536" doc:"rule cuda: the registers of a warp are rounded up to a multiple of this"`
	WarpUnit     int    `toml:"warp_unit" unit:"warps" range:"1 to 64" doc:"rule cuda: the warps that the registers allow are rounded down to a multiple of this"`
	SharedUnit   int    `toml:"shared_unit" unit:"bytes" range:"1 to 65536" doc:"rule cuda: the shared memory of a CTA is rounded up to a multiple of this"`
	Reserved     int    `toml:"shared_reserved" unit:"bytes" range:"0 to 65536" doc:"rule cuda: shared memory that the system has of each CTA's"`
}

// The rules by name.
const (
	RuleGPGPUSim = "gpgpusim"
	RuleCUDA     = "cuda"
)

// Reconcile returns an error for an unknown rule, and for settings outside their ranges.
func (s *Spec) Reconcile() error {
	return cmp.Or(spec.Ranges(s), spec.OneOf("rule", s.Rule, RuleGPGPUSim, RuleCUDA))
}

// warpSize is the number of threads of a warp.
const warpSize = 32

// gpgpusimRegUnit: GPGPU-Sim charges registers per thread in fours.
const gpgpusimRegUnit = 4

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// Warps returns the number of warps of a CTA.
func Warps(threads int) int { return roundUp(threads, warpSize) / warpSize }

// CTARegisters returns the registers charged to one CTA, in 32-bit registers.
func (s *Spec) CTARegisters(threads, registers int) int {
	if s.Rule == RuleCUDA {
		return Warps(threads) * roundUp(registers*warpSize, s.RegisterUnit)
	}
	return roundUp(threads, warpSize) * roundUp(registers, gpgpusimRegUnit)
}

// WarpRegisters returns the registers charged to one warp, in warp registers.
func (s *Spec) WarpRegisters(registers int) int {
	return s.CTARegisters(warpSize, registers) / warpSize
}

// CTAShared returns the shared memory charged to one CTA, in bytes.
func (s *Spec) CTAShared(bytes int) int {
	if s.Rule == RuleCUDA {
		return roundUp(bytes+s.Reserved, s.SharedUnit)
	}
	return bytes
}

// byRegisters returns the number of CTAs that fit in the registers of an SM. The vendor's rule counts warps
// first: a scheduler's part of the file holds whole warps only, so they are rounded down to a multiple of the
// number of parts.
func (s *Spec) byRegisters(capacity, threads, registers int) int {
	perCTA := s.CTARegisters(threads, registers)
	if perCTA == 0 {
		return unlimited
	}
	if s.Rule == RuleCUDA {
		warps := capacity / roundUp(registers*warpSize, s.RegisterUnit)
		return warps / s.WarpUnit * s.WarpUnit / Warps(threads)
	}
	return capacity / perCTA
}
