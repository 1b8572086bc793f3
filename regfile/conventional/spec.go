package conventional

import (
	"slices"
	"strings"

	"kumiko/components/bank"
	"kumiko/components/collector"
	"kumiko/components/crossbar"
	"kumiko/components/spec"
	"kumiko/regfile"
)

// MaxForward bounds Spec.Forward: three cycles from a Done to the read of the first operation
// issued on it, less the one of the link from write-back to arbiter.
const MaxForward = 2

// MaxBypass bounds Spec.Forward with a bypass. With a Forward of MaxBypass, every operation depending on a result
// reaches its unit one cycle after the value's arrival, even if its other operands come from banks. With less, only
// operations with all operands captured do. The reasoning: a result comes MaxForward cycles before its value, is at
// the result bus one cycle later and at the collectors another cycle later, just when its value is due. An
// operation issued on an announcement MaxBypass cycles ahead is there to capture it and has its other operands from
// the banks: the scheduler sees the announcement after 1 cycle, the operation is at the collectors after 2, and
// values of the banks arrive there after 6.
const MaxBypass = 6

// Spec configures a conventional register file.
type Spec struct {
	SubCores int `toml:"sub_cores" unit:"sub-cores" doc:"independent parts of the file, each with its own banks, collectors and arbiter. 0: one per scheduler. 1: one for all"`

	Banks     int    `toml:"banks" unit:"banks per SM" default:"16" doc:"banks of bank_width bytes, spread evenly over the sub-cores"`
	BankWidth int    `toml:"bank_width" unit:"bytes" default:"128" doc:"128: a bank holds whole warp registers. 64, 32 or 16: several banks work in step on one register"`
	BankPorts string `toml:"bank_ports" unit:"-" default:"2rw" doc:"SRAM ports of a bank: 1rw, 1r1w, 2r1w or 2rw"`
	bank.Timing
	BankIndex     string `toml:"bank_index" unit:"-" default:"register+warp" doc:"function from a register to its bank within the sub-core, modulo the banks: register+warp, which is GPGPU-Sim's (bank_warp_shift, of five bits, turns it on) and spreads nothing where the banks of a sub-core divide the schedulers; register, register+slot, register^warp, linear, which is warp x registers per warp + register, or linear+warp, which turns a warp's registers among their linear places so that its first is in bank warp"`
	Arbitration   string `toml:"arbitration" unit:"-" default:"round-robin" doc:"which read a bank serves first: round-robin (over the collectors) or oldest"`
	OperandStages int    `toml:"operand_stages" unit:"cycles" doc:"pipeline stages before the arbiter, for reads and writes. An operation that reads nothing stays in its collector as long, and with a bypass results are announced that much earlier"`
	Queue         int    `toml:"bank_queue" unit:"requests" default:"16" doc:"reads, and as many writes, that the arbiter may queue for each bank"`

	Collectors    int            `toml:"collectors" unit:"collectors per sub-core" default:"6" doc:"operand collectors that serve every kind of execution unit"`
	CollectorSets []CollectorSet `toml:"collector_sets" unit:"-" doc:"collectors reserved for kinds of execution units, beside the general ones"`
	collector.Intake

	Network string `toml:"network" unit:"-" default:"crossbar" doc:"network from banks to collectors. crossbar. butterfly: a flattened butterfly of routers in rows and columns; an operand takes a hop along its row and one along its column"`
	crossbar.Paths
	crossbar.Mesh

	Forward       int  `toml:"forward" unit:"cycles" default:"2" doc:"how long a result is announced before its value arrives, 0 to 2, or to 6 with a bypass. Dependent instructions issue that much earlier"`
	Bypass        bool `toml:"bypass" unit:"-" doc:"collectors capture operands from a result bus before they are in their banks. Such results are announced as forward says, but not before their operation leaves its collector"`
	BypassEntries int  `toml:"bypass_entries" unit:"results per sub-core" default:"16" doc:"results under way that the bypass tracks. Further results are announced as without a bypass" when:"bypass=true"`
	BypassWidth   int  `toml:"bypass_width" unit:"results per cycle" doc:"results that a sub-core's result bus carries at once. 0: as many as there are write-back ports" when:"bypass=true"`
}

// CollectorSet is a number of collectors for certain kinds of execution units.
type CollectorSet struct {
	Units []string `toml:"units" unit:"-" doc:"kinds of execution units that these collectors serve"`
	Count int      `toml:"count" unit:"collectors per sub-core" doc:"number of collectors"`
}

