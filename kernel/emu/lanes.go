package emu

import (
	"math/bits"

	"kumiko/kernel/ir"
)

// Instructions across the lanes of a warp. A lane that is in a membermask but
// not active takes no part: where the ISA would have it awaited, the stack of
// paths cannot.

// decodeShfl is shfl, PTX ISA sections 9.7.9.5 and 9.7.9.6.
func decodeShfl(p *decoder) {
	p.only(ir.B32, ir.U32, ir.S32, ir.F32)
	p.sources(ir.B32, 3)
	p.out.d = p.dest(0, 1)
	p.out.q = p.predDest(1)
	p.out.exec = shfl
}

func shfl(w *warp, in *inst, exec uint32) {
	v, bs, cs := w.rows[in.a], &w.rows[in.b], &w.rows[in.c]
	mode := in.src.Mods.Shfl
	valid := uint32(0)
	var r row
	for m := exec; m != 0; m &= m - 1 {
		l := lowest(m)
		j, ok := shflSource(mode, uint32(l), bs[l], cs[l])
		r[l] = v[j&31]
		valid |= b2u(ok) << l
	}
	blend(&w.rows[in.d], &r, exec)
	w.putPred(in.q, valid, exec)
}

// shflSource is the lane that a lane reads from, and whether that is in range;
// where it is not, the lane reads itself.
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

// decodeVote is vote, sections 9.7.13.8 and 9.7.13.9.
func decodeVote(p *decoder) {
	out := p.out
	out.r, out.rInv = p.predSource(p.src(0))
	out.b = p.memberMask(1)
	mode := p.in.Mods.Vote
	if mode == ir.VoteBallot {
		out.d = p.dest(0, 1)
		out.exec = func(w *warp, in *inst, exec uint32) {
			v := (w.preds[in.r] ^ in.rInv) & exec & w.members(in, exec)
			var r row
			r.fill(v)
			blend(&w.rows[in.d], &r, exec)
		}
		return
	}
	out.p = p.predDest(0)
	out.exec = func(w *warp, in *inst, exec uint32) {
		part := exec & w.members(in, exec)
		v := (w.preds[in.r] ^ in.rInv) & part
		var r bool
		switch mode {
		case ir.VoteAll:
			r = v == part
		case ir.VoteAny:
			r = v != 0
		default:
			r = v == 0 || v == part
		}
		w.putPred(in.p, broadcast(r), exec)
	}
}

// memberMask resolves an optional membermask: all lanes where there is none.
func (p *decoder) memberMask(i int) int32 {
	if p.src(i).Kind == ir.KindNone {
		return p.lay.imm(0xffffffff, 1)
	}
	return p.source(p.src(i), ir.U32, 1)
}

// members is the membermask of the first executing lane; that all have the same
// is the program's duty.
func (w *warp) members(in *inst, exec uint32) uint32 { return w.rows[in.b][lowest(exec)] }

// decodeMatch is match.sync, section 9.7.13.10.
func decodeMatch(p *decoder) {
	p.only(ir.B32, ir.U32, ir.S32, ir.B64, ir.U64, ir.S64)
	out := p.out
	words := p.in.Type.Words()
	out.a = p.source(p.src(0), p.in.Type, words)
	out.b = p.memberMask(1)
	out.d = p.dest(0, 1)
	out.q = p.predDest(1)
	every := p.in.Mods.Vote == ir.VoteAll
	out.exec = func(w *warp, in *inst, exec uint32) {
		part := exec & w.members(in, exec)
		var r row
		all := uint32(0)
		for m := exec; m != 0; m &= m - 1 {
			l := lowest(m)
			same := w.alike(in.a, words, l, part)
			if every && same != part {
				same = 0
			} else if every {
				all |= 1 << l
			}
			r[l] = same
		}
		blend(&w.rows[in.d], &r, exec)
		w.putPred(in.q, all, exec)
	}
}

// alike is the lanes of part that have lane l's value.
func (w *warp) alike(r int32, words, l int, part uint32) (same uint32) {
	v := w.pair(r)
	for m := part; m != 0; m &= m - 1 {
		k := lowest(m)
		same |= b2u(v[0][k] == v[0][l] && (words == 1 || v[1][k] == v[1][l])) << k
	}
	return same
}

func decodeActivemask(p *decoder) {
	p.out.d = p.dest(0, 1)
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		var r row
		r.fill(exec)
		blend(&w.rows[in.d], &r, exec)
	}
}

// decodeRedux is redux.sync, section 9.7.13.12.
func decodeRedux(p *decoder) {
	p.only(ir.B32, ir.U32, ir.S32)
	f := atomic32(p.in.Mods.Atomic, p.in.Type)
	if f == nil || p.in.Mods.Atomic > ir.AtomXor || p.in.Mods.Atomic == ir.AtomInc || p.in.Mods.Atomic == ir.AtomDec {
		p.fail("this reduction of type %s", p.in.Type)
		return
	}
	p.out.a = p.source(p.src(0), p.in.Type, 1)
	p.out.b = p.memberMask(1)
	p.out.d = p.dest(0, 1)
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		part := exec & w.members(in, exec)
		v := &w.rows[in.a]
		acc := uint64(v[bits.TrailingZeros32(part|1<<31)&31])
		for m := part & (part - 1); m != 0; m &= m - 1 {
			acc = f(acc, uint64(v[lowest(m)]), 0)
		}
		var r row
		r.fill(uint32(acc))
		blend(&w.rows[in.d], &r, exec)
	}
}
