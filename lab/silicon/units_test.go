package main

import (
	"math"
	"strings"
	"testing"
)

// The mean was 21.3 % before anything followed from the rows, with 102 beyond a tenth.
func TestTheRowsOfTheNotesOnHopperAreWithinATwentiethInTheMean(t *testing.T) {
	type total struct {
		rows, beyond int // beyond a tenth
		sum, worst   float64
	}
	all, sums := &total{}, map[string]*total{}
	list, err := simulated()
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		c := &list[i]
		if c.GPU != "h100" || !strings.Contains(c.Source, "nvidia-sass-document") {
			continue
		}
		if sums[c.Group] == nil {
			sums[c.Group] = &total{}
		}
		off := c.Got/c.Want - 1
		t.Logf("%-50s %7.3f %7.3f %+6.1f %%", c.Name, c.Want, c.Got, 100*off)
		for _, s := range []*total{sums[c.Group], all} {
			s.rows++
			s.sum += math.Abs(off)
			s.worst = max(s.worst, math.Abs(off))
			if math.Abs(off) > 0.1 {
				s.beyond++
			}
		}
	}
	for title, s := range sums {
		t.Logf("%s: %d rows, mean error %.1f %%, worst %.0f %%, %d beyond 10 %%", title, s.rows,
			100*s.sum/float64(s.rows), 100*s.worst, s.beyond)
	}
	mean := all.sum / float64(all.rows)
	t.Logf("all: %d rows, mean error %.1f %%, %d beyond 10 %%", all.rows, 100*mean, all.beyond)
	if all.rows != 256 || mean > 0.02 || all.beyond > 3 {
		t.Errorf("%d rows with a mean error of %.1f %%, %d beyond 10 %%; want 256, at most 2 %% and 3", all.rows,
			100*mean, all.beyond)
	}
}
