package intervals

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// graphs are control-flow graphs of SASS kernels with the counts of the LTRF authors' published tool
// (CMU-SAFARI/Register-Interval) for them. Its second pass merges nothing on any of them, so the counts are an
// upper bound.
const graphs = "../../../../shared/data/cfg"

func TestThereAreNoMoreIntervalsThanThePublishedToolMakes(t *testing.T) {
	f, err := os.Open(filepath.Join(graphs, "register_intervals_reference.csv"))
	if err != nil {
		t.Skip("the graphs are not part of the project")
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		src, err := os.Open(filepath.Join(graphs, row[0]+".dot"))
		if err != nil {
			t.Fatal(err)
		}
		list, err := ReadDot(row[0], src)
		src.Close()
		if err != nil {
			t.Fatal(err)
		}
		limit, _ := strconv.Atoi(row[1])
		theirs, _ := strconv.Atoi(row[3])
		largest, _ := strconv.Atoi(row[5])
		ours, most := 0, 0
		for _, g := range list {
			v, err := Build(g, limit)
			if err != nil {
				t.Fatal(err)
			}
			ours += len(v)
			for i := range v {
				most = max(most, v[i].Registers.Len())
			}
		}
		if ours > theirs || most > limit {
			t.Errorf("%s, %d registers: %d intervals (theirs %d), largest working set %d (theirs %d)", row[0], limit,
				ours, theirs, most, largest)
		}
		// One interval holds the whole kernel, so both see the same registers.
		if ours == 1 && most != largest {
			t.Errorf("%s, %d registers: largest working set %d, theirs %d", row[0], limit, most, largest)
		}
	}
}
