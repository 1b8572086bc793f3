package main

import (
	"math"
	"slices"
	"testing"
)

// notedSum sums up the rows of a table.
type notedSum struct {
	rows, beyond int // beyond a tenth
	sum, worst   float64
}

func TestTheRowsOfTheNotesOnHopperAreAsFarOffAsWritten(t *testing.T) {
	sums := map[string]*notedSum{}
	all := &notedSum{}
	for _, c := range slices.Concat(hopperUnits(), visible()) {
		got, err := c.Run()
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		if sums[c.Group] == nil {
			sums[c.Group] = &notedSum{}
		}
		e := math.Abs(got/c.Want - 1)
		t.Logf("%-50s %7.3f %7.3f %+6.1f %%", c.Name, c.Want, got, 100*(got/c.Want-1))
		for _, s := range []*notedSum{sums[c.Group], all} {
			s.rows++
			s.sum += e
			s.worst = max(s.worst, e)
			if e > 0.1 {
				s.beyond++
			}
		}
	}
	for title, s := range sums {
		t.Logf("%s: %d rows, mean error %.1f %%, worst %.0f %%, %d beyond 10 %%", title, s.rows,
			100*s.sum/float64(s.rows), 100*s.worst, s.beyond)
	}
	t.Logf("all: %d rows, mean error %.1f %%, %d beyond 10 %%", all.rows, 100*all.sum/float64(all.rows), all.beyond)
	if mean := all.sum / float64(all.rows); all.rows != 229 || mean > 0.25 {
		t.Errorf("%d rows with a mean error of %.1f %%, want 229 and at most 25 %%", all.rows, 100*mean)
	}
}
