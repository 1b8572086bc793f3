package pool

import (
	"kumiko/gpus"
	"kumiko/gpus/capture"
	"kumiko/gpus/config"
	"kumiko/gpus/measure"
	"kumiko/kernel/host"
	"kumiko/kernel/mem"
)

// Machine is a GPU as a study uses it. *gpus.Machine implements it.
type Machine interface {
	measure.Ran
	host.Runner
	// Memory is the device's global memory.
	Memory() *mem.Memory
	// Sync simulates launches in streams that are executed and not yet simulated.
	Sync() error
	// Play runs every launch of a capture.
	Play(c *capture.Capture) error
}

// assemble builds the machine of a configuration.
func assemble(c *config.Config, opt gpus.Options) (Machine, error) {
	m, err := gpus.New(c, opt)
	if err != nil {
		return nil, err
	}
	return m, nil
}
