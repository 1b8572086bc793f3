// Mutation changes one operator of a package at a time and reports whether a test of the package fails. A mutant
// not noticed by any test shows an unchecked statement.
//
//	go run ./tools/mutation [-all] [-short] [-sample N] [-workers N] PACKAGE...
//
// All mutants of a package are compiled into one test binary. An environment variable selects the active mutant.
// Thousands of mutants thus cost one compilation and thousands of short runs. The mutations are the defaults of
// go-gremlins: comparisons are negated, bounds of order moved by one, arithmetic operators and increments
// exchanged, signs dropped. Packages used only by tests, such as wiretest, are left out.
package main

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/pelletier/go-toml/v2"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/tools/go/packages"
)

//go:embed equivalent.toml
var equivalents []byte

// An explanation gives the reason why no test can notice a mutant.
type explanation struct {
	File       string `toml:"file"`       // from the module's root
	Function   string `toml:"function"`   // as in the list of survivors
	Expression string `toml:"expression"` // before the change, in one line
	After      string `toml:"after"`      // the operator after it
	Why        string `toml:"why"`
	used       bool
}

// options are the command-line flags.
type options struct {
	workers int
	all     bool
	short   bool
	sample  int
}

func main() {
	var o options
	flag.IntVar(&o.workers, "workers", runtime.NumCPU(), "tests that run at a time")
	flag.BoolVar(&o.all, "all", false, "list the mutants that are not reached too")
	flag.BoolVar(&o.short, "short", false, "leave out the tests that -test.short leaves out")
	flag.IntVar(&o.sample, "sample", 0, "try `N` mutants of each package, always the same ones; 0 tries all")
	flag.Parse()
	root, err := os.Getwd()
	if err == nil {
		err = run(os.Stdout, root, flag.Args(), o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutation:", err)
		os.Exit(1)
	}
}

// run tries the packages of the module at root, and prints the survivors and the table.
func run(out io.Writer, root string, patterns []string, o options) error {
	known, err := explanations(equivalents)
	if err != nil {
		return err
	}
	list, err := load(root, patterns)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "package\tmutants\tkilled\tsurvived\tnot reached\tequivalent\tscore")
	sum := map[string]int{}
	for _, p := range list {
		t, err := tryPackage(p, root, o)
		if err != nil {
			return err
		}
		t.explain(known)
		t.report(out, o.all)
		if len(t.mutants) > 0 {
			row(table, strings.TrimPrefix(p.PkgPath, p.Module.Path+"/"), t.count(sum))
		}
	}
	row(table, "all", sum)
	if o.sample == 0 {
		stale(out, list, root, known)
	}
	return table.Flush()
}

func explanations(text []byte) ([]explanation, error) {
	var known struct {
		Mutants []explanation `toml:"mutant"`
	}
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&known); err != nil {
		return nil, fmt.Errorf("equivalent.toml: %w", err)
	}
	return known.Mutants, nil
}

func load(root string, patterns []string) ([]*packages.Package, error) {
	mode := packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedSyntax |
		packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedModule
	list, err := packages.Load(&packages.Config{Mode: mode, Dir: root}, patterns...)
	if err != nil {
		return nil, err
	}
	if packages.PrintErrors(list) > 0 {
		return nil, fmt.Errorf("packages do not compile")
	}
	return slices.DeleteFunc(list, ofTests), nil
}

// ofTests reports whether a package is used only by tests, so that its name ends in "test", or has nothing but tests.
func ofTests(p *packages.Package) bool {
	return len(p.GoFiles) == 0 || strings.HasSuffix(p.Name, "test")
}

func tryPackage(p *packages.Package, root string, o options) (*trial, error) {
	work, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	t, err := compile(p, root, work)
	if err != nil {
		return nil, err
	}
	t.draw(o.sample)
	if len(t.mutants) == 0 {
		return t, nil
	}
	if len(t.tests) == 0 {
		for i := range t.outcome {
			t.outcome[i] = unreached // the package has no tests
		}
		return t, nil
	}
	if err := t.measure(work, o.short); err != nil {
		return nil, err
	}
	bar := progress(p.PkgPath, len(t.mutants))
	defer bar.Finish()
	t.try(o.workers, func() { _ = bar.Add(1) })
	return t, nil
}

// progress returns a progress bar, visible only on a terminal.
func progress(name string, n int) *progressbar.ProgressBar {
	if s, err := os.Stderr.Stat(); err != nil || s.Mode()&os.ModeCharDevice == 0 {
		return progressbar.DefaultSilent(int64(n))
	}
	return progressbar.NewOptions(n, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionSetDescription(name),
		progressbar.OptionClearOnFinish(), progressbar.OptionShowCount())
}

// explain marks the survivors known to be equivalent to the original.
func (t *trial) explain(known []explanation) {
	for i, m := range t.mutants {
		for k := range known {
			e := &known[k]
			if e.File != m.file || e.Function != m.function || e.Expression != m.before || e.After != m.after {
				continue
			}
			e.used = true
			if t.outcome[i] == survived || t.outcome[i] == unreached {
				t.outcome[i] = equivalent
			}
		}
	}
}

// report lists the survivors.
func (t *trial) report(out io.Writer, all bool) {
	for i, m := range t.mutants {
		if o := t.outcome[i]; o == survived || all && o == unreached {
			fmt.Fprintf(out, "%s: %s\n", o, m)
		}
	}
}

// count returns the number of mutants by outcome, and adds the numbers to sum.
func (t *trial) count(sum map[string]int) map[string]int {
	n := map[string]int{}
	for _, o := range t.outcome {
		n[o]++
		sum[o]++
	}
	return n
}

// row prints the counts of a package. The score is the share of killed mutants among all noticeable ones, reached
// or not.
func row(w io.Writer, name string, n map[string]int) {
	possible := n[killed] + n[survived] + n[unreached]
	score := "-"
	if possible > 0 {
		score = fmt.Sprintf("%.1f %%", 100*float64(n[killed])/float64(possible))
	}
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%s\n",
		name, possible+n[equivalent], n[killed], n[survived], n[unreached], n[equivalent], score)
}

// stale prints the explanations without a matching mutant, for the tried packages.
func stale(out io.Writer, list []*packages.Package, root string, known []explanation) {
	for _, e := range known {
		for _, p := range list {
			dir := strings.TrimPrefix(p.Dir, root+"/")
			if !e.used && strings.HasPrefix(e.File, dir+"/") && !strings.Contains(e.File[len(dir)+1:], "/") {
				fmt.Fprintf(out, "stale: equivalent.toml has %s: %s: %s, which is not there\n", e.File, e.Function,
					e.Expression)
			}
		}
	}
}
