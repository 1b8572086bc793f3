package config

import "strings"

// suggestion names the known key that was probably meant, or lists the keys
// that there are.
func suggestion(table, part string, keys []string) string {
	best, distance := "", 3
	for _, k := range keys {
		if d := editDistance(part, k); d < distance && d < len(part) {
			best, distance = k, d
		}
	}
	if table != "" && best != "" {
		best = table + "." + best
	}
	if best != "" {
		return "; did you mean " + best + "?"
	}
	return "; expected one of " + strings.Join(keys, ", ")
}

// editDistance is Levenshtein's: the insertions, deletions and substitutions
// of bytes that turn a into b.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
