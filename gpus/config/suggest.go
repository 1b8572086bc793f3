package config

import (
	"strings"

	"kumiko/internal/nearest"
)

// suggestion names the known key that was probably meant, or lists the keys
// that there are.
func suggestion(table, part string, keys []string) string {
	best := nearest.Of(part, keys, 2)
	if table != "" && best != "" {
		best = table + "." + best
	}
	if best != "" {
		return "; did you mean " + best + "?"
	}
	return "; expected one of " + strings.Join(keys, ", ")
}
