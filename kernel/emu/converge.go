package emu

import (
	"slices"

	"kumiko/kernel/ir"
)

// Convergence barriers of machine code since Volta (Diamos et al., "Execution of divergent threads using a convergence
// barrier", US patent application 2016/0019066). A barrier register has, for every lane, the lanes that are to meet:
// those that executed OpBarrierSet with it. In OpBarrierWait a lane waits until all of them wait too, have left the
// barrier or have exited. Then they go on together: those at one place as one path. Waiting lanes are on paths of the
// stack and held, so paths.go runs others. The paths of such a kernel are disjoint; there are no meeting places.
//
// OpConverge is a wait with a membermask in place of a register. It has a barrier of its own here.

// The barrier registers, B0 to B15, and the barriers of OpConverge and OpCollective.
const (
	barrierRegisters  = 16
	membersBarrier    = barrierRegisters
	exclusiveBarrier  = barrierRegisters + 1
	collectiveBarrier = barrierRegisters + 2
	barriers          = barrierRegisters + 3
)

// converge is the state of a warp's convergence barriers.
type converge struct {
	held   uint32 // lanes that wait at some barrier
	waits  [barriers]uint32
	groups *[barriers]row // the lanes each lane is to meet
	ends   [32]int32      // where each lane goes on behind an OpCollective
	freed  []path
	// last has, for each barrier register, the number of the OpBarrierSet that set it last; sets counts them.
	last [barrierRegisters]uint64
	sets uint64
}

func (c *converge) reset() {
	c.held, c.waits = 0, [barriers]uint32{}
	c.last, c.sets = [barrierRegisters]uint64{}, 0
	if c.groups != nil {
		*c.groups = [barriers]row{}
	}
}

func (p *decoder) barrierNumber() {
	o := p.src(0)
	if o.Kind != ir.KindImm || o.Imm >= barrierRegisters {
		p.fail("a convergence barrier that is not one of %d", barrierRegisters)
	}
	if !p.k.Converges {
		p.fail("a convergence barrier in a kernel with reconvergence at post-dominators")
	}
	p.out.imm = uint32(o.Imm) & (barrierRegisters - 1)
}

// group returns a barrier's groups. A warp has them from its first barrier on.
func (w *warp) group(barrier uint32) *row {
	if w.conv.groups == nil {
		w.conv.groups = new([barriers]row)
	}
	return &w.conv.groups[barrier]
}

func decodeBarrierSet(p *decoder) {
	p.barrierNumber()
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		g := w.group(in.imm)
		for m := exec; m != 0; m &= m - 1 {
			g[lowest(m)] = exec
		}
		w.conv.sets++
		w.conv.last[in.imm] = w.conv.sets
	}
}

// decodeBarrierLeave removes the lanes from their groups. A lane without a group, because a function has saved and
// cleared the register, stays in the groups of the lanes that wait for it outside this function.
func decodeBarrierLeave(p *decoder) {
	p.barrierNumber()
	cond := ir.Imm(1, 1)
	if len(p.in.Src) > 1 {
		cond = p.src(1)
	}
	r, rInv := p.predSource(cond)
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		exec &= w.preds[r] ^ rInv
		g := w.group(in.imm)
		for m := exec; m != 0; m &= m - 1 {
			l := lowest(m)
			for others := g[l]; others != 0; others &= others - 1 {
				g[lowest(others)] &^= 1 << l
			}
			g[l] = 0
		}
		if w.conv.waits[in.imm] != 0 {
			w.complete(in.imm)
		}
	}
}

func decodeBarrierSave(p *decoder) {
	p.barrierNumber()
	p.out.d = p.dest(0, 1)
	clears := len(p.in.Src) > 1
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		g := w.group(in.imm)
		blend(&w.rows[in.d], g, exec)
		if clears {
			blend(g, &row{}, exec)
		}
	}
}

func decodeBarrierRestore(p *decoder) {
	p.barrierNumber()
	p.out.a = p.source(p.src(1), ir.U32, 1)
	p.out.exec = func(w *warp, in *inst, exec uint32) { blend(w.group(in.imm), &w.rows[in.a], exec) }
}

