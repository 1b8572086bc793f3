package wholemachine

import (
	"fmt"
	"io"

	"kumiko/benchmarks"
)

// SliceCase is an application and a change of the conventional register file
// that matters to it.
type SliceCase struct {
	App    string
	Change string // key=value
}

// SliceCases are the rows of the slice table.
var SliceCases = []SliceCase{
	{"fmaheavy", "regfile.conventional.collectors=2"},
	{"transpose", "regfile.conventional.collectors=1"},
	{"lbm", "regfile.conventional.collectors=1"},
	{"myocyte", "regfile.conventional.banks=8"},
	{"dct8x8", "regfile.conventional.collectors=2"},
	{"hotspot", "regfile.conventional.collectors=2"},
	{"vecadd", "regfile.conventional.read_latency=8"},
}

// Ratio is the cycles of the GPU as it is over those with the change, on so
// many SMs of the chip; 0: all.
func (c *SliceCase) Ratio(size benchmarks.Size, sms int) (float64, error) {
	set := []string{fmt.Sprintf("slice.sms=%d", sms)}
	base, err := (&Job{App: c.App, Size: size, GPU: "gtx980", Set: set}).Run()
	if err != nil {
		return 0, err
	}
	changed, err := (&Job{App: c.App, Size: size, GPU: "gtx980", Set: append(set, c.Change)}).Run()
	if err != nil {
		return 0, err
	}
	return float64(base.Cycles) / float64(changed.Cycles), nil
}

// Slices writes the slice table.
func Slices(w io.Writer, size benchmarks.Size, cases []SliceCase) error {
	fmt.Fprint(w, "| application | change | 16 SMs | slice of 4 | difference |\n|---|---|---|---|---|\n")
	for i := range cases {
		c := &cases[i]
		whole, err := c.Ratio(size, 0)
		if err != nil {
			return err
		}
		part, err := c.Ratio(size, 4)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "| %s | `%s` | %.3f | %.3f | %+.1f %% |\n", c.App, c.Change, whole, part, 100*(part/whole-1))
	}
	return nil
}
