package app

import (
	"fmt"
	"maps"
	"slices"
)

func Percent(n, of uint64) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(of))
}

// Magnitude formats a number with three significant digits and a unit prefix.
func Magnitude(v float64) string {
	for _, u := range []struct {
		unit  float64
		label string
	}{{1e9, " G"}, {1e6, " M"}, {1e3, " k"}} {
		if v >= u.unit {
			return fmt.Sprintf("%.3g%s", v/u.unit, u.label)
		}
	}
	return fmt.Sprintf("%.3g", v)
}

func SortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
