package main

import (
	"fmt"
	"io"
	"math"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/result"
	"kumiko/kernel/host"
)

// timedGPU is a GPU with scoreboards, which runs code of any architecture, with collectors and banks of which two
// operands of an instruction may need the same.
const timedGPU = "gtx980"

// costs are what a kernel takes of the machine, over all of its launches.
type costs struct{ cycles, reads, waits float64 }

// conflicts returns the cycles for which a hundred operands wait for their banks.
func (c costs) conflicts() float64 { return 100 * c.waits / max(c.reads, 1) }

// timed returns the table of the named programs, or of all, in time: cycles, and waits for register banks.
func timed(arch int, names []string) ([][]string, error) {
	rows := [][]string{{"program", "kernel", "cycles, own", fmt.Sprintf("sm_%d", arch), "ratio",
		"bank waits per 100 operands, own", fmt.Sprintf("sm_%d", arch)}}
	ratios, n := 0.0, 0.0
	var own, vendor costs
	for _, app := range named(names) {
		order, a, err := timesOf(app, "own")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", app.Name, err)
		}
		_, b, err := timesOf(app, fmt.Sprintf("sm_%d", arch))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", app.Name, err)
		}
		for _, name := range order {
			x, y := a[name], b[name]
			rows = append(rows, []string{app.Name, name, fmt.Sprint(x.cycles), fmt.Sprint(y.cycles),
				fmt.Sprintf("%.2f", y.cycles/x.cycles), fmt.Sprintf("%.1f", x.conflicts()),
				fmt.Sprintf("%.1f", y.conflicts())})
			ratios, n = ratios+math.Log(y.cycles/x.cycles), n+1
			own.reads, own.waits = own.reads+x.reads, own.waits+x.waits
			vendor.reads, vendor.waits = vendor.reads+y.reads, vendor.waits+y.waits
		}
	}
	return append(rows, []string{"all", "", "", "", fmt.Sprintf("%.2f", math.Exp(ratios/n)),
		fmt.Sprintf("%.1f", own.conflicts()), fmt.Sprintf("%.1f", vendor.conflicts())}), nil
}

// timesOf simulates a program by some code. It returns the names of its kernels, in the order of their
// first launches, and what each takes.
func timesOf(app *benchmarks.App, code string) (order []string, of map[string]costs, err error) {
	cfg, err := config.Load(config.Request{GPU: timedGPU, Set: []string{"compiler.code=" + code}})
	if err != nil {
		return nil, nil, err
	}
	m, err := gpus.New(cfg, gpus.Options{Printf: io.Discard})
	if err != nil {
		return nil, nil, err
	}
	p, err := app.New(size)
	if err != nil {
		return nil, nil, err
	}
	if err := p.Run(&host.Device{Mem: m.Memory(), Runner: m}); err != nil {
		return nil, nil, err
	}
	order, of = sum(m.Results())
	return order, of, nil
}

// sum adds the launches of each kernel.
func sum(launches []result.Kernel) (order []string, of map[string]costs) {
	of = map[string]costs{}
	for i := range launches {
		k := &launches[i]
		c, seen := of[k.Name]
		if !seen {
			order = append(order, k.Name)
		}
		c.cycles += float64(k.Cycles)
		c.reads += float64(k.Stats["regfile.bank.reads.operand"])
		c.waits += float64(k.Stats["regfile.arbiter.read_conflicts"])
		of[k.Name] = c
	}
	return order, of
}
