package sass

import (
	"math/bits"
	"slices"
)

// flow is the observed control flow at an instruction.
type flow struct {
	guarded  bool // some lanes at this instruction did not execute it
	falls    bool // control: some lanes went on to the next instruction
	diverged bool // control: some lanes went on while others jumped or ended
	apart    bool // it was executed while live lanes of the warp were elsewhere
	taken    bool // control: some lanes executed it
	targets  []*static
}

func (f *flow) target(s *static) {
	if slices.Contains(f.targets, s) {
		return
	}
	f.targets = append(f.targets, s)
}

// maxStep is the largest distance, in bytes, of the addresses of consecutive instructions: 16 from Volta on;
// before, 8, and 16 across a control word.
const maxStep = 16

// follower observes the instructions of a warp in order and records the control flow.
//
// A line has the lanes with a true guard. The state of the other lanes follows from the lines around it: lanes at
// the next address but not at this one had a false guard, or, behind a branch, fell through. A lane executing a
// branch has jumped to the address of its next line.
type follower struct {
	live    uint32
	last    *static // the line before, nil at the beginning
	mask    uint32
	from    [32]*static // the last branch executed by each lane of pending
	pending uint32
}

// begin starts a warp with the given lanes.
func (w *follower) begin(lanes uint32) { w.live, w.last, w.pending = lanes, nil, 0 }

func (w *follower) step(s *static, mask uint32) {
	f := &s.flow
	if mask != w.live {
		f.apart = true
	}
	if mask == 0 {
		f.guarded = true
	}
	if p := w.last; p != nil && s.pc > p.pc && s.pc-p.pc <= maxStep {
		w.neighbours(p, s, mask)
	}
	if m := w.pending & mask; m != 0 {
		w.arrive(s, m)
	}
	if s.code.Jumps() {
		f.taken = f.taken || mask != 0
		for m := mask; m != 0; m &= m - 1 {
			w.from[bits.TrailingZeros32(m)] = s
		}
		w.pending |= mask
	}
	if s.code.Exits() {
		f.taken = f.taken || mask != 0
		w.live &^= mask
	}
	w.last, w.mask = s, mask
}

// neighbours compares the lanes of two lines at consecutive addresses.
func (w *follower) neighbours(p, s *static, mask uint32) {
	if p.code.Jumps() || p.code.Exits() {
		if mask&^w.mask != 0 {
			p.flow.falls = true
			p.flow.diverged = p.flow.diverged || w.mask != 0
		} else if w.mask == 0 {
			p.flow.falls = true
		}
		return
	}
	if mask != w.mask {
		if mask&^w.mask == 0 {
			s.flow.guarded = true
		} else {
			p.flow.guarded = true
		}
	}
}

// arrive records s as the jump target of the lanes of m.
func (w *follower) arrive(s *static, m uint32) {
	w.pending &^= m
	for m != 0 {
		p := w.from[bits.TrailingZeros32(m)]
		same := uint32(0)
		for r := m; r != 0; r &= r - 1 {
			if l := bits.TrailingZeros32(r); w.from[l] == p {
				same |= 1 << l
			}
		}
		m &^= same
		p.flow.target(s)
	}
}
