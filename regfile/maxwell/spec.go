package maxwell

import (
	"cmp"

	"kumiko/components/bank"
	"kumiko/components/spec"
	"kumiko/kernel/ir"
)

// Spec configures the register file of a Maxwell.
type Spec struct {
	Banks        int    `toml:"banks" unit:"banks per sub-core" doc:"banks of whole warp registers, with a read and a write port each"`
	BankIndex    string `toml:"bank_index" unit:"-" doc:"function from a register to its bank within the sub-core, modulo the banks: register, register+warp, register+slot, register^warp, or linear"`
	Slots        int    `toml:"slots" unit:"instructions per sub-core" doc:"collecting slots. The oldest goes first at every bank, and they are released in order"`
	Supply       int    `toml:"supply" unit:"instructions per cycle" doc:"instructions that enter the slots of a sub-core in a cycle"`
	ReadLatency  int    `toml:"read_latency" unit:"cycles" doc:"from the last read of an instruction to its entry into the link to its unit"`
	Latches      int    `toml:"latches" unit:"instructions" doc:"instructions of each execution unit that have read and are not yet in the link to the unit, those under way included"`
	ReuseEntries int    `toml:"reuse_entries" unit:"registers" doc:"entries of the reuse cache for each of the four operand slots of a sub-core. 0: there is none"`
	Unflagged    string `toml:"reuse_unflagged" unit:"-" doc:"a read without a flag of reuse. enter: it enters its slot's entries like others, and cannot hit. clear: its slot loses all entries. pass: it changes nothing"`
	Switch       string `toml:"reuse_switch" unit:"-" doc:"an instruction of another warp than the one before. keep: entries stay. lose: all entries of the sub-core are lost"`
	Queue        int    `toml:"result_queue" unit:"registers per bank" doc:"results that wait for the write port of a bank, those not yet due included"`
	Forward      int    `toml:"forward" unit:"cycles" doc:"how long a result is announced before its value arrives, 0 to 2. Dependent instructions issue that much earlier"`
}

// Names of the ways of unflagged reads and of switches.
const (
	Enter = "enter"
	Clear = "clear"
	Pass  = "pass"
	Keep  = "keep"
	Lose  = "lose"
)

// Bounds of the settings.
const (
	maxBanks   = 16
	maxSlots   = 8
	maxEntries = 8
	maxLatches = 64
	maxForward = 2 // a reader that Done permits is at the slots two cycles later
)

// Default is what the measurements on compute capability 5.0 show (docs/silicon.md): four banks,
// two slots, one instruction per cycle, two entries per operand slot. Maxas' wiki gives the banks
// and the size of the reuse cache as well (8 bytes per lane and operand slot). A cycle of reading,
// and Done two cycles ahead, make 6 cycles from an instruction to one that depends on it with a
// unit of latency 4, which is what maxas gives. Nothing is known of latches and queues: two, which
// a stream needs, and eight as in Huerta et al. (MICRO 2025) for Ampere.
func Default() Spec {
	return Spec{Banks: 4, BankIndex: bank.ByRegister.String(), Slots: 2, Supply: 1, ReadLatency: 1, Latches: 2,
		ReuseEntries: 2, Unflagged: Enter, Switch: Keep, Queue: 8, Forward: maxForward}
}

// Check refuses impossible register files.
func (s *Spec) Check() error {
	err := cmp.Or(
		spec.InRange("banks", s.Banks, 1, maxBanks),
		spec.InRange("slots", s.Slots, 1, maxSlots),
		spec.InRange("supply", s.Supply, 1, maxSlots),
		spec.InRange("read_latency", s.ReadLatency, 1, maxLatches),
		spec.InRange("latches", s.Latches, s.ReadLatency, maxLatches),
		spec.InRange("reuse_entries", s.ReuseEntries, 0, maxEntries),
		spec.InRange("result_queue", s.Queue, ir.NumDests, spec.MostQueue),
		spec.InRange("forward", s.Forward, 0, maxForward),
	)
	switch {
	case err != nil:
		return err
	case s.Unflagged != Enter && s.Unflagged != Clear && s.Unflagged != Pass:
		return spec.Errorf("reuse_unflagged", s.Unflagged, "enter, clear or pass")
	case s.Switch != Keep && s.Switch != Lose:
		return spec.Errorf("reuse_switch", s.Switch, "keep or lose")
	}
	_, err = bank.ParsePolicy("bank_index", s.BankIndex)
	return err
}
