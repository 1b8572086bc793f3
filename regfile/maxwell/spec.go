package maxwell

import (
	"cmp"

	"kumiko/components/bank"
	"kumiko/components/spec"
	"kumiko/kernel/compiler/control"
	"kumiko/kernel/ir"
)

// Spec configures the register file of a Maxwell.
type Spec struct {
	Banks     int    `toml:"banks" unit:"banks per sub-core" doc:"banks of whole warp registers, with a read and a write port each"`
	BankIndex string `toml:"bank_index" unit:"-" doc:"function from a register to its bank within the sub-core, modulo the banks: register, register+warp, register+slot, register^warp, linear, or linear+warp"`
	Stages    int    `toml:"stages" unit:"cycles" doc:"stages in which an instruction reads, and collectors. The oldest instruction goes first at every bank; one that has not read everything in the last stage stops all"`
	Latches   int    `toml:"latches" unit:"instructions" range:"1 to 64" doc:"instructions of each execution unit that have read and wait for the unit, beside those in the link to it"`
	Reuse     bool   `toml:"reuse" unit:"-" doc:"collectors keep registers, and operands that hit there are not read. false: there is no reuse cache"`
	Choice    string `toml:"reuse_choice" unit:"-" doc:"of several free collectors an instruction takes. hit: one in which an operand hits, else one without flagged registers, else the lowest. lowest. turns: the one after the last"`
	Unflagged string `toml:"reuse_unflagged" unit:"-" doc:"a read without a flag of reuse. enter: it replaces what its collector kept, and cannot hit. clear: its operand slot loses all registers. pass: it changes nothing"`
	Switch    string `toml:"reuse_switch" unit:"-" doc:"an instruction of another warp than the one before. keep: registers stay. lose: all collectors of the sub-core lose them"`
	Queue     int    `toml:"result_queue" unit:"registers per bank" doc:"results that wait for the write port of a bank, those not yet due included"`
	Forward   int    `toml:"forward" unit:"cycles" doc:"how long a result is announced before its value arrives, 0 to 2. Dependent instructions issue that much earlier"`
}

// Names of the settings' values.
const (
	Hit    = "hit"
	Lowest = "lowest"
	Turns  = "turns"

	Enter = "enter"
	Clear = "clear"
	Pass  = "pass"

	Keep = "keep"
	Lose = "lose"
)

// Bounds of the settings.
const (
	maxBanks   = 16
	minStages  = 2 // whether the last stage stops the others is known a cycle ahead
	maxStages  = 8
	maxForward = 2 // a reader permitted by Done is in the first stage two cycles later
)

// Default returns the file inferred from measurements on compute capability 5.0 (lab/docs/silicon.md): four banks, two
// stages, two registers kept for each operand slot. Maxas' wiki confirms the banks and the size of the reuse cache
// (8 bytes per lane and operand slot). Two stages, and Done two cycles ahead, make 6 cycles from an instruction to
// a dependent one with a unit of latency 4, the figure given by maxas. Nothing is known of latches and queues. The
// defaults are one latch, as needed by a unit accepting an instruction per cycle, and eight queue places, as in
// Huerta et al. (MICRO 2025) for Ampere.
func Default() Spec {
	return Spec{Banks: 4, BankIndex: bank.ByRegister.String(), Stages: 2, Latches: 1, Reuse: true, Choice: Hit,
		Unflagged: Enter, Switch: Keep, Queue: 8, Forward: maxForward}
}

// Check refuses impossible register files.
func (s *Spec) Check() error {
	_, err := bank.ParsePolicy("bank_index", s.BankIndex)
	return cmp.Or(
		spec.Ranges(s),
		spec.InRange("banks", s.Banks, 1, maxBanks),
		spec.InRange("stages", s.Stages, minStages, maxStages),
		spec.InRange("result_queue", s.Queue, ir.NumDests, spec.MostQueue),
		spec.InRange("forward", s.Forward, 0, maxForward),
		spec.OneOf("reuse_choice", s.Choice, Hit, Lowest, Turns),
		spec.OneOf("reuse_unflagged", s.Unflagged, Enter, Clear, Pass),
		spec.OneOf("reuse_switch", s.Switch, Keep, Lose),
		err,
	)
}

// toDone is the fixed part of the time from issue until Done is visible at issue: the links to the unit and of
// Done. The stages and the unit's latency are added, the cycles of early announcement subtracted.
const toDone = 2

// reads returns the read timing assumed by control words. An operand is read in the first stage at the earliest,
// and there is no bypass: the stages add to the unit's latency.
func (s *Spec) reads() control.Reads {
	return control.Reads{Fixed: s.Stages, Variable: s.Stages, Guarded: s.Stages + toDone - s.Forward}
}
