package sched

import (
	"fmt"
	"math/bits"
	"strings"

	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/sm/memqueue"
	"kumiko/sm/message"
	"kumiko/sm/program"
	"kumiko/sm/reason"
)

// controls makes a scheduler's warps issue by their control words, as GPUs since Kepler do: a
// stall count, a yield flag and six dependence counters for each warp, and no scoreboard. Nothing
// keeps an instruction from reading a register too early if its control words are wrong.
//
// Sources: Huerta et al., MICRO 2025, section 4; maxas' wiki, Control Codes.
type controls struct {
	clock   uint64 // cycles in which stall counts went down
	seen    wire.Cycle
	stopped bool   // stall counts stand still in the cycle seen
	timed   uint64 // slots blocked by time alone
	fences  FenceSpec
	rows    [counted + 1]reason.Reason `soft:"constants"`
	sched   *Scheduler
	queued  uint8 // the kind of the units behind a memory queue; program.NoKind: there is none
}

// delay is the reason of a control word against issuing an instruction.
type delay uint8

const (
	stalled delay = iota // the stall count of the warp's last instruction is not down
	yielded              // the warp's last instruction leaves the cycle to others
	counted              // a dependence counter is up
	fencing              // a fence is in flight
	noDelay
)

// controlWords blocks instructions by their control words, in place of a scoreboard.
var controlWords = feature{
	present: func(c *Config, _ *Planes) bool { return c.Choice.Controlled() },
	reasons: func(*Planes) []reason.Info {
		return []reason.Info{
			stalled: {Name: "stall", Doc: "issue slots lost to stall counts of control words"},
			yielded: {Name: "yield", Doc: "issue slots lost to the yield flag of control words"},
			counted: {Name: "counter", Doc: "issue slots lost to dependence counters of control words"},
		}
	},
	build: func(s *Scheduler, at *site) any {
		c := &controls{fences: at.config.Fences, sched: s, queued: program.NoKind}
		if at.config.Queues.On() {
			c.queued = at.config.Memory
		}
		copy(c.rows[:], at.rows)
		s.scoreboards = false
		return c
	},
	restless: true,
}

// controlState is the state of one warp under control words.
type controlState struct {
	ready uint64 // first value of clock at which the warp may issue
	yield bool   // until ready the issue slot is another warp's
	fence bool   // until ready its fence is in flight
	count [ir.Counters]uint8
	// raised has the counters raised by the last instruction. The issue stage sees them raised
	// from clock unseen on.
	raised [2]uint8
	unseen uint64
	hold   ir.Hold // the condition of the last DEPBAR
	fetch  fetches
}

// Cycles from an issue to the warp's next one not given by the stall count.
const (
	longStall   = 45 // stall 0 with yield
	leastYield  = 2  // one cycle for another warp
	cutStall    = 2  // counts of 12 and more without yield
	mostCounted = 11
	untilSeen   = 2 // a counter rises in the stage after issue
	leastHold   = 4 // a DEPBAR with a lower stall count has no effect
)

// stall returns the least number of cycles from an issue to the warp's next one.
func stall(c *ir.Control) uint64 {
	switch {
	case c.Stall == 0 && c.Yield:
		return longStall
	case c.Stall > mostCounted && !c.Yield:
		return cutStall
	case c.Yield:
		return max(uint64(c.Stall), leastYield)
	}
	return max(uint64(c.Stall), 1)
}

// issued records an issued instruction of a warp.
func (c *controls) issued(slot int, f *message.Fetched, x *program.Inst, tag uint32, _ wire.Cycle) {
	if x.Inserted {
		return
	}
	w := &c.sched.at(slot).control
	read, write := c.counts(f.Inst, x)
	c.raise(slot, w, f.Inst, tag != 0 && read, tag != 0 && write)
	if write && tag != 0 && x.Class == ir.ClassTexture {
		w.fetch.add(tag, f.Inst)
	}
	if c.sched.pairing = x.Pair; x.Pair {
		w.ready = c.clock
	}
}

// counts reports whether an operation raises the counters that its control word names: read, the counter for its
// sources; write, the counter for its result. An operation raises a counter only if the end of the event will
// be announced.
func (c *controls) counts(in *ir.Inst, x *program.Inst) (read, write bool) {
	if x.Kind == c.queued {
		return true, x.Result || memqueue.Copies(&in.T)
	}
	return in.T.NSrc > 0, x.Result
}

// completed lowers the counter for an operation's sources or for its result.
func (c *controls) completed(w *warpState, in *ir.Inst, tag uint32, e ending) {
	switch {
	case e != resultDone:
		w.control.dropped(in.Control.Read)
	case in.T.Class == ir.ClassTexture:
		w.control.fetch.done(tag, in, w.control.dropped)
	default:
		w.control.dropped(in.Control.Write)
	}
}

