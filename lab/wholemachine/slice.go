package wholemachine

import (
	"fmt"
	"io"

	"kumiko/benchmarks"
)

// SliceCase is an application with a relevant change of the conventional register file.
type SliceCase struct {
	App    string
	Size   benchmarks.Size
	Change string // key=value
}

// SliceCases are the rows of the slice table. The sizes give at least four waves of CTAs even on the whole chip.
// With fewer waves, the last wave depends more on the number of SMs than on the design.
var SliceCases = []SliceCase{
	{"vecadd", benchmarks.Study, "regfile.conventional.read_latency=8"},
	{"transpose", benchmarks.Paper, "regfile.conventional.collectors=2"},
	{"dct8x8", benchmarks.Paper, "regfile.conventional.collectors=2"},
	{"lbm", benchmarks.Study, "regfile.conventional.collectors=2"},
	{"hotspot", benchmarks.Paper, "regfile.conventional.collectors=2"},
	{"hotspot", benchmarks.Paper, "regfile.conventional.banks=8"},
	{"pathfinder", benchmarks.Paper, "regfile.conventional.collectors=2"},
}

// Ratio returns the cycles of the unchanged GPU divided by the cycles with the change, on the given number of SMs
// of the chip; 0: all.
func (c *SliceCase) Ratio(sms int) (float64, error) {
	set := []string{fmt.Sprintf("slice.sms=%d", sms)}
	base, err := (&Job{App: c.App, Size: c.Size, GPU: "gtx980", Set: set}).Run()
	if err != nil {
		return 0, err
	}
	changed, err := (&Job{App: c.App, Size: c.Size, GPU: "gtx980", Set: append(set, c.Change)}).Run()
	if err != nil {
		return 0, err
	}
	return float64(base.Cycles) / float64(changed.Cycles), nil
}

// Slices writes the slice table.
func Slices(w io.Writer, cases []SliceCase) error {
	fmt.Fprint(w, "| application | size | change | 16 SMs | slice of 4 | difference |\n|---|---|---|---|---|---|\n")
	for i := range cases {
		c := &cases[i]
		whole, err := c.Ratio(0)
		if err != nil {
			return err
		}
		part, err := c.Ratio(4)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "| %s | %s | `%s` | %.3f | %.3f | %+.1f %% |\n", c.App, c.Size, c.Change, whole, part,
			100*(part/whole-1))
	}
	return nil
}
