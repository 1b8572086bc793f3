package main

import (
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"kumiko/lab/device/suite"
)

// Beside simulates the launches measured on a chip twice, with the code of Kumiko's compiler and with that of NVIDIA's
// assembler for an architecture such as sm_90. It writes a row for each launch: warp instructions and registers on the
// chip and of both codes, cycles on the chip, and the error of both. The figure that -svg names has both in colours.
func Beside(dir fs.FS, gpu string, opt *options, w io.Writer) error {
	code, only := opt.beside, func(program string) bool { return strings.Contains(program, opt.only) }
	none := func([]suite.Outcome) {}
	own, err := suite.Launches(dir, gpu, nil, only, none)
	if err != nil {
		return err
	}
	vendor, err := suite.Launches(dir, gpu, []string{"compiler.code=" + code}, only, none)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "launch\tinstructions\town\t%s\tregisters\town\t%s\tcycles\town\t%s\t\n", code, code, code)
	for i := range own {
		o, v := &own[i], &vendor[i]
		fmt.Fprintf(t, "%s\t%.0f\t%s\t%s\t%d\t%d\t%d\t%.0f\t%s\t%s\t\n", o.Name, o.There.Instructions,
			percent(more(o)), percent(more(v)), o.There.Registers, o.Here.Registers, v.Here.Registers, o.Measured,
			percent(o.Error()), percent(v.Error()))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, side := range []struct {
		name string
		list []suite.Outcome
	}{{"own code", own}, {code, vendor}} {
		if _, err := fmt.Fprintln(w, summary(side.name, side.list)); err != nil {
			return err
		}
	}
	if opt.figure == "" {
		return nil
	}
	return draw(opt.figure, suite.Series{Name: "Kumiko's compiler", Rows: own},
		suite.Series{Name: "NVIDIA's assembler, " + code, Rows: vendor})
}

// more returns the relative difference of the instructions executed here from those on the chip.
func more(o *suite.Outcome) float64 { return o.Here.Instructions/o.There.Instructions - 1 }

func percent(x float64) string { return fmt.Sprintf("%+.1f %%", 100*x) }

// near is the relative difference of instructions up to which a launch counts as having the chip's.
const near = 0.05

// summary describes the errors of one code, and of its launches with nearly the instructions of the chip.
func summary(code string, list []suite.Outcome) string {
	far := 0.0
	for i := range list {
		far += math.Abs(more(&list[i]))
	}
	like := slices.DeleteFunc(slices.Clone(list), func(o suite.Outcome) bool { return math.Abs(more(&o)) > near })
	return fmt.Sprintf("%v; instructions off by %.1f %% in the mean\n%v", suite.Summarize(code, list),
		100*far/float64(max(len(list), 1)),
		suite.Summarize(fmt.Sprintf("%s, instructions within %.0f %%", code, 100*near), like))
}
