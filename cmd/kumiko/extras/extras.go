// Package extras has services of kumiko with libraries that take long to compile. The program kumiko has all of them. A
// program with a design of its own leaves them out, unless its main function passes them to command.Main.
package extras

import (
	"kumiko/cmd/kumiko/internal/cli"
	"kumiko/internal/page/svg"
	"kumiko/study/parquet"
	"kumiko/study/report"
)

// SVG draws figures of reports as files (kumiko study report --svg). To compile it takes some ten seconds of processor
// time.
func SVG(e *cli.Extras) {
	e.Drawer = func() (report.Drawer, error) { return svg.New() }
}

// Parquet exports records as Parquet files (kumiko study export --format parquet). To compile it takes some fifteen
// seconds of processor time.
func Parquet(e *cli.Extras) { e.Parquet = parquet.Write }
