package bank

import "kumiko/components/spec"

// RegisterBytes is the size of a warp register.
const RegisterBytes = 128

// Timing is the settings of a bank's times. A register file has them among its own settings, so that its files are
// decoded into them.
type Timing struct {
	ReadLatency  int  `toml:"read_latency" unit:"cycles" default:"1" range:"1 to 64" doc:"from the start of a bank read to its value at the crossbar"`
	WriteLatency int  `toml:"write_latency" unit:"cycles" default:"1" range:"1 to 64" doc:"time of a bank write. It has an effect only in a blocking bank"`
	Blocking     bool `toml:"bank_blocking" unit:"-" doc:"true: an access occupies its port for its whole latency. false: for one cycle (pipelined)"`
}

// Spec configures a bank.
type Spec struct {
	Timing
	Entries int // warp registers
	Ports   Ports
	// Capacity is the number of warp registers in the SRAM, for the account of storage; 0: the number of Entries.
	// Entries are names, one for every register of every warp context; residency may keep fewer of them in use at
	// once.
	Capacity int
	// Slices is the number of narrow banks stepping together for one warp register: 8 for banks of 16 bytes, 1 for
	// banks of 128. Slices without an active lane stay off.
	Slices int
	// SideFrom, if not 0, gives the bank a second output, Side, for the values of requesters numbered SideFrom and
	// above.
	// On Side these requesters are numbered from 0: To - SideFrom.
	SideFrom int
	// Room is the capacity of In, in accesses; 0: those of two cycles, as a continuous stream needs.
	Room int
	// Causes has one bit per Cause to appear in the statistics; 0 means operands and results.
	Causes uint8
	// Prefix begins the names of the statistics; empty: "regfile.bank". Of names the banks in their descriptions;
	// empty: "banks".
	Prefix, Of string
}

// Check refuses impossible settings of a bank.
func (s *Spec) Check() error {
	switch {
	case s.Entries < 1 || s.Entries > 1<<24:
		return spec.Errorf("entries", s.Entries, "1 to %d warp registers", 1<<24)
	case s.Capacity < 0 || s.Capacity > s.Entries:
		return spec.Errorf("capacity", s.Capacity, "0 to %d warp registers", s.Entries)
	case s.Ports >= numPorts:
		return spec.Errorf("bank_ports", int(s.Ports), "a set of ports")
	case s.Room < 0:
		return spec.Errorf("room", s.Room, "no negative number of accesses")
	case s.Slices < 1 || s.Slices > 8 || 8%s.Slices != 0:
		return spec.Errorf("slices", s.Slices, "1, 2, 4 or 8")
	case s.SideFrom < 0 || s.SideFrom > 255:
		return spec.Errorf("side_from", s.SideFrom, "0 (one output) to 255 requesters")
	}
	return spec.Ranges(&s.Timing)
}

// Bits is the storage of a bank in bits.
func (s *Spec) Bits() int {
	n := s.Capacity
	if n == 0 {
		n = s.Entries
	}
	return n * 8 * RegisterBytes
}
