package regfile

import (
	"fmt"

	"kumiko/kernel/compiler/tables"
)

// Launch is what the residency of a kernel's CTAs depends on.
type Launch struct {
	Tables       *tables.Tables // of the kernel as it was allocated; nil where only the needs of a CTA are known
	WarpsPerCTA  int
	Registers    int // warp registers that a warp is charged
	CTARegisters int // 32-bit registers that a CTA is charged
	SharedBytes  int // per CTA, static and dynamic
	Capacity     int // warp registers of the SM's register file
	Warps        int // warp contexts of the SM
	Schedulers   int // of the SM
	Active       int // most warps active at once; Warps under a single-level scheduler
	// Others bounds the resident CTAs by everything but registers; OthersLimit names
	// what binds.
	Others      int
	OthersLimit string
	// Slotted bounds those with slots of the schedulers by everything but registers. It is
	// Others where CTAs are not switched.
	Slotted int
	// ByRegisters is how many CTAs the registers alone permit under the GPU's rules
	// of allocation.
	ByRegisters int
	// Pool is what the kind may have of a pool of on-chip memory, where it says itself
	// what it takes of one (Kind.Pools); zero: there is none.
	Pool Pool
	// ByRegistersOf is that of a register file with the given number of warp registers.
	ByRegistersOf func(capacity int) int
}

// ByRules returns the admission of a kind that leaves residency to the GPU's rules of allocation.
// Every resident CTA has all of its registers in the file. It is an error if not one CTA fits.
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

// Pool is a memory of the SM that the L1 data cache has together with others.
type Pool struct {
	Bytes  int // for all but the least L1
	PerCTA int // bytes of these that each resident CTA takes for its shared memory
}

// Residency is how many CTAs of a launch an SM may have.
type Residency struct {
	Resident int // active and pending together
	Active   int // schedulable at once
	// Held is how many may have their registers in the file at once; 0: all. Of more than
	// these the SM wants only as many as have found room elsewhere, and one.
	Held int
}

// Admission is what a kind of register file decides about a launch before the
// launch begins.
type Admission struct {
	Residency
	// Limit names what bounds Resident: Launch.OthersLimit, or a word of the kind's
	// own; empty: registers.
	Limit string
	// Used is how many 32-bit registers the resident CTAs take together.
	Used int
	// Pooled, of a kind that says so itself (Kind.Pools), is how many bytes of the pool it
	// takes. Of other kinds the registers of the resident CTAs lie there.
	Pooled int
	// L1Sets, where on-chip memory is a pool, is how many sets the GPU gives to the L1;
	// otherwise 0. Kinds leave it alone.
	L1Sets int
	// Figures are what the kind has to say besides, for people who ask.
	Figures []Figure
	// FirstUse asks the compiler to number the kernel's registers by their first use
	// in the program. It is decided by the kernel as it was allocated.
	FirstUse bool
	// Insert are the operations that go into the kernel's instruction stream; nil: none.
	// The same kernel is given the same ones whenever it is asked about.
	Insert *Insertions
	// Plan is what the register files have to know of the launch (Planned). It is
	// made once and shared by all SMs; nobody changes it. Of a kind without Admit it is
	// the *Launch.
	Plan any
	// Path is the plan of the register file beside which the kind's designs stand. Kinds leave it alone.
	Path any
}

// Figure is a number that a kind says of a launch.
type Figure struct {
	Name  string // as a key, such as "pairs"
	Doc   string // a few words
	Value int
}

// Planned is a design that has to know of a launch before it begins.
//
// Contract: Begin is called while the SM is idle, before the first CTA of a launch
// starts, once per launch, with the Plan that the kind's Admit has made.
type Planned interface{ Begin(plan any) }