func decodeBarrierWait(p *decoder) {
	p.barrierNumber()
	p.out.ctl = func(w *warp, in *inst, exec uint32) outcome { return w.converge(in, in.imm, exec) }
}

// decodeConverge gives the lanes their membermask as the group to meet.
func decodeConverge(p *decoder) {
	if !p.k.Converges {
		p.fail("a wait for lanes in a kernel with reconvergence at post-dominators")
	}
	p.out.a = p.source(p.src(0), ir.U32, 1)
	if p.in.Mods.Exclusive {
		p.out.ctl = convergeApart
		return
	}
	p.out.ctl = func(w *warp, in *inst, exec uint32) outcome {
		w.members(membersBarrier, in, exec)
		return w.converge(in, membersBarrier, exec)
	}
}

// members gives lanes their membermasks as the groups to meet at a barrier.
func (w *warp) members(barrier uint32, in *inst, exec uint32) *row {
	g, members := w.group(barrier), &w.rows[in.a]
	for m := exec; m != 0; m &= m - 1 {
		l := lowest(m)
		g[l] = members[l]
	}
	return g
}

// converge lets the lanes of exec wait at a barrier, unless all lanes they wait for are among them.
func (w *warp) converge(in *inst, barrier, exec uint32) outcome {
	w.pc = in.pc + 1
	g := w.group(barrier)
	missing, one := uint32(0), true
	for m := exec; m != 0; m &= m - 1 {
		group := g[lowest(m)]
		missing |= group
		one = one && group == g[lowest(exec)]
	}
	if missing&w.live&^exec == 0 && (one || barrier >= barrierRegisters) {
		return running // the others of the path, if any, have not come by it
	}
	return w.holdBack(barrier, exec)
}

// holdBack puts the lanes of exec on the stack, where they wait at a barrier.
func (w *warp) holdBack(barrier, exec uint32) outcome {
	w.endRun(w.pc, w.pc)
	if rest := w.mask &^ exec; rest != 0 {
		w.stack = append(w.stack, path{pc: w.pc, reconv: -1, mask: rest})
	}
	w.stack = append(w.stack, path{pc: w.pc, reconv: -1, mask: exec})
	w.conv.waits[barrier] |= exec
	w.conv.held |= exec
	w.mask = 0
	w.complete(barrier)
	w.pop()
	w.runPC = w.pc
	return running
}

// converged lets go on every lane whose group has arrived, after some lanes have exited.
func (w *warp) converged() {
	w.conv.held &= w.live
	for b := range uint32(len(w.conv.waits)) {
		if w.conv.waits[b] != 0 {
			w.complete(b)
		}
	}
}

// complete lets the lanes of a barrier go on whose groups have arrived.
func (w *warp) complete(barrier uint32) {
	c := &w.conv
	c.waits[barrier] &= w.live
	arrived, g := c.waits[barrier], w.group(barrier)
	free := uint32(0)
	for m := arrived; m != 0; m &= m - 1 {
		l := lowest(m)
		if g[l]&w.live&^arrived == 0 && g.agree(l, w.live) {
			free |= 1 << l
		}
	}
	if free == 0 {
		return
	}
	c.waits[barrier] &^= free
	c.held &^= free
	if barrier >= exclusiveBarrier {
		w.joinMembers(free, g, barrier == collectiveBarrier)
		return
	}
	w.joinPaths(free)
}

// agree reports whether all lanes that a lane waits for wait for the same lanes as it does. They do not if a function
// in between uses the barrier register itself, or if they wait with another membermask, at another wait of the program.
func (g *row) agree(lane int, live uint32) bool {
	for m := g[lane] & live; m != 0; m &= m - 1 {
		if (g[lowest(m)]^g[lane])&live != 0 {
			return false
		}
	}
	return true
}

// atBarriers returns the lanes that wait at a barrier register.
func (c *converge) atBarriers() (m uint32) {
	for _, lanes := range c.waits[:barrierRegisters] {
		m |= lanes
	}
	return m
}

