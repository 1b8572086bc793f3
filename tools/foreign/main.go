// Foreign checks the emulator against independent code. It generates random CUDA C++ kernels, and compiles each
// with clang both to PTX and for this machine. It runs the PTX on the emulator and the host program on the
// processor, with threads as fibres (prelude/runtime.cpp). It compares the resulting memory contents bit for bit.
//
//	go run ./tools/foreign [-kernels N] [-seed S] [-batch N] [-out DIR] [-builtin | -code]
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
//
// -code compares with NVIDIA's assembler in place of the host: each batch's PTX runs on the emulator as read, and as
// the machine code of ptxas for two architectures drawn for the batch (kernel/cubin). It needs the CUDA toolkit.
//
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

	"kumiko/kernel/cubin/tools"
)

// settings are the command-line settings of a run.
type settings struct {
	kernels int
	seed    uint64
	batch   int
	out     string
	code    bool
}

func main() {
	var s settings
	flag.IntVar(&s.kernels, "kernels", 200, "how many kernels")
	flag.Uint64Var(&s.seed, "seed", 1, "seed of the first")
	flag.IntVar(&s.batch, "batch", 25, "kernels that are compiled together")
	flag.StringVar(&s.out, "out", "foreign-differences", "folder for what differs; empty: it is named and not reduced")
	flag.BoolVar(&s.code, "code", false, "compare machine code of NVIDIA's ptxas with the PTX; needs the CUDA toolkit")
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

// A tally counts the outcomes of the kernels, and of their runs where there are several.
type tally struct {
	kernels, runs, differ, notCompiled, refused, failed int
	device, host, emulator                              time.Duration
}

// print writes the outcomes, and where the time went.
func (t *tally) print(out io.Writer, took time.Duration, code bool) {
	other := "clang for the host"
	if code {
		other = "ptxas"
	}
	second := func(d time.Duration) time.Duration { return d.Round(time.Second) }
	fmt.Fprintf(out, "%d kernels, %d runs in %s: %d differ, %d failed, %d refused, %d not compiled "+
		"(clang for PTX %s, %s %s; emulator %s)\n", t.kernels, t.runs, second(took), t.differ, t.failed, t.refused,
		t.notCompiled, second(t.device), other, second(t.host), second(t.emulator))
}

// runRandom generates, runs and compares random kernels, and reports whether any differs. It returns an error if no
// kernel ran, since nothing was then compared.
func runRandom(out io.Writer, t *toolchain, s settings) (bool, error) {
	var sum tally
	if s.code {
		var err error
		if t.vendor, err = tools.Find(); err != nil {
			return false, err
		}
	}
	begin, shown := time.Now(), time.Now()
	for at := 0; at < s.kernels; at += s.batch {
		f := newFlavour(rand.New(rand.NewPCG(s.seed+uint64(at), 1)))
		if s.code {
			drawCodes(rand.New(rand.NewPCG(s.seed+uint64(at), 4)), &f)
		}
		var list []*kernel
		for i := range min(s.batch, s.kernels-at) {
			list = append(list, generateFor(s.seed+uint64(at+i), f.arch, s.code))
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
	sum.print(out, time.Since(begin), s.code)
	if sum.runs == 0 && s.kernels > 0 {
		return false, fmt.Errorf("no kernel ran: %d not compiled, %d failed (%s)",
			sum.notCompiled, sum.failed, t.clang)
	}
	return sum.differ+sum.failed+sum.refused > 0, nil
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
	refused
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
