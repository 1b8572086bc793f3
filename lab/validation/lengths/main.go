// Command lengths prints the table of register-interval lengths of lab/docs/validation/peers.md: dynamic instructions
// per interval of every built-in application at size test, with the actual and with the longest possible intervals
// (LTRF, table 4). Run it from the repository's root:
//
//	go run ./lab/validation/lengths
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
	"kumiko/kernel/compiler"
	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

func main() {
	limit := flag.Int("registers", 16, "registers per interval")
	flag.Parse()
	if err := run(*limit); err != nil {
		fmt.Fprintln(os.Stderr, "lengths:", err)
		os.Exit(1)
	}
}

func run(limit int) error {
	fmt.Println("| application | real | best | real / best |")
	fmt.Println("|---|---|---|---|")
	var real, best float64
	n := 0
	for _, app := range benchmarks.List() {
		l, err := measure(app, limit)
		if err != nil {
			return fmt.Errorf("%s: %w", app.Name, err)
		}
		fmt.Printf("| %s | %.1f | %.1f | %.2f |\n", app.Name, l.Real(), l.Best(), l.Real()/l.Best())
		real, best, n = real+l.Real(), best+l.Best(), n+1
	}
	real, best = real/float64(n), best/float64(n)
	fmt.Printf("| mean | %.1f | %.1f | %.2f |\n", real, best, real/best)
	return nil
}

// runner runs launches and counts the lengths of the intervals in their streams.
type runner struct {
	emu.Runner
	limit int
	sum   intervals.Lengths
	done  map[*ir.Kernel]*ir.Kernel
	byPC  map[*ir.Kernel][]int
}

func measure(app *benchmarks.App, limit int) (*intervals.Lengths, error) {
	p, err := app.New(benchmarks.Test)
	if err != nil {
		return nil, err
	}
	r := &runner{limit: limit, done: map[*ir.Kernel]*ir.Kernel{}, byPC: map[*ir.Kernel][]int{}}
	r.Mem, r.Out, r.Compile = &mem.Memory{}, io.Discard, r.compile
	var wrong *host.CheckError
	if err := p.Run(&host.Device{Mem: r.Mem, Runner: r}); err != nil && !errors.As(err, &wrong) {
		return nil, err
	}
	return &r.sum, nil
}

func (r *runner) compile(l *host.Launch) (*ir.Kernel, error) {
	k := l.Module.Kernel(l.Kernel)
	if c := r.done[k]; c != nil {
		return c, nil
	}
	c, err := compiler.Compile(k, compiler.Options{})
	if err != nil {
		return nil, err
	}
	g := intervals.Of(c)
	list, err := intervals.Build(g, r.limit)
	if err != nil {
		return nil, err
	}
	r.done[k], r.byPC[c] = c, intervals.ByPC(g, list)
	return c, nil
}

func (r *runner) Launch(l *host.Launch) error {
	e, err := r.Prepare(l)
	if err != nil {
		return err
	}
	s := emu.NewSource(e, 1)
	defer s.Close()
	for c := s.Next(); c != nil; c = s.Next() {
		for i := range c.Warps {
			r.sum.Add(c.Kernel, &c.Warps[i], r.byPC[c.Kernel], r.limit)
		}
	}
	return s.Err()
}
