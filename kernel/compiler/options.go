package compiler

import (
	"fmt"
	"strings"

	"kumiko/kernel/compiler/alloc"
	"kumiko/kernel/compiler/control"
	"kumiko/kernel/compiler/maxnreg"
	"kumiko/kernel/ir"
)

// Step is a set of passes.
type Step uint32

// The passes, in the order of execution. All are on by default, as in NVIDIA's assembler for the GPUs modelled
// here.
const (
	// Thread removes jumps to jumps, jumps to the next instruction and unreachable code.
	Thread Step = 1 << iota
	// Fold moves parameters, launch constants, constant-bank loads at fixed addresses and immediates into their
	// uses, propagates copies, and folds arithmetic on constants, negations and absolute values into operands, and
	// constant offsets into addresses. At most one operand of an instruction stays in the constant bank or
	// immediate, as in the hardware's encodings; the others are moved to registers.
	Fold
	// Dead removes instructions with unread results.
	Dead
	// Fuse forms integer multiply-adds. Floating-point operations are never fused: PTX has fma for this.
	Fuse
	// Divide expands integer division and remainder.
	Divide
	// FloatDivide expands correctly rounded division, reciprocal and square root into short sequences, exact for
	// operands of ordinary size, with a branch to the whole operation for the others.
	FloatDivide
	// Wide splits 64-bit integer operations into 32-bit ones with carries in
	// predicates.
	Wide
	// IfConvert turns short forward branches into guarded instructions.
	IfConvert
	// Merge joins loads, and stores, of neighbouring words into accesses of 64 and 128 bits, if the alignment is
	// proved.
	Merge
	// Schedule orders the instructions of each block by latency, without exceeding the limit of live registers.
	Schedule
	// Coalesce joins the registers of copies.
	Coalesce

	allSteps = Coalesce<<1 - 1
)

var stepNames = []string{"thread", "fold", "dead", "fuse", "divide", "float-divide", "wide", "if-convert", "merge",
	"schedule", "coalesce"}

// String lists the names of the steps, comma-separated.
func (s Step) String() string {
	var out []string
	for i, n := range stepNames {
		if s>>i&1 != 0 {
			out = append(out, n)
		}
	}
	return strings.Join(out, ",")
}

// ParseSteps reads a comma-separated list of step names.
func ParseSteps(list string) (Step, error) {
	var s Step
next:
	for _, name := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		for i, n := range stepNames {
			if n == name {
				s |= 1 << i
				continue next
			}
		}
		return 0, fmt.Errorf("compiler step %q: expected one of %s", name, strings.Join(stepNames, ", "))
	}
	return s, nil
}

// AllSteps returns the set of all passes.
func AllSteps() Step { return allSteps }

// Options of a compilation. The zero value is the default.
type Options struct {
	// Registers per thread: the maximum to allocate, and the footprint. Values beyond the maximum are spilled to
	// local memory. 0: no maximum but the kernel's own .maxnreg and 255, and the footprint is the number of
	// registers used, rounded up to 4 (the granularity of GPGPU-Sim).
	Registers int
	// Fixed: setmaxnreg has no effect. It has none either if nothing bounds the registers of a launch.
	Fixed bool
	// Predicates is the size of the predicate file; 0: 16.
	Predicates int
	// Banks and Policy choose among free registers.
	Policy alloc.Policy
	Banks  int // 0: 4
	// FirstUse renumbers the registers by their first use in the program.
	FirstUse bool
	// Off lists the passes to leave out.
	Off Step
	// IfThreshold is the largest number of instructions put under a guard by if-conversion; 0: 7.
	IfThreshold int
	// Spare is the number of additional live registers, beyond those needed anyway, for the scheduler to place
	// loads and other long operations farther ahead of their uses.
	Spare int
	// Ahead: loads are placed far enough ahead of their uses to cover their latency, within Registers registers. If
	// Registers is 0, the registers are limited so that an SM holds as many CTAs of Threads threads as with the
	// registers needed anyway.
	Ahead   bool
	Threads int // of a CTA; 0: not known, and no additional registers are used
	SM      Room
	// Control is the name of the machine for which control words are made (control.Names); "": no control words.
	Control string
	// Hardware has the latencies of the machine executing the code; zero: those of the table.
	Hardware control.Hardware
	// Unit is the hardware's allocation granularity in registers per thread,
	// for the report; 0: 8 (CUDA occupancy rules, compute capability 3 to 7).
	Unit int
}

func (o Options) on(s Step) bool { return o.Off&s == 0 }

// bound returns the bound of the registers per thread in a launch of k; 0: there is none.
func (o Options) bound(k *ir.Kernel) int {
	if o.Registers == 0 && k.MaxRegs > 0 {
		return max(k.MaxRegs, alloc.MinRegisters) // .maxnreg is a wish
	}
	return o.Registers
}

// launched returns the registers per thread with which a kernel that changes its registers begins; 0 for all other
// kernels, and where nothing bounds the registers of the launch, because PTX then lets setmaxnreg have no effect.
func (o Options) launched(k *ir.Kernel) int {
	if o.Fixed || !maxnreg.Changes(k) {
		return 0
	}
	return o.bound(k)
}

// Room has the resources of an SM for CTAs.
type Room struct {
	Registers int // 32-bit
	Warps     int
	CTAs      int
	// Unit is the allocation granularity, in registers per thread.
	Unit int
}

// step returns the most registers per thread with which the SM holds as many CTAs as with the given number; the
// number itself if the SM holds none.
func (r Room) step(registers, threads int) int {
	threads = roundUp(threads, 32)
	ctas := min(r.CTAs, r.Warps*32/threads, r.Registers/(threads*roundUp(registers, r.Unit)))
	if ctas == 0 {
		return registers
	}
	return max(registers, r.Registers/(ctas*threads)/r.Unit*r.Unit)
}
