// Package nearest finds the name that a misspelt one was probably meant to be.
package nearest

// Of returns the name that is nearest to word, the first of several. It is "" where more than most insertions,
// deletions and substitutions lie between them, or as many as word has bytes.
func Of(word string, names []string, most int) string {
	best, distance := "", min(most+1, len(word))
	for _, n := range names {
		if d := Distance(word, n); d < distance {
			best, distance = n, d
		}
	}
	return best
}

// Distance is Levenshtein's: the insertions, deletions and substitutions
// of bytes that turn a into b.
func Distance(a, b string) int {
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
