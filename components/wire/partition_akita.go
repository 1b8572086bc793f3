package wire

import "github.com/sarchlab/akita/v3/sim"

// The methods below make a partition a sim.Engine. They concern the whole
// simulation and go to its engine.

// AcceptHook attaches a hook to the engine.
func (p *Partition) AcceptHook(h sim.Hook) { p.engine.AcceptHook(h) }

// NumHooks returns the number of hooks of the engine.
func (p *Partition) NumHooks() int { return p.engine.NumHooks() }

// Hooks returns the hooks of the engine.
func (p *Partition) Hooks() []sim.Hook { return p.engine.Hooks() }

// Run runs the engine.
func (p *Partition) Run() error { return p.engine.Run() }

// Pause pauses the engine.
func (p *Partition) Pause() { p.engine.Pause() }

// Continue lets the engine go on.
func (p *Partition) Continue() { p.engine.Continue() }

// RegisterSimulationEndHandler registers a handler at the engine.
func (p *Partition) RegisterSimulationEndHandler(h sim.SimulationEndHandler) {
	p.engine.RegisterSimulationEndHandler(h)
}

// Finished calls the handlers of the engine.
func (p *Partition) Finished() { p.engine.Finished() }

var (
	_ sim.Engine     = (*Engine)(nil)
	_ sim.Engine     = (*Partition)(nil)
	_ sim.Component  = (*Comp)(nil)
	_ sim.Port       = (*Sink)(nil)
	_ sim.Port       = (*Source)(nil)
	_ sim.Port       = (*Socket[int, int])(nil)
	_ sim.Connection = (*Link)(nil)
	_ sim.Buffer     = (*portBuffer)(nil)
	_ sim.TimeTeller = (*Domain)(nil)
)
