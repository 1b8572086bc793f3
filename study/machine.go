package study

import (
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/kernel/host"
	"kumiko/kernel/mem"
)

// Machine is what a study needs of a GPU. *gpus.Machine is one.
type Machine interface {
	gpus.Ran
	host.Runner
	// Memory is the device's global memory.
	Memory() *mem.Memory
	// Play runs every launch of a capture.
	Play(c *gpus.Capture) error
}

// assemble builds the machine of a configuration.
func assemble(c *config.Config, opt gpus.Options) (Machine, error) {
	m, err := gpus.New(c, opt)
	if err != nil {
		return nil, err
	}
	return m, nil
}