// raise raises the counters of an instruction. read and write: the end of its
// source reads, and its result, will be announced.
func (c *controls) raise(slot int, w *controlState, in *ir.Inst, read, write bool) {
	k := &in.Control
	w.ready, w.yield = c.clock+stall(k), k.Yield && k.Stall <= 1
	w.unseen, w.raised = c.clock+untilSeen, [2]uint8{ir.NoCounter, ir.NoCounter}
	if write && k.Write < ir.Counters {
		w.count[k.Write]++
		w.raised[0] = k.Write
	}
	if read && k.Read < ir.Counters {
		w.count[k.Read]++
		w.raised[1] = k.Read
	}
	c.timed |= 1 << slot
	w.fence = in.T.Class == ir.ClassFence
	if w.fence {
		w.ready = max(w.ready, c.clock+c.fences.cycles(in.Mods.Scope))
	}
	w.hold = ir.Hold{}
	if k.Hold.Set && k.Stall >= leastHold {
		w.hold = k.Hold
	}
}

// dropped lowers a counter after its event.
func (w *controlState) dropped(counter uint8) {
	if counter < ir.Counters {
		w.count[counter]--
	}
}

// blocks returns the delay of a warp's next instruction, or noDelay.
func (c *controls) blocks(w *controlState, in *ir.Inst) delay {
	if c.clock < w.ready {
		switch {
		case w.fence:
			return fencing
		case w.yield:
			return yielded
		}
		return stalled
	}
	if c.waits(w, in) != 0 || c.held(w) {
		return counted
	}
	return noDelay
}

// held reports whether the last DEPBAR of a warp still waits.
func (c *controls) held(w *controlState) bool {
	h := &w.hold
	if !h.Set {
		return false
	}
	for m := h.Others; m != 0; m &= m - 1 {
		if c.seenCount(w, bits.TrailingZeros8(m)) > 0 {
			return true
		}
	}
	return c.seenCount(w, int(h.Counter)) > h.Most
}

// seenCount returns the value of a counter as the issue stage sees it.
func (c *controls) seenCount(w *controlState, i int) uint8 {
	n := w.count[i]
	if c.clock < w.unseen {
		for _, r := range w.raised {
			if int(r) == i {
				n--
			}
		}
	}
	return n
}

// waits returns the raised counters in an instruction's wait mask, one bit each.
func (c *controls) waits(w *controlState, in *ir.Inst) uint8 {
	out := uint8(0)
	for m := in.Control.Wait; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros8(m); c.seenCount(w, i) > 0 {
			out |= 1 << i
		}
	}
	return out
}

// passTime advances the clock by the cycles since the last tick. stopped: stall counts stand still in this cycle.
func (c *controls) passTime(now wire.Cycle, stopped bool) {
	if !c.stopped && now > c.seen {
		c.clock += now - c.seen - 1
	}
	c.seen, c.stopped = now, stopped
	if !stopped {
		c.clock++
	}
}

// begin updates the warps blocked by time: by a stall count, a fence, or a counter not seen yet.
func (c *controls) begin(now wire.Cycle) bool {
	s := c.sched
	c.passTime(now, s.gates.stops())
	next := uint64(0)
	for m := c.timed; m != 0; m &= m - 1 {
		slot := bits.TrailingZeros64(m)
		warp := s.at(slot)
		w := &warp.control
		left := w.ready
		if c.clock >= left {
			s.update(slot, warp)
			if left = w.unseen; c.clock >= left {
				c.timed &^= 1 << slot
				continue
			}
		}
		if d := left - c.clock; next == 0 || d < next {
			next = d
		}
	}
	if next != 0 {
		s.WakeAt(now + next)
	}
	return false
}

// depend sets a slot's bit in the row of the delay of the instruction at the head of its buffer.
func (c *controls) depend(slot int, w *warpState, x *program.Inst) {
	t, bit := &c.sched.Sets, uint64(1)<<(slot&63)
	for _, r := range &c.rows {
		t.Blocked[r] &^= bit
	}
	if x == nil {
		return
	}
	switch d := c.blocks(&w.control, w.headInst().Inst); {
	case d < fencing:
		t.Blocked[c.rows[d]] |= bit
	case d == fencing || x.Class == ir.ClassFence && w.board.Unfenced():
		t.Blocked[reason.FencePending] |= bit
	default:
		t.Clear |= bit
	}
}

func (c *controls) explain(slot int) string {
	w, t := c.sched.at(slot), &c.sched.Sets
	switch h := w.headInst(); {
	case w.control.fence && c.clock < w.control.ready:
		return "for the fence before it"
	case t.Blocked[reason.FencePending]>>slot&1 != 0 || c.sched.prog.Info[h.PC].Inserted:
		return ""
	default:
		return c.waiting(&w.control, h.Inst)
	}
}

// waiting describes an instruction's wait for counters.
func (c *controls) waiting(w *controlState, in *ir.Inst) string {
	var out []string
	m := c.waits(w, in)
	for i := range ir.Counters {
		if m>>i&1 != 0 {
			out = append(out, fmt.Sprintf("SB%d (%d)", i, w.count[i]))
		}
	}
	if c.held(w) {
		out = append(out, fmt.Sprintf("of the DEPBAR before it: SB%d at most %d (%d)", w.hold.Counter, w.hold.Most,
			w.count[w.hold.Counter]))
	}
	if len(out) == 0 {
		return "until its stall count is down"
	}
	return "for counters " + strings.Join(out, ", ")
}
