package intervals

import (
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// Lengths counts how long warps stay in their register-intervals (LTRF, table
// 4), over any number of warps.
type Lengths struct {
	Instructions uint64 // dynamic ones
	Entered      uint64 // how often a warp entered an interval
	// Optimal is into how few runs of consecutive instructions, each naming at
	// most the limit of registers, the streams can be cut: greedily, each as
	// long as possible.
	Optimal uint64
}

// Real is the mean number of dynamic instructions per interval; 0 without any.
func (l *Lengths) Real() float64 { return mean(l.Instructions, l.Entered) }

// Best is the mean of the best cut.
func (l *Lengths) Best() float64 { return mean(l.Instructions, l.Optimal) }

func mean(n, of uint64) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// Add counts the stream of a warp of k. byPC has the interval of each
// instruction (ByPC) and limit is the most registers that an interval may have.
func (l *Lengths) Add(k *ir.Kernel, w *stream.Warp, byPC []int, limit int) {
	var c stream.Cursor
	var d stream.Dyn
	var run Set
	at := -1
	first := true
	c.Start(k, w)
	for c.Next(&d) {
		l.Instructions++
		if v := byPC[d.PC]; v != at {
			at = v
			l.Entered++
		}
		s := registers(&d.Inst.T)
		if next := run.Or(s); first || next.Len() > limit {
			run = s
			l.Optimal++
			first = false
		} else {
			run = next
		}
	}
}
