package timeline

import (
	"cmp"
	"slices"
)

// KernelWait has the cycles for which operands and results of a kernel waited because an access of another stream held
// their bank.
type KernelWait struct {
	Waiting       string `json:"waiting"`
	WaitingStream int    `json:"waiting_stream"`
	Holding       string `json:"holding"`
	HoldingStream int    `json:"holding_stream"`
	Cycles        uint64 `json:"cycles"`
}

// between sums the cycles that each kernel waited because of a kernel of another stream.
func between(list []Profiled) (out []KernelWait) {
	sums := map[KernelWait]uint64{}
	for i := range list {
		for _, h := range list[i].Holders {
			if h.Kernel != "" {
				sums[KernelWait{list[i].Kernel, h.WaitingStream, h.Kernel, h.Stream, 0}] += h.Cycles
			}
		}
	}
	for x, n := range sums {
		x.Cycles = n
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b KernelWait) int {
		return cmp.Or(cmp.Compare(b.Cycles, a.Cycles), cmp.Compare(a.Waiting, b.Waiting),
			cmp.Compare(a.Holding, b.Holding), cmp.Compare(a.WaitingStream, b.WaitingStream),
			cmp.Compare(a.HoldingStream, b.HoldingStream))
	})
	return out
}
