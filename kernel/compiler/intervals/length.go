package intervals

import (
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// Lengths has the figures for the mean length of register-intervals (LTRF, table 4), over any number of warps.
type Lengths struct {
	Instructions uint64 // dynamic ones
	Entered      uint64 // how often a warp entered an interval
	// Optimal is the smallest number of runs of consecutive instructions, each within the register limit, into
	// which the streams can be cut: greedily, each as long as possible.
	Optimal uint64
}

// Real returns the mean number of dynamic instructions per interval; 0 without any.
func (l *Lengths) Real() float64 { return mean(l.Instructions, l.Entered) }

// Best returns the mean of the best cut.
func (l *Lengths) Best() float64 { return mean(l.Instructions, l.Optimal) }

func mean(n, of uint64) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// Counter counts the Lengths of one kernel's intervals, warp by warp.
type Counter struct {
	Lengths
	byPC  []int
	limit int

	at      int // interval of the warp's instruction before; -1: none
	run     Set // registers of the unfinished run of the best cut
	running bool
}

// NewCounter makes a Counter. byPC has the interval of each instruction (ByPC), and limit is the register limit of
// an interval.
func NewCounter(byPC []int, limit int) *Counter { return &Counter{byPC: byPC, limit: limit} }

// Begin starts with the next warp.
func (c *Counter) Begin() { c.at, c.running = -1, false }

// Step counts the warp's next instruction, and reports whether the warp has entered
// an interval with it.
func (c *Counter) Step(pc int, t *ir.Timing) (entered bool) {
	c.Instructions++
	if v := c.byPC[pc]; v != c.at {
		c.at = v
		c.Entered++
		entered = true
	}
	s := registers(t)
	if next := c.run.Or(s); c.running && next.Len() <= c.limit {
		c.run = next
		return entered
	}
	c.run, c.running = s, true
	c.Optimal++
	return entered
}

// Add counts the stream of a warp of k. byPC and limit are as for NewCounter.
func (l *Lengths) Add(k *ir.Kernel, w *stream.Warp, byPC []int, limit int) {
	n := NewCounter(byPC, limit)
	n.Begin()
	var c stream.Cursor
	var d stream.Dyn
	c.Start(k, w)
	for c.Next(&d) {
		n.Step(int(d.PC), &d.Inst.T)
	}
	l.Plus(n.Lengths)
}

// Plus adds the counts of o.
func (l *Lengths) Plus(o Lengths) {
	l.Instructions += o.Instructions
	l.Entered += o.Entered
	l.Optimal += o.Optimal
}
