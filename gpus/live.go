package gpus

// AccountSpec is what a GPU counts beyond what costs nothing to count. It changes
// no cycle.
type AccountSpec struct {
	LiveRegisters bool `toml:"live_registers" unit:"-" doc:"the registers that are live before each warp's next instruction are counted (sm.residency.registers_live)"`
}

// apply lets the SMs count.
func (s *AccountSpec) apply(g *gpu) {
	if !s.LiveRegisters {
		return
	}
	for _, x := range g.sms {
		x.CountLive()
	}
}
