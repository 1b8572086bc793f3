// Command vendor runs the built-in programs by machine code of NVIDIA's assembler, made of the same PTX, beside the
// code of Kumiko's own compiler. For each kernel it prints registers and instructions of both, and for each program
// whether both leave the same memory at size test. It needs ptxas and nvdisasm (package kernel/cubin/tools).
//
//	go run ./lab/vendor [-arch 75] [NAME ...]
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
	"kumiko/kernel/compiler"
	"kumiko/kernel/cubin"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

func main() {
	arch := flag.Int("arch", 75, "architecture: 75 for sm_75")
	flag.Parse()
	if err := run(os.Stdout, *arch, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "vendor:", err)
		os.Exit(1)
	}
}

// run writes the table of the named programs, or of all.
func run(w io.Writer, arch int, names []string) error {
	code, err := cubin.New(arch)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "program\tkernel\tregisters, own\tsm_%d\tinstructions, own\tsm_%d\tbytes that differ\n", arch, arch)
	for _, app := range benchmarks.List() {
		if len(names) > 0 && !slices.Contains(names, app.Name) {
			continue
		}
		if err := compare(t, app, code); err != nil {
			return fmt.Errorf("%s: %w", app.Name, err)
		}
	}
	return t.Flush()
}

// sides are both forms of a kernel.
type sides struct{ own, vendor *ir.Kernel }

// compare runs a program by both codes and writes its rows.
func compare(w io.Writer, app *benchmarks.App, code *cubin.Assembler) error {
	kernels, order := map[string]*sides{}, []string{}
	side := func(l *host.Launch) *sides {
		if kernels[l.Kernel] == nil {
			kernels[l.Kernel] = &sides{}
			order = append(order, l.Kernel)
		}
		return kernels[l.Kernel]
	}
	own, err := memoryOf(app, func(l *host.Launch) (k *ir.Kernel, err error) {
		s := side(l)
		if s.own == nil {
			s.own, err = compiler.Compile(l.Module.Kernel(l.Kernel), compiler.Options{})
		}
		return s.own, err
	})
	if err != nil {
		return err
	}
	vendor, err := memoryOf(app, func(l *host.Launch) (k *ir.Kernel, err error) {
		s := side(l)
		s.vendor, err = code.Kernel(l)
		return s.vendor, err
	})
	if err != nil {
		return err
	}
	differ := different(own, vendor)
	for _, name := range order {
		s := kernels[name]
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\n", app.Name, name, s.own.NumRegs, s.vendor.NumRegs,
			len(s.own.Insts), len(s.vendor.Insts), differ)
	}
	return nil
}

// memoryOf runs a program at size test by the kernels that compile makes, and returns what it leaves.
func memoryOf(app *benchmarks.App, compile func(*host.Launch) (*ir.Kernel, error)) ([]mem.Region, error) {
	p, err := app.New(benchmarks.Test)
	if err != nil {
		return nil, err
	}
	m := &mem.Memory{}
	r := &emu.Runner{Mem: m, Out: io.Discard, Compile: compile}
	err = p.Run(&host.Device{Mem: m, Runner: r})
	return m.Regions(), err
}

// different counts the bytes in which two memories differ.
func different(a, b []mem.Region) (n int) {
	for i := range a {
		if i >= len(b) || len(a[i].Data) != len(b[i].Data) {
			return max(n, 1)
		}
		if bytes.Equal(a[i].Data, b[i].Data) {
			continue
		}
		for j := range a[i].Data {
			if a[i].Data[j] != b[i].Data[j] {
				n++
			}
		}
	}
	return n
}
