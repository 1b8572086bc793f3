package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/mem"
)

// launch is a measured launch of a built-in program.
type launch struct {
	program string
	size    benchmarks.Size
	number  int // of the program's launches
	kernel  string
	cycles  float64
}

// simulated is a launch as it was simulated.
type simulated struct {
	launch
	cycles       int64
	instructions int64
	registers    int
}

// readLaunches reads lines of program.size,launch,kernel,cycles.
func readLaunches(file string, r io.Reader) ([]launch, error) {
	c := csv.NewReader(r)
	var out []launch
	for {
		f, err := c.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		line, _ := c.FieldPos(0)
		i := strings.LastIndexByte(f[0], '.')
		size, err := benchmarks.ParseSize(f[0][i+1:])
		if err != nil {
			continue
		}
		l := launch{program: f[0][:i], size: size, kernel: f[2]}
		if l.number, err = strconv.Atoi(f[1]); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, line, err)
		}
		if l.cycles, err = strconv.ParseFloat(f[3], 64); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, line, err)
		}
		out = append(out, l)
	}
}

// chooser simulates some launches of a program and executes the others.
type chooser struct {
	wanted   []launch
	machine  *gpus.Machine
	emulator *emu.Runner
	next     int
	out      []simulated
}

// errEnough ends a program behind its last wanted launch.
var errEnough = errors.New("no launch is wanted any more")

// Launch implements host.Runner.
func (c *chooser) Launch(l *host.Launch) error {
	number := c.next
	c.next++
	if number > c.wanted[len(c.wanted)-1].number {
		return errEnough
	}
	i := slices.IndexFunc(c.wanted, func(w launch) bool { return w.number == number })
	if i < 0 {
		return c.emulator.Launch(l)
	}
	if c.wanted[i].kernel != l.Kernel {
		return fmt.Errorf("launch %d: found kernel %s, expected %s", number, l.Kernel, c.wanted[i].kernel)
	}
	if err := c.machine.Launch(l); err != nil {
		return err
	}
	list := c.machine.Results()
	k := &list[len(list)-1]
	c.out = append(c.out, simulated{launch: c.wanted[i], cycles: int64(k.Cycles), instructions: int64(k.WarpInstructions),
		registers: k.RegistersPerThread})
	return nil
}

// simulateProgram simulates the wanted launches of one program.
func simulateProgram(wanted []launch, gpu string, set []string) ([]simulated, error) {
	cfg, err := config.Load(config.Request{GPU: gpu, Set: set})
	if err != nil {
		return nil, err
	}
	m, err := gpus.New(cfg, gpus.Options{})
	if err != nil {
		return nil, err
	}
	app := benchmarks.Find(wanted[0].program)
	if app == nil {
		return nil, fmt.Errorf("found program %q, expected a built-in one", wanted[0].program)
	}
	p, err := app.New(wanted[0].size)
	if err != nil {
		return nil, err
	}
	var memory *mem.Memory = m.Memory()
	c := &chooser{wanted: wanted, machine: m, emulator: &emu.Runner{Mem: memory}}
	err = p.Run(&host.Device{Mem: memory, Runner: c})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	return c.out, nil
}

// Launches simulates measured launches, and writes each beside its measurement.
func Launches(file, gpu string, set []string, only string, w io.Writer) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	all, err := readLaunches(file, f)
	if err != nil {
		return err
	}
	for len(all) > 0 {
		n := slices.IndexFunc(all, func(l launch) bool { return l.program != all[0].program || l.size != all[0].size })
		if n < 0 {
			n = len(all)
		}
		group := all[:n]
		all = all[n:]
		if only != "" && !strings.Contains(group[0].program+"."+group[0].size.String(), only) {
			continue
		}
		done, err := simulateProgram(group, gpu, set)
		if err != nil {
			fmt.Fprintf(w, "%s.%s,%v\n", group[0].program, group[0].size, err)
			continue
		}
		for _, s := range done {
			fmt.Fprintf(w, "%s.%s,%d,%s,%g,%d,%d,%d\n", s.program, s.size, s.number, s.kernel, s.launch.cycles, s.cycles,
				s.instructions, s.registers)
		}
	}
	return nil
}
