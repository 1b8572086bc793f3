// Package nearest finds the probably intended name for a misspelt one.
package nearest

import (
	"slices"
	"strings"
)

// Hint returns "; did you mean NAME?" for the name at a distance of at most two from word, letters of either case
// being equal. A name that continues word behind a dash is nearer than one at a distance of two, as cerf-fair is to
// cerf. Hint returns "" if there is none.
func Hint(word string, names []string) string {
	lower := make([]string, len(names))
	for i, n := range names {
		lower[i] = strings.ToLower(n)
	}
	word = strings.ToLower(word)
	best := Of(word, lower, 1)
	if best == "" {
		best = Of(word, lower, 2)
		if i := slices.IndexFunc(lower, func(n string) bool { return strings.HasPrefix(n, word+"-") }); i >= 0 {
			best = lower[i]
		}
	}
	for i, n := range lower {
		if n == best && best != "" {
			return "; did you mean " + names[i] + "?"
		}
	}
	return ""
}

// Of returns the name nearest to word, the first of several. It returns "" if the distance exceeds most, or is at least
// the number of bytes in word.
func Of(word string, names []string, most int) string {
	best, distance := "", min(most+1, len(word))
	for _, n := range names {
		if d := Distance(word, n); d < distance {
			best, distance = n, d
		}
	}
	return best
}

// Distance returns the number of insertions, deletions and substitutions of bytes, and of exchanges of two neighbours,
// from a to b, where no byte is changed twice (optimal string alignment).
func Distance(a, b string) int {
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
