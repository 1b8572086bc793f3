package report

import (
	"fmt"
	"maps"
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

// farBehind is the share of its baseline's IPC below which a design gets a note. The bound decides no result: it only
// keeps designs with small losses from being mentioned.
const farBehind = 0.9

// outOfPlace returns a note for each design that does far worse than its baseline: its worst variant, and what the
// design is meant for, because the machine of the study may not be that.
func outOfPlace(d *study.Data) []string {
	worst, text := map[string]float64{}, map[string]string{}
	for i := range d.Spec.Variants {
		v := &d.Spec.Variants[i]
		c := d.Spec.Config(v.Name)
		if v.Baseline == "" || c == nil || c.Meant == "" {
			continue
		}
		x, ok := meanUnder(d, v, d.Spec.Groups[study.AllGroup], 0)
		if last, seen := worst[c.Design]; !ok || x >= farBehind || seen && x >= last {
			continue
		}
		worst[c.Design] = x
		text[c.Design] = fmt.Sprintf("%s has %.2f of the IPC of %s. %s is meant for: %s", v.Name, x, v.Baseline,
			c.Design, c.Meant)
	}
	return slices.Sorted(maps.Values(text))
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
