package run

import (
	"fmt"
	"strings"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/runpage"
	"kumiko/gpus/result"
)

// areaText prints the area of the register file's storage, if it was requested.
func areaText(a *app.App, x *result.Area) error {
	if x == nil {
		return nil
	}
	fmt.Fprintf(a.Text(), "\narea of the storage of an SM's register file in %g nm (%s)\n", x.NM, x.Source)
	t := app.NewTable(a.Stdout)
	t.Row("block", "what", "arrays", "of", "ports", "built of", "area", "share")
	for i := range x.Rows {
		r := &x.Rows[i]
		what := r.What
		if r.Apart {
			what += " *"
		}
		t.Row(r.Block, what, fmt.Sprint(r.Arrays), fmt.Sprintf("%d x %d", r.Entries, r.Width), r.Ports, r.Kind,
			runpage.Square(r.UM2), fmt.Sprintf("%.1f%%", 100*r.Share))
	}
	t.Row("whole", "", "", "", "", "", runpage.Square(1e6*x.MM2), "100.0%")
	if err := t.Flush(); err != nil {
		return err
	}
	if x.ApartMM2 > 0 {
		fmt.Fprintf(a.Text(), "* not counted by the paper of the design: %s in all\n", runpage.Square(1e6*x.ApartMM2))
	}
	if len(x.Uncounted) > 0 {
		fmt.Fprintln(a.Text(), "without an area:", strings.Join(x.Uncounted, ", "))
	}
	return nil
}
