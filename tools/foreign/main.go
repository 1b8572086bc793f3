// Foreign checks the emulator against independent code. It generates random CUDA C++ kernels, and compiles each
// with clang both to PTX and for this machine. It runs the PTX on the emulator and the host program on the
// processor, with threads as fibres (prelude/runtime.cpp). It compares the resulting memory contents bit for bit.
//
//	go run ./tools/foreign [-kernels N] [-seed S] [-batch N] [-out DIR] [-builtin]
//
// Kernel n of a run has the seed S+n, and is the same in every run. The GPU, the optimisation levels and so on are
// chosen for each batch. The kernels have no undefined behaviour: shifts and indices are masked, division by 0 has
// a value, conversions are of numbers in range or by saturating functions, barriers are reached by all threads that
// have not ended or under the mask of the threads present, and atomics and sums under a lock on a word commute. Some
// lanes end early, before others vote or shuffle, and lanes of a warp take locks. Nothing is approximate. A NaN may
// be any NaN made by PTX or by the compiler.
//
// For each difference a folder in DIR gets the PTX and the source. Statements not needed for the difference are
// dropped from the source. -builtin instead compares the kernels of benchmarks/, at size test, launch by launch.
// The exit status is 1 if something differs, and 2 if the comparison failed.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"
)

// settings are the command-line settings of a run.
type settings struct {
	kernels int
	seed    uint64
	batch   int
	out     string
}

func main() {
	var s settings
	flag.IntVar(&s.kernels, "kernels", 200, "how many kernels")
	flag.Uint64Var(&s.seed, "seed", 1, "seed of the first")
	flag.IntVar(&s.batch, "batch", 25, "kernels that are compiled together")
	flag.StringVar(&s.out, "out", "foreign-differences", "folder for what differs; empty: it is named and not reduced")
	builtin := flag.Bool("builtin", false, "compare the kernels of benchmarks/; run in the module's root")
	flag.Parse()
	work := runRandom
	if *builtin {
		work = runBuiltin
	}
	differs, err := withToolchain(func(t *toolchain) (bool, error) { return work(os.Stdout, t, s) })
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "foreign:", err)
		os.Exit(2)
	case differs:
		os.Exit(1)
	}
}

// withToolchain calls f with a toolchain in a temporary folder.
func withToolchain(f func(*toolchain) (bool, error)) (bool, error) {
	dir, err := os.MkdirTemp("", "foreign")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	t, err := newToolchain(dir)
	if err != nil {
		return false, err
	}
	return f(t)
}

// A tally counts the outcomes of the kernels.
type tally struct {
	kernels, runs, differ, notCompiled, failed int
	device, host, emulator                     time.Duration
}

// runRandom generates, runs and compares random kernels, and reports whether any differs. It returns an error if no
// kernel ran, since nothing was then compared.
func runRandom(out io.Writer, t *toolchain, s settings) (bool, error) {
	var sum tally
	begin, shown := time.Now(), time.Now()
	for at := 0; at < s.kernels; at += s.batch {
		f := newFlavour(rand.New(rand.NewPCG(s.seed+uint64(at), 1)))
		var list []*kernel
		for i := range min(s.batch, s.kernels-at) {
			list = append(list, generate(s.seed+uint64(at+i), f.arch))
		}
		found, err := t.batch(list, f, &sum)
		if err != nil {
			return false, err
		}
		for _, x := range found {
			fmt.Fprintln(out, x)
			if s.out == "" {
				continue
			}
			if err := t.keep(x, s.out); err != nil {
				return false, err
			}
		}
		if time.Since(shown) > 30*time.Second {
			shown = time.Now()
			fmt.Fprintf(out, "%d kernels, %d differ, %s\n", sum.kernels, sum.differ,
				time.Since(begin).Round(time.Second))
		}
	}
	fmt.Fprintf(out, "%d kernels, %d runs in %s: %d differ, %d failed, %d not compiled "+
		"(clang for PTX %s, for the host %s; emulator %s)\n", sum.kernels, sum.runs,
		time.Since(begin).Round(time.Second),
		sum.differ, sum.failed, sum.notCompiled, sum.device.Round(time.Second), sum.host.Round(time.Second),
		sum.emulator.Round(time.Second))
	if sum.runs == 0 && s.kernels > 0 {
		return false, fmt.Errorf("no kernel ran: %d not compiled, %d failed (%s)",
			sum.notCompiled, sum.failed, t.clang)
	}
	return sum.differ+sum.failed > 0, nil
}

// A finding is a kernel with different results, or a kernel that could not be run or compiled.
type finding struct {
	kernel *kernel
	flavour
	diff *difference
	err  error
	kind kind
}

type kind int

const (
	differs kind = iota
	failed
	notCompiled
)

func (x *finding) String() string {
	if x.diff != nil {
		return fmt.Sprintf("seed %d differs: %v; sm_%d %v", x.kernel.seed, x.diff, x.arch, x.device)
	}
	return fmt.Sprintf("seed %d: %v", x.kernel.seed, x.err)
}

// errCompile marks refusals by clang.
var errCompile = errors.New("not compiled")
