// Program silicon simulates short sequences with known times on chips, and writes a page with the known and the
// simulated times. The page also has the throughput of every instruction and every row measured on an H100 and an
// H200 with lab/device, the rates that others published of Maxwell's chips, and, if the files are available, every row
// of the measurements of banks and of strided loads.
//
//	go run ./lab/silicon [-o silicon.html] [-data DIR] [-others DIR] [-kernels small]
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/schollz/progressbar/v3"

	"kumiko/lab/device/suite"
)

func main() {
	out := flag.String("o", "silicon.html", "file of the page")
	dir := flag.String("data", "../shared/data/modern/maxwell-regbank", "folder of CuAssembler's measurements")
	others := flag.String("others", "../shared/data/silicon", "folder with ampere-regbank and gpu-benches")
	kernels := flag.String("kernels", "", "part of the names of the measured programs to simulate, such as small; "+
		"empty: all of them")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "found argument %q, expected none\n", flag.Arg(0))
		os.Exit(2)
	}
	if err := run(*out, *dir, *others, *kernels, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(file, dir, others, kernels string, w io.Writer) error {
	all, err := outcomes(Cases())
	if err != nil {
		return err
	}
	bar := progressbar.Default(-1, "rows")
	step := func() { _ = bar.Add(1) }
	sets := []measurements{{plot: banks}, {plot: ampere}, {plot: strided}, {plot: throughput}}
	sets[0].rows, sets[0].absent = maxwellBanks.rows(dir, step)
	sets[1].rows, sets[1].absent = ampereBanks.rows(filepath.Join(others, "ampere-regbank"), step)
	sets[2].rows, sets[2].absent = strideRows(filepath.Join(others, stridesFolder), step,
		func(access) bool { return true })
	if sets[3].rows, err = rateRows(step, func(string, string) bool { return true }); err != nil {
		return err
	}
	for i := range sets {
		if err := sets[i].absent; err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	var chips []*deviceRows
	for i := range suite.Chips {
		d, err := simulateChip(&suite.Chips[i], func(p string) bool { return strings.Contains(p, kernels) }, step)
		if err != nil {
			return err
		}
		chips = append(chips, d)
	}
	rates, err := publishedRows(step)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := write(&b, all, sets, chips, rates); err != nil {
		return err
	}
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		return err
	}
	print(w, all, sets)
	for _, s := range publishedSummary(rates) {
		fmt.Fprintln(w, s)
	}
	for _, d := range chips {
		fmt.Fprintf(w, "%s (%s), simulated on %s\n", d.chip.Name, d.chip.Doc, d.chip.GPU)
		for _, c := range d.classes {
			for _, s := range c.series {
				fmt.Fprintln(w, suite.Summarize(strings.TrimSuffix(c.title+", "+s.Name, ", "), s.Rows))
			}
		}
	}
	_, err = fmt.Fprintf(w, "page: %s\n", file)
	return err
}

func outcomes(list []Case) (out []outcome, err error) {
	for i := range list {
		got, err := list[i].Run()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", list[i].Name, err)
		}
		out = append(out, outcome{list[i], got})
	}
	return out, nil
}

// print prints a short form of the page.
func print(w io.Writer, all []outcome, sets []measurements) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i := range all {
		mark := ""
		if !all[i].agrees() {
			mark = "beyond the tolerance"
		}
		if all[i].Open != "" {
			mark += ": " + all[i].Open
		}
		fmt.Fprintf(t, "%s\t%s\t%g\t%.4g\t%s\n", all[i].GPU, all[i].Name, all[i].Want, all[i].Got, mark)
	}
	_ = t.Flush()
	for i := range sets {
		if err := sets[i].absent; err != nil {
			fmt.Fprintf(w, "%s: none, %v\n", sets[i].title, err)
		}
		for _, e := range summary(sets[i].rows) {
			fmt.Fprintf(w, "%s, %s: %d rows, mean error %.2f %%, worst %.1f %%, %d beyond 3 %%\n", sets[i].title,
				e.file, e.n, 100*e.sum/float64(e.n), 100*e.worst, e.beyond)
		}
	}
}
