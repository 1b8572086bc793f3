package config

// AccountSpec is what a GPU counts beyond what costs nothing to count. It changes
// no cycle.
type AccountSpec struct {
	LiveRegisters bool `toml:"live_registers" unit:"-" doc:"the registers that are live before the next instruction of each warp, and of each lane, are counted (sm.residency.registers_live, sm.residency.lane_registers_live)"`
	Reuse         bool `toml:"reuse" unit:"-" doc:"how often, and after how many cycles, registers and lines of the L1 are read again is counted, and how many lines there are (sm.reuse, mem.l1.reuse, mem.l1.lines)"`
	Windows       bool `toml:"windows" unit:"-" doc:"how many of the allocated registers the instructions of a window name is counted, in windows of 1000 instructions of a warp, a CTA and an SM (sm.windows)"`
}
