//go:build unix

// Program speed compares two builds of kumiko, or Accel-Sim and kumiko, by the processor time and the memory of their
// runs.
//
//	go run ./lab/speed [-runs 5] [-size small] [-gpu gtx980] [-set KEY=VALUE]... BASE HEAD [NAME ...]
//	go run ./lab/speed -accelsim FILE,FILE [...] BASE HEAD [NAME ...]
//
// BASE and HEAD are the two programs. Each of sixteen built-in programs, or of those named, is run by one worker, the
// two builds in turn, so that both see the same disturbance by other work of the machine. The table has, for each
// program, the least processor time of each build in seconds, the ratio base over head, the largest memory of
// each in MB, and its ratio head over base. The last row has the geometric means of the ratios. Memory includes the
// pages of the program's file that happen to be there: compare copies of both files, made one after the other.
//
// With -accelsim BASE is Accel-Sim's accel-sim.out, and the files are its configuration. HEAD records the traces of
// each program, and both replay the traces.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// programs are the programs compared where none are named: bound by issue, by the register file, by shared memory, by
// the caches and by the DRAM.
var programs = []string{"backprop", "bfs", "cfd", "fft", "fmaheavy", "gaussian", "hotspot", "kmeans", "lbm", "lud",
	"nw", "pathfinder", "sgemm", "srad", "stencil", "transpose"}

func main() {
	runs := flag.Int("runs", 5, "runs of each program by each build")
	size := flag.String("size", "small", "size of the programs")
	gpu := flag.String("gpu", "gtx980", "GPU")
	accelsim := flag.String("accelsim", "", "configuration files of Accel-Sim, which is BASE, separated by commas")
	var machine []string
	flag.Func("set", "setting KEY=VALUE of the GPU of kumiko's runs; repeatable", func(s string) error {
		machine = append(machine, "--set", s)
		return nil
	})
	flag.Parse()
	if flag.NArg() < 2 || *runs < 1 {
		fmt.Fprintln(os.Stderr, "usage: speed [-runs N] [-size SIZE] [-gpu GPU] [-set KEY=VALUE]... [-accelsim FILES] "+
			"BASE HEAD [NAME ...]; N is at least 1")
		os.Exit(2)
	}
	machine = append(machine, "--gpu", *gpu)
	names := programs
	if flag.NArg() > 2 {
		names = flag.Args()[2:]
	}
	rows := make([]row, len(names))
	for i, name := range names {
		rows[i].name = name
		var err error
		if *accelsim == "" {
			run := slices.Concat([]string{"run", name, "--size", *size, "--workers", "1"}, machine)
			err = rows[i].fill(*runs, flag.Arg(0), run, flag.Arg(1), run)
		} else {
			err = rows[i].replay(*runs, flag.Arg(0), strings.Split(*accelsim, ","), flag.Arg(1), *size, machine)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "speed:", err)
			os.Exit(1)
		}
	}
	write(os.Stdout, rows)
}

// cost is what a run took.
type cost struct {
	seconds float64 // of processor time
	mb      float64 // most memory
}

// row has the costs of a program by the base and by the head.
type row struct {
	name string
	cost [2]cost
}

// add adds a run by build b. The least time and the most memory count.
func (r *row) add(b int, c cost) {
	if r.cost[b].seconds == 0 || c.seconds < r.cost[b].seconds {
		r.cost[b].seconds = c.seconds
	}
	r.cost[b].mb = max(r.cost[b].mb, c.mb)
}

// fill runs both programs in turn.
func (r *row) fill(runs int, base string, baseArgs []string, head string, headArgs []string) error {
	for range runs {
		for b, args := range [][]string{baseArgs, headArgs} {
			c, err := measure([]string{base, head}[b], args...)
			if err != nil {
				return err
			}
			r.add(b, c)
		}
	}
	return nil
}

// replay has kumiko record the traces of the program of the row, and both replay the traces.
func (r *row) replay(runs int, accelsim string, configs []string, kumiko, size string, machine []string) error {
	dir, err := os.MkdirTemp("", "speed-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	traces := filepath.Join(dir, "traces")
	_, err = measure(kumiko, slices.Concat([]string{"run", r.name, "--size", size, "--record", traces}, machine)...)
	if err != nil {
		return err
	}
	args := []string{"-trace", filepath.Join(traces, "kernelslist.g")}
	for _, file := range configs {
		args = append(args, "-config", file)
	}
	return r.fill(runs, accelsim, args, kumiko, slices.Concat([]string{"run", traces, "--workers", "1"}, machine))
}

// faster returns the ratio of times, base over head.
func (r *row) faster() float64 { return r.cost[0].seconds / r.cost[1].seconds }

// larger returns the ratio of memories, head over base.
func (r *row) larger() float64 { return r.cost[1].mb / r.cost[0].mb }

// measure runs a program to its end. The error has what the program wrote to its standard error.
func measure(program string, args ...string) (cost, error) {
	var complaint strings.Builder
	cmd := exec.Command(program, args...)
	cmd.Stderr = &complaint
	if err := cmd.Run(); err != nil {
		return cost{}, errors.Join(fmt.Errorf("%s %s: %w", program, strings.Join(args, " "), err),
			errors.New(complaint.String()))
	}
	c := cost{seconds: (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()}
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.mb = float64(u.Maxrss) / 1024
		if runtime.GOOS == "darwin" {
			c.mb /= 1024 // bytes there, kilobytes elsewhere
		}
	}
	return c, nil
}

// write writes the table in Markdown.
func write(w io.Writer, rows []row) {
	fmt.Fprint(w, "| program | base | head | faster | base, MB | head, MB | memory |\n|---|---|---|---|---|---|---|\n")
	var faster, larger float64
	for i := range rows {
		r := &rows[i]
		fmt.Fprintf(w, "| %s | %.2f | %.2f | %.2f | %.0f | %.0f | %.2f |\n", r.name, r.cost[0].seconds,
			r.cost[1].seconds, r.faster(), r.cost[0].mb, r.cost[1].mb, r.larger())
		faster += math.Log(r.faster())
		larger += math.Log(r.larger())
	}
	n := float64(len(rows))
	fmt.Fprintf(w, "| geometric mean | | | %.2f | | | %.2f |\n", math.Exp(faster/n), math.Exp(larger/n))
}
