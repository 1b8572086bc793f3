// Command table runs the applications on the functional emulator, in machine
// form, and writes docs/benchmarks.md: what they are, how large each size is, and
// how many registers their kernels use.
//
// Usage: go run ./benchmarks/internal/table [-sizes test,small,study] [APPLICATION...] >docs/benchmarks.md
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
)

func main() {
	sizes := flag.String("sizes", "test,small,study", "sizes to run")
	flag.Parse()
	if err := run(strings.Split(*sizes, ","), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

func run(sizeNames, names []string) error {
	var sizes []benchmarks.Size
	for _, n := range sizeNames {
		s, err := benchmarks.ParseSize(n)
		if err != nil {
			return err
		}
		sizes = append(sizes, s)
	}
	apps := benchmarks.List()
	if len(names) > 0 {
		apps = nil
		for _, n := range names {
			a := benchmarks.Find(n)
			if a == nil {
				return fmt.Errorf("no application is called %q", n)
			}
			apps = append(apps, a)
		}
	}
	var rows []*row
	for _, a := range apps {
		r := &row{app: a}
		for _, s := range sizes {
			m, err := measure(a, s)
			if err != nil {
				return fmt.Errorf("%s at size %v: %w", a.Name, s, err)
			}
			r.sizes = append(r.sizes, m)
			fmt.Fprintf(os.Stderr, "%s %v: %d warp instructions, %d launches, %.1f s\n", a.Name, s, m.insts, m.launches, m.seconds)
		}
		rows = append(rows, r)
	}
	write(os.Stdout, sizes, rows)
	return nil
}
