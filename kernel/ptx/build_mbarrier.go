package ptx

import "kumiko/kernel/ir"

// gObjects are the spaces of mbarrier objects. Without clusters shared::cluster is the CTA's own shared memory.
var gObjects = &group{"a state space", map[string]int{"shared": int(ir.Shared), "shared::cta": int(ir.Shared),
	"shared::cluster": int(ir.Shared)}, gSpace.set}

// mbarriers: PTX ISA section 9.7.13.15, and elect, used with them.
func mbarriers() map[string][]row {
	which := flag(ignore, "init", "inval", "arrive", "arrive_drop", "complete_tx", "test_wait", "try_wait",
		"pending_count")
	how := flag(ignore, "expect_tx", "noComplete", "parity")
	return map[string][]row{
		"mbarrier": {{op: ir.OpAtom, types: types(ir.B64), groups: []*group{which, how, gOrder, gScope, gObjects},
			build: buildMbarrier}},
		"elect": {{op: ir.OpVote, groups: []*group{gSync}, need: []*group{gSync}, build: buildElect}},
	}
}

// buildMbarrier builds the instructions on mbarrier objects.
func buildMbarrier(d *decoder) {
	d.out.Mods = ir.Mods{}
	for name, build := range map[string]func(*decoder){"init": buildMbarInit, "inval": buildMbarInval,
		"arrive": buildMbarArrive, "arrive_drop": buildMbarArrive, "complete_tx": buildMbarTx,
		"test_wait": buildMbarWait, "try_wait": buildMbarWait, "pending_count": buildMbarPending} {
		if d.in.has(name) {
			build(d)
			return
		}
	}
	if !d.in.has("expect_tx") {
		d.errorf(d.in.pos, "found %s, expected .init, .inval, .arrive, .arrive_drop, .expect_tx, .complete_tx, "+
			".test_wait, .try_wait or .pending_count", d.in.full())
		return
	}
	buildMbarTx(d)
}

// object resolves the address of an mbarrier.
func (d *decoder) object(o *operand) bool {
	p, ok := d.memory(o)
	if ok && d.out.Space != ir.Shared && d.out.Space != ir.Generic {
		d.errorf(o.pos, "found an mbarrier of .%s space, expected shared memory", d.out.Space)
		return false
	}
	d.out.Addr = p.addr
	return ok
}

// number returns a count of arrivals or bytes in 64 bits, from bit at on.
func (d *decoder) number(o *operand, at uint64) (ir.Operand, bool) {
	v, ok := d.src(o, ir.U32)
	switch {
	case !ok:
		return v, false
	case v.Kind == ir.KindImm:
		if v.Imm > ir.MbarrierMax {
			d.errorf(o.pos, "found %d, expected at most %d (2^20-1)", v.Imm, ir.MbarrierMax)
			return v, false
		}
		return ir.Imm(v.Imm<<at, 2), true
	}
	v = d.convert(ir.U64, ir.U32, v)
	if at > 0 {
		v = d.result(ir.OpShl, ir.B64, v, ir.Imm(at, 1))
	}
	return v, true
}

// plus returns the sum of 64-bit values. Constants are added at build time.
func (d *decoder) plus(a, b ir.Operand) ir.Operand {
	if a.Kind == ir.KindImm && b.Kind == ir.KindImm {
		return ir.Imm(a.Imm+b.Imm, 2)
	}
	return d.result(ir.OpAdd, ir.U64, a, b)
}

func buildMbarInit(d *decoder) {
	if !d.need(2, 2) || !d.object(&d.in.ops[0]) {
		return
	}
	pending, ok := d.number(&d.in.ops[1], 0)
	if !ok {
		return
	}
	object := ir.Imm(ir.MbarrierInit(pending.Imm), 2)
	if pending.Kind != ir.KindImm {
		expected, _ := d.number(&d.in.ops[1], ir.MbarrierDropBit)
		object = d.plus(pending, expected)
	}
	d.out.Op, d.out.Src = ir.OpSt, []ir.Operand{object}
	d.e.add(d.out)
}

// buildMbarInval builds mbarrier.inval. After it the object's memory is free.
func buildMbarInval(d *decoder) {
	if d.need(1, 1) && d.object(&d.in.ops[0]) {
		d.out.Op, d.out.Src = ir.OpSt, []ir.Operand{ir.Imm(0, 2)}
		d.e.add(d.out)
	}
}

// buildMbarTx builds mbarrier.expect_tx and complete_tx [a], bytes.
func buildMbarTx(d *decoder) {
	if d.need(2, 2) && d.object(&d.in.ops[0]) {
		if n, ok := d.number(&d.in.ops[1], ir.MbarrierTxBit); ok {
			d.transaction(n, d.in.has("complete_tx"))
		}
	}
}

