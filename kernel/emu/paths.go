package emu

import "kumiko/kernel/ir"

// The lanes of a warp are on paths. One path runs, and the others are on a stack. Each lane that has not exited
// belongs to the current path, or to the innermost stacked path whose mask has it:
//
//   - A path with lanes of its own alone can run from its pc on.
//   - A path that shares lanes with paths above it is a meeting place: it is where they end, at their reconv. Its
//     lanes not in a path above have arrived, and wait there for the others.
//
// Two masks on the stack are disjoint, or the upper one is part of the lower one. So the order of disjoint paths is
// free, and any path with lanes of its own alone may be the next to run. Four things end a path's run: it arrives at
// its meeting place, its last lane exits, it waits for lanes elsewhere in an instruction across lanes (meet.go) or at a
// barrier (gather.go), or its turn ends because it spins (turns.go). next chooses the following path by one rule:
// lanes that can run are run. In machine code lanes also wait at convergence barriers, and have no meeting places
// (converge.go), or, before Volta, meeting places that they arrive at in an instruction (nest.go). If no path can,
// lanes at a meeting place go on without those they wait for. A deadlock is when none can.
//
// As long as no lane waits and none has spun, the innermost path is the next one, and the stack is that of immediate
// post-dominators in Fung et al., "Dynamic Warp Formation and Scheduling for Efficient GPU Control Flow", MICRO 2007,
// section 3.

// path has lanes that continue at pc together, and meet others at reconv.
type path struct {
	pc, reconv int32
	mask       uint32
	turn       uint32     // the number of its last turn, at the end of which it was preempted because it spun; 0: none
	meeting    ir.Meeting // of a meeting place of nest.go
}

// asleep reports whether a path has spun, and nothing has been stored since.
func (w *warp) asleep(p *path) bool { return p.turn != 0 && w.apart.slept[p.turn-1] == w.eng.visible }

// reconverge ends the current path at its reconvergence point.
func (w *warp) reconverge() {
	w.endRun(w.pc, w.pc)
	for w.pc == w.reconv && len(w.stack) > 0 {
		w.pop()
	}
	w.runPC = w.pc
}

// pop makes another path with live lanes the current one. Without such a path the mask is empty.
func (w *warp) pop() {
	w.mask = 0
	for w.mask == 0 && len(w.stack) > 0 {
		if w.waits|w.conv.held != 0 || w.apart.active {
			w.next()
		}
		t := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		w.pc, w.reconv, w.mask = t.pc, t.reconv, t.mask&w.live
	}
	if w.apart.active && len(w.stack) == 0 {
		w.apart = apart{slept: w.apart.slept[:0]}
	}
}

// push stacks a path, unless it begins at its end: then its lanes wait for their siblings in the path below, which
// has them too.
func (w *warp) push(pc, reconv int32, mask uint32) {
	if mask != 0 && pc != reconv {
		w.stack = append(w.stack, path{pc: pc, reconv: reconv, mask: mask})
	}
}

// diverge begins a divergent region. The caller then pushes the paths of the region, and their union continues at
// reconv. If the current path itself ends at reconv, the path below already is the union.
func (w *warp) diverge(reconv int32) {
	if w.reconv != reconv {
		w.stack = append(w.stack, path{pc: reconv, reconv: w.reconv, mask: w.mask})
	}
}

// next moves the path to run next to the top of the stack. Without one the launch fails.
func (w *warp) next() {
	if w.waits != 0 {
		w.settle()
	}
	c := w.candidates(0)
	if c.awake < 0 && c.gathered >= 0 && w.waits|w.conv.held == 0 && !w.apart.released && w.apart.turns == 0 {
		w.apart.whole = true
		w.lift(c.gathered)
		return
	}
	switch {
	case c.arrived >= 0 && (c.awake < 0 || w.apart.unfair()):
		w.release(c.arrived)
	case c.held >= 0 && (c.awake < 0 && c.asleep >= 0 || c.awake >= 0 && w.apart.unfair()):
		w.giveUpBarrier(c.held)
	case c.awake >= 0:
		w.lift(c.awake)
	case c.asleep >= 0:
		w.lift(c.asleep)
	case c.gathered >= 0 && w.waits|w.conv.held == 0:
		w.lift(c.gathered)
	case w.waits != 0:
		w.neverMeet()
	case w.conv.held != 0 && (c.gathered >= 0 || !w.leaveInnermost()):
		w.neverConverge()
	}
}

