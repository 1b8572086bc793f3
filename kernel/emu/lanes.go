package emu

import "kumiko/kernel/ir"

// Instructions across the lanes of a warp, each as the function of one round. sync.go determines the lanes of a
// round.

// decodeShfl decodes shfl, PTX ISA sections 9.7.9.5 and 9.7.9.6.
func decodeShfl(p *decoder) {
	p.only(ir.B32, ir.U32, ir.S32, ir.F32)
	p.sources(ir.B32, 3)
	p.out.d = p.dest(0, 1)
	p.out.q = p.predDest(1)
	p.across(shfl)
}

// shfl gives each lane the value of another one. A lane reading from outside the round gets the contents of the
// other lane's register; the ISA leaves this case undefined.
func shfl(w *warp, in *inst, v brought, _, to uint32) {
	mode := in.src.Mods.Shfl
	valid := uint32(0)
	var r row
	a, b, c := &v.a[0], v.b, v.c
	for l := range r {
		j, ok := shflSource(mode, uint32(l), b[l], c[l])
		r[l] = a[j&31]
		valid |= b2u(ok) << (l & 31)
	}
	blend(&w.rows[in.d], &r, to)
	w.putPred(in.q, valid, to)
}

// shflSource returns the source lane of a lane, and whether it is in range. If not, the lane reads itself.
func shflSource(mode ir.Shfl, lane, b, c uint32) (j uint32, ok bool) {
	clamp, seg := c&31, c>>8&31
	b &= 31
	limit := lane&seg | clamp&^seg
	switch mode {
	case ir.ShflUp:
		ok = int32(lane-b) >= int32(limit)
		j = lane - b
	case ir.ShflDown:
		j = lane + b
		ok = j <= limit
	case ir.ShflBfly:
		j = lane ^ b
		ok = j <= limit
	case ir.ShflIdx:
		j = lane&seg | b&^seg
		ok = j <= limit
	}
	if !ok {
		j = lane
	}
	return j, ok
}

// decodeVote decodes vote, sections 9.7.13.8 and 9.7.13.9.
func decodeVote(p *decoder) {
	out := p.out
	out.r, out.rInv = p.predSource(p.src(0))
	mode := p.in.Mods.Vote
	if mode == ir.VoteBallot {
		out.d = p.dest(0, 1)
		more := p.everyLane()
		p.across(func(w *warp, in *inst, v brought, part, to uint32) { w.putUniform(in.d, v.pred&part, to|more) })
		return
	}
	out.p = p.predDest(0)
	more := p.everyLane()
	op := p.across(func(w *warp, in *inst, v brought, part, to uint32) {
		w.putPred(in.p, voted(mode, v.pred&part, part), to|more)
	})
	// The frequent cases, without the other sources.
	out.exec = func(w *warp, in *inst, exec uint32) {
		if op.maskIsExact(w, exec) {
			w.putPred(in.p, voted(mode, (w.preds[in.r]^in.rInv)&exec, exec), exec|more)
		} else {
			w.rounds(op, exec)
		}
	}
	if mask := op.mask; op.known {
		out.exec = func(w *warp, in *inst, exec uint32) {
			if mask&w.live == exec {
				w.putPred(in.p, voted(mode, (w.preds[in.r]^in.rInv)&exec, exec), exec|more)
			} else {
				w.rounds(op, exec)
			}
		}
	}
}

// everyLane returns the lanes that a result goes to beside those that execute: all of a uniform register
// or, in machine code, of a uniform predicate.
func (p *decoder) everyLane() uint32 {
	switch o := p.dst(0); {
	case o.Kind == ir.KindUniform, o.Kind == ir.KindPred && p.k.Converges && o.Pred() >= ir.UniformPreds:
		return ^uint32(0)
	}
	return 0
}

// voted returns the result of a vote of the lanes of part. The lanes of yes agree.
func voted(mode ir.Vote, yes, part uint32) uint32 {
	switch mode {
	case ir.VoteAll:
		return broadcast(yes == part)
	case ir.VoteAny:
		return broadcast(yes != 0)
	}
	return broadcast(yes == 0 || yes == part)
}

// putUniform writes one value to the lanes of to of a register.
func (w *warp) putUniform(d int32, v, to uint32) {
	r := &w.rows[d]
	if to == ^uint32(0) {
		r.fill(v)
		return
	}
	for ; to != 0; to &= to - 1 {
		r[lowest(to)] = v
	}
}

// decodeMatch decodes match.sync, section 9.7.13.10.
func decodeMatch(p *decoder) {
	p.only(ir.B32, ir.U32, ir.S32, ir.B64, ir.U64, ir.S64)
	out := p.out
	words := p.in.Type.Words()
	out.a = p.source(p.src(0), p.in.Type, words)
	out.d = p.dest(0, 1)
	out.q = p.predDest(1)
	if p.in.Mods.Vote == ir.VoteDiffer {
		p.across(func(w *warp, in *inst, v brought, part, to uint32) {
			w.putPred(in.q, broadcast(equalLanes(v.a, words, lowest(part), part) != part), to)
		})
		return
	}
	every := p.in.Mods.Vote == ir.VoteAll
	p.across(func(w *warp, in *inst, v brought, part, to uint32) {
		var r row
		all := uint32(0)
		for left := part; left != 0; {
			l := lowest(left)
			same := equalLanes(v.a, words, l, left)
			left &^= same
			if every && same != part {
				break
			}
			if every {
				all = part
			}
			for m := same; m != 0; m &= m - 1 {
				r[lowest(m)] = same
			}
		}
		blend(&w.rows[in.d], &r, to)
		w.putPred(in.q, all, to)
	})
}

// equalLanes returns the lanes of part with lane l's value.
func equalLanes(v *[2]row, words, l int, part uint32) (same uint32) {
	for m := part; m != 0; m &= m - 1 {
		k := lowest(m)
		same |= b2u(v[0][k] == v[0][l] && (words == 1 || v[1][k] == v[1][l])) << k
	}
	return same
}

func decodeActivemask(p *decoder) {
	p.out.d = p.dest(0, 1)
	p.out.exec = func(w *warp, in *inst, exec uint32) { w.putUniform(in.d, exec, exec) }
}

// decodeRedux decodes redux.sync, section 9.7.13.12.
func decodeRedux(p *decoder) {
	p.only(ir.B32, ir.U32, ir.S32)
	f := atomic32(p.in.Mods.Atomic, p.in.Type)
	if f == nil || p.in.Mods.Atomic > ir.AtomXor || p.in.Mods.Atomic == ir.AtomInc || p.in.Mods.Atomic == ir.AtomDec {
		p.fail("this reduction of type %s", p.in.Type)
		return
	}
	p.out.a = p.source(p.src(0), p.in.Type, 1)
	p.out.d = p.dest(0, 1)
	more := p.everyLane()
	p.across(func(w *warp, in *inst, v brought, part, to uint32) {
		r := &v.a[0]
		acc := uint64(r[lowest(part)])
		for m := part & (part - 1); m != 0; m &= m - 1 {
			acc = f(acc, uint64(r[lowest(m)]), 0)
		}
		w.putUniform(in.d, uint32(acc), to|more)
	})
}

// decodeBarWarp decodes bar.warp.sync, section 9.7.13.2. Lanes on one path are in step, so it only waits for lanes
// on other paths.
func decodeBarWarp(p *decoder) {
	p.across(func(*warp, *inst, brought, uint32, uint32) {})
}
