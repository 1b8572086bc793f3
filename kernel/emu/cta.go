package emu

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"kumiko/kernel/ir"
)

// cta is the state of a CTA, reused from one CTA to the next.
type cta struct {
	eng    *engine
	shape  shape
	index  int
	ctaid  [3]uint32
	warps  []warp
	left   int // warps not yet ended
	shared []byte
	bars   [numBarriers]barrier
	mbars  []mbarrier
	state  outcome
}

// shape has the sizes of a CTA's state. The state can be reused by a launch of the same shape.
type shape struct{ threads, shared, local int }

func (e *engine) shape() shape { return shape{e.l.threads(), e.sharedBytes(), e.l.localBytes()} }

// takeCTA returns the state of a CTA, if possible from an earlier launch.
func takeCTA(e *engine) *cta {
	c, _ := e.prog.spare.Get().(*cta)
	if c == nil || c.shape != e.shape() {
		c = newCTA(e)
	}
	c.eng = e
	for i := range c.warps {
		w := &c.warps[i]
		w.eng = e
		w.rec.on = e.record
		w.fillConstants()
	}
	return c
}

// leave keeps the CTAs' states for the next launch, without their references to this one.
func (e *engine) leave() {
	for _, c := range e.free {
		c.eng = nil
		for i := range c.warps {
			c.warps[i].eng = nil
		}
		e.prog.spare.Put(c)
	}
	e.free = nil
}

// newCTA returns the state of a CTA for a launch.
func newCTA(e *engine) *cta {
	c := &cta{shape: e.shape(), shared: make([]byte, e.sharedBytes())}
	threads := e.l.threads()
	c.warps = make([]warp, (threads+31)/32)
	for i := range c.warps {
		w := &c.warps[i]
		w.cta, w.index = c, i
		w.all = ^uint32(0)
		if n := threads - 32*i; n < 32 {
			w.all = 1<<n - 1
		}
		w.rows = make([]row, e.prog.lay.size())
		w.preds = make([]uint32, e.prog.k.NumPreds+2)
		w.local = make([]byte, 32*e.l.localBytes())
		w.stored.lo = math.MaxUint64
	}
	return c
}

// start begins the CTA with the given linear index.
func (c *cta) start(index int) {
	g := c.eng.l.Grid
	c.index = index
	c.ctaid = [3]uint32{uint32(index % g[0]), uint32(index / g[0] % g[1]), uint32(index / g[0] / g[1])}
	c.left = len(c.warps)
	c.state = running
	clear(c.shared)
	for i := range c.bars {
		c.bars[i].reset()
	}
	c.mbars = c.mbars[:0]
	for i := range c.warps {
		c.warps[i].start()
	}
}

func (w *warp) start() {
	clear(w.rows[:w.eng.prog.lay.fixed()])
	clear(w.preds)
	w.clearLocal()
	w.fillPosition()
	w.live, w.mask = w.all, w.all
	w.pc, w.reconv, w.runPC = 0, -1, 0
	w.stack, w.waits, w.apart = w.stack[:0], 0, apart{}
	w.conv.reset()
	w.insts, w.lanes = 0, 0
	w.state, w.pos = running, nil
	w.susp = suspension{}
	w.rec.reset()
	w.spin.reset(0)
}

// clearLocal zeroes the part of local memory written by stores. The rest is as allocated, so a large, little used
// array takes no memory of the host.
func (w *warp) clearLocal() {
	per := uint64(w.eng.l.localBytes())
	if s := &w.stored; s.lo < s.hi {
		for l := range uint64(32) {
			clear(w.local[l*per+s.lo : l*per+s.hi])
		}
		s.lo, s.hi = math.MaxUint64, 0
	}
}

// run gives every runnable warp a turn, in warp order, until no warp can run or a warp has used up its quota. It
// returns finished, spinning (no warp can continue before a store from outside), yielded or failed.
func (c *cta) run() outcome {
	for {
		ran, over, polled := false, false, true
		for i := range c.warps {
			w := &c.warps[i]
			if w.state == spinning && w.spin.version != c.eng.version {
				w.state = running
				w.spin.reset(w.insts)
			}
			if w.state == suspended && w.susp.version != c.eng.version {
				w.state = running
			}
			if w.state != running {
				continue
			}
			if c.eng.closed() {
				return failed
			}
			ran = true
			c.eng.now = w
			w.limit, w.gaveUp = w.turnEnd(), false
			w.state = w.run()
			polled = polled && (w.state == spinning || w.gaveUp)
			switch w.state {
			case failed:
				return failed
			case finished:
				c.ended()
			case cut:
				c.eng.cut = true
			case yielded:
				w.state = running
				over = true
			}
		}
		switch {
		case c.left == 0:
			return finished
		case !ran && c.eng.cut && c.cutOff():
			return finished
		case !ran && c.resume():
		case !ran && c.takeTurns():
		case !ran:
			return c.stuck()
		case over:
			if polled { // none of the warps gets on, so that a lane of a spinning one may have what they wait for
				c.takeTurns()
			}
			return yielded
		}
	}
}

