package main

import (
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"text/tabwriter"

	"kumiko/internal/page/svg"
	"kumiko/lab/device/suite"
)

func main() {
	write := flag.String("write", "", "folder to write kernels and programs to")
	sm := flag.Int("sm", 90, "compute capability that they are for, ten times")
	report := flag.String("report", "", "chip whose measurements are in this project, or folder with measurements")
	gpu := flag.String("gpu", "h100", "GPU to compare a folder's measurements with (kumiko list gpus)")
	only := flag.String("only", "", "part of the names of the rows that are compared")
	figure := flag.String(
		"svg",
		"",
		"SVG file for the figure of a report: the simulated cycles of launches over the "+
			"measured ones",
	)
	beside := flag.String(
		"beside",
		"",
		"with -report: simulate the launches alone, by machine code for this architecture "+
			"too, such as sm_90",
	)
	flag.Parse()
	if err := run(&options{*write, *report, *gpu, *only, *figure, *beside, *sm}, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// options are the flags.
type options struct {
	write, report, gpu, only, figure, beside string
	sm                                       int
}

func run(o *options, more []string) error {
	switch {
	case len(more) > 0:
		return fmt.Errorf("found argument %q, expected none", more[0])
	case (o.write == "") == (o.report == ""):
		return fmt.Errorf("found -write %q and -report %q, expected one of them", o.write, o.report)
	case o.figure != "" && o.report == "":
		return fmt.Errorf("-svg: found %q without -report, which makes the figure", o.figure)
	case o.beside != "" && o.report == "":
		return fmt.Errorf("-beside: found %q without -report, which names the chip", o.beside)
	case o.report != "":
		return reported(o)
	case o.sm < 50 || o.sm > 130:
		return fmt.Errorf("-sm: found %d, expected 50 to 130", o.sm)
	}
	n, err := suite.Write(o.write, o.sm)
	if err != nil {
		return err
	}
	fmt.Printf(
		"%d kernels and programs in %s; on a machine with the GPU: sh lab/device/measure.sh %s %d\n",
		n,
		o.write,
		o.write,
		o.sm,
	)
	return nil
}

// reported writes the report of a chip.
func reported(o *options) error {
	dir, gpu := os.DirFS(o.report), o.gpu
	for i := range suite.Chips {
		if c := &suite.Chips[i]; c.Name == o.report {
			dir, gpu = c.Files(), c.GPU
		}
	}
	if o.beside != "" {
		return Beside(dir, gpu, o, os.Stdout)
	}
	return Report(dir, gpu, o.only, o.figure, os.Stdout)
}

// Report compares the measurements of a folder with a GPU, and writes a table and a summary. A figure of the launches
// is written to the given SVG file; "" writes none.
func Report(dir fs.FS, gpu, only, figure string, w io.Writer) error {
	want := func(name string) bool { return strings.Contains(name, only) }
	loops, err := suite.Loops(dir, gpu, want)
	if err != nil {
		return err
	}
	memory, err := suite.Memory(dir, gpu, want)
	if err != nil {
		return err
	}
	registers, err := suite.Registers(dir, gpu, want)
	if err != nil {
		return err
	}
	var empty []suite.Outcome
	if only == "" {
		if empty, err = suite.Empty(dir, gpu); err != nil {
			return err
		}
	}
	launches, err := suite.Launches(dir, gpu, nil, want, func([]suite.Outcome) {})
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "class\trow\tmeasured\tsimulated\terror\t")
	classes := map[string][]suite.Outcome{}
	var order []string
	for _, list := range [][]suite.Outcome{loops, registers, memory, empty, launches} {
		for _, o := range list {
			if classes[o.Class] == nil {
				order = append(order, o.Class)
			}
			classes[o.Class] = append(classes[o.Class], o)
			if o.Refused != nil {
				fmt.Fprintf(t, "%s\t%s\t%.4g\t-\t-\t%v\n", o.Class, o.Name, o.Measured, o.Refused)
				continue
			}
			fmt.Fprintf(t, "%s\t%s\t%.1f\t%.1f\t%+.1f %%\t%s\n", o.Class, o.Name, o.Measured, o.Simulated,
				100*o.Error(), o.Unit)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, c := range order {
		fmt.Fprintln(w, suite.Summarize(c, classes[c]))
	}
	if figure == "" {
		return nil
	}
	return draw(figure, suite.Series{Rows: launches})
}

// draw writes a figure of launches.
func draw(file string, launches ...suite.Series) error {
	spec := suite.Scatter(launches, "cycles, measured", "cycles, simulated")
	if spec == nil {
		return fmt.Errorf("-svg: no launch was simulated")
	}
	spec["background"] = "#fff" // a reader's page may be dark
	d, err := svg.New()
	if err != nil {
		return err
	}
	data, err := d.Draw(spec)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}
