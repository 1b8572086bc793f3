package gpus

import (
	"kumiko/components/wire"
	"kumiko/gpus/capture"
	"kumiko/gpus/chip"
	"kumiko/gpus/code"
	"kumiko/gpus/config"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
)

// What follows is for tests of this package, which look into a machine.

// Chunk is the number of cycles between two checks for a due checkpoint.
const Chunk = chunk

// Starts returns the cycles in which the SMs start a launch.
var Starts = starts

func interior(m *Machine) *machine { return m.operations.(*machine) }

// Chip returns the hardware of a machine.
func Chip(m *Machine) *chip.Chip { return interior(m).chip }

// Config returns the configuration of a machine.
func Config(m *Machine) *config.Config { return interior(m).cfg }

// Compile returns the kernel of a launch in the machine's form.
func Compile(m *Machine, l *host.Launch) (*ir.Kernel, error) { return interior(m).code.Compile(l) }

// PlayOne simulates one captured launch.
func PlayOne(m *Machine, c *capture.Executed) error { return interior(m).play(c) }

// ForgetCode makes a machine compile its kernels anew.
func ForgetCode(m *Machine) { interior(m).code = code.NewStore(interior(m).cfg) }

// LookEvery sets the number of cycles between two checks for a due checkpoint.
func LookEvery(m *Machine, cycles wire.Cycle) {
	if k := interior(m).keeper; k != nil {
		k.chunk = cycles
	}
}

// SyncTogether simulates launches in streams as if some overlapped.
func SyncTogether(m *Machine) error {
	i := interior(m)
	list := i.queue.list
	i.queue.list = nil
	grids, streams := i.grids(list)
	return i.simulateTogether(list, grids, streams)
}

// MostQueued sets the size of the streams beyond which launches are simulated before the next one.
func MostQueued(m *Machine, bytes int) { interior(m).queue.most = bytes }
