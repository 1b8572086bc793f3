package emu

import (
	"fmt"
	"math/bits"
	"strings"
)

// Lanes on different paths meet in instructions across lanes. If the membermask of an arriving path names lanes
// elsewhere that can still run, the path is suspended behind the instruction, the sources of its lanes are kept, and
// another path runs. When all lanes of a membermask have arrived, on any path, or have exited, those that have arrived
// get their results. A lane that executes nothing more before its exit than nops and branches counts as exited. Lanes
// that can never meet stop the launch.

// meeting holds, for the lanes of a warp that wait in an instruction across lanes, this instruction, its membermask and
// the sources that they have brought.
type meeting struct {
	ops   [32]*groupOp
	masks row
	came  row // the lanes executing the instruction together with each lane
	a     [2]row
	b, c  row
	pred  uint32
}

// await keeps the sources of the lanes of late for an instruction executed by the lanes of exec. It executes the
// instruction for every membermask whose last lanes have now arrived. If some lanes have to wait, the warp is
// parted.
func (w *warp) await(op *groupOp, v brought, late, exec uint32) {
	if w.meet == nil {
		w.meet = &meeting{}
	}
	t := w.meet
	if w.waits == 0 {
		t.a, t.b, t.c = *v.a, *v.b, *v.c // of lanes not waited for too: a shuffle may read them
	}
	for m := late; m != 0; m &= m - 1 {
		l := lowest(m)
		t.ops[l], t.masks[l], t.came[l] = op, w.rows[op.in.e][l], exec
		t.a[0][l], t.a[1][l], t.b[l], t.c[l] = v.a[0][l], v.a[1][l], v.b[l], v.c[l]
	}
	t.pred = t.pred&^late | v.pred&late
	w.waits |= late
	w.settle()
	if w.waits&exec != 0 {
		w.state = parted
	}
}

// settle executes the instructions with all lanes arrived.
func (w *warp) settle() {
	t := w.meet
	expected := w.live &^ w.leaving()
	for left := w.waits; left != 0; {
		l := lowest(left)
		group, came := t.group(l, left)
		left &^= group
		if t.masks[l]&expected&^came != 0 {
			continue
		}
		w.waits &^= group
		v := brought{&t.a, &t.b, &t.c, t.pred}
		for rest := group; rest != 0; {
			op, to := t.ops[lowest(rest)], uint32(0)
			for m := rest; m != 0; m &= m - 1 {
				to |= b2u(t.ops[lowest(m)] == op) << lowest(m)
			}
			rest &^= to
			op.round(w, op.in, v, group, to)
		}
	}
}

// group returns the lanes of left waiting with the membermask and the qualifiers of lane l, and the lanes that
// executed their instructions with them.
func (t *meeting) group(l int, left uint32) (group, came uint32) {
	for m := left; m != 0; m &= m - 1 {
		if k := lowest(m); t.masks[k] == t.masks[l] && t.ops[k].pairs(t.ops[l]) {
			group |= 1 << k
			came |= t.came[k]
		}
	}
	return group, came
}

// pairs reports whether two instructions have the same operation and qualifiers, possibly in two places.
func (o *groupOp) pairs(with *groupOp) bool {
	a, b := o.in.src, with.in.src
	return a.Op == b.Op && a.Type == b.Type && a.Mods == b.Mods
}

// part suspends the current path behind the current instruction, because some of its lanes wait, and continues with
// another path.
func (w *warp) part() outcome {
	w.state = running
	w.endRun(w.pc+1, w.pc+1)
	w.stack = append(w.stack, path{pc: w.pc + 1, reconv: w.reconv, mask: w.mask})
	w.pop()
	w.runPC = w.pc
	return running
}

// neverMeet stops the launch: some lanes wait for lanes that cannot come.
func (w *warp) neverMeet() {
	t := w.meet
	l := lowest(w.waits)
	group, came := t.group(l, w.waits)
	w.pos = t.ops[l].in
	absent := t.masks[l] & w.live &^ (came | w.leaving())
	k := lowest(absent)
	w.fail("lanes %s wait with the membermask %#x for lanes %s, which cannot come: lane %d %s", lanes(group),
		t.masks[l], lanes(absent), k, w.whereabouts(k))
	w.eng.err = &HangError{w.eng.err}
}

// whereabouts describes the state of a lane outside the current path.
func (w *warp) whereabouts(l int) string {
	if w.waits>>l&1 != 0 {
		in := w.meet.ops[l].in.src
		return fmt.Sprintf("waits in %s with the membermask %#x at %s", describe(in), w.meet.masks[l],
			position(w.eng.prog.k, in))
	}
	for i := len(w.stack) - 1; i >= 0; i-- {
		p := &w.stack[i]
		if p.mask>>l&1 == 0 {
			continue
		}
		doing := "waits for the other lanes"
		switch {
		case w.apart.gathered>>l&1 != 0:
			doing = "waits at a barrier"
		case p.turn != 0:
			doing = "spins"
		}
		return doing + " at " + position(w.eng.prog.k, w.eng.prog.code[p.pc].src)
	}
	return "has ended"
}

// apartFrom describes the other lanes of a warp with a spinning path; "" without any.
func (w *warp) apartFrom() string {
	others := w.live &^ w.mask
	if others == 0 {
		return ""
	}
	k := lowest(others)
	s := fmt.Sprintf(" in lanes %s, and lane %d %s: lanes of one warp wait for each other", lanes(w.mask), k,
		w.whereabouts(k))
	if w.eng.l.Limits.LockStep {
		s += ". On this GPU they do not go on independently (sm.independent_threads)"
	}
	return s
}

// lanes lists the lanes of a mask: 0-3,7.
func lanes(m uint32) string {
	var s strings.Builder
	for sep := ""; m != 0; sep = "," {
		l := bits.TrailingZeros32(m)
		n := bits.TrailingZeros32(^(m >> l))
		fmt.Fprintf(&s, "%s%d", sep, l)
		if n > 1 {
			fmt.Fprintf(&s, "-%d", l+n-1)
		}
		m &^= uint32(1<<n-1) << l
	}
	return s.String()
}
