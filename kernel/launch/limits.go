package launch

import (
	"cmp"

	"kumiko/kernel/ptx"
)

// Limits bound the contents of a launch file. A zero field stands for its default.
type Limits struct {
	// Launches of a file, counting repeats. Default 2^20.
	Launches int
	// Bytes of global memory of a program, and of the files for filling and comparing it. Default 4 GiB, the memory
	// of the largest GPU modelled.
	Bytes int
	// Modules is the largest number of PTX files of a launch file. Default 64.
	Modules int
	// PTX are the limits of these files.
	PTX ptx.Limits
}

// The defaults.
const (
	maxLaunches = 1 << 20
	maxBytes    = 1 << 32
	maxModules  = 64
)

// orDefault returns the limits with zeros replaced by the defaults.
func (l Limits) orDefault() Limits {
	l.Launches = cmp.Or(l.Launches, maxLaunches)
	l.Bytes = cmp.Or(l.Bytes, maxBytes)
	l.Modules = cmp.Or(l.Modules, maxModules)
	return l
}
