//go:build unix

// Program applications builds the programs of published suites of CUDA applications with kumiko nvcc, runs them at
// small sizes, checks their results, and prints a table.
//
//	go run ./lab/applications [-kumiko FILE] [-work DIR] [-limit TIME] [-capture] [-record DIR] SUITES [NAME ...]
//
// SUITES is a folder with the suites as they were fetched, unchanged, each in the folder named: polybench
// (PolyBench-GPU 1.0), rodinia (3.1), parboil (2.5), sdk (CUDA's SDK 4.2), ispass (of 2009) and hecbench. Nothing of
// them belongs to Kumiko. The files NAME.toml say, for each program, how it is built and run and what shows that it is
// right: its own check, the program of the suite for the CPU, or a computation here. Inputs that a suite does not
// ship are made here. Each program runs in a copy of its folder.
//
// NAME is a program, a suite, or both: rodinia/bfs. With -capture, each program is recorded too, and the recording
// replayed twice on a small GPU: the table has the launches, the size of the file, and whether the memory was as
// recorded and the cycles were equal.
//
// With -record, the programs that studies of papers name are recorded into a folder, with inputs of their size, and
// nothing else is done: kumiko-lab study run originals --captures DIR.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"time"
)

func main() {
	kumiko := flag.String("kumiko", "kumiko", "the program kumiko")
	work := flag.String("work", "", "folder for copies of the programs (default: a temporary one, removed at the end)")
	limit := flag.Duration("limit", 20*time.Minute, "longest time of a step of a program")
	capture := flag.Bool("capture", false, "record each program, and replay the recording twice")
	recordings := flag.String("record", "", "folder for recordings of the programs that studies name")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: applications [-kumiko FILE] [-work DIR] [-capture] SUITES [NAME ...]")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b := &bench{kumiko: *kumiko, work: *work, limit: *limit}
	if err := run(ctx, os.Stdout, b, *capture, *recordings, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "applications:", err)
		os.Exit(1)
	}
}

// run writes the table of the named programs, or of all.
func run(ctx context.Context, w io.Writer, bench *bench, capture bool, recordings string, args []string) error {
	if bench.work == "" {
		dir, err := os.MkdirTemp("", "applications-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		bench.work = dir
	}
	if err := bench.begin(ctx, args[0]); err != nil {
		return err
	}
	all, err := programs()
	if err != nil {
		return err
	}
	names := args[1:]
	if recordings != "" {
		return recordAll(ctx, w, bench, recordings, all, names)
	}
	fmt.Fprintln(w, "| program | built, s | run, s | right | recording |\n|---|---|---|---|---|")
	right, tried := 0, 0
	for _, p := range all {
		if len(names) > 0 && !slices.ContainsFunc(names, p.named) {
			continue
		}
		r := bench.try(ctx, p, capture)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if p.Uncounted == "" {
			if tried++; r.err == nil {
				right++
			}
		} else {
			r.note = " (not counted: " + p.Uncounted + ")"
		}
		fmt.Fprintf(w, "| %s/%s | %.1f | %.1f | %s | %s |\n", p.suite, p.Name, r.built.Seconds(), r.ran.Seconds(),
			r.verdict()+r.note, cmp.Or(r.recording, "-"))
	}
	if tried == 0 {
		return fmt.Errorf("found no program named %q, expected one of lab/applications/*.toml, such as rodinia/bfs",
			names)
	}
	_, err = fmt.Fprintf(w, "\n%d of %d right\n", right, tried)
	return err
}

// recordAll records the programs that studies name into a folder, and writes a line for each.
func recordAll(ctx context.Context, w io.Writer, b *bench, folder string, all []*program, names []string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	fmt.Fprintln(w, "| program | recording | SHA-256 |\n|---|---|---|")
	for _, p := range all {
		if p.Study == nil || len(names) > 0 && !slices.ContainsFunc(names, p.named) {
			continue
		}
		file, sum, err := b.record(ctx, p, folder)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("%s/%s: %w", p.suite, p.Name, err)
		}
		fmt.Fprintf(w, "| %s/%s | %s | %s |\n", p.suite, p.Name, file, sum)
	}
	return nil
}

// absolute returns a path that holds in other folders. A name without a slash is looked up as a shell does.
func absolute(program string) (string, error) {
	if filepath.Base(program) == program {
		return program, nil
	}
	return filepath.Abs(program)
}
