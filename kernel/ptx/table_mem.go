package ptx

import "kumiko/kernel/ir"

// memory: PTX ISA section 9.7.9 and the atomics of 9.7.13.
func memory() map[string][]row {
	access := []*group{gVolatile, gOrdered, gScope, gSpace, gCache, gNC, gEvict, gEvict2, gHint, gPrefetch}
	atomics := []*group{gOrder, gScope, gSpace, gAtomic, gNoFtz, gHint}
	atomic := tI32 | tI64 | tBits | tF | tHalf
	texel := types(ir.F32, ir.U32, ir.S32)
	return map[string][]row{
		"ld":   {{op: ir.OpLd, types: tMem, groups: access, build: buildLd}},
		"ldu":  {{op: ir.OpLd, types: tMem, groups: []*group{gSpace}, build: buildLd}},
		"st":   {{op: ir.OpSt, types: tMem, groups: access, build: buildSt}},
		"atom": {{op: ir.OpAtom, types: atomic, groups: atomics, need: []*group{gAtomic}, build: buildAtom}},
		"red":  {{op: ir.OpRed, types: atomic, groups: atomics, need: []*group{gAtomic}, build: buildAtom}},
		"tex": {{op: ir.OpTex, types: texel, src: types(ir.S32, ir.F32), groups: []*group{gTex, gMipLevel},
			need:  []*group{gTex},
			build: buildTex}},
		"cp": {{op: ir.OpLd, groups: []*group{flag(ignore, "async"), flag(ignore, "ca", "cg"),
			flag(ignore, "shared", "shared::cta"), flag(ignore, "global"),
			gEvict2, gHint, gPrefetch, flag(ignore, "commit_group"), flag(ignore, "wait_group", "wait_all"),
			flag(ignore, "bulk"), flag(ignore, "bulk_group", "mbarrier::complete_tx::bytes", "mbarrier"),
			flag(ignore, "arrive"), flag(ignore, "noinc"), flag(ignore, "shared::cluster"), flag(ignore, "read"),
			flag(ignore, "prefetch"), flag(ignore, "L2"), flag(ignore, "multicast::cluster")}, build: buildCpAsync}},
		"prefetch": {{op: ir.OpPrefetch, groups: []*group{gSpace, gLevel}, need: []*group{gLevel},
			build: buildPrefetch}},
		"prefetchu": {{op: ir.OpPrefetch, groups: []*group{gLevel}, build: buildPrefetch}},
	}
}

// warpwide: PTX ISA section 9.7.13, instructions across the lanes of a warp, and barriers.
func warpwide() map[string][]row {
	barrier := []*group{gCTA, gBar, gBarRed, gAligned, flag(func(in *ir.Inst, _ int) { in.Op = ir.OpBarWarp }, "warp")}
	bar := []row{{op: ir.OpBar, groups: barrier, build: buildBar}, {op: ir.OpBar, types: types(ir.U32, ir.PredType),
		groups: barrier, build: buildBar}}
	return map[string][]row{
		"bar":     bar,
		"barrier": bar,
		"shfl": {{op: ir.OpShfl, types: tB32, groups: []*group{gSync, gShfl}, need: []*group{gShfl},
			build: buildShfl}},
		"vote": {{op: ir.OpVote, types: tB32 | tPred, groups: []*group{gSync, gVote}, need: []*group{gVote},
			build: buildVote}},
		"match": {{op: ir.OpMatch, types: tB3, groups: []*group{gSync, gMatch}, need: []*group{gMatch},
			build: buildMatch}},
		"activemask": {{op: ir.OpActivemask, types: tB32, ops: "dt"}},
		"redux": {{op: ir.OpRedux, types: tI32 | tB32, groups: []*group{gSync, gAtomic},
			need: []*group{gSync, gAtomic}, ops: "dt st su"}},
	}
}

// control: PTX ISA sections 9.7.12 and 9.7.19.
func control() map[string][]row {
	address := types(ir.U32, ir.U64)
	dependents := flag(ignore, "launch_dependents", "wait")
	return map[string][]row{
		"bra":          {{op: ir.OpBra, groups: []*group{gUni}, build: buildBra}},
		"brx":          {{op: ir.OpBrx, groups: []*group{gUni, flag(ignore, "idx")}, build: buildBrx}},
		"call":         {{op: ir.OpNop, groups: []*group{gUni}, build: buildCall}},
		"ret":          {{op: ir.OpExit, groups: []*group{gUni}, build: buildRet}},
		"exit":         {{op: ir.OpExit, build: buildExit}},
		"trap":         {{op: ir.OpTrap}},
		"brkpt":        {{op: ir.OpTrap}},
		"nanosleep":    {{op: ir.OpNop, types: types(ir.U32), build: buildNanosleep}},
		"alloca":       {{op: ir.OpAdd, types: address, build: buildAlloca}},
		"stacksave":    {{op: ir.OpMov, types: address, build: buildStackSave}},
		"stackrestore": {{op: ir.OpMov, types: address, build: buildStackRestore}},
		"setmaxnreg": {{op: ir.OpSetmaxnreg, types: types(ir.U32), groups: []*group{gGrow, gSync, gAligned},
			need: []*group{gGrow, gSync, gAligned}, build: buildSetmaxnreg}},
		"pmevent": {{op: ir.OpNop, groups: []*group{flag(ignore, "mask")}, build: buildPmevent}},
		"griddepcontrol": {{op: ir.OpNop, groups: []*group{dependents}, need: []*group{dependents},
			build: buildNothing}},
	}
}
