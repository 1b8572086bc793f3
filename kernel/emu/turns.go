package emu

// Lanes of a warp go on independently from compute capability 7.0 on (CUDA C++ Programming Guide, "Independent Thread
// Scheduling"): each makes progress, whatever the others wait for. Here a path runs until it ends or waits, as long as
// it makes progress. Its turn ends when it spins, and the other paths have theirs:
//
//   - It has returned to an earlier state, with nothing stored in between, and no warp of the CTA can go on.
//     That is what spinDetector finds. Another warp of the CTA comes first, since it may store what the path waits for.
//   - It has polled in mostTries successive iterations of a loop, or in mostQuiet with nothing stored in between. Its
//     registers change, since it counts for example. Other warps then have a turn too.
//   - The turn of its warp is over (Limits.TurnInsts), in a loop that polls.
//
// A path that has spun sleeps until something is stored. Of the paths that do not sleep, the one preempted first runs.
// If all sleep, or every one has had a turn, lanes that wait for a spinning path at a meeting place go on without it,
// as do those at a convergence barrier of machine code.
// NVIDIA describes convergence barriers with the same effect: threads that yield are not waited for (Diamos et al.,
// "Execution of divergent threads using a convergence barrier", US patent application 2016/0019066).

// mostTries and mostQuiet are the numbers of iterations of a loop that polls memory until its turn ends. Rationale: an
// attempt that changes nothing has failed, so after mostQuiet the path most likely waits; their number is the time
// that a lane spins, and should be short. A loop that stores may be a long one that waits for nobody. In the built-in
// programs no loop comes near either.
const (
	mostTries = 1024
	mostQuiet = 64
)

// apart is the state of a warp with lanes that go on independently. All is zero while only one path is left.
type apart struct {
	active   bool   // any of the following is not zero
	turns    uint32 // ended so far
	since    uint32 // of them, when lanes were last released
	released bool   // some lanes are ahead of those they should meet
	gathered uint32 // lanes at a barrier of the CTA, waiting for the warp's other lanes
	whole    bool   // the lanes at the barrier arrive for all
	// slept has the version of visible memory at the end of each turn.
	slept []uint64
}

// unfair reports whether every path may have had a turn since lanes were released.
func (a *apart) unfair() bool { return a.turns-a.since >= 32 }

// preempt ends the turn of the current path, and reports whether other lanes can go on.
func (w *warp) preempt() bool {
	if w.eng.l.Limits.LockStep || len(w.stack) == 0 {
		return false
	}
	if c := w.candidates(w.mask); c.awake < 0 && c.arrived < 0 && c.held < 0 {
		return false
	}
	w.endRun(w.pc, w.pc)
	w.apart.turns++
	w.apart.active, w.apart.slept = true, append(w.apart.slept, w.eng.visible)
	w.stack = append(w.stack, path{pc: w.pc, reconv: w.reconv, mask: w.mask, turn: w.apart.turns})
	w.spin.reset(w.executed())
	w.pop()
	w.runPC = w.pc
	return true
}

// takeTurns ends the turns of the CTA's spinning warps. It reports whether any of them has other lanes to go on.
func (c *cta) takeTurns() (some bool) {
	for i := range c.warps {
		if w := &c.warps[i]; w.state == spinning && w.preempt() {
			w.state = running
			some = true
		}
	}
	return some
}

// polls counts an iteration of a loop that polls memory. After some of them other lanes have their turn, and then other
// warps: the lock may be theirs.
func (w *warp) polls() outcome {
	s := &w.spin
	s.polled = false
	if w.pc != s.header || w.mask != s.loopers {
		s.header, s.loopers, s.tries, s.quiet = w.pc, w.mask, 0, 0
	}
	if w.eng.visible != s.seen {
		s.seen, s.quiet = w.eng.visible, 0
	}
	s.tries++
	s.quiet++
	if s.tries == mostTries || s.quiet == mostQuiet {
		s.tries, s.quiet = 0, 0
		w.preempt()
		w.gaveUp = true
		return yielded
	}
	return running
}