// turnEnd returns the instruction count at the end of the warp's turn.
func (w *warp) turnEnd() uint64 {
	lim := &w.eng.l.Limits
	end := min(w.insts+lim.TurnInsts, lim.WarpInsts)
	if lim.CutInsts > 0 {
		end = min(end, lim.CutInsts)
	}
	return end
}

// cutOff ends the CTA in its present state if some warp has reached CutInsts and no other can continue. It reports
// whether there is such a warp.
func (c *cta) cutOff() bool {
	if !slices.ContainsFunc(c.warps, func(w warp) bool { return w.state == cut }) {
		return false
	}
	for i := range c.warps {
		w := &c.warps[i]
		if w.state != finished {
			w.endRun(w.pc, w.pc)
			w.state = finished
		}
	}
	for i := range c.bars {
		c.bars[i].reset()
	}
	return true
}

// ended records the end of a warp: barriers expect one fewer.
func (c *cta) ended() {
	c.left--
	for i := range c.bars {
		if c.bars[i].arrived > 0 {
			c.complete(i)
		}
	}
}

// stuck is called for a CTA without a runnable warp. It returns spinning if a store by another CTA may help, and
// failed otherwise.
func (c *cta) stuck() outcome {
	for i := range c.warps {
		if c.warps[i].state == spinning {
			return spinning
		}
	}
	c.eng.hang("CTA %s: no warp can go on:%s", c.name(), c.waits())
	return failed
}

// waits describes the wait of each warp.
func (c *cta) waits() string {
	var s strings.Builder
	listed := 0
	for i := range c.warps {
		w := &c.warps[i]
		var what string
		switch w.state {
		case waiting:
			b := &c.bars[w.wait.num]
			want := b.expected
			if want == 0 {
				want = c.left
			}
			what = fmt.Sprintf("waits at barrier %d, where %d of %d warps have arrived (%s)",
				w.wait.num, b.arrived, want, position(c.eng.prog.k, w.wait.in.src))
		case spinning:
			what = fmt.Sprintf("spins (%s)", position(c.eng.prog.k, c.eng.prog.code[w.pc].src))
			if s := &w.susp; s.object != 0 {
				what += fmt.Sprintf(", since the mbarrier at %#x of shared memory lacks %d arrivals and %d bytes",
					s.addr, ir.MbarrierPending(s.object), ir.MbarrierTransactions(s.object))
			}
			what += w.apartFrom()
		default:
			continue
		}
		if listed++; listed > 8 {
			s.WriteString("\n  ...")
			break
		}
		fmt.Fprintf(&s, "\n  warp %d %s", i, what)
	}
	return s.String()
}

// name returns the CTA's coordinates.
func (c *cta) name() string {
	return fmt.Sprintf("(%d,%d,%d)", c.ctaid[0], c.ctaid[1], c.ctaid[2])
}

// thread returns the coordinates of a lane's thread within its CTA.
func (w *warp) thread(lane int) string {
	b := w.eng.l.Block
	t := 32*w.index + lane
	return fmt.Sprintf("(%d,%d,%d)", t%b[0], t/b[0]%b[1], t/b[0]/b[1])
}

// fillConstants sets the constant rows, except the CTA's coordinates.
func (w *warp) fillConstants() {
	lay := &w.eng.prog.lay
	for i := range lay.consts {
		c := &lay.consts[i]
		r := &w.rows[int(lay.fixed())+i]
		switch c.kind {
		case ir.KindImm:
			r.fill(uint32(c.imm))
		case ir.KindParam:
			r.fill(w.bankWord(w.eng.l.Params, c, i))
		case ir.KindConst:
			r.fill(w.bankWord(w.eng.l.Const, c, i))
		case ir.KindSpecial:
			for l := range r {
				r[l] = w.special(c.sp, uint32(l), c.word)
			}
		}
	}
}

// bankWord returns a word of the constant bank. Bytes past its end are zero. Launch has checked that the parameters
// and the constants of the program lie within.
func (w *warp) bankWord(bank []byte, c *constRow, i int) uint32 {
	v := uint32(0)
	for b := range int(c.size) {
		if at := c.imm + uint64(b); at < uint64(len(bank)) {
			v |= uint32(bank[at]) << (8 * b)
		}
	}
	switch {
	case !c.sign:
	case c.size > 0 && c.size < 4:
		s := 32 - 8*c.size
		v = uint32(int32(v<<s) >> s)
	case c.size == 0:
		low := w.rows[int(w.eng.prog.lay.fixed())+i-1][0]
		v = uint32(int32(low) >> 31)
	}
	return v
}

// fillPosition sets the rows with the CTA's coordinates.
func (w *warp) fillPosition() {
	lay := &w.eng.prog.lay
	for i := range lay.consts {
		c := &lay.consts[i]
		if c.kind == ir.KindSpecial && c.sp.OfCTA() && c.word == 0 {
			w.rows[int(lay.fixed())+i].fill(w.cta.position(c.sp))
		}
	}
}
