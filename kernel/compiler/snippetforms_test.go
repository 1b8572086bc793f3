package compiler

// fixed are instances of instructions with operands of their own.
var fixed = map[string]string{
	"bra":                       "\tbra L; mov.u32 %r4, 1;\nL:",
	"bra.uni":                   "\tbra.uni L; mov.u32 %r4, 1;\nL:",
	"ret":                       "\tsetp.eq.s32 %p3, %r0, 40; @%p3 bra L; st.global.u32 [%d11+2048], %r1; ret ;\nL:",
	"exit":                      "\tsetp.eq.s32 %p3, %r0, 40; @%p3 bra L; st.global.u32 [%d11+2048], %r1; exit ;\nL:",
	"bar.sync":                  "\tbar.sync 0;",
	"bar.warp.sync":             "\tbar.warp.sync -1;",
	"membar.gl":                 "\tmembar.gl ;",
	"membar.cta":                "\tmembar.cta ;",
	"vote.all.pred":             "\tvote.all.pred %p1, %p0;",
	"vote.any.pred":             "\tvote.any.pred %p1, %p0;",
	"vote.sync.all.pred":        "\tvote.sync.all.pred %p1, %p0, -1;",
	"vote.sync.any.pred":        "\tvote.sync.any.pred %p1, %p0, -1;",
	"vabsdiff4.u32.u32.u32.add": "\tvabsdiff4.u32.u32.u32.add %r4, %r1, %r2, %r3;",
	"call":                      callBody("call"),
	"call.uni":                  callBody("call.uni"),
}

const square = `.visible .func (.param .b32 out) sq(.param .b32 x)
{
	.reg .b32 %q<3>; ld.param.u32 %q0, [x]; mul.lo.s32 %q1, %q0, %q0; st.param.b32 [out+0], %q1; ret;
}`

func callBody(op string) string {
	return "\t{ .param .b32 arg; .param .b32 res; st.param.b32 [arg+0], %r1; " + op +
		" (res), sq, (arg); ld.param.b32 %r4, [res+0]; }"
}

