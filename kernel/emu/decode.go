package emu

import (
	"maps"

	"kumiko/kernel/ir"
)

// decoders has the decoding function of each operation.
var decoders = [ir.NumOps]func(*decoder){
	ir.OpNop: decodeNothing,

	ir.OpMov: decodeMov, ir.OpCvt: decodeCvt, ir.OpSelp: decodeSelp, ir.OpSlct: decodeSlct,
	ir.OpPrmt: decodePrmt, ir.OpPack: decodePack, ir.OpUnpack: decodeUnpack,

	ir.OpAdd: decodeAdd, ir.OpSub: decodeSub, ir.OpMul: decodeMul, ir.OpMad: decodeMad, ir.OpFma: decodeFma,
	ir.OpMul24: decodeMul24, ir.OpMad24: decodeMad24, ir.OpSad: decodeSad,
	ir.OpDiv: decodeDiv, ir.OpRem: decodeRem, ir.OpAbs: decodeAbs, ir.OpNeg: decodeNeg,
	ir.OpMin: decodeMinMax, ir.OpMax: decodeMinMax,
	ir.OpSqrt: decodeSqrt, ir.OpRcp: decodeRcp, ir.OpRsqrt: decodeRsqrt,
	ir.OpSin: decodeSin, ir.OpCos: decodeCos, ir.OpEx2: decodeEx2, ir.OpLg2: decodeLg2, ir.OpTanh: decodeTanh,
	ir.OpCopysign: decodeCopysign, ir.OpTestp: decodeTestp, ir.OpDp4a: decodeDp4a, ir.OpDp2a: decodeDp2a,

	ir.OpAnd: decodeLogic, ir.OpOr: decodeLogic, ir.OpXor: decodeLogic, ir.OpNot: decodeNot, ir.OpCnot: decodeCnot,
	ir.OpLop3: decodeLop3, ir.OpShl: decodeShl, ir.OpShr: decodeShr, ir.OpShf: decodeShf,
	ir.OpBfe: decodeBfe, ir.OpBfi: decodeBfi, ir.OpBfind: decodeBfind, ir.OpBrev: decodeBrev,
	ir.OpClz: decodeClz, ir.OpPopc: decodePopc, ir.OpFns: decodeFns, ir.OpBmsk: decodeBmsk, ir.OpSzext: decodeSzext,
	ir.OpVideo: decodeVideo,

	ir.OpSet: decodeSet, ir.OpSetp: decodeSetp,

	ir.OpLd: decodeLd, ir.OpSt: decodeSt, ir.OpAtom: decodeAtom, ir.OpRed: decodeAtom, ir.OpTex: decodeTex,
	ir.OpTxq:      decodeTxq,
	ir.OpMma:      decodeMma,
	ir.OpLdmatrix: decodeMatrix, ir.OpStmatrix: decodeMatrix, ir.OpMovmatrix: decodeMovmatrix,
	ir.OpPrefetch: decodePrefetch, ir.OpMbarWait: decodeMbarWait,

	ir.OpShfl: decodeShfl, ir.OpVote: decodeVote, ir.OpMatch: decodeMatch, ir.OpActivemask: decodeActivemask,
	ir.OpRedux: decodeRedux,

	ir.OpBra: decodeBra, ir.OpBrx: decodeBrx, ir.OpExit: decodeExit, ir.OpBar: decodeBar,
	ir.OpBarWarp: decodeBarWarp, ir.OpMembar: decodeNothing, ir.OpTrap: decodeTrap,
	ir.OpAlloca: decodeAlloca, ir.OpPrintf: decodePrintf, ir.OpSetmaxnreg: decodeSetmaxnreg,

	ir.OpAdd3: decodeAdd3, ir.OpLea: decodeLea, ir.OpImad: decodeImad, ir.OpFunnel: decodeFunnel,
	ir.OpSetpHigh: decodeSetpHigh, ir.OpPlop3: decodePlop3, ir.OpPackPreds: decodePackPreds,
	ir.OpUnpackPreds: decodeUnpackPreds, ir.OpDivCheck: decodeDivCheck, ir.OpFirst: decodeFirst,
	ir.OpRcpHigh: decodeHigh, ir.OpRsqrtHigh: decodeHigh,

	ir.OpBarrierSet: decodeBarrierSet, ir.OpBarrierWait: decodeBarrierWait, ir.OpBarrierLeave: decodeBarrierLeave,
	ir.OpConverge: decodeConverge, ir.OpMeeting: decodeMeeting, ir.OpMeet: decodeMeet,
	ir.OpXmad: decodeXmad, ir.OpExtremes: decodeExtremes, ir.OpSetpExtreme: decodeSetpExtreme,
	ir.OpBarrierSave: decodeBarrierSave, ir.OpBarrierRestore: decodeBarrierRestore,
	ir.OpQuerySpace: decodeQuerySpace, ir.OpCollective: decodeCollective, ir.OpCollectiveEnd: decodeCollectiveEnd,
}