// Default returns the organisation of GPGPU-Sim 4.2's configuration of a GTX 980: 16 banks in four sub-cores, bank
// = (register + warp) mod 4 within a sub-core, two ports, and one operand per collector and cycle (its manual,
// section on the operand collector). GPGPU-Sim has two collectors per sub-core, each holding an instruction for 2
// to 3 cycles. Here the stages take a cycle each, so a collector holds an instruction for 4 to 6 cycles with one to
// three sources, and six collectors sustain an instruction per cycle.
func Default() (s Spec) {
	spec.Defaults(&s)
	return s
}

// Check refuses impossible settings of a register file, as far as they can be judged without the SM. The blocks
// check the rest when they are built.
func (s *Spec) Check() error {
	switch {
	case s.BankWidth != 16 && s.BankWidth != 32 && s.BankWidth != 64 && s.BankWidth != bank.RegisterBytes:
		return spec.Errorf("bank_width", s.BankWidth, "16, 32, 64 or 128 bytes")
	case s.Banks < 1 || s.Banks%s.slices() != 0:
		return spec.Errorf("banks", s.Banks, "a multiple of the %d banks of %d bytes that hold a warp register",
			s.slices(), s.BankWidth)
	case s.SubCores < 0:
		return spec.Errorf("sub_cores", s.SubCores, "0 (one per scheduler) or more")
	case s.Collectors < 0 || s.Collectors == 0 && len(s.CollectorSets) == 0:
		return spec.Errorf("collectors", s.Collectors, "at least 1, or collector_sets")
	case s.Bypass && (s.Forward <= MaxForward || s.Forward > MaxBypass):
		return spec.Errorf("forward", s.Forward,
			"%d to %d with a bypass: with less, nothing would be captured, and more would save nothing", MaxForward+1,
			MaxBypass)
	case !s.Bypass && (s.Forward < 0 || s.Forward > MaxForward):
		return spec.Errorf("forward", s.Forward,
			"0 to %d, or a bypass: a read that follows the announcement would overtake the write", MaxForward)
	case s.OperandStages < 0 || s.OperandStages > 16:
		return spec.Errorf("operand_stages", s.OperandStages, "0 to 16 cycles")
	case s.BypassWidth < 0:
		return spec.Errorf("bypass_width", s.BypassWidth, "0 (as many as write-back ports) or more")
	}
	return nil
}

// slices returns the number of banks working in step on one warp register.
func (s *Spec) slices() int { return bank.RegisterBytes / s.BankWidth }

// layout computes the number of sub-cores and of conflict groups in each.
func (s *Spec) layout(schedulers int) (subCores, groups int, err error) {
	subCores = s.SubCores
	if subCores == 0 {
		subCores = schedulers
	}
	if subCores > schedulers || schedulers%subCores != 0 {
		return 0, 0, spec.Errorf("sub_cores", s.SubCores, "a divisor of the %d schedulers", schedulers)
	}
	groups = s.Banks / s.slices()
	if groups%subCores != 0 {
		return 0, 0, spec.Errorf("banks", s.Banks, "a multiple of %d, for %d sub-cores", subCores*s.slices(), subCores)
	}
	return subCores, groups / subCores, nil
}

// unitMask returns the units of a sub-core with a listed kind, or all of them if the list is empty.
func unitMask(units []regfile.Unit, in func(regfile.Unit) bool, list []string) uint64 {
	var m uint64
	for i, u := range units {
		if in(u) && (len(list) == 0 || slices.Contains(list, u.Kind)) {
			m |= 1 << i
		}
	}
	return m
}

// checkKinds refuses collectors for kinds of units absent from the SM.
func (s *Spec) checkKinds(units []regfile.Unit) error {
	var kinds []string
	for _, u := range units {
		if !slices.Contains(kinds, u.Kind) {
			kinds = append(kinds, u.Kind)
		}
	}
	for _, set := range s.CollectorSets {
		if set.Count < 1 {
			return spec.Errorf("collector_sets.count", set.Count, "at least 1 collector")
		}
		if len(set.Units) == 0 {
			return spec.Errorf("collector_sets.units", "none", "kinds of execution units: %s",
				strings.Join(kinds, ", "))
		}
		for _, k := range set.Units {
			if !slices.Contains(kinds, k) {
				return spec.Errorf("collector_sets.units", k, "a kind of execution unit: %s", strings.Join(kinds, ", "))
			}
		}
	}
	return nil
}
