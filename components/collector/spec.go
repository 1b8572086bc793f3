package collector

import (
	"kumiko/components/bank"
	"kumiko/components/spec"
	"kumiko/kernel/ir"
)

// Kind is a group of collectors serving the same execution units.
type Kind struct {
	Count int
	Units uint64 // bit u: execution unit u
}

// Intake is the settings of what collectors take in. A register file has them among its own settings, so that its files
// are decoded into them.
type Intake struct {
	// Registers: schedulers are notified when an operation has its collector, and issue no more than there is space
	// for.
	Registers int  `toml:"issue_registers" unit:"operations" range:"0 to 8" doc:"operations of each execution unit that may wait for a collector, by scheduler. 0: issued operations wait in one order, and an operation without a collector blocks all behind it"`
	Inputs    int  `toml:"inputs" unit:"requests per cycle" default:"8" range:"1 to 8" doc:"source registers that a collector requests per cycle"`
	ReadTwice bool `toml:"read_twice" unit:"-" doc:"a register that an instruction names twice is read twice. Otherwise it is read once"`
}

// Spec configures a set of collectors.
type Spec struct {
	Intake
	Kinds      []Kind // collectors are numbered through the kinds, and allocated lowest number first
	Accept     int    // most operations accepted per cycle from each scheduler
	Room       int    // capacity of an operand port in values, including those on the link
	Lines      int    // operand ports beside the first
	Schedulers int    // schedulers served: Issue ports
	First      int    // number of the first of these schedulers on the SM
	Units      int    // execution units of the SM: Ready ports
	Notice     bool   // send Read notices
	Index      *bank.Index
	Bypass     *BypassSpec // nil: operands come from the banks alone
	// Stages is the number of pipeline stages between collectors and banks. Every operation, also one without reads,
	// stays in its collector at least this many cycles beyond the first.
	Stages int
	// Hints, if not nil, has the functions that give requests their hints, for a block (such as a cache) between the
	// collectors and the banks. Hints.Source is required.
	Hints *bank.Hints
	// Fills: each value that the banks return is also sent to the block between collectors and banks, so that a cache
	// can keep it. The values that this block itself returns come through the last of the Lines ports.
	Fills bool
}

// Check refuses impossible settings of a set of collectors.
func (s *Spec) Check() error {
	if err := s.CheckKinds(); err != nil {
		return err
	}
	switch {
	case s.Accept < 1 || s.Accept > 8:
		return spec.Errorf("accept", s.Accept, "1 to 8 operations per cycle")
	case s.Registers > 0 && s.Hints != nil && !s.Hints.AnyOrder:
		return spec.Errorf("issue_registers", s.Registers,
			"0 with a block before the banks that wants reads in order of issue")
	case s.Room < 1:
		return spec.Errorf("room", s.Room, "at least 1 value")
	case s.Schedulers < 1:
		return spec.Errorf("schedulers", s.Schedulers, "at least 1")
	case s.Stages < 0 || s.Stages > 32:
		return spec.Errorf("operand_stages", s.Stages, "0 to 32 cycles")
	case s.Fills && s.Lines == 0:
		return spec.Errorf("lines", s.Lines, "a line from the block before the banks")
	case s.Units < 1 || s.Units > 64:
		return spec.Errorf("units", s.Units, "1 to 64 execution units")
	}
	return spec.Ranges(&s.Intake)
}

// CheckKinds refuses impossible numbers of collectors.
func (s *Spec) CheckKinds() error {
	n := 0
	for _, k := range s.Kinds {
		if k.Count < 1 {
			return spec.Errorf("collectors", k.Count, "at least 1")
		}
		n += k.Count
	}
	if n < 1 || n > 64 {
		return spec.Errorf("collectors", n, "1 to 64 per sub-core")
	}
	return nil
}

// Collectors returns the number of collectors of all kinds.
func (s *Spec) Collectors() int {
	n := 0
	for _, k := range s.Kinds {
		n += k.Count
	}
	return n
}

// RequestRoom returns the capacity needed at the port behind Request for every collector to send at full rate: the
// messages of two cycles, of as many operations as can be sending at once.
func (s *Spec) RequestRoom() int {
	cycles := (ir.PlainSources + s.Inputs - 1) / s.Inputs // for the requests of one operation
	messages := (s.Inputs + bank.MaxReads - 1) / bank.MaxReads
	return 2 * messages * min(s.Collectors(), s.Accept*s.Schedulers*cycles)
}
