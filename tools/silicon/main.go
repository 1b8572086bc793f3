// Program silicon simulates short sequences whose times on chips are known and writes a page of
// both, with every row of the measurements of banks where these are at hand.
//
//	go run ./tools/silicon [-o silicon.html] [-data DIR]
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/schollz/progressbar/v3"
)

func main() {
	out := flag.String("o", "silicon.html", "file of the page")
	dir := flag.String("data", "../shared/data/modern/maxwell-regbank", "folder of CuAssembler's measurements")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "found argument %q, expected none\n", flag.Arg(0))
		os.Exit(2)
	}
	if err := run(*out, *dir, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(file, dir string, w io.Writer) error {
	all, err := outcomes(Cases())
	if err != nil {
		return err
	}
	bar := progressbar.Default(-1, "rows")
	list, absent := rows(dir, func() { _ = bar.Add(1) })
	if absent != nil && !os.IsNotExist(absent) {
		return absent
	}
	var b bytes.Buffer
	if err := write(&b, all, list, absent); err != nil {
		return err
	}
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		return err
	}
	tell(w, all, list, absent)
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

// tell prints what is on the page in short.
func tell(w io.Writer, all []outcome, list []Row, absent error) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i := range all {
		mark := ""
		if !all[i].agrees() {
			mark = "beyond 3 %"
		}
		fmt.Fprintf(t, "%s\t%s\t%g\t%.4g\t%s\n", all[i].GPU, all[i].Name, all[i].Want, all[i].Got, mark)
	}
	_ = t.Flush()
	if absent != nil {
		fmt.Fprintf(w, "rows of measurements: none, %v\n", absent)
	}
	for _, e := range summary(list) {
		fmt.Fprintf(w, "%s: %d rows, mean error %.2f %%, worst %.1f %%, %d beyond 3 %%\n", e.file, e.n,
			100*e.sum/float64(e.n), 100*e.worst, e.beyond)
	}
}
