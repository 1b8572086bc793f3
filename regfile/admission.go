package regfile

import (
	"fmt"

	"kumiko/kernel/compiler/tables"
)

// Launch describes a launch, as far as the residency of its CTAs depends on it.
type Launch struct {
	Tables       *tables.Tables // of the kernel as first allocated; nil if only the needs of a CTA are known
	WarpsPerCTA  int
	Registers    int // warp registers charged per warp
	CTARegisters int // 32-bit registers charged per CTA
	SharedBytes  int // per CTA, static and dynamic
	Capacity     int // warp registers of the SM's register file
	Warps        int // warp contexts of the SM
	Schedulers   int // of the SM
	Active       int // most warps active at once; Warps under a single-level scheduler
	// Others bounds the resident CTAs by everything but registers. OthersLimit names the binding limit.
	Others      int
	OthersLimit string
	// Slotted bounds the CTAs with scheduler slots by everything but registers. Without CTA switching it equals
	// Others.
	Slotted int
	// ByRegisters is the number of CTAs permitted by the registers alone, under the GPU's rules of allocation.
	ByRegisters int
	// Pool is the part of the on-chip memory pool available to a kind that decides itself how much of it to use
	// (Kind.Pools); zero: there is no pool.
	Pool Pool
	// ByRegistersOf returns ByRegisters for a register file with the given number of warp registers.
	ByRegistersOf func(capacity int) int
}

// ByRules returns the admission under the GPU's rules of allocation, for kinds without rules of their own. Every
// resident CTA has all of its registers in the file. It is an error if not one CTA fits.
func (l *Launch) ByRules() (Admission, error) {
	n := min(l.ByRegisters, l.Others)
	if n < 1 {
		return Admission{}, fmt.Errorf("a CTA needs %d warp registers, an SM has %d", l.WarpsPerCTA*l.Registers,
			l.Capacity)
	}
	a := Admission{Residency: Residency{Resident: n, Active: n}, Used: n * l.CTARegisters}
	if l.Others < l.ByRegisters {
		a.Limit = l.OthersLimit
	}
	return a, nil
}

// Pool is on-chip memory of the SM, divided among the L1 data cache, shared memory and registers.
type Pool struct {
	Bytes  int // for all but the least L1
	PerCTA int // bytes of these used by the shared memory of each resident CTA
}

// Residency is the number of CTAs of a launch permitted on an SM.
type Residency struct {
	Resident int // active and pending together
	Active   int // schedulable at once
	// Held is the number of CTAs permitted to have registers in the file at once; 0: all. Beyond Held, the SM
	// requests as many CTAs as have found space for their registers elsewhere, plus one.
	Held int
	// Registers, if not 0, is the number of 32-bit registers of the file, of which CTAs of several kernels take
	// different parts. Then Held is how many CTAs surely have room.
	Registers int
}

// Admission is the decision of a kind of register file about a launch, made before the launch begins.
type Admission struct {
	Residency
	// Limit names the binding limit of Resident: Launch.OthersLimit, or a word of the kind's own; empty: registers.
	Limit string
	// Used is the number of 32-bit registers used by all resident CTAs together.
	Used int
	// Pooled is the number of bytes of the pool used by a kind with Kind.Pools. For other kinds, the registers of
	// the resident CTAs are in the pool.
	Pooled int
	// Pairs is the number of pairs of CTAs of an SM that share registers; Second is how many 32-bit registers the
	// second CTA of a pair takes.
	Pairs, Second int
	// L1Sets is the number of sets given to the L1 by the GPU where on-chip memory is a pool, otherwise 0. Kinds
	// leave it alone.
	L1Sets int
	// Figures are further numbers about the launch, for reports.
	Figures []Figure
	// FirstUse asks the compiler to number the kernel's registers by their first use in the program. Admit decides it
	// from the kernel as compiled without this numbering.
	FirstUse bool
	// Insert lists the operations to insert into the kernel's instruction stream; nil: none. Admit always returns
	// the same operations for the same kernel.
	Insert *Insertions
	// Plan is information about the launch for the register files (Planned). It is made once, shared by all SMs and
	// never changed. For a kind without Admit it is the *Launch.
	Plan any
	// Path is the plan of the other register file that the kind's designs stand beside. Kinds leave it alone.
	Path any
}

// Figure is a named number about a launch, reported by a kind.
type Figure struct {
	Name  string // as a key, such as "pairs"
	Doc   string // a few words
	Value int
}

// Planned is a design prepared for each launch.
//
// Contract: Begin is called once per launch, while the SM is idle and before the first CTA starts, with the Plan
// made by the kind's Admit.
type Planned interface{ Begin(plan any) }
