package ptx

import (
	"maps"

	"kumiko/kernel/ir"
)

// group is a set of mutually exclusive modifiers of an instruction, with their effects.
type group struct {
	name string
	vals map[string]int
	set  func(*ir.Inst, int)
}

func flag(set func(*ir.Inst, int), names ...string) *group {
	g := &group{name: "." + names[0], vals: map[string]int{}, set: set}
	for _, n := range names {
		g.vals[n] = 1
	}
	return g
}

// Values of gDivision other than an ir.Round.
const (
	approx = 100 + iota
	full
)

// setPrecision sets a rounding mode, or a precision without one.
func setPrecision(in *ir.Inst, v int) {
	if v >= approx {
		in.Mods.Approx, in.Mods.Full = true, v == full
	} else {
		in.Mods.Round = ir.Round(v)
	}
}

// merged returns the entries of both maps.
func merged(a, b map[string]int) map[string]int {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

func ignore(*ir.Inst, int) {}

// The effects of modifiers; a row lists the groups of its instruction.
var (
	gRound = &group{"a rounding mode", map[string]int{"rn": int(ir.RN), "rz": int(ir.RZ), "rm": int(ir.RM),
		"rp": int(ir.RP), "rna": int(ir.RNA),
		"rni": int(ir.RNI), "rzi": int(ir.RZI), "rmi": int(ir.RMI), "rpi": int(ir.RPI)},
		func(in *ir.Inst, v int) { in.Mods.Round = ir.Round(v) }}
	gFloatRound = &group{"a rounding mode", map[string]int{"rn": int(ir.RN), "rz": int(ir.RZ), "rm": int(ir.RM),
		"rp": int(ir.RP)}, gRound.set}
	gPrecision = &group{"a rounding mode or .approx", merged(gFloatRound.vals, map[string]int{"approx": approx}),
		setPrecision}
	gDivision = &group{"a rounding mode, .approx or .full", merged(gPrecision.vals, map[string]int{"full": full}),
		setPrecision}
	gCmp = &group{"a comparison", map[string]int{"eq": int(ir.EQ), "ne": int(ir.NE), "lt": int(ir.LT), "le": int(ir.LE),
		"gt": int(ir.GT), "ge": int(ir.GE),
		"lo": int(ir.LT), "ls": int(ir.LE), "hi": int(ir.GT), "hs": int(ir.GE),
		"equ": int(ir.EQU), "neu": int(ir.NEU), "ltu": int(ir.LTU), "leu": int(ir.LEU), "gtu": int(ir.GTU),
		"geu": int(ir.GEU),
		"num": int(ir.NUM), "nan": int(ir.NAN)},
		func(in *ir.Inst, v int) { in.Mods.Cmp = ir.Cmp(v) }}
	gBool = &group{"a combination", map[string]int{"and": int(ir.BoolAnd), "or": int(ir.BoolOr),
		"xor": int(ir.BoolXor)},
		func(in *ir.Inst, v int) { in.Mods.Bool = ir.Bool(v) }}
	gPart = &group{"a part of the product", map[string]int{"lo": int(ir.Lo), "hi": int(ir.Hi), "wide": int(ir.Wide)},
		func(in *ir.Inst, v int) { in.Mods.Part = ir.Part(v) }}
	gHalf   = &group{"a half", map[string]int{"lo": int(ir.Lo), "hi": int(ir.Hi)}, gPart.set}
	gAtomic = &group{"an operation", map[string]int{"add": int(ir.AtomAdd), "min": int(ir.AtomMin),
		"max": int(ir.AtomMax), "inc": int(ir.AtomInc),
		"dec": int(ir.AtomDec), "and": int(ir.AtomAnd), "or": int(ir.AtomOr), "xor": int(ir.AtomXor),
		"exch": int(ir.AtomExch), "cas": int(ir.AtomCas)},
		func(in *ir.Inst, v int) { in.Mods.Atomic = ir.Atomic(v) }}
	gShfl = &group{"a shuffle mode", map[string]int{"up": int(ir.ShflUp), "down": int(ir.ShflDown),
		"bfly": int(ir.ShflBfly), "idx": int(ir.ShflIdx)},
		func(in *ir.Inst, v int) { in.Mods.Shfl = ir.Shfl(v) }}
	gVote = &group{"a vote mode", map[string]int{"all": int(ir.VoteAll), "any": int(ir.VoteAny), "uni": int(ir.VoteUni),
		"ballot": int(ir.VoteBallot)},
		func(in *ir.Inst, v int) { in.Mods.Vote = ir.Vote(v) }}
	gMatch = &group{"a match mode", map[string]int{"all": int(ir.VoteAll), "any": int(ir.VoteAny)}, gVote.set}
	gPrmt  = &group{"a permutation mode", map[string]int{"f4e": int(ir.PrmtF4E), "b4e": int(ir.PrmtB4E),
		"rc8": int(ir.PrmtRC8), "ecl": int(ir.PrmtECL),
		"ecr": int(ir.PrmtECR), "rc16": int(ir.PrmtRC16)}, func(in *ir.Inst, v int) { in.Mods.Prmt = ir.Prmt(v) }}
	gTest = &group{"a property", map[string]int{"finite": int(ir.TestFinite), "infinite": int(ir.TestInfinite),
		"number":     int(ir.TestNumber),
		"notanumber": int(ir.TestNotANumber), "normal": int(ir.TestNormal), "subnormal": int(ir.TestSubnormal)},
		func(in *ir.Inst, v int) { in.Mods.Test = ir.Test(v) }}
	gTex = &group{"a geometry", map[string]int{"1d": int(ir.Tex1D), "2d": int(ir.Tex2D), "3d": int(ir.Tex3D),
		"a1d": int(ir.TexA1D), "a2d": int(ir.TexA2D),
		"cube": int(ir.TexCube), "acube": int(ir.TexACube)}, func(in *ir.Inst, v int) { in.Mods.Tex = ir.Tex(v) }}
	gFtz      = flag(func(in *ir.Inst, _ int) { in.Mods.Ftz = true }, "ftz")
	gSat      = flag(func(in *ir.Inst, _ int) { in.Mods.Sat = true }, "sat", "satfinite")
	gApprox   = flag(func(in *ir.Inst, _ int) { in.Mods.Approx = true }, "approx")
	gCC       = flag(func(in *ir.Inst, _ int) { in.Mods.CarryOut = true }, "cc")
	gNaN      = flag(func(in *ir.Inst, _ int) { in.Mods.NaN = true }, "NaN")
	gRelu     = flag(func(in *ir.Inst, _ int) { in.Mods.Relu = true }, "relu")
	gSync     = flag(func(in *ir.Inst, _ int) { in.Mods.Sync = true }, "sync")
	gShiftAmt = flag(func(in *ir.Inst, _ int) { in.Mods.ShiftAmt = true }, "shiftamt")
	gBar      = &group{"an operation", map[string]int{"sync": int(ir.BarSync), "arrive": int(ir.BarArrive),
		"red": int(ir.BarRedPopc)},
		func(in *ir.Inst, v int) {
			in.Mods.Bar, in.Mods.Sync = ir.Bar(v), in.Mods.Sync || ir.Bar(v) == ir.BarSync
		}}
	gBarRed = &group{"a reduction", map[string]int{"popc": int(ir.BarRedPopc), "and": int(ir.BarRedAnd),
		"or": int(ir.BarRedOr)},
		func(in *ir.Inst, v int) { in.Mods.Bar = ir.Bar(v) }}
	gGrow = &group{"a direction", map[string]int{"inc": 1, "dec": 0},
		func(in *ir.Inst, v int) { in.Mods.Grow = v == 1 }}
	gUni     = flag(ignore, "uni")
	gNoFtz   = flag(ignore, "noftz")
	gToSpace = flag(ignore, "to")
	gAligned = flag(ignore, "aligned")
	gCTA     = flag(ignore, "cta")
	gSide    = &group{"a direction", map[string]int{"l": 1, "r": 0},
		func(in *ir.Inst, v int) { in.Mods.Left = v == 1 }}
	gWrap = &group{"a mode", map[string]int{"wrap": 1, "clamp": 0},
		func(in *ir.Inst, v int) { in.Mods.Wrap = v == 1 }}
	gVolatile = flag(func(in *ir.Inst, _ int) { in.Mods.Volatile = true }, "volatile", "mmio")
	gOrder    = flag(ignore, "weak", "relaxed", "acquire", "release", "acq_rel", "sc")
	gOrdered  = &group{"an order", map[string]int{"weak": 0, "relaxed": 1, "acquire": 1, "release": 1},
		func(in *ir.Inst, v int) { in.Mods.Ordered = v == 1 }}
	gScope = flag(ignore, "cta", "cluster", "gpu", "sys", "gl")
	gFence = &group{"a scope", map[string]int{"cta": int(ir.ScopeCTA), "cluster": int(ir.ScopeGPU),
		"gpu": int(ir.ScopeGPU), "gl": int(ir.ScopeGPU), "sys": int(ir.ScopeSystem)},
		func(in *ir.Inst, v int) { in.Mods.Scope = ir.Scope(v) }}
	gSpace = &group{"a state space", map[string]int{"global": int(ir.Global), "shared": int(ir.Shared),
		"shared::cta": int(ir.Shared), "local": int(ir.Local),
		"const": int(ir.Const), "param": int(ir.Param), "param::entry": int(ir.Param), "param::func": int(ir.Param)},
		func(in *ir.Inst, v int) { in.Space = ir.Space(v) }}
	gCache = &group{"a cache operator", map[string]int{"ca": int(ir.CacheCA), "cg": int(ir.CacheCG),
		"cs": int(ir.CacheCS), "lu": int(ir.CacheLU),
		"cv": int(ir.CacheCV), "wb": int(ir.CacheWB), "wt": int(ir.CacheWT)},
		func(in *ir.Inst, v int) { in.Mods.Cache = ir.Cache(v) }}
	gNC    = flag(func(in *ir.Inst, _ int) { in.Mods.Cache = ir.CacheNC }, "nc")
	gEvict = flag(ignore, "L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last",
		"L1::no_allocate")
	gEvict2   = flag(ignore, "L2::evict_normal", "L2::evict_first", "L2::evict_last")
	gHint     = flag(ignore, "L2::cache_hint")
	gPrefetch = flag(ignore, "L2::64B", "L2::128B", "L2::256B")
	gLevel    = flag(ignore, "L1", "L2", "L2::evict_last", "L2::evict_normal", "tensormap")
	gMipLevel = flag(ignore, "level", "base", "grad")
)

// lookup returns the row's group with a modifier.
func (r *row) lookup(mod string) (*group, int, bool) {
	for _, g := range r.groups {
		if v, ok := g.vals[mod]; ok {
			return g, v, true
		}
	}
	return nil, 0, false
}
