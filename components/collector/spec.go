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

// Spec configures a set of collectors.
type Spec struct {
	Kinds      []Kind // collectors are numbered through the kinds, and allocated lowest number first
	Inputs     int    // most reads requested by a collector per cycle
	Accept     int    // most operations accepted per cycle from each scheduler
	Room       int    // capacity of an operand port in values, including those on the link
	Lines      int    // operand ports beside the first
	Schedulers int    // schedulers served: Issue ports
	First      int    // number of the first of these schedulers on the SM
	Units      int    // execution units of the SM: Ready ports
	// Registers is the number of operations of each execution unit and scheduler that may wait for a collector.
	// Schedulers are notified when one has its collector, and issue no more than there is space for. 0: issued
	// operations wait in order.
	Registers int
	// ReadTwice: if an instruction names a register twice, it is read twice; otherwise one access serves both.
	ReadTwice bool
	Notice    bool // send Read notices
	Index     *bank.Index
	Bypass    *BypassSpec // nil: operands come from the banks alone
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
	case s.Inputs < 1 || s.Inputs > 8:
		return spec.Errorf("inputs", s.Inputs, "1 to 8 requests per cycle")
	case s.Accept < 1 || s.Accept > 8:
		return spec.Errorf("accept", s.Accept, "1 to 8 operations per cycle")
	case s.Registers < 0 || s.Registers > 8:
		return spec.Errorf("issue_registers", s.Registers, "0 (one queue) to 8 operations of each execution unit")
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
	return nil
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