// operands resolves the sources, each read with the given type, and the destination.
func (p *decoder) operands(t ir.Type, sources int) {
	words := max(t.Words(), 1)
	p.sources(t, sources)
	p.out.d, p.out.words = p.dest(0, words), uint8(words)
}

// sources resolves the first n sources.
func (p *decoder) sources(t ir.Type, n int) {
	for i := range n {
		p.setSource(i, p.source(p.src(i), t, max(t.Words(), 1)))
	}
}

func (p *decoder) setSource(i int, r int32) {
	switch i {
	case 0:
		p.out.a = r
	case 1:
		p.out.b = r
	case 2:
		p.out.c = r
	default:
		p.out.e = r
	}
}

// simple decodes an operation with all sources and the destination of the instruction's type. fns has the function
// for each type.
func (p *decoder) simple(sources int, fns map[ir.Type]laneFn) {
	p.operands(p.in.Type, sources)
	p.out.lanes = fns[p.in.Type]
}

// The adaptors below make a laneFn of a function of one lane. They cost an indirect call per lane, so frequent
// operations have loops of their own.

func lane1(f func(x uint32) uint32) laneFn {
	return func(w *warp, in *inst, d *[4]row) { map1(&d[0], &w.rows[in.a], f) }
}

func lane2(f func(x, y uint32) uint32) laneFn {
	return func(w *warp, in *inst, d *[4]row) { map2(&d[0], &w.rows[in.a], &w.rows[in.b], f) }
}

func lane3(f func(x, y, z uint32) uint32) laneFn {
	return func(w *warp, in *inst, d *[4]row) {
		map3(&d[0], &w.rows[in.a], &w.rows[in.b], &w.rows[in.c], f)
	}
}

func long1(f func(x uint64) uint64) laneFn {
	return func(w *warp, in *inst, d *[4]row) { wide1(d, w.pair(in.a), f) }
}

func long2(f func(x, y uint64) uint64) laneFn {
	return func(w *warp, in *inst, d *[4]row) { wide2(d, w.pair(in.a), w.pair(in.b), f) }
}

func long3(f func(x, y, z uint64) uint64) laneFn {
	return func(w *warp, in *inst, d *[4]row) { wide3(d, w.pair(in.a), w.pair(in.b), w.pair(in.c), f) }
}

// short2 and short3 are for 16-bit integers: the upper bits of the sources are ignored and the upper bits of the
// result are zero.

func short2(f func(x, y uint32) uint32) laneFn {
	return lane2(func(x, y uint32) uint32 { return f(x&0xffff, y&0xffff) & 0xffff })
}

func short3(f func(x, y, z uint32) uint32) laneFn {
	return lane3(func(x, y, z uint32) uint32 { return f(x&0xffff, y&0xffff, z&0xffff) & 0xffff })
}

// s16 returns the value of a signed 16-bit operand in 32 bits.
func s16(x uint32) uint32 { return uint32(int32(int16(x))) }

// b2u returns 1 for true and 0 for false.
func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// typed returns a table with one function for several types.
func typed(tables ...map[ir.Type]laneFn) map[ir.Type]laneFn {
	all := map[ir.Type]laneFn{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}

// forTypes returns a table with f for each of the types.
func forTypes(f laneFn, types ...ir.Type) map[ir.Type]laneFn {
	all := map[ir.Type]laneFn{}
	for _, t := range types {
		all[t] = f
	}
	return all
}