// candidates has, for each way in which the warp could go on, the index of the path on the stack; -1: there is none.
type candidates struct {
	awake    int // a path that can run; of several that have spun, the one preempted first
	asleep   int // a path that sleeps, likewise
	arrived  int // a meeting place with lanes
	gathered int // a path whose lanes are at a barrier of the CTA
	held     int // a path whose lanes are at a convergence barrier
}

// candidates finds the paths on the stack with which the warp could go on. running are the lanes of the current path,
// which is not on the stack.
func (w *warp) candidates(running uint32) candidates {
	c := candidates{-1, -1, -1, -1, -1}
	held := w.waits | w.apart.gathered | w.conv.held
	above := running
	for i := len(w.stack) - 1; i >= 0; i-- {
		p := &w.stack[i]
		lanes := p.mask & w.live
		switch own := lanes &^ above; {
		case lanes&(held|above) == 0 && w.asleep(p):
			if c.asleep < 0 || p.turn < w.stack[c.asleep].turn {
				c.asleep = i
			}
		case lanes&(held|above) == 0:
			if c.awake < 0 || p.turn < w.stack[c.awake].turn {
				c.awake = i
			}
		case own&w.conv.held != 0 && own&w.conv.atBarriers() != 0:
			if c.held < 0 {
				c.held = i
			}
		case own&^held != 0:
			if c.arrived < 0 {
				c.arrived = i
			}
		case own&w.apart.gathered != 0 && c.gathered < 0:
			c.gathered = i
		}
		above |= lanes
	}
	return c
}

// lift moves a path to the top of the stack.
func (w *warp) lift(i int) {
	p := w.stack[i]
	copy(w.stack[i:], w.stack[i+1:])
	w.stack[len(w.stack)-1] = p
}

// release lets the lanes at a meeting place go on without the lanes they wait for, as a path of their own. The lanes
// left behind still meet at this place, and then meet the released ones at the next place.
func (w *warp) release(i int) {
	p := w.stack[i]
	lanes := p.mask & w.live &^ (w.waits | w.apart.gathered)
	for _, q := range w.stack[i+1:] {
		lanes &^= q.mask
	}
	w.stack[i].mask &^= lanes
	w.stack = append(w.stack, path{pc: p.pc, reconv: p.reconv, mask: lanes})
	w.apart.active, w.apart.released, w.apart.since = true, true, w.apart.turns
}

// leaving returns the lanes outside the current path that execute nothing more before their exit than nops and
// branches. They count as exited: nobody waits for them.
func (w *warp) leaving() (out uint32) {
	above := w.mask | w.waits | w.apart.gathered
	for i := len(w.stack) - 1; i >= 0; i-- {
		p := &w.stack[i]
		if w.eng.prog.code[p.pc].leaves {
			out |= p.mask & w.live &^ above
		}
		above |= p.mask
	}
	return out
}

// markLeaving marks the instructions from which only nops and branches lead to the exit.
func (p *Program) markLeaving() {
	for pc := range p.code {
		at := int32(pc)
		for range p.code { // a way that is longer is a loop without an end
			in := &p.code[at]
			if in.guarded {
				break
			}
			if in.src.Op == ir.OpExit {
				p.code[pc].leaves = true
				break
			}
			if at = in.onward(); at < 0 {
				break
			}
		}
	}
}

// onward returns the next instruction behind one that only leads there, -1 for any other instruction.
func (in *inst) onward() int32 {
	switch {
	case in.src.Op == ir.OpNop:
		return in.pc + 1
	case in.src.Op == ir.OpBra && in.src.Flow == ir.FlowNone:
		return in.target
	}
	return -1
}
