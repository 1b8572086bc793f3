package gpus

import "kumiko/regfile"

// Storage returns the storage of the blocks of one SM's register file, as far as its design says
// it, and of the block that switches CTAs. Every SM has the same.
func (m *Machine) Storage() (all []regfile.State) {
	if s, ok := m.sms[0].Regfile.(regfile.Sizer); ok {
		all = s.State()
	}
	return append(all, m.sms[0].SwitchState()...)
}
