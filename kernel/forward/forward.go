// Package forward moves CTAs ahead in their streams, for sampled simulation. It skips the instructions between two
// runs with the same PC and the same lanes, such as iterations of a loop. The rest is a valid path through the
// kernel. So the blocks of the machine see only a shorter loop, whatever state they keep of the warps.
package forward

import (
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// CTA is a CTA whose warps can be moved ahead.
type CTA struct {
	*stream.CTA             // as it is simulated
	whole       *stream.CTA // as it was executed
	warps       []warp
	meets       bool // at barriers
}

type warp struct {
	next    mark   // the next run, when the warp was located
	ahead   []leap // not yet reached by the warp
	marks   []mark // beginnings of runs behind the last of them
	lo, hi  int    // indices of the marks around the skipped runs
	leaps   []leap // found by shorten
	skipped uint64
	missed  int // skipped barriers
}

// leap skips the instructions between two marks.
type leap struct{ from, to mark }

// mark is the beginning of a run.
type mark struct {
	at       stream.Place
	insts    uint64 // before it, including skipped ones
	barriers int
}

// Possible reports whether CTAs of a kernel can be moved ahead: there are no barriers, or all warps meet at the
// same one. Other barriers are for some of the warps or count earlier events.
func Possible(k *ir.Kernel) bool {
	for i := range k.Insts {
		in := &k.Insts[i]
		switch {
		case in.Op == ir.OpMbarWait, in.Op == ir.OpAtom && in.Mods.Atomic == ir.AtomArrive:
			return false
		case in.Op == ir.OpBar && (in.T.Space == ir.Barriers || in.Mods.Bar == ir.BarArrive || in.T.BarID != 0 ||
			len(in.Src) > 1 && in.Src[1].Kind != ir.KindNone):
			return false
		}
	}
	return true
}

// New returns a CTA at its beginning. c does not change.
func New(c *stream.CTA) *CTA {
	out := &CTA{CTA: &stream.CTA{Index: c.Index, Kernel: c.Kernel, Warps: make([]stream.Warp, len(c.Warps)),
		Values: c.Values}, whole: c,
		warps: make([]warp, len(c.Warps))}
	copy(out.Warps, c.Warps)
	for i := range c.Kernel.Insts {
		out.meets = out.meets || c.Kernel.Insts[i].Op == ir.OpBar
	}
	return out
}

// Whole returns the CTA as it was executed.
func (c *CTA) Whole() *stream.CTA { return c.whole }

// Locate updates the places of the warps. next has, for each warp, the index of the first run not yet begun, or at
// least the number of runs if the warp has ended. Locate returns means over the warps: of the instructions that a warp
// has passed, including skipped ones and those still to be skipped, and of its remaining instructions.
func (c *CTA) Locate(next []int) (done, rest float64) {
	var in, before uint64
	for i := range c.warps {
		x, w := &c.warps[i], &c.whole.Warps[i]
		for len(x.ahead) > 0 && x.ahead[0].from.at.Run < next[i] {
			x.next = x.ahead[0].to
			x.ahead = x.ahead[1:]
		}
		for x.next.at.Run < min(next[i], len(w.Runs)) {
			x.next.pass(c.whole.Kernel, w)
		}
		before += x.done()
		in += w.Insts
	}
	n := float64(len(c.warps))
	return float64(before) / n, float64(in-before) / n
}

// Settled reports whether all warps, when last located, had passed the instructions they skip.
func (c *CTA) Settled() bool {
	for i := range c.warps {
		if len(c.warps[i].ahead) > 0 {
			return false
		}
	}
	return true
}

// done returns the number of instructions that the warp has passed, including skipped ones and those still to be
// skipped.
func (x *warp) done() uint64 {
	n := x.next.insts
	for i := range x.ahead {
		n += x.ahead[i].to.insts - x.ahead[i].from.insts
	}
	return n
}

// Ahead moves each warp ahead by about n instructions from its last located place. It calls f for each skipped
// part. In a CTA with barriers all warps must skip the same number of barriers, or they would no longer meet. If no
// parts of about this length do, nothing is skipped.
func (c *CTA) Ahead(n uint64, f func(warp int, from, to stream.Place)) (skipped uint64) {
	live := 0
	for i := range c.warps {
		c.gather(i, n)
		x := &c.warps[i]
		if len(x.marks) > 0 {
			live++
		} else if c.meets && (x.next.at.Run < len(c.whole.Warps[i].Runs) || x.next.barriers > 0) {
			return 0 // the others may have to meet it yet
		}
	}
	if live == 0 || c.meets && !c.meet() {
		return 0
	}
	missed := -1
	for i := range c.warps {
		x := &c.warps[i]
		if len(x.marks) == 0 {
			continue
		}
		x.shorten(c.whole.Warps[i].Runs)
		if c.meets && missed >= 0 && x.missed != missed {
			return 0
		}
		missed = x.missed
	}
	for i := range c.warps {
		if x := &c.warps[i]; len(x.marks) > 0 {
			c.leave(i, f)
			skipped += x.skipped
		}
	}
	return skipped
}

// leave applies a warp's leaps.
func (c *CTA) leave(i int, f func(warp int, from, to stream.Place)) {
	x, w := &c.warps[i], &c.Warps[i]
	for _, l := range x.leaps {
		f(i, l.from.at, l.to.at)
		if n := len(x.ahead); n > 0 && x.ahead[n-1].to.at.Run == l.from.at.Run {
			x.ahead[n-1].to = l.to
			w.Jumps[len(w.Jumps)-1].To = l.to.at
			continue
		}
		x.ahead = append(x.ahead, l)
		w.Jumps = append(w.Jumps, stream.Jump{From: l.from.at.Run, To: l.to.at})
	}
}

// gather marks the runs up to n instructions ahead, behind the parts already skipped.
func (c *CTA) gather(i int, n uint64) {
	x, w := &c.warps[i], &c.whole.Warps[i]
	x.marks = x.marks[:0]
	m := x.next
	if k := len(x.ahead); k > 0 {
		m = x.ahead[k-1].to
	}
	for until := x.done() + n; m.at.Run < len(w.Runs) && m.insts <= until; m.pass(c.whole.Kernel, w) {
		x.marks = append(x.marks, m)
	}
	x.lo, x.hi = 0, len(x.marks)-1
}

// pass moves a mark to the next run.
func (m *mark) pass(k *ir.Kernel, w *stream.Warp) {
	r := &w.Runs[m.at.Run]
	for i := range k.Insts[r.PC : r.PC+r.N] {
		in := &k.Insts[int(r.PC)+i]
		exec := r.Mask
		if in.T.Guarded {
			exec = w.Masks[m.at.Mask]
			m.at.Mask++
		}
		if exec == 0 {
			continue
		}
		m.at.Value += int(in.T.NDst)
		if in.T.Space != ir.SpaceNone {
			m.at.Access++
		}
		if in.Op == ir.OpBar {
			m.barriers++
		}
	}
	m.at.Run++
	m.insts += uint64(r.N)
}

// tries is the number of barriers tried at either end.
const tries = 8

// meet limits the skipped part of each warp to the instructions between the same two barriers.
func (c *CTA) meet() bool {
	from, to := 0, int(^uint(0)>>1)
	for i := range c.warps {
		if x := &c.warps[i]; len(x.marks) > 0 {
			from, to = max(from, x.marks[0].barriers), min(to, x.marks[len(x.marks)-1].barriers)
		}
	}
	for last := from + tries; !c.eachMark(from, func(x *warp, k int) { x.lo = k }); from++ {
		if from == last {
			return false
		}
	}
	for last := to - tries; to <= from || !c.eachMark(to, func(x *warp, k int) { x.hi = k }); to-- {
		if to <= from || to == last {
			return false
		}
	}
	return true
}

// eachMark calls f with the first mark after the given number of barriers, for each warp that has marks. It returns
// false if one of them has no such mark.
func (c *CTA) eachMark(barriers int, f func(x *warp, k int)) bool {
	for i := range c.warps {
		x := &c.warps[i]
		if len(x.marks) == 0 {
			continue
		}
		k := 0
		for k < len(x.marks) && x.marks[k].barriers < barriers {
			k++
		}
		if k == len(x.marks) || x.marks[k].barriers != barriers {
			return false
		}
		f(x, k)
	}
	return true
}

// begin is the common beginning of two runs, needed for a jump between them.
type begin struct{ pc, mask uint32 }

// shorten finds the leaps between two marks: from each run to the last run with the same beginning.
func (x *warp) shorten(runs []stream.Run) {
	x.leaps, x.skipped, x.missed = x.leaps[:0], 0, 0
	last := make(map[begin]int, 16)
	of := func(k int) begin { r := &runs[x.marks[k].at.Run]; return begin{r.PC, r.Mask} }
	for k := x.lo; k <= x.hi; k++ {
		last[of(k)] = k
	}
	for k := x.lo; k < x.hi; k++ {
		to := last[of(k)]
		if to == k {
			continue
		}
		l := leap{x.marks[k], x.marks[to]}
		x.leaps = append(x.leaps, l)
		x.skipped += l.to.insts - l.from.insts
		x.missed += l.to.barriers - l.from.barriers
		k = to
	}
}
