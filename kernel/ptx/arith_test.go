package ptx

import (
	"testing"

	"kumiko/kernel/ir"
)

type form struct{ src, want string }

// check compares the result of each statement.
func check(t *testing.T, forms []form) {
	t.Helper()
	for _, f := range forms {
		if got := text(kernel(t, f.src)); got != f.want {
			t.Errorf("%s\ngot:\n%s\nwant:\n%s", f.src, got, f.want)
		}
	}
}

func TestIntegerArithmetic(t *testing.T) {
	check(t, []form{
		{"add.s32 %r1, %r2, -1;", "add.s32 R0, R1, 0xffffffff"},
		{"add.s16 %h1, %h2, -1;", "add.s16 R0, R1, 0xffff"},
		{"sub.s64 %d1, %d2, %d1;", "sub.s64 R0:R1, R2:R3, R0:R1"},
		{"mul.lo.s32 %r1, %r2, 3;", "mul.lo.s32 R0, R1, 0x3"},
		{"mul.hi.u64 %d1, %d2, %d3;", "mul.hi.u64 R0:R1, R2:R3, R4:R5"},
		{"mul.wide.s32 %d1, %r2, 8;", "mul.wide.s32 R0:R1, R2, 0x8"},
		{"mul.wide.u16 %r1, %h2, %h3;", "mul.wide.u16 R0, R1, R2"},
		{"mad.lo.s32 %r1, %r2, %r3, %r4;", "mad.lo.s32 R0, R1, R2, R3"},
		{"mad.wide.u32 %d1, %r2, %r3, %d4;", "mad.wide.u32 R0:R1, R2, R3, R4:R5"},
		{"mul24.lo.s32 %r1, %r2, %r3;", "mul24.lo.s32 R0, R1, R2"},
		{"mad24.hi.u32 %r1, %r2, %r3, %r4;", "mad24.hi.u32 R0, R1, R2, R3"},
		{"sad.u32 %r1, %r2, %r3, %r4;", "sad.u32 R0, R1, R2, R3"},
		{"div.s32 %r1, %r2, %r3;", "div.s32 R0, R1, R2"},
		{"rem.u64 %d1, %d2, %d3;", "rem.u64 R0:R1, R2:R3, R4:R5"},
		{"abs.s64 %d1, %d2;", "abs.s64 R0:R1, R2:R3"},
		{"neg.s32 %r1, %r2;", "neg.s32 R0, R1"},
		{"min.u32 %r1, %r2, %r3;", "min.u32 R0, R1, R2"},
		{"max.s16 %h1, %h2, %h3;", "max.s16 R0, R1, R2"},
		{"dp4a.u32.s32 %r1, %r2, %r3, %r4;", "dp4a.u32.s32 R0, R1, R2, R3"},
		{"dp2a.hi.s32.s32 %r1, %r2, %r3, %r4;", "dp2a.hi.s32 R0, R1, R2, R3"},
	})
}

func TestTheConditionCodeIsAPredicateOfItsOwn(t *testing.T) {
	check(t, []form{
		{"add.cc.u32 %r1, %r2, %r3; addc.cc.u32 %r4, %r5, %r6; addc.u32 %r7, %r8, 0;",
			"add.u32 R0, P0, R1, R2\nadd.u32 R3, P0, R4, R5, P0\nadd.u32 R6, R7, 0x0, P0"},
		{"sub.cc.s32 %r1, %r2, %r3; subc.s32 %r4, %r5, %r6;", "sub.s32 R0, P0, R1, R2\nsub.s32 R3, R4, R5, P0"},
		{"mad.lo.cc.u32 %r1, %r2, %r3, %r4; madc.hi.u32 %r1, %r2, %r3, %r4;",
			"mad.lo.u32 R0, P0, R1, R2, R3\nmad.hi.u32 R0, R1, R2, R3, P0"},
	})
	k := kernel(t, "add.cc.u32 %r1, %r2, %r3; addc.u32 %r4, %r5, %r6;")
	if a, b := k.Insts[0].Mods, k.Insts[1].Mods; !a.CarryOut || a.CarryIn || b.CarryOut || !b.CarryIn {
		t.Errorf("add.cc %+v, addc %+v", a, b)
	}
}

