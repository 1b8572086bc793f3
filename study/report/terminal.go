package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"kumiko/study"
	"kumiko/study/query"
)

// mostColumns is the most variants beside each other in a terminal, mostWide the most where each number has an
// interval.
const (
	mostColumns = 8
	mostWide    = 6
)

// Terminal writes the results of a study as a table: the IPC of each variant relative to its baseline for each
// benchmark, with geometric means. A variant without a baseline, or serving as one, is shown by its IPC. With
// many variants the table has the means over groups alone. Notes below name the points with few waves of CTAs, and say
// what designs are meant for that do far worse than their baselines.
func Terminal(w io.Writer, d *study.Data) error {
	var variants []*study.Variant
	for i := range d.Spec.Variants {
		variants = append(variants, &d.Spec.Variants[i])
	}
	if len(variants) == 0 {
		return nil
	}
	var rows [][]string
	most := mostColumns
	if d.Perturbations() > 0 {
		most = mostWide
	}
	if len(variants) <= most {
		rows = byBenchmark(d, variants)
	} else {
		rows = byGroup(d, variants)
	}
	if err := columns(w, rows); err != nil {
		return err
	}
	if d.Perturbations() > 0 {
		if _, err := fmt.Fprintln(w, plusMinusShort); err != nil {
			return err
		}
	}
	if remark := fewWaves(d, allFew(d)); remark != "" {
		if _, err := fmt.Fprintf(w, "note:%s A larger --size or a smaller slice.sms fills it.\n", remark); err != nil {
			return err
		}
	}
	for _, remark := range outOfPlace(d) {
		if _, err := fmt.Fprintf(w, "note: %s\n", remark); err != nil {
			return err
		}
	}
	return nil
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
			line = append(line, meanOver(d, v, []string{b}))
		}
		rows = append(rows, line)
	}
	if len(list) == 1 {
		return rows
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

// relative returns the IPC of a variant over its baseline's, or by itself, under a perturbation (0: none).
func relative(d *study.Data, v *study.Variant, b string, perturb int) (float64, bool) {
	r := d.Run(v.Name, b, perturb)
	if r == nil {
		return 0, false
	}
	if v.Baseline == "" {
		return r.Total.IPC, true
	}
	base := d.Run(v.Baseline, b, perturb)
	if base == nil || base.Total.IPC == 0 {
		return 0, false
	}
	return r.Total.IPC / base.Total.IPC, true
}

// meanOver returns the geometric mean over benchmarks, or - if one is missing. Where there are perturbed runs, half of
// the interval of 95 % stands beside the mean.
func meanOver(d *study.Data, v *study.Variant, list []string) string {
	x, ok := meanUnder(d, v, list, 0)
	if !ok {
		return "-"
	}
	digits := 3
	if v.Baseline == "" {
		digits = 1
	}
	text := fmt.Sprintf("%.*f", digits, x)
	sample := []float64{x}
	for k := range d.Perturbations() {
		if y, ok := meanUnder(d, v, list, k+1); ok {
			sample = append(sample, y)
		}
	}
	if i := query.StudentT(sample); i != nil && i.Half() > 0 {
		text = query.PlusMinus(x, i.Half())
	}
	return text
}

// meanUnder returns the geometric mean over benchmarks under a perturbation, and whether there is one.
func meanUnder(d *study.Data, v *study.Variant, list []string, perturb int) (float64, bool) {
	sum := 0.0
	for _, b := range list {
		x, ok := relative(d, v, b, perturb)
		if !ok || x <= 0 {
			return 0, false
		}
		sum += math.Log(x)
	}
	return math.Exp(sum / float64(max(len(list), 1))), len(list) > 0
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
