package gpus

import "kumiko/regfile"

// Sized is a machine that can say how much state the register file of one SM
// adds up to.
type Sized interface {
	Storage() []regfile.State
}

// Storage is what the register file of one SM says of its blocks; empty when its
// design says nothing. Every SM has the same.
func (m *machine) Storage() []regfile.State {
	if s, ok := m.sms[0].Regfile.(regfile.Sizer); ok {
		return s.State()
	}
	return nil
}
