package ptx

import "kumiko/kernel/ir"

// bitwise: PTX ISA sections 9.7.1 (bit fields), 9.7.7 (logic and shift) and
// the moves of 9.7.9.
func bitwise() map[string][]row {
	logic := func(op ir.Op, ops string) []row {
		return []row{{op: op, types: tBits | tPred, ops: ops}}
	}
	count := func(op ir.Op) []row { return []row{{op: op, types: tB3, ops: "du st"}} }
	return map[string][]row{
		"and":  logic(ir.OpAnd, "dt st st"),
		"or":   logic(ir.OpOr, "dt st st"),
		"xor":  logic(ir.OpXor, "dt st st"),
		"not":  logic(ir.OpNot, "dt st"),
		"cnot": {{op: ir.OpCnot, types: tBits, ops: "dt st"}},
		"lop3": {{op: ir.OpLop3, types: tB32, ops: "dt st st st su", build: buildLop3}},
		"shl":  {{op: ir.OpShl, types: tBits | tInt, ops: "dt st su"}},
		"shr":  {{op: ir.OpShr, types: tBits | tInt, ops: "dt st su"}},
		"shf": {{op: ir.OpShf, types: tB32, groups: []*group{gSide, gWrap}, need: []*group{gSide, gWrap},
			ops: "dt st st su"}},
		"bfe":   {{op: ir.OpBfe, types: tI32 | tI64, ops: "dt st su su"}},
		"bfi":   {{op: ir.OpBfi, types: tB3, ops: "dt st st su su"}},
		"bfind": {{op: ir.OpBfind, types: tI32 | tI64, groups: []*group{gShiftAmt}, ops: "du st"}},
		"brev":  {{op: ir.OpBrev, types: tB3, ops: "dt st"}},
		"clz":   count(ir.OpClz),
		"popc":  count(ir.OpPopc),
		"fns":   {{op: ir.OpFns, types: tB32, ops: "du su su su"}},
		"bmsk":  {{op: ir.OpBmsk, types: tB32, groups: []*group{gWrap}, ops: "dt su su"}},
		"szext": {{op: ir.OpSzext, types: tI32, groups: []*group{gWrap}, ops: "dt st su"}},
		"prmt":  {{op: ir.OpPrmt, types: tB32, groups: []*group{gPrmt}, ops: "dt st st su"}},
		"selp":  {{op: ir.OpSelp, types: tBits | tInt | tF, ops: "dt st st sp"}},
		"slct": {{op: ir.OpSlct, types: tBits | tInt | tF, src: types(ir.S32, ir.F32), groups: []*group{gFtz},
			ops: "dt st st so"}},
		"mov": {{op: ir.OpMov, types: tBits | tInt | tF | tPred | tHalf, build: buildMov}},
		"cvta": {{op: ir.OpMov, types: types(ir.U32, ir.U64), groups: []*group{gToSpace, gSpace},
			need: []*group{gSpace}, build: buildCvta}},
		"isspacep": {{op: ir.OpSetp, groups: []*group{gSpace}, need: []*group{gSpace}, build: buildIsspacep}},
	}
}

// comparison: PTX ISA sections 9.7.5 and 9.7.6.
func comparison() map[string][]row {
	compared := tInt | tBits | tF | tHalf
	return map[string][]row{
		"setp": {{op: ir.OpSetp, types: compared, groups: []*group{gCmp, gBool, gFtz}, need: []*group{gCmp},
			build: buildSetp}},
		"set": {{op: ir.OpSet, types: tI32 | tF32 | tHalf | tI16, src: compared, groups: []*group{gCmp, gBool, gFtz},
			need: []*group{gCmp}, ops: "dt so so sp?"}},
		"testp": {{op: ir.OpTestp, types: tF, groups: []*group{gTest}, need: []*group{gTest}, ops: "dp st"}},
	}
}