// transaction changes the number of bytes the object of d.out waits for.
func (d *decoder) transaction(n ir.Operand, complete bool) {
	if complete {
		if n.Kind == ir.KindImm {
			n.Imm = -n.Imm
		} else {
			n = d.result(ir.OpSub, ir.U64, ir.Imm(0, 2), n)
		}
	}
	d.arrival(nil, n)
}

// arrival appends the operation on the object of d.out.
func (d *decoder) arrival(dst []ir.Operand, operand ir.Operand) {
	in := d.out
	in.Op, in.Type, in.Mods.Atomic, in.Dst, in.Src = ir.OpAtom, ir.B64, ir.AtomArrive, dst, []ir.Operand{operand}
	if dst == nil {
		in.Op = ir.OpRed
	}
	d.e.add(in)
}

// buildMbarArrive builds mbarrier.arrive and arrive_drop state, [a]{, count} and, with
// .expect_tx, state, [a], bytes.
func buildMbarArrive(d *decoder) {
	low := 2
	expects := d.in.has("expect_tx")
	if expects || d.in.has("noComplete") {
		low = 3
	}
	if !d.need(low, 3) || !d.object(&d.in.ops[1]) {
		return
	}
	var dst []ir.Operand
	if d.in.ops[0].kind != opSink {
		r, ok := d.dst(&d.in.ops[0], ir.B64)
		if !ok {
			return
		}
		dst = []ir.Operand{r}
	}
	count, drop := ir.Imm(1, 2), ir.Imm(1<<ir.MbarrierDropBit, 2)
	ok := true
	if len(d.in.ops) == 3 && !expects {
		if count, ok = d.number(&d.in.ops[2], 0); ok {
			drop, ok = d.number(&d.in.ops[2], ir.MbarrierDropBit)
		}
	}
	if d.in.has("arrive_drop") {
		count = d.plus(count, drop)
	}
	if ok && expects {
		var n ir.Operand
		if n, ok = d.number(&d.in.ops[2], ir.MbarrierTxBit); ok {
			count = d.plus(count, n)
		}
	}
	if ok {
		d.arrival(dst, count)
	}
}

// buildMbarWait builds mbarrier.test_wait and try_wait p, [a], state and, with .parity, p, [a], parity; try_wait
// may have a hint for the length of the suspension.
func buildMbarWait(d *decoder) {
	high := 3
	if d.in.has("try_wait") {
		high = 4
	}
	if !d.need(3, high) || !d.object(&d.in.ops[1]) {
		return
	}
	p, ok := d.dst(&d.in.ops[0], ir.PredType)
	d.out.Op, d.out.SrcType = ir.OpMbarWait, ir.B64
	if d.in.has("parity") {
		d.out.SrcType = ir.U32
	}
	v, good := d.src(&d.in.ops[2], d.out.SrcType)
	if ok && good {
		d.out.Dst, d.out.Src = []ir.Operand{p}, []ir.Operand{v}
		d.e.add(d.out)
	}
}

// buildMbarPending builds mbarrier.pending_count d, state.
func buildMbarPending(d *decoder) {
	if !d.need(2, 2) {
		return
	}
	dst, ok := d.dst(&d.in.ops[0], ir.U32)
	state, good := d.src(&d.in.ops[1], ir.B64)
	if ok && good {
		d.step(ir.OpAnd, ir.B32, dst, d.lowWord(state), ir.Imm(ir.MbarrierMax, 1))
	}
}

// buildElect builds elect.sync d|p, membermask. It elects the lowest lane executing it with the membermask, found
// by a ballot of agreeing lanes.
func buildElect(d *decoder) {
	if !d.need(2, 2) {
		return
	}
	lane, chosen := split(&d.in.ops[0])
	mask, ok := d.src(&d.in.ops[1], ir.B32)
	if !ok {
		return
	}
	active := d.e.temp(4)
	vote := d.step(ir.OpVote, ir.B32, active, ir.Imm(1, 1), mask)
	vote.Mods.Vote, vote.Mods.Sync = ir.VoteBallot, true
	d.step(ir.OpBrev, ir.B32, active, active)
	dst := d.e.temp(4)
	if lane.kind != opSink {
		if dst, ok = d.dst(lane, ir.B32); !ok {
			return
		}
	}
	d.step(ir.OpClz, ir.B32, dst, active)
	if chosen == nil {
		return
	}
	if p, ok := d.dst(chosen, ir.PredType); ok {
		own := d.result(ir.OpMov, ir.U32, ir.Operand{Kind: ir.KindSpecial, Special: ir.LaneID, Words: 1})
		d.step(ir.OpSetp, ir.U32, p, own, dst).Mods.Cmp = ir.EQ
	}
}
