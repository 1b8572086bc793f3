package app

import (
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/gpus"
	"kumiko/gpus/chip"
	"kumiko/gpus/config"
	"kumiko/gpus/measure"
	"kumiko/gpus/result"
	"kumiko/sm/reason"
	"kumiko/study/pool"
)

// Machine is the part of a GPU used by the commands. *gpus.Machine implements it.
type Machine interface {
	pool.Machine
	// Replay runs recorded streams to their end.
	Replay(r *gpus.Replay) error
	// Codes lists the kernels that run as machine code of another assembler.
	Codes() []result.Code
	// Fills returns how well each launch fills the machine.
	Fills() []measure.Fill
	// Stats lists the machine's statistics by name, Distributions the counted distributions, Reasons the reasons of
	// issue slots.
	Stats() []stats.Stat
	Distributions() []*stats.Distribution
	Reasons() []reason.Info
	// Structure lists the blocks of the chip and of one SM.
	Structure(sm int) (chip.Structure, error)
	// Engine returns the simulation engine. Domain returns the clock domain of an SM.
	Engine() *wire.Engine
	Domain(sm int) (*wire.Domain, error)
}

// Assemble builds the machine of a configuration.
func Assemble(c *config.Config, opt gpus.Options) (Machine, error) {
	m, err := gpus.New(c, opt)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// ForStudies builds a machine for a study, with a.New.
func (a *App) ForStudies(c *config.Config, opt gpus.Options) (pool.Machine, error) {
	return a.New(c, opt)
}
