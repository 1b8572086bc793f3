package config

import "testing"

func TestEditDistanceCountsInsertionsDeletionsAndSubstitutions(t *testing.T) {
	for _, k := range []struct {
		a, b string
		d    int
	}{{"", "", 0}, {"count", "count", 0}, {"cont", "count", 1}, {"counts", "count", 1}, {"kitten", "sitting", 3},
		{"", "abc", 3}} {
		if d := editDistance(k.a, k.b); d != k.d {
			t.Errorf("%q to %q: %d, want %d", k.a, k.b, d, k.d)
		}
	}
}
