package result

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// launched returns a launch of a grid.
func launched(name string, n uint64, grid int) Kernel {
	k := oneLaunch(name, n)
	k.Grid, k.Block, k.Complete = [3]int{grid, 1, 1}, [3]int{32, 1, 1}, true
	return k
}

func TestRowsAddUpToTheLaunchesAndDoNotGrowWithThem(t *testing.T) {
	var rows Rows
	var all []Kernel
	for i := range 40 * MostLaunches {
		name := fmt.Sprint("k", i%3)
		rows.Add(launched(name, uint64(1+i%7), 1+i%5))
		all = append(all, launched(name, uint64(1+i%7), 1+i%5))
	}
	list := rows.List()
	if n := len(list); n != MostLaunches+15 {
		t.Errorf("%d rows, want %d and 15 of 3 kernels in 5 shapes", n, MostLaunches)
	}
	if d := cmp.Diff(all[:MostLaunches], list[:MostLaunches]); d != "" {
		t.Errorf("the first launches (-own +row):\n%s", d)
	}
	if n := Launched(list); n != len(all) {
		t.Errorf("the rows stand for %d launches, want %d", n, len(all))
	}
	if d := cmp.Diff(Sum(all), Sum(list)); d != "" {
		t.Errorf("sums (-launches +rows):\n%s", d)
	}
	var same []Kernel
	last := &list[len(list)-1]
	for _, k := range all[MostLaunches:] {
		if SameShape(&k, last) {
			same = append(same, k)
		}
	}
	if d := cmp.Diff(Sum(same).Counts, last.Counts); d != "" || last.Launches != len(same) {
		t.Errorf("a row of %d launches, want %d (-launches +row):\n%s", last.Launches, len(same), d)
	}
	if s := last.SMs[2]; s.WarpInstructions != last.Cycles || s.CPIStack[Issued] != 1 {
		t.Errorf("SM 2 of the row: %+v", s)
	}
}

func TestRowsOfVeryManyShapesAreThoseOfTheKernels(t *testing.T) {
	var rows Rows
	var all []Kernel
	for i := range 5 * MostLaunches {
		rows.Add(launched(fmt.Sprint("k", i%2), 1, i))
		all = append(all, launched(fmt.Sprint("k", i%2), 1, i))
	}
	list := rows.List()
	if n := len(list); n != 2*MostLaunches+2 {
		t.Errorf("%d rows, want %d", n, 2*MostLaunches+2)
	}
	last := &list[len(list)-1]
	if last.Grid != [3]int{} || last.Block != [3]int{} || !last.Complete || last.Launches != 3*MostLaunches/2 {
		t.Errorf("the last row: %+v", last)
	}
	if d := cmp.Diff(Sum(all), Sum(list)); d != "" {
		t.Errorf("sums (-launches +rows):\n%s", d)
	}
}

func TestALaunchCutShortKeepsItsOwnRow(t *testing.T) {
	var rows Rows
	for range MostLaunches + 2 {
		rows.Add(launched("k", 1, 1))
	}
	cut := launched("k", 1, 1)
	cut.Complete = false
	rows.Add(cut)
	list := rows.List()
	if n := len(list); n != MostLaunches+2 || !list[n-2].Complete || list[n-2].Launches != 2 || list[n-1].Complete {
		t.Errorf("%d rows, the last two %+v", n, list[n-2:])
	}
}
