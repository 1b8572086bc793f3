package suite

import (
	"math"
	"slices"
	"testing"
)

// sample has rows of each class that take only a few seconds to simulate.
var sample = map[string][]string{
	"loops": {"ffma_chain", "ffma_three", "imad", "mufu", "popc_chain", "dadd", "shfl", "lds_chain", "lds_4", "sts_2",
		"ldg_chain", "ldg_1", "ldg_9", "ldg_17", "atoms_1"},
	"same words": {"stg_2", "stg_8", "stg_16"},
	"accesses":   {"bar", "red_2", "red_8", "atom_2"},
	"memory":     {"l1_32K", "l2_1M", "cold_1M", "read_l1_1sm", "code_16K", "code_64K_first"},
	"waits":      {"wait_1x8_1w", "wait_8x32_4w", "wait_16x1_4w", "wait_16x32_4w_own", "wait_16x32_4w_own_hit"},
	"launches": {"vecadd.small", "bfs.small", "hotspot.small", "dct8x8.small", "mri-q.small", "cfd.small",
		"transpose.small"},
}

// sampled has the mean errors of the sample at the time of writing. A change of the machine that moves an error by
// more than one percentage point must update this table and lab/docs/silicon.md.
var sampled = map[string]map[string]float64{
	"h100": {"loops": 0.008, "accesses": 0.004, "same words": 0.199, "memory": 0.049, "waits": 0.044,
		"launches": 0.060},
	"h200": {"loops": 0.008, "accesses": 0.004, "same words": 0.199, "memory": 0.036, "waits": 0.061,
		"launches": 0.056},
}

func TestTheMeanErrorOfEachClassOfRowsIsWithinAPointOfTheRecordedOne(t *testing.T) {
	for i := range Chips {
		c := &Chips[i]
		if testing.Short() && i > 0 {
			break
		}
		of := func(classes ...string) func(string) bool {
			return func(name string) bool {
				return slices.ContainsFunc(classes, func(c string) bool { return slices.Contains(sample[c], name) })
			}
		}
		dir := c.Files()
		loops, err := Loops(dir, c.GPU, of("loops", "accesses", "same words"))
		if err != nil {
			t.Fatal(err)
		}
		memory, err := Memory(dir, c.GPU, of("memory", "waits"))
		if err != nil {
			t.Fatal(err)
		}
		lists := map[string][]Outcome{}
		for _, o := range slices.Concat(loops, memory) {
			class := o.Class
			if slices.Contains(sample["memory"], o.Name) {
				class = "memory"
			}
			lists[class] = append(lists[class], o)
		}
		if !testing.Short() {
			if lists["launches"], err = Launches(dir, c.GPU, nil, of("launches"), func([]Outcome) {}); err != nil {
				t.Fatal(err)
			}
		}
		for class, list := range lists {
			s := Summarize(class, list)
			t.Logf("%s: %s", c.Name, s)
			want := sampled[c.Name][class]
			if math.Abs(s.Mean-want) > 0.01 || s.Rows < len(sample[class]) || s.Refused > 0 {
				t.Errorf("%s, %s: mean error %.1f %% of %d rows (%d refused), recorded is %.1f %%", c.Name, class,
					100*s.Mean, s.Rows, s.Refused, 100*want)
			}
		}
	}
}