// giveUpBarrier lets the lanes of a path of the stack, which wait at a barrier register for lanes that spin, go on
// without them, as if they had left it.
func (w *warp) giveUpBarrier(i int) {
	lanes := w.stack[i].mask & w.conv.atBarriers()
	b := uint32(0)
	for w.conv.waits[b]&lanes == 0 {
		b++
	}
	w.apart.active, w.apart.released, w.apart.since = true, true, w.apart.turns
	w.leaveBarrier(b, lanes&w.conv.waits[b])
}

// leaveBarrier lets lanes that wait at a barrier go on, as if they had left it.
func (w *warp) leaveBarrier(b, lanes uint32) {
	g := w.group(b)
	for l := range g {
		if g[l] &^= lanes; lanes>>l&1 != 0 {
			g[l] = 0
		}
	}
	w.complete(b)
}

// leaveInnermost is for a warp whose lanes all wait for each other, at several barriers. The lanes that wait at the
// barrier register set last go on. It reports whether there are any. The patent application leaves the case open. ptxas
// relies on it: from some paths it leaves the region of a barrier without OpBarrierLeave and then waits at the barrier
// of an outer region, as in its loop for a 64-bit atom.min at a generic address.
func (w *warp) leaveInnermost() bool {
	b, found := uint32(0), false
	for i := range uint32(barrierRegisters) {
		if w.conv.waits[i] != 0 && (!found || w.conv.last[i] > w.conv.last[b]) {
			b, found = i, true
		}
	}
	if found {
		w.leaveBarrier(b, w.conv.waits[b])
	}
	return found
}

// joinPaths makes one path of the lanes at each place, on top of the stack.
func (w *warp) joinPaths(free uint32) {
	joined := w.conv.freed[:0]
	for i := 0; i < len(w.stack); {
		p := &w.stack[i]
		come := p.mask & free
		if come == 0 {
			i++
			continue
		}
		same := slices.IndexFunc(joined, func(q path) bool { return q.pc == p.pc })
		if same < 0 {
			same = len(joined)
			joined = append(joined, path{pc: p.pc, reconv: -1})
		}
		joined[same].mask |= come
		if p.mask &^= come; p.mask == 0 {
			w.stack = slices.Delete(w.stack, i, i+1)
			continue
		}
		i++
	}
	w.conv.freed = joined
	w.stack = append(w.stack, joined...)
}

// neverConverge stops the launch: lanes wait at a barrier for lanes that cannot come.
func (w *warp) neverConverge() {
	at := &w.stack[len(w.stack)-1]
	for i := range w.stack {
		if w.stack[i].mask&w.conv.held != 0 {
			at = &w.stack[i]
		}
	}
	w.pos = &w.eng.prog.code[max(at.pc-1, 0)]
	w.fail("lanes %s wait for lanes %s, which cannot come", lanes(at.mask&w.live), lanes(w.live&^at.mask))
	w.eng.err = &HangError{w.eng.err}
}

// branchTo executes a branch to the address in a register. It must be one of the instruction's targets.
func branchTo(w *warp, in *inst, exec uint32) outcome {
	next := in.pc + 1
	w.endRun(next, next)
	rest := w.mask &^ exec
	w.push(next, in.reconv, rest)
	address := &w.rows[in.a]
	for left := exec; left != 0; {
		to := address[lowest(left)]
		same := uint32(0)
		for m := left; m != 0; m &= m - 1 {
			l := lowest(m)
			same |= b2u(address[l] == to) << l
		}
		pc, ok := w.eng.prog.k.Place(to + in.imm)
		if !ok || !slices.Contains(in.src.Targets, pc) {
			w.fail("thread %s: a branch to address %#x, which is none of its targets", w.thread(lowest(left)),
				to+in.imm)
			return failed
		}
		left &^= same
		w.push(int32(pc), in.reconv, same)
	}
	w.mask = 0
	w.pop()
	w.runPC = w.pc
	if w.pc <= in.pc || w.insts >= w.limit {
		return w.looped()
	}
	return running
}
