// Command vendor runs the built-in programs by machine code of NVIDIA's assembler, made of the same PTX, beside the
// code of Kumiko's own compiler. For each kernel it prints registers, bytes of spilled ones, instructions and executed
// warp instructions of both, and for each program whether both leave the same memory, at size test or -size.
// Architectures other than those of the packed code (package kernel/cubin/packed) need ptxas and nvdisasm.
//
//	go run ./lab/vendor [-arch 75] [-size small] [-markdown] [NAME ...]
//
// With -timed it prints the cycles of each kernel on gtx980 instead, and how long operands wait for register banks.
//
//	go run ./lab/vendor -timed -arch 52 [-size small]
//
// With -classes it prints the instructions of both codes by timing class instead, summed over the kernels.
//
//	go run ./lab/vendor -classes -arch 52
//
// With -distances it prints what the control words of the code say of latencies instead: the least number of issue
// cycles from a result of fixed latency to its readers, by the timing classes of both.
//
//	go run ./lab/vendor -distances -arch 90
//
// With -picture it draws two listings beside each other, an SVG:
//
//	kumiko inspect vecadd --listing --format json > own.json
//	kumiko inspect vecadd --listing --format json --code sm_52 > vendor.json
//	go run ./lab/vendor -picture own.json vendor.json > docs/figures/machine-code.svg
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
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

// size is that of the programs that are run.
var size = benchmarks.Test

func main() {
	arch := flag.Int("arch", 75, "architecture: 75 for sm_75")
	markdown := flag.Bool("markdown", false, "print the table as Markdown")
	words := flag.Bool("distances", false, "print the least distances from results to their readers in control words")
	inTime := flag.Bool("timed", false, "print cycles and waits for register banks on "+timedGPU)
	kinds := flag.Bool("classes", false, "print the instructions of both codes by timing class")
	flag.Func("size", "run programs at this size (default test)", func(name string) (err error) {
		size, err = benchmarks.ParseSize(name)
		return err
	})
	draw := flag.Bool("picture", false, "draw the kernels of two listings (kumiko inspect --listing --format json)")
	flag.Parse()
	if *draw {
		fail(drawn(os.Stdout, flag.Args()))
		return
	}
	table := compared
	switch {
	case *words:
		table = surveyed
	case *kinds:
		table = classes
	case *inTime:
		table = timed
	}
	rows, err := table(*arch, flag.Args())
	if err == nil {
		err = write(os.Stdout, *markdown, rows)
	}
	fail(err)
}

// fail ends the program if there is an error.
func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "vendor:", err)
		os.Exit(1)
	}
}

func drawn(w io.Writer, files []string) error {
	svg, err := picture(files)
	if err == nil {
		_, err = io.WriteString(w, svg)
	}
	return err
}

// compared returns the table of the named programs, or of all.
func compared(arch int, names []string) ([][]string, error) {
	code, err := cubin.New(arch)
	if err != nil {
		return nil, err
	}
	rows := [][]string{{"program", "kernel", "registers, own", fmt.Sprintf("sm_%d", arch), "spilled, own",
		"spilled", "instructions, own", "instructions", "executed, own", "executed", "bytes that differ"}}
	for _, app := range named(names) {
		of, err := compare(app, code)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", app.Name, err)
		}
		rows = append(rows, of...)
	}
	return rows, nil
}

// named returns the programs of some names, or all.
func named(names []string) (out []*benchmarks.App) {
	for _, app := range benchmarks.List() {
		if len(names) == 0 || slices.Contains(names, app.Name) {
			out = append(out, app)
		}
	}
	return out
}

// write writes a table whose first row has the heads of its columns.
func write(w io.Writer, markdown bool, rows [][]string) error {
	if markdown {
		for _, r := range slices.Insert(rows, 1, slices.Repeat([]string{"---"}, len(rows[0]))) {
			fmt.Fprintf(w, "| %s |\n", strings.Join(r, " | "))
		}
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintln(t, strings.Join(r, "\t"))
	}
	return t.Flush()
}

// sides are both forms of a kernel, with the warp instructions that they execute.
type sides struct {
	own, vendor           *ir.Kernel
	ownInsts, vendorInsts uint64
}

// compare runs a program by both codes and returns its rows.
func compare(app *benchmarks.App, code *cubin.Assembler) ([][]string, error) {
	order, kernels, differ, err := run(app, code)
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for _, name := range order {
		s := kernels[name]
		row := []string{app.Name, name}
		for _, n := range []int{s.own.NumRegs, s.vendor.NumRegs, s.own.SpillBytes, s.vendor.SpillBytes,
			len(s.own.Insts), len(s.vendor.Insts), int(s.ownInsts), int(s.vendorInsts), differ} {
			row = append(row, fmt.Sprint(n))
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// run runs a program by both codes. It returns the names of its kernels in the order of their first launches, the
// kernels, and the number of bytes in which the two memories differ.
func run(app *benchmarks.App, code *cubin.Assembler) (order []string, kernels map[string]*sides, differ int,
	err error) {
	kernels = map[string]*sides{}
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
	}, func(l *host.Launch, n emu.Stats) { side(l).ownInsts += n.WarpInsts })
	if err != nil {
		return nil, nil, 0, err
	}
	vendor, err := memoryOf(app, func(l *host.Launch) (k *ir.Kernel, err error) {
		s := side(l)
		s.vendor, err = code.Kernel(l)
		return s.vendor, err
	}, func(l *host.Launch, n emu.Stats) { side(l).vendorInsts += n.WarpInsts })
	if err != nil {
		return nil, nil, 0, err
	}
	return order, kernels, different(own, vendor), nil
}

// memoryOf runs a program by the kernels that compile makes, and returns what it leaves. done gets the
// statistics of each launch.
func memoryOf(app *benchmarks.App, compile func(*host.Launch) (*ir.Kernel, error),
	done func(*host.Launch, emu.Stats)) ([]mem.Region, error) {
	p, err := app.New(size)
	if err != nil {
		return nil, err
	}
	m := &mem.Memory{}
	r := &emu.Runner{Mem: m, Out: io.Discard, Compile: compile, Done: done}
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
