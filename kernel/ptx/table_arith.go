package ptx

import "kumiko/kernel/ir"

// arithmetic: PTX ISA sections 9.7.1 to 9.7.4, without the functions.
func arithmetic() map[string][]row {
	addition := func(op ir.Op) []row {
		return append([]row{
			{op: op, types: tI32 | tI64, groups: []*group{gSat, gCC}, ops: "dt st st"},
			{op: op, types: tI16, ops: "dt st st"},
		}, floats(op, "dt st st")...)
	}
	withCarry := func(op ir.Op, ops string, part bool) []row {
		r := row{op: op, types: tI32 | tI64, groups: []*group{gCC}, ops: ops,
			preset: func(in *ir.Inst) { in.Mods.CarryIn = true }}
		if part {
			r.groups = append(r.groups, gHalf)
			r.need = []*group{gHalf}
		}
		return []row{r}
	}
	fused := floats(ir.OpFma, "dt st st st")
	for i := range fused {
		fused[i].need = []*group{gFloatRound}
	}
	return map[string][]row{
		"add":  addition(ir.OpAdd),
		"sub":  addition(ir.OpSub),
		"addc": withCarry(ir.OpAdd, "dt st st", false),
		"subc": withCarry(ir.OpSub, "dt st st", false),
		"madc": withCarry(ir.OpMad, "dt st st st", true),
		"mul": append([]row{
			{op: ir.OpMul, types: tInt, groups: []*group{gPart}, need: []*group{gPart}, ops: "dw st st"},
		}, floats(ir.OpMul, "dt st st")...),
		"mad": append([]row{
			{op: ir.OpMad, types: tInt, groups: []*group{gPart, gCC, gSat}, need: []*group{gPart}, ops: "dw st st sw"},
		}, madFloat(fused)...),
		"fma":   fused,
		"mul24": {{op: ir.OpMul24, types: tI32, groups: []*group{gHalf}, need: []*group{gHalf}, ops: "dt st st"}},
		"mad24": {{op: ir.OpMad24, types: tI32, groups: []*group{gHalf, gSat}, need: []*group{gHalf},
			ops: "dt st st st"}},
		"sad": {{op: ir.OpSad, types: tInt, ops: "dt st st st"}},
		"div": {
			{op: ir.OpDiv, types: tInt, ops: "dt st st"},
			{op: ir.OpDiv, types: tF32, groups: []*group{gDivision, gFtz}, need: []*group{gDivision}, old: before14,
				ops: "dt st st", post: defaultPrecision},
			{op: ir.OpDiv, types: tF64, groups: []*group{gFloatRound}, need: []*group{gFloatRound}, old: before14,
				ops: "dt st st", post: defaultPrecision},
		},
		"rem":      {{op: ir.OpRem, types: tInt, ops: "dt st st"}},
		"abs":      signs(ir.OpAbs),
		"neg":      signs(ir.OpNeg),
		"min":      extremum(ir.OpMin),
		"max":      extremum(ir.OpMax),
		"copysign": {{op: ir.OpCopysign, types: tF, ops: "dt st st"}},
		"dp4a":     {{op: ir.OpDp4a, types: tI32, src: tI32, ops: "du su su su"}},
		"dp2a": {{op: ir.OpDp2a, types: tI32, src: tI32, groups: []*group{gHalf}, need: []*group{gHalf},
			ops: "du su su su"}},
		"cvt": {{op: ir.OpCvt, types: tNumber, src: tNumber, groups: []*group{gRound, gFtz, gSat, gRelu},
			build: buildCvt}},
	}
}

// floats returns the forms of an operation on floating-point types.
func floats(op ir.Op, ops string) []row {
	g := []*group{gFloatRound, gFtz, gSat}
	return []row{
		{op: op, types: tF32, groups: g, ops: ops},
		{op: op, types: tF64, groups: g[:1], ops: ops},
		{op: op, types: tHalf, groups: append(g[:3:3], gRelu), ops: ops},
	}
}

// extremum returns the forms of min or max.
func extremum(op ir.Op) []row {
	return []row{
		{op: op, types: tInt, groups: []*group{gRelu}, ops: "dt st st"},
		{op: op, types: tF32 | tHalf, groups: []*group{gFtz, gNaN, flag(ignore, "xorsign"), flag(ignore, "abs")},
			ops: "dt st st", build: buildExtremum},
		{op: op, types: tF64, ops: "dt st st"},
	}
}

// signs returns the forms of abs or neg.
func signs(op ir.Op) []row {
	return []row{
		{op: op, types: types(ir.S16, ir.S32, ir.S64), ops: "dt st"},
		{op: op, types: tF32 | tHalf, groups: []*group{gFtz}, ops: "dt st"},
		{op: op, types: tF64, ops: "dt st"},
	}
}

// madFloat returns the forms of mad on floating-point types: the fused operation from sm_20 on, rounded to nearest
// if an old source names no mode.
func madFloat(fused []row) []row {
	var out []row
	for i, r := range fused[:2] { // single, double precision
		r.old = []func(*module) bool{before20, before14}[i]
		r.post = func(in *ir.Inst) {
			if in.Mods.Round == ir.RoundDefault {
				in.Mods.Round = ir.RN
			}
		}
		out = append(out, r)
	}
	return out
}

// defaultPrecision sets the precision of division and roots without a modifier before PTX 1.4: approximate in
// single precision, to nearest in double.
func defaultPrecision(in *ir.Inst) {
	if in.Mods.Round != ir.RoundDefault || in.Mods.Approx {
		return
	}
	if in.Type == ir.F32 {
		in.Mods.Approx = true
	} else {
		in.Mods.Round = ir.RN
	}
}

// transcendental: the functions of PTX ISA sections 9.7.3 and 9.7.4.
func transcendental() map[string][]row {
	approx := func(in *ir.Inst) { in.Mods.Approx = true }
	function := func(op ir.Op, t typeSet) []row {
		return []row{{op: op, types: t, groups: []*group{gApprox, gFtz}, need: []*group{gApprox}, old: before14,
			ops: "dt st", preset: approx}}
	}
	// Double precision has an approximate reciprocal, but no approximate root.
	precise := func(op ir.Op, double *group) []row {
		return []row{
			{op: op, types: tF32, groups: []*group{gPrecision, gFtz}, need: []*group{gPrecision}, old: before14,
				ops: "dt st", post: defaultPrecision},
			{op: op, types: tF64, groups: []*group{double, gFtz}, need: []*group{double}, old: before14, ops: "dt st",
				post: defaultPrecision},
		}
	}
	return map[string][]row{
		"rcp":   precise(ir.OpRcp, gPrecision),
		"sqrt":  precise(ir.OpSqrt, gFloatRound),
		"rsqrt": function(ir.OpRsqrt, tF),
		"sin":   function(ir.OpSin, tF32),
		"cos":   function(ir.OpCos, tF32),
		"lg2":   function(ir.OpLg2, tF32),
		"ex2":   function(ir.OpEx2, tF32|tHalf),
		"tanh":  function(ir.OpTanh, tF32|tHalf),
	}
}
