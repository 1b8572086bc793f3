package query

import (
	"fmt"
	"strings"
)

// Brief names missing points in at most n phrases. Several points of a variant are
// named together.
func Brief(missing []string, n int) string {
	points := map[string][]string{}
	var order []string
	for _, m := range missing {
		variant, _, ok := strings.Cut(m, " on ")
		if stream, _, isStream := strings.Cut(m, " of "); !ok && isStream {
			variant = stream
		}
		if points[variant] == nil {
			order = append(order, variant)
		}
		points[variant] = append(points[variant], m)
	}
	var out []string
	for _, v := range order {
		if len(points[v]) < 3 {
			out = append(out, points[v]...)
		} else {
			out = append(out, fmt.Sprintf("%s on %d benchmarks", v, len(points[v])))
		}
	}
	if len(out) > n+1 {
		return fmt.Sprintf("%s and %d more", strings.Join(out[:n], ", "), len(out)-n)
	}
	return strings.Join(out, ", ")
}