func TestFloatingPointArithmetic(t *testing.T) {
	check(t, []form{
		{"add.f32 %f1, %f2, 0f3F800000;", "add.f32 R0, R1, 0x3f800000"},
		{"add.f32 %f1, %f2, 1.5;", "add.f32 R0, R1, 0x3fc00000"},
		{"mul.f64 %g1, %g2, 0d3FF0000000000000;", "mul.f64 R0:R1, R2:R3, 0x3ff0000000000000"},
		{"fma.rn.f32 %f1, %f2, %f3, %f4;", "fma.f32 R0, R1, R2, R3"},
		{"mad.rn.f32 %f1, %f2, %f3, %f4;", "fma.f32 R0, R1, R2, R3"},
		{"mad.rn.f64 %g1, %g2, %g3, %g4;", "fma.f64 R0:R1, R2:R3, R4:R5, R6:R7"},
		{"div.full.f32 %f1, %f2, %f3;", "div.approx.f32 R0, R1, R2"},
		{"div.rn.f64 %g1, %g2, %g3;", "div.f64 R0:R1, R2:R3, R4:R5"},
		{"sqrt.rn.f32 %f1, %f2;", "sqrt.f32 R0, R1"},
		{"sqrt.approx.ftz.f32 %f1, %f2;", "sqrt.approx.f32 R0, R1"},
		{"rcp.rn.f64 %g1, %g2;", "rcp.f64 R0:R1, R2:R3"},
		{"rsqrt.approx.f32 %f1, %f2;", "rsqrt.approx.f32 R0, R1"},
		{"sin.approx.f32 %f1, %f2; cos.approx.f32 %f1, %f2;", "sin.approx.f32 R0, R1\ncos.approx.f32 R0, R1"},
		{"ex2.approx.f32 %f1, %f2; lg2.approx.f32 %f1, %f2;", "ex2.approx.f32 R0, R1\nlg2.approx.f32 R0, R1"},
		{"tanh.approx.f32 %f1, %f2;", "tanh.approx.f32 R0, R1"},
		{"copysign.f32 %f1, %f2, %f3;", "copysign.f32 R0, R1, R2"},
		{"add.f16 %h1, %h2, %h3;", "add.f16 R0, R1, R2"},
		{"fma.rn.f16x2 %r1, %r2, %r3, %r4;", "fma.f16x2 R0, R1, R2, R3"},
		{"fma.rn.relu.bf16 %h1, %h2, %h3, %h4;", "fma.bf16 R0, R1, R2, R3"},
		{"max.NaN.f32 %f1, %f2, %f3;", "max.f32 R0, R1, R2"},
		{"testp.infinite.f32 %p1, %f1;", "testp.f32 P0, R0"},
	})
}

func TestModifiersOfArithmetic(t *testing.T) {
	for _, c := range []struct {
		src  string
		want ir.Mods
	}{
		{"add.rz.ftz.sat.f32 %f1, %f2, %f3;", ir.Mods{Round: ir.RZ, Ftz: true, Sat: true}},
		{"add.f32 %f1, %f2, %f3;", ir.Mods{}},
		{"add.sat.s32 %r1, %r2, %r3;", ir.Mods{Sat: true}},
		{"mad.hi.sat.s32 %r1, %r2, %r3, %r4;", ir.Mods{Part: ir.Hi, Sat: true}},
		{"mad.rm.f32 %f1, %f2, %f3, %f4;", ir.Mods{Round: ir.RM}},
		{"div.approx.ftz.f32 %f1, %f2, %f3;", ir.Mods{Approx: true, Ftz: true}},
		{"div.full.f32 %f1, %f2, %f3;", ir.Mods{Approx: true, Full: true}},
		{"rcp.approx.ftz.f64 %g1, %g2;", ir.Mods{Approx: true, Ftz: true}},
		{"sqrt.rp.f64 %g1, %g2;", ir.Mods{Round: ir.RP}},
		{"min.ftz.NaN.f32 %f1, %f2, %f3;", ir.Mods{Ftz: true, NaN: true}},
		{"fma.rn.ftz.relu.f16 %h1, %h2, %h3, %h4;", ir.Mods{Round: ir.RN, Ftz: true, Relu: true}},
		{"testp.subnormal.f64 %p1, %g1;", ir.Mods{Test: ir.TestSubnormal}},
		{"bfind.shiftamt.u32 %r1, %r2;", ir.Mods{ShiftAmt: true}},
		{"shf.l.wrap.b32 %r1, %r2, %r3, %r4;", ir.Mods{Left: true, Wrap: true}},
		{"prmt.b32.f4e %r1, %r2, %r3, %r4;", ir.Mods{Prmt: ir.PrmtF4E}},
		{"prmt.b32.rc16 %r1, %r2, %r3, %r4;", ir.Mods{Prmt: ir.PrmtRC16}},
		{"ld.global.nc.f32 %f1, [%d1];", ir.Mods{Cache: ir.CacheNC}},
		{"ld.volatile.global.f32 %f1, [%d1];", ir.Mods{Volatile: true}},
		{"st.global.cg.f32 [%d1], %f1;", ir.Mods{Cache: ir.CacheCG}},
		{"ld.relaxed.gpu.global.L1::no_allocate.L2::128B.u32 %r1, [%d1];", ir.Mods{Ordered: true}},
		{"st.weak.global.u32 [%d1], %r1;", ir.Mods{}},
		{"atom.acq_rel.sys.global.add.u32 %r1, [%d1], 1;", ir.Mods{Atomic: ir.AtomAdd}},
		{"vabsdiff4.u32.u32.s32.add %r1, %r2, %r3, %r4;",
			ir.Mods{Video: ir.VideoAbsDiff | ir.VideoQuad | ir.VideoAccumulate | ir.VideoMixedSigns}},
		{"vadd2.s32.s32.s32.sat %r1, %r2, %r3, %r4;", ir.Mods{Video: ir.VideoAdd, Sat: true}},
		{"vset4.u32.u32.ge %r1, %r2, %r3, %r4;", ir.Mods{Video: ir.VideoSet | ir.VideoQuad, Cmp: ir.GE}},
	} {
		if got := kernel(t, c.src).Insts[0].Mods; got != c.want {
			t.Errorf("%s\ngot  %+v\nwant %+v", c.src, got, c.want)
		}
	}
}
