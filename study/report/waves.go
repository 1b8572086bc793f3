package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"kumiko/gpus/measure"
	"kumiko/study"
	"kumiko/study/query"
)

// fewWaves is the remark about points with few waves of CTAs, "VARIANT on BENCHMARK", below a figure or table; empty:
// there are none.
func fewWaves(d *study.Data, points []string) string {
	if len(points) == 0 {
		return ""
	}
	points = slices.Clone(points)
	slices.Sort(points)
	points = slices.Compact(points)
	least := math.Inf(1)
	for _, p := range points {
		variant, benchmark, _ := strings.Cut(p, " on ")
		waves, _ := d.FewWaves(variant, benchmark)
		least = min(least, waves)
	}
	return fmt.Sprintf(" Fewer than %d full waves of CTAs, so that the machine is partly empty: %s "+
		"(the least has %.2g).", measure.EnoughWaves, query.Brief(points, 8), least)
}

// allFew lists the points of a study with few waves of CTAs.
func allFew(d *study.Data) []string {
	var out []string
	for i := range d.Spec.Variants {
		for _, b := range d.Spec.Groups[study.AllGroup] {
			if _, few := d.FewWaves(d.Spec.Variants[i].Name, b); few {
				out = append(out, d.Spec.Variants[i].Name+" on "+b)
			}
		}
	}
	return out
}
