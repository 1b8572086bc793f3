package gpus

import (
	"fmt"

	"kumiko/components/wire"
)

// Engine is what runs the machine.
func (m *Machine) Engine() *wire.Engine { return m.engine }

// Domain is the clock domain of an SM, with all its blocks.
func (m *Machine) Domain(sm int) (*wire.Domain, error) {
	if sm < 0 || sm >= len(m.sms) {
		return nil, fmt.Errorf("no SM %d; expected 0 to %d", sm, len(m.sms)-1)
	}
	return m.sms[sm].Residency.Domain(), nil
}
