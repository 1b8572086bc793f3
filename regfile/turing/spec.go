package turing

import (
	"cmp"

	"kumiko/components/bank"
	"kumiko/components/spec"
	"kumiko/kernel/compiler/control"
	"kumiko/kernel/ir"
)

// Spec configures the register file of a Turing or Ampere GPU.
type Spec struct {
	Banks     int    `toml:"banks" unit:"banks per sub-core" doc:"banks of whole warp registers, with a write port each"`
	BankIndex string `toml:"bank_index" unit:"-" doc:"function from a register to its bank within the sub-core, modulo the banks: register, register+warp, register+slot, register^warp, linear, or linear+warp"`
	Ports     int    `toml:"read_ports" unit:"ports per bank" range:"0 to 8" doc:"read ports of a bank. 0: as many as are wanted"`
	Window    int    `toml:"window" unit:"cycles" doc:"cycles in which the registers of an instruction are read. Twice as many for instructions whose registers do not fit"`
	Reuse     bool   `toml:"reuse" unit:"-" doc:"banks keep a register for each operand slot where control words flag it, and operands that hit are not read"`
	Waiting   int    `toml:"queue" unit:"instructions per unit" range:"1 to 64" doc:"instructions of variable latency that wait, before they read, for one execution unit"`
	Latches   int    `toml:"latches" unit:"instructions" range:"1 to 64" doc:"instructions of each execution unit that have read, or are reading, and wait for the unit, beside those in the link to it"`
	Queue     int    `toml:"result_queue" unit:"registers per bank" doc:"results that wait for the write port of a bank, those not yet due included"`
	Bypass    string `toml:"bypass" unit:"-" doc:"instructions whose operands are used if they are there as execution begins; those of others must be there a cycle earlier. fixed: those of fixed latency. computed: all but loads, stores and atomic operations, if not from the constant bank. The operand check counts on it"`
	Halves    int    `toml:"halves" unit:"cycles" doc:"by how much the lower word of a product of two words is there before the upper one, and the upper word of its addend is read after the other operands, 0 to 2. The operand check counts on it"`
	// Hop is at most a cycle: one after units of its own kind can take a result from the bypass, all units can read it
	// from the banks.
	Hop int `toml:"hop" unit:"cycles" range:"0 to 1" doc:"how much later than its own kind arithmetic of another kind has a result, 0 or 1. The kinds are integers and logic, products of integers with single precision, and half precision. The operand check counts on it"`
	// Guards and Collect may be far above what was measured: 2 and 4 on an H100.
	Guards   int  `toml:"guards" unit:"cycles" range:"0 to 16" doc:"how much later than its result is announced a guard sees a predicate, 0 to 16. The operand check counts on it"`
	Doubles  bool `toml:"fixed_doubles" unit:"-" doc:"arithmetic of double precision has a fixed latency, reads with the other arithmetic and uses the cache, if each sub-core has a unit for it"`
	Squashed bool `toml:"squashed_reads" unit:"-" doc:"instructions that no lane executes read their registers"`
	Collect  int  `toml:"collect" unit:"cycles per register" range:"0 to 16" doc:"how long a register that an instruction of a unit beside the arithmetic reads keeps the next such instruction from reading: shuffles, special functions, conversions. Memory instructions have the times of their queue. 0: not at all"`
	Forward  int  `toml:"forward" unit:"cycles" doc:"how long a result is announced before its value arrives, 0 to 4. Under scoreboards, dependent instructions issue that much earlier"`
}

// Bounds of the settings.
const (
	maxBanks  = 16
	maxWindow = 8
	// A reader permitted by Done begins to execute at the earliest 7 cycles after the Result with a window of 3,
	// and 5 with a window of 1; with variable latency one cycle earlier.
	maxForward = 4
	// A multiplier of half the width takes no longer for the second half.
	maxHalves = 2
)

// Default returns the register file of Huerta et al. (MICRO 2025), section 5.3. The queues before units are as long
// as the queue of memory instructions (table 1). One latch per cycle of the window keeps a unit accepting an
// instruction per cycle busy. With results two cycles ahead, units need a latency of at least 4, the latency of
// dependent arithmetic.
func Default() Spec {
	return Spec{Banks: 2, BankIndex: bank.ByRegister.String(), Ports: 1, Window: 3, Reuse: true, Waiting: 5, Latches: 4,
		Queue: 8, Bypass: bypassFixed, Squashed: true, Forward: 2}
}

// Check refuses impossible register files.
func (s *Spec) Check() error {
	_, err := bank.ParsePolicy("bank_index", s.BankIndex)
	return cmp.Or(
		spec.Ranges(s),
		spec.InRange("banks", s.Banks, 1, maxBanks),
		spec.InRange("window", s.Window, 1, maxWindow),
		spec.InRange("result_queue", s.Queue, ir.NumDests, spec.MostQueue),
		spec.InRange("forward", s.Forward, 0, maxForward),
		spec.InRange("halves", s.Halves, 0, min(s.Forward, maxHalves)),
		spec.OneOf("bypass", s.Bypass, bypassFixed, bypassComputed),
		err,
	)
}

// Values of Bypass.
const (
	bypassFixed    = "fixed"
	bypassComputed = "computed"
)

// bypasses reports whether the operands of an instruction of variable latency are bypassed.
func (s *Spec) bypasses(in *ir.Inst) bool {
	switch in.T.Class {
	case ir.ClassLoad, ir.ClassStore, ir.ClassAtomic:
		if in.T.Space != ir.Const && in.T.Space != ir.Param {
			return false
		}
	}
	return s.Bypass == bypassComputed
}

// toDone is the fixed part, in cycles, of the time from issue until the scheduler sees Done: one each for Control,
// Allocate, the link to the unit and the link of Done. The whole time has also the read window and the unit's latency,
// less the cycles by which Done is announced early.
const toDone = 4

// reads returns the read timing assumed by control words. Operands of fixed latency are bypassed as execution
// begins, so nothing is added to the unit's latency. A result not announced ahead reaches the banks too late for
// this.
func (s *Spec) reads() control.Reads {
	r := control.Reads{Doubles: s.Doubles, Variable: 1, Guarded: s.Window + toDone - s.Forward}
	if s.Forward == 0 {
		r.Fixed = 1
	}
	if s.Ports > 0 {
		r.Window, r.Ports, r.Banks = s.Window, s.Ports, s.Banks
	}
	return r
}
