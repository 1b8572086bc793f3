package programs

import (
	"fmt"
	"strconv"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

// Names of footprints.
const (
	naturalRegisters = "natural"
	paperRegisters   = "paper"
)

// footprinted is a program whose launches get other footprints than requested.
type footprinted struct {
	Program
	wrap func(host.Runner) host.Runner
}

// Run implements host.Program.
func (f *footprinted) Run(d *host.Device) error {
	return f.Program.Run(&host.Device{Mem: d.Mem, Runner: f.wrap(d.Runner)})
}

// fixed sets one footprint for every launch; 0: as many registers as the allocator needs.
type fixed struct {
	host.Runner
	registers int
}

// Launch implements host.Runner.
func (f *fixed) Launch(l *host.Launch) error {
	own := *l
	own.Registers = f.registers
	return f.Runner.Launch(&own)
}

// footprint applies --registers to a program. app is nil unless the program is a built-in benchmark.
func footprint(p Program, app *benchmarks.App, registers string) (Program, error) {
	switch registers {
	case "":
		return p, nil
	case paperRegisters:
		if app == nil {
			return nil, fmt.Errorf("--registers paper: expected together with a built-in benchmark")
		}
		if !app.Printed() {
			return nil, fmt.Errorf("--registers paper: no paper prints a footprint for %s", app.Name)
		}
		return &footprinted{p, app.PaperRegisters}, nil
	case naturalRegisters:
		return &footprinted{p, func(r host.Runner) host.Runner { return &fixed{r, 0} }}, nil
	}
	n, err := strconv.Atoi(registers)
	if err != nil || n < 4 || n > 255 {
		return nil, fmt.Errorf("--registers %q: expected natural, paper or a number from 4 to 255", registers)
	}
	return &footprinted{p, func(r host.Runner) host.Runner { return &fixed{r, n} }}, nil
}
