package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
)

// launch is a measured launch of a built-in program.
type launch struct {
	program string
	size    benchmarks.Size
	number  int // of the program's launches
	kernel  string
	cycles  float64
	work    Work
}

// name returns the row's name.
func (l *launch) name() string {
	return fmt.Sprintf("%s.%s %s %d", l.program, l.size, l.kernel, l.number)
}

// readLaunches returns the measured launches, and the cycles of an empty kernel of one warp.
func readLaunches(dir fs.FS) (list []launch, empty float64, err error) {
	t, err := read(dir, LaunchesFile)
	if err != nil {
		return nil, 0, err
	}
	for i, f := range t.rows {
		l := launch{kernel: f[2]}
		if l.number, err = t.count(i, 1); err != nil {
			return nil, 0, err
		}
		if l.cycles, err = t.number(i, 3); err != nil {
			return nil, 0, err
		}
		if l.work.Instructions, err = t.number(i, 4); err != nil {
			return nil, 0, err
		}
		if l.work.Registers, err = t.count(i, 5); err != nil {
			return nil, 0, err
		}
		if strings.HasPrefix(f[0], "empty.") {
			if f[0] == "empty.1x32" {
				empty = l.cycles
			}
			continue
		}
		dot := strings.LastIndexByte(f[0], '.')
		l.size, err = benchmarks.ParseSize(f[0][dot+1:])
		if err != nil || dot < 0 || benchmarks.Find(f[0][:dot]) == nil {
			return nil, 0, t.bad(i, 0, "a built-in program, a point and a size")
		}
		l.program = f[0][:dot]
		list = append(list, l)
	}
	if empty == 0 {
		return nil, 0, fmt.Errorf("%s: found no row empty.1x32, expected that of an empty kernel", t.file)
	}
	return list, empty, nil
}

// chooser simulates some launches of a program and only executes the others.
type chooser struct {
	wanted   []launch
	machine  *gpus.Machine
	emulator *emu.Runner
	next     int
	out      []Outcome
}

// errEnough ends a program after its last wanted launch.
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
	c.out = append(c.out, Outcome{Class: "launches", Name: c.wanted[i].name(), Measured: c.wanted[i].cycles,
		Simulated: float64(k.Cycles), Unit: "cycles", There: c.wanted[i].work,
		Here: Work{float64(k.WarpInstructions), k.RegistersPerThread}})
	return nil
}

// simulateProgram simulates the wanted launches of one program.
func simulateProgram(wanted []launch, cfg *config.Config) ([]Outcome, error) {
	m, err := gpus.New(cfg, gpus.Options{})
	if err != nil {
		return nil, err
	}
	p, err := benchmarks.Find(wanted[0].program).New(wanted[0].size)
	if err != nil {
		return nil, err
	}
	c := &chooser{wanted: wanted, machine: m, emulator: &emu.Runner{Mem: m.Memory()}}
	if err = p.Run(&host.Device{Mem: m.Memory(), Runner: c}); err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	if len(c.out) != len(wanted) {
		return nil, fmt.Errorf("%d of %d measured launches were found in the program", len(c.out), len(wanted))
	}
	return c.out, nil
}

// Launches simulates measured launches on a GPU with settings. only selects their programs by names such as bfs.small.
// Launches calls done after each program. Every launch begins with cold caches, as under Nsight Compute. The launch
// latency is set so that an empty kernel takes as long as on the chip.
func Launches(dir fs.FS, gpu string, set []string, only func(program string) bool,
	done func([]Outcome)) ([]Outcome, error) {
	all, empty, err := readLaunches(dir)
	if err != nil {
		return nil, err
	}
	simulated, err := simulateEmpty(gpu, 1, 32)
	if err != nil {
		return nil, err
	}
	cfg, err := config.Load(config.Request{GPU: gpu, Set: append([]string{"cache.flush_between_launches=true",
		fmt.Sprintf("gpu.launch_cycles=%d", max(int(empty)-simulated, 0))}, set...)})
	if err != nil {
		return nil, err
	}
	var groups [][]launch
	for len(all) > 0 {
		n := slices.IndexFunc(
			all,
			func(l launch) bool { return l.program != all[0].program || l.size != all[0].size },
		)
		if n < 0 {
			n = len(all)
		}
		if only(folderOf(all[0].program, all[0].size)) {
			groups = append(groups, all[:n])
		}
		all = all[n:]
	}
	lists := make([][]Outcome, len(groups))
	var (
		g    errgroup.Group
		lock sync.Mutex
	)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, wanted := range groups {
		g.Go(func() error {
			list, err := simulateProgram(wanted, cfg)
			if err != nil {
				return fmt.Errorf("%s: %w", wanted[0].name(), err)
			}
			lists[i] = list
			lock.Lock()
			defer lock.Unlock()
			done(list)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return slices.Concat(lists...), nil
}

// Empty simulates the empty kernels measured on a chip, which show the rate of CTA dispatch. The smallest one is
// left out: its cycles are an input, taken from the chip.
func Empty(dir fs.FS, gpu string) ([]Outcome, error) {
	t, err := read(dir, LaunchesFile)
	if err != nil {
		return nil, err
	}
	_, empty, err := readLaunches(dir)
	if err != nil {
		return nil, err
	}
	least, err := simulateEmpty(gpu, 1, 32)
	if err != nil {
		return nil, err
	}
	var out []Outcome
	for i, f := range t.rows {
		var ctas, threads int
		if n, _ := fmt.Sscanf(f[0], "empty.%dx%d", &ctas, &threads); n != 2 || ctas*threads == 32 {
			continue
		}
		o := Outcome{Class: "empty", Name: f[0], Unit: "cycles"}
		if o.Measured, err = t.number(i, 3); err != nil {
			return nil, err
		}
		n, err := simulateEmpty(gpu, ctas, threads)
		if err != nil {
			return nil, err
		}
		o.Simulated = empty + float64(n-least)
		out = append(out, o)
	}
	return out, nil
}

// simulateEmpty returns the cycles of an empty kernel.
func simulateEmpty(gpu string, ctas, threads int) (int, error) {
	m, module, err := assemble(gpu, "empty.ptx",
		".version 6.3\n.target sm_52\n.address_size 64\n.visible .entry empty()\n{\n\tret;\n}\n")
	if err != nil {
		return 0, err
	}
	err = m.Launch(&host.Launch{Module: module, Kernel: "empty", Grid: [3]int{ctas, 1, 1},
		Block: [3]int{threads, 1, 1}})
	if err != nil {
		return 0, err
	}
	return int(m.Results()[0].Cycles), nil
}
