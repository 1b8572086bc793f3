package gpus

import "kumiko/regfile"

// Storage is what the register file of one SM says of its blocks; empty when its
// design says nothing. Every SM has the same.
func (m *Machine) Storage() []regfile.State {
	if s, ok := m.sms[0].Regfile.(regfile.Sizer); ok {
		return s.State()
	}
	return nil
}
