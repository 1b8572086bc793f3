package gpus

import (
	"fmt"

	"kumiko/components/wire"
)

// Inside is a machine whose simulation can be watched by Akita's tools.
type Inside interface {
	// Engine runs the machine.
	Engine() *wire.Engine
	// Domain is the clock domain of an SM, with all its blocks.
	Domain(sm int) (*wire.Domain, error)
}

// Engine implements Inside.
func (m *machine) Engine() *wire.Engine { return m.engine }

// Domain implements Inside.
func (m *machine) Domain(sm int) (*wire.Domain, error) {
	if sm < 0 || sm >= len(m.sms) {
		return nil, fmt.Errorf("no SM %d; expected 0 to %d", sm, len(m.sms)-1)
	}
	return m.sms[sm].Residency.Domain(), nil
}
