// Random runs random kernels with diverging lanes on every design, and checks every operand. The kernels have nested
// branches and loops, breaks, branches into other statements and back, switches with cases falling through, early
// ends, recursive functions, local arrays, sides that wait for each other or come to a barrier apart, and changes of
// their registers.
//
//	go run ./tools/random [-kernels N] [-seed S] [-gpu LIST] [-design LIST] [-out DIR]
//
// Kernel n of a run has the seed S+n, and is the same in every run. It runs with every preset, every pair of a
// register file and a residency, and some settings beside them, as far as they run on its GPU: on a small SM, with the
// operand check. Before, the code compiled for each design is executed without timing. Its memory must be as by the
// kernel as it was read, executed without the compiler, and as by the kernel in C, compiled by gcc, if gcc is there: no
// lane reads another's values, so that a thread can run alone. The GPUs share the kernels.
//
// A failing kernel is written to DIR whole and reduced, with its launch file, and the command to show the fault is
// printed. The exit status is 1 then, and 2 if the comparison failed.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// settings are the command-line settings of a run.
type settings struct {
	kernels int
	seed    uint64
	gpus    []string
	designs []string // empty: all
	out     string
	workers int
	gcc     string // empty: no C compiler, and no comparison with it
}

// compiler returns the path of gcc, or "".
func compiler() string {
	path, _ := exec.LookPath("gcc")
	return path
}

func main() {
	debug.SetGCPercent(200) // machines of all designs stay; collecting at every doubling takes a fifth of the time
	var s settings
	flag.IntVar(&s.kernels, "kernels", 2000, "how many kernels")
	flag.Uint64Var(&s.seed, "seed", 1, "seed of the first")
	gpus := flag.String("gpu", strings.Join(chips, ","), "GPUs that share the kernels")
	only := flag.String("design", "", "presets and pairs, comma-separated; empty: all")
	flag.StringVar(&s.out, "out", "random-findings", "folder for kernels that fail")
	show := flag.Bool("show", false, "write the kernel of the seed, and run nothing")
	inC := flag.Bool("c", false, "with -show, write its C form")
	flag.IntVar(&s.workers, "workers", runtime.NumCPU(), "kernels that run at once")
	flag.Parse()
	if *show {
		os.Exit(write(generate(s.seed), *inC))
	}
	s.gcc = compiler()
	s.gpus = strings.Split(*gpus, ",")
	if *only != "" {
		s.designs = strings.Split(*only, ",")
	}
	sum, err := run(os.Stdout, &s)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "random:", err)
		os.Exit(2)
	case sum.failed > 0:
		os.Exit(1)
	}
}

// chips are the GPUs sharing the kernels: collectors before banks, stall counts obeyed by the schedulers, and Fermi
// with 63 registers of a thread.
var chips = []string{"gtx980", "titan-v", "tesla-c2050"}

// chosen lists the selected designs of a GPU.
func (s *settings) chosen(gpu string) ([]*design, error) {
	list, err := designs(gpu)
	if err != nil || len(s.designs) == 0 {
		return list, err
	}
	list = slices.DeleteFunc(list, func(d *design) bool { return !slices.Contains(s.designs, d.name) })
	if len(list) == 0 {
		return nil, fmt.Errorf("found -design %s, expected presets or pairs that run on %s",
			strings.Join(s.designs, ","), gpu)
	}
	return list, nil
}

// write prints a kernel as PTX or as C, and returns the exit status.
func write(p *program, inC bool) int {
	text := p.text
	if inC {
		var err error
		if text, err = p.cForm(); err != nil {
			fmt.Fprintln(os.Stderr, "random:", err)
			return 2
		}
	}
	fmt.Print(text)
	return 0
}
