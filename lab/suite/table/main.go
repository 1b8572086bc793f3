// Command table measures the built-in applications and writes the committed figures:
// benchmarks/measured/measured.json, about the executed instructions; timed.json beside this file, with the time of
// size study on a timed slice; and, from both and the registry, lab/docs/benchmarks.md.
//
// Usage, from the top of the repository:
//
//	go run ./lab/suite/table [-sizes test,small,study] [-time] [APPLICATION...]
//
// If applications are named, all others keep their figures. With -sizes "" nothing is measured and only the
// document is written. -time runs size study on four SMs of the GTX 980 and records processor seconds: on a quiet
// machine, one at a time.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
	"kumiko/benchmarks/measured"
	"kumiko/internal/infile"
	"kumiko/lab/suite"
)

// The written files.
const (
	measuredFile = "benchmarks/measured/measured.json"
	timedFile    = "lab/suite/table/timed.json"
	docFile      = "lab/docs/benchmarks.md"
)

func main() {
	sizes := flag.String("sizes", "test,small,study", "sizes to measure")
	timed := flag.Bool("time", false, "time size study on the timed model")
	flag.Parse()
	if err := run(*sizes, *timed, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

func run(sizeNames string, timed bool, names []string) error {
	var sizes []benchmarks.Size
	for _, n := range strings.FieldsFunc(sizeNames, func(r rune) bool { return r == ',' }) {
		s, err := benchmarks.ParseSize(n)
		if err != nil {
			return err
		}
		sizes = append(sizes, s)
	}
	apps, err := choose(names)
	if err != nil {
		return err
	}
	counts, err := load[measured.App](measuredFile)
	if err != nil {
		return err
	}
	seconds, err := load[suite.Timing](timedFile)
	if err != nil {
		return err
	}
	for _, a := range apps {
		if err := count(a, sizes, &counts); err != nil {
			return fmt.Errorf("%s: %w", a.Name, err)
		}
		if timed {
			t, err := suite.Time(a)
			if err != nil {
				return fmt.Errorf("%s: %w", a.Name, err)
			}
			fmt.Fprintf(os.Stderr, "%s: %.1f s\n", a.Name, t.Seconds)
			put(&seconds, t, func(t *suite.Timing) string { return t.Name })
			if err := store(timedFile, seconds); err != nil {
				return err
			}
		}
	}
	if err := store(measuredFile, counts); err != nil {
		return err
	}
	var doc bytes.Buffer
	if err := document(&doc, counts, seconds); err != nil {
		return err
	}
	return os.WriteFile(docFile, doc.Bytes(), 0o644)
}

func choose(names []string) ([]*benchmarks.App, error) {
	if len(names) == 0 {
		return benchmarks.List(), nil
	}
	var apps []*benchmarks.App
	for _, n := range names {
		a := benchmarks.Find(n)
		if a == nil {
			return nil, fmt.Errorf("no application is called %q", n)
		}
		apps = append(apps, a)
	}
	return apps, nil
}

// count measures an application. Sizes that are not measured keep their figures in the old record.
func count(a *benchmarks.App, sizes []benchmarks.Size, all *[]measured.App) error {
	if len(sizes) == 0 {
		return nil
	}
	var m suite.Measure
	rec, err := m.App(a, sizes, func(s benchmarks.Size, r *measured.Run, d time.Duration) {
		fmt.Fprintf(os.Stderr, "%s %v: %d warp instructions, %d launches, %.1f s\n", a.Name, s, r.WarpInstructions,
			r.Launches, d.Seconds())
	})
	if err != nil {
		return err
	}
	for _, old := range *all {
		if old.Name != a.Name {
			continue
		}
		for s, r := range old.Sizes {
			if _, is := rec.Sizes[s]; !is {
				rec.Sizes[s] = r
			}
		}
	}
	put(all, rec, func(r *measured.App) string { return r.Name })
	*all = slices.DeleteFunc(*all, func(r measured.App) bool { return benchmarks.Find(r.Name) == nil })
	return nil
}

// put replaces the element with the name of x, or inserts x in order.
func put[T any](list *[]T, x T, name func(*T) string) {
	i, found := slices.BinarySearchFunc(*list, name(&x), func(y T, n string) int {
		return strings.Compare(strings.ToLower(name(&y)), strings.ToLower(n))
	})
	if found {
		(*list)[i] = x
		return
	}
	*list = slices.Insert(*list, i, x)
}

func load[T any](file string) ([]T, error) {
	data, err := infile.Read(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []T
	return out, json.Unmarshal(data, &out)
}

// store writes one element per line, for readable diffs.
func store[T any](file string, list []T) error {
	var b bytes.Buffer
	b.WriteString("[\n")
	for i, x := range list {
		line, err := json.Marshal(x)
		if err != nil {
			return err
		}
		b.Write(line)
		if i < len(list)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("]\n")
	return os.WriteFile(file, b.Bytes(), 0o644)
}
