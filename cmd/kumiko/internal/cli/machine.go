package cli

import (
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/sm/reason"
	"kumiko/study"
)

// Machine is what the commands need of a GPU. *gpus.Machine is one.
type Machine interface {
	study.Machine
	// Replay runs recorded streams to their end.
	Replay(r *gpus.Replay) error
	// Fills lists how well each launch fills the machine.
	Fills() []gpus.Fill
	// Stats lists the machine's statistics by name, Distributions the quantities whose
	// distribution it counts, Reasons the reasons of issue slots.
	Stats() []stats.Stat
	Distributions() []*stats.Distribution
	Reasons() []reason.Info
	// Structure lists the chip's blocks and those of one SM.
	Structure(sm int) (gpus.Structure, error)
	// Engine runs the machine; Domain is the clock domain of an SM.
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

// forStudies builds machines for a study as a does.
func (a *App) forStudies(c *config.Config, opt gpus.Options) (study.Machine, error) {
	return a.New(c, opt)
}
