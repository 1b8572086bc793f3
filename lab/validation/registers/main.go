// Command registers prints the table "Registers" of lab/docs/validation/peers.md: the compiler's register counts of
// each built-in kernel with a published count. Run it from the repository's root:
//
//	go run ./lab/validation/registers
package main

import (
	"errors"
	"fmt"
	"os"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
	"kumiko/kernel/compiler"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// original has the most registers live at once in kernels of the published sources compiled with clang 19 (-O2,
// sm_52): all registers, and without registers holding parameters, launch constants and immediates.
var original = map[string]string{
	"backprop/adjust_weights": "21 / 17", "backprop/layerforward": "18 / 15", "b+tree/findRangeK": "44 / 28",
	"hotspot/hotspot":                    "46 / 43",
	"libor/Pathcalc_Portfolio_KernelGPU": "100 / 93", "mum/mummergpuKernel": "27 / 23", "mri-q/ComputeQ": "17 / 16",
	"mri-q/ComputePhiMag": "8 / 5",
	"sgemm/sgemm":         "49 / 37", "stencil/block2D_hybrid_coarsen_x": "49 / 43", "bfs/visit": "22 / 13",
	"gaussian/Fan1": "12 / 7",
	"lavaMD/lavamd": "58 / 52", "lud/lud_perimeter": "37 / 25", "nn/executeSecondLayer": "19 / 13",
	"sto/sha1_overlap": "120 / 117",
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	fmt.Println("| application | kernel | paper | used | rounded to 4 | live | spilled at the paper's | live in the " +
		"published kernel |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, app := range benchmarks.List() {
		m, err := module(app)
		if err != nil {
			return fmt.Errorf("%s: %w", app.Name, err)
		}
		for i := range app.Kernels {
			if k := &app.Kernels[i]; k.PaperRegisters > 0 {
				if err := row(app, k, m.Kernel(k.Name)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func row(app *benchmarks.App, info *benchmarks.KernelInfo, k *ir.Kernel) error {
	_, free, err := compiler.CompileReport(k, compiler.Options{})
	if err != nil {
		return err
	}
	tight, err2 := spilledAt(k, info.PaperRegisters)
	if err2 != nil {
		return err2
	}
	live := original[app.Name+"/"+info.Name]
	if live == "" {
		live = "-"
	}
	fmt.Printf("| %s | %s | %d | %d | %d | %d | %s | %s |\n", app.Name, info.Name, info.PaperRegisters, free.Used,
		free.Alloc4, free.MaxLive, tight, live)
	return nil
}

// spilledAt returns the local memory used for spills with a limited number of registers.
func spilledAt(k *ir.Kernel, registers int) (string, error) {
	_, r, err := compiler.CompileReport(k, compiler.Options{Registers: registers})
	if err != nil {
		return err.Error(), nil // fewer than any program can be compiled to
	}
	return fmt.Sprintf("%d B", r.Spilled), nil
}

// module returns the module of an application's first launch.
func module(app *benchmarks.App) (*ir.Module, error) {
	p, err := app.New(benchmarks.Test)
	if err != nil {
		return nil, err
	}
	var first seen
	if err := p.Run(&host.Device{Mem: &mem.Memory{}, Runner: &first}); !errors.Is(err, errSeen) {
		return nil, fmt.Errorf("no kernel was launched: %v", err)
	}
	return first.m, nil
}

type seen struct{ m *ir.Module }

var errSeen = errors.New("module seen")

func (s *seen) Launch(l *host.Launch) error {
	s.m = l.Module
	return errSeen
}