// forms are instances of the rows other than instructions.
var forms = map[string]snippet{
	"generic [reg+imm]": {body: "\tcvta.global.u64 %d2, %d11; ld.u32 %r4, [%d2+8];", mention: "[%d2+8]"},
	"generic [reg]":     {body: "\tcvta.global.u64 %d2, %d11; ld.u32 %r4, [%d2];", mention: "[%d2]"},
	"generic [reg+-imm]": {body: "\tcvta.global.u64 %d2, %d11; add.s64 %d2, %d2, 8; ld.u32 %r4, [%d2+-4];",
		mention: "[%d2+-4]"},
	"generic tex[h,{..}]": {body: "\tld.param.u64 %d2, [h]; tex.1d.v4.f32.s32 {%f3, %f4, %f5, %f6}, [%d2, {%r0}];",
		mention: "[%d2, {%r0}]"},
	"param [sym]":     {body: "\tld.param.u64 %d3, [a];", mention: "[a]"},
	"param [sym+imm]": {body: "\tld.param.u64 %d3, [a+8];", mention: "[a+8]"},
	"param [reg]":     {body: "\tmov.b64 %d2, a; ld.param.u64 %d3, [%d2];", mention: "ld.param.u64 %d3, [%d2]"},
	"param [reg+imm]": {body: "\tmov.b64 %d2, a; and.b32 %r10, %r0, 8; cvt.u64.u32 %d4, %r10; add.s64 %d2, %d2, " +
		"%d4; ld.param.u64 %d3, [%d2+16];", mention: "[%d2+16]"},
	"global [reg]":      {body: "\tld.global.u32 %r4, [%d11];", mention: "[%d11]"},
	"global [reg+imm]":  {body: "\tld.global.u32 %r4, [%d11+4];", mention: "[%d11+4]"},
	"global [reg+-imm]": {body: "\tadd.s64 %d2, %d11, 8; ld.global.u32 %r4, [%d2+-4];", mention: "[%d2+-4]"},
	"global [sym]":      {body: "\tst.global.u32 [gv], 5; ld.global.u32 %r4, [gv];", mention: "[gv]"},
	"shared [reg]":      {body: "\tst.shared.u32 [%r7], %r1; ld.shared.u32 %r4, [%r7];", mention: "[%r7]"},
	"shared [reg+imm]":  {body: "\tst.shared.u32 [%r7+4], %r1; ld.shared.u32 %r4, [%r7+4];", mention: "[%r7+4]"},
	"shared [reg+-imm]": {body: "\tadd.s32 %r10, %r7, 8; st.shared.u32 [%r10+-4], %r1; ld.shared.u32 %r4, [%r10+-4];",
		mention: "[%r10+-4]"},
	"shared [sym]":     {body: "\tst.shared.u32 [sv], %r1; ld.shared.u32 %r4, [sv];", mention: "[sv]"},
	"shared [sym+imm]": {body: "\tst.shared.u32 [sv+8], %r1; ld.shared.u32 %r4, [sv+8];", mention: "[sv+8]"},
	"const [reg]": {body: "\tand.b32 %r10, %r0, 4; cvt.u64.u32 %d2, %r10; add.s64 %d2, %d2, %d6; ld.const.u32 " +
		"%r4, [%d2];", mention: "[%d2]"},
	"const [reg+imm]": {body: "\tand.b32 %r10, %r0, 4; cvt.u64.u32 %d2, %r10; add.s64 %d2, %d2, %d6; ld.const.u32 " +
		"%r4, [%d2+4];", mention: "[%d2+4]"},
	"const [reg+-imm]": {body: "\tand.b32 %r10, %r0, 4; cvt.u64.u32 %d2, %r10; add.s64 %d2, %d2, %d6; add.s64 %d2, " +
		"%d2, 8; ld.const.u32 %r4, [%d2+-4];", mention: "[%d2+-4]"},
	"const [sym]":     {body: "\tld.const.u32 %r4, [cv];", mention: "[cv]"},
	"const [sym+imm]": {body: "\tld.const.u32 %r4, [cv+4];", mention: "[cv+4]"},
	"local [reg]":     {body: "\tst.local.u32 [%d8], %r1; ld.local.u32 %r4, [%d8];", mention: "[%d8]"},
	"local [reg+imm]": {body: "\tst.local.u32 [%d8+4], %r1; ld.local.u32 %r4, [%d8+4];", mention: "[%d8+4]"},
	"local [reg+-imm]": {body: "\tadd.s64 %d2, %d8, 8; st.local.u32 [%d2+-4], %r1; ld.local.u32 %r4, [%d2+-4];",
		mention: "[%d2+-4]"},
	"%clock":   {body: "\tmov.u32 %r10, %clock; shr.u32 %r4, %r10, 31;"}, // its value depends on the code
	"%clock64": {body: "\tmov.u64 %d2, %clock64; shr.u64 %d3, %d2, 63;"},
	".f32":     {body: "\tadd.f32 %f3, %f0, %f1;"},
	".b32":     {body: "\tadd.s32 %r4, %r1, %r2;"},
	".b64":     {body: "\tadd.s64 %d3, %d0, %d1;"},
	".f64":     {body: "\tadd.f64 %e3, %e0, %e1;"},
	".pred":    {body: "\tnot.pred %p1, %p0;"},
	".b16":     {body: "\tadd.s16 %h2, %h0, %h1;"},
	"int":      {body: "\tadd.s32 %r4, %r1, 123456;", mention: "123456"},
	"negint":   {body: "\tadd.s32 %r4, %r1, -7;", mention: "-7"},
	"0f":       {body: "\tadd.f32 %f3, %f0, 0f3F800000;", mention: "0f3F800000"},
	"0d":       {body: "\tadd.f64 %e3, %e0, 0d3FF0000000000000;", mention: "0d3FF0000000000000"},
	"@guard":   {body: "\t@%p0 bra L; mov.u32 %r4, 1;\nL:", mention: "@%p0 bra"},
	"vec2":     {body: "\tld.global.v2.u32 {%r4, %r5}, [%d11];", mention: "{%r4, %r5}"},
	"vec4":     {body: "\tld.global.v4.f32 {%f3, %f4, %f5, %f6}, [%d11];", mention: "{%f3, %f4, %f5, %f6}"},
	".param":   {}, ".reg": {}, ".visible": {}, ".entry": {}, ".align": {}, ".shared": {}, ".version": {},
	".target":       {},
	".address_size": {}, ".const": {}, ".global": {}, ".local": {},
	".func": {module: square, body: callBody("call.uni")},
	".weak": {module: ".weak .func (.param .b32 out) w() { .reg .b32 %q<2>; mov.u32 %q1, 3; st.param.b32 [out+0], " +
		"%q1; ret; }",
		body: "\t{ .param .b32 res; call.uni (res), w, (); ld.param.b32 %r4, [res+0]; }"},
	".pragma": {body: "L:\n\t.pragma \"nounroll\";\n\tadd.s32 %r5, %r5, 1; setp.lt.s32 %p3, %r5, 4; @%p3 bra L;"},
	".texref": {module: ".global .texref t1d_f32;",
		body: "\ttex.1d.v4.f32.s32 {%f3, %f4, %f5, %f6}, [t1d_f32, {%r0}];"},
	".extern":       {module: ".extern .shared .align 4 .b8 dyn[];", body: "\tmov.u32 %r4, dyn;"},
	".maxntid":      {perf: ".maxntid 256, 1, 1"},
	".minnctapersm": {perf: ".maxntid 256, 1, 1\n.minnctapersm 2"},
	".callprototype": {module: square, body: `	mov.u64 %d2, sq;
	{ .param .b32 arg; .param .b32 res; st.param.b32 [arg+0], %r1;
	prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _);
	call (res), %d2, (arg), prototype_0; ld.param.b32 %r4, [res+0]; }`},
}
