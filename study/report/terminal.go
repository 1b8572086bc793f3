package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"kumiko/study"
)

// mostColumns is the most variants beside each other in a terminal.
const mostColumns = 8

// Terminal writes the results of a study as a table: the IPC of each variant relative to its baseline for each
// benchmark, with geometric means. A variant without a baseline, or serving as one, is shown by its IPC. With
// many variants the table has the means over groups alone.
func Terminal(w io.Writer, d *study.Data) error {
	var variants []*study.Variant
	for i := range d.Spec.Variants {
		variants = append(variants, &d.Spec.Variants[i])
	}
	if len(variants) == 0 {
		return nil
	}
	var rows [][]string
	if len(variants) <= mostColumns {
		rows = byBenchmark(d, variants)
	} else {
		rows = byGroup(d, variants)
	}
	return columns(w, rows)
}

// heading names the kind of a variant's numbers.
func heading(v *study.Variant) string {
	if v.Baseline == "" {
		return "IPC"
	}
	return "/ " + v.Baseline
}

func byBenchmark(d *study.Data, variants []*study.Variant) [][]string {
	head, what := []string{""}, []string{""}
	for _, v := range variants {
		head, what = append(head, v.Name), append(what, heading(v))
	}
	rows := [][]string{head, what}
	list := d.Spec.Groups[study.AllGroup]
	for _, b := range list {
		line := []string{b}
		for _, v := range variants {
			x, ok := relative(d, v, b)
			line = append(line, figures(v, x, ok))
		}
		rows = append(rows, line)
	}
	line := []string{"geometric mean"}
	for _, v := range variants {
		line = append(line, meanOver(d, v, list))
	}
	return append(rows, line)
}

func byGroup(d *study.Data, variants []*study.Variant) [][]string {
	groups := append(d.Spec.GroupNames(), study.AllGroup)
	head := []string{"geometric means", ""}
	rows := [][]string{append(head, groups...)}
	for _, v := range variants {
		line := []string{v.Name, heading(v)}
		for _, g := range groups {
			line = append(line, meanOver(d, v, d.Spec.Groups[g]))
		}
		rows = append(rows, line)
	}
	return rows
}

// relative returns the IPC of a variant over its baseline's, or by itself.
func relative(d *study.Data, v *study.Variant, b string) (float64, bool) {
	r := d.Run(v.Name, b, 0)
	if r == nil {
		return 0, false
	}
	if v.Baseline == "" {
		return r.Total.IPC, true
	}
	base := d.Run(v.Baseline, b, 0)
	if base == nil || base.Total.IPC == 0 {
		return 0, false
	}
	return r.Total.IPC / base.Total.IPC, true
}

func figures(v *study.Variant, x float64, ok bool) string {
	switch {
	case !ok:
		return "-"
	case v.Baseline == "":
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.3f", x)
}

// meanOver returns the geometric mean over benchmarks, or - if one is missing.
func meanOver(d *study.Data, v *study.Variant, list []string) string {
	sum := 0.0
	for _, b := range list {
		x, ok := relative(d, v, b)
		if !ok || x <= 0 {
			return "-"
		}
		sum += math.Log(x)
	}
	return figures(v, math.Exp(sum/float64(max(len(list), 1))), len(list) > 0)
}

// columns writes rows with the first column flush left and all others flush
// right.
func columns(w io.Writer, rows [][]string) error {
	var wide []int
	for _, r := range rows {
		for i, c := range r {
			if i == len(wide) {
				wide = append(wide, 0)
			}
			wide[i] = max(wide[i], len([]rune(c)))
		}
	}
	for _, r := range rows {
		var b strings.Builder
		for i, c := range r {
			pad := strings.Repeat(" ", wide[i]-len([]rune(c)))
			if i == 0 {
				b.WriteString(c + pad)
			} else {
				b.WriteString("  " + pad + c)
			}
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(b.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

// Present reports whether a study has anything to show on a terminal.
func Present(d *study.Data) bool {
	return slices.ContainsFunc(d.Spec.Variants, func(v study.Variant) bool {
		return slices.ContainsFunc(d.Spec.Groups[study.AllGroup],
			func(b string) bool { return d.Run(v.Name, b, 0) != nil })
	})
}
