package compiler

import (
	"fmt"
	"strings"
)

// snippet is an instance of a row in the list of instructions used by public kernels.
type snippet struct {
	module  string // declarations before the kernel
	body    string
	mention string // what the source must contain
	perf    string // directives of the kernel
}

// source wraps the snippet in a kernel. Its registers have values unknown to the compiler, and are all stored at
// the end.
func (s *snippet) source(arch string) string {
	return fmt.Sprintf(`.version 6.3
.target %s
.address_size 64
.const .align 8 .b8 cv[64] = {1, 2, 3, 4, 5, 6, 7, 8};
.global .align 8 .b8 gv[1024];
%s
.visible .entry k(.param .u64 p, .param .u64 h, .param .align 16 .b8 a[64])
%s
{
	.reg .pred %%p<4>; .reg .b16 %%h<8>; .reg .f32 %%f<8>; .reg .b32 %%r<12>; .reg .b64 %%d<12>; .reg .f64 %%e<8>;
	.local .align 16 .b8 lv[64];
	.shared .align 16 .b8 sv[1024];
	mov.u32 %%r0, %%tid.x;
	ld.param.u64 %%d10, [p];
	cvta.to.global.u64 %%d10, %%d10;
	mul.wide.u32 %%d9, %%r0, 16;
	add.s64 %%d11, %%d10, %%d9;
	ld.global.u32 %%r1, [%%d11]; ld.global.u32 %%r2, [%%d11+4]; ld.global.u32 %%r3, [%%d11+8];
	ld.global.u64 %%d0, [%%d11]; ld.global.u64 %%d1, [%%d11+8];
	cvt.u16.u32 %%h0, %%r1; cvt.u16.u32 %%h1, %%r2;
	cvt.rn.f32.s32 %%f0, %%r1; cvt.rn.f32.s32 %%f1, %%r2; mov.f32 %%f2, %%f1;
	cvt.rn.f64.s32 %%e0, %%r1; cvt.rn.f64.s32 %%e1, %%r2; mov.f64 %%e2, %%e0;
	setp.lt.s32 %%p0, %%r1, %%r2; mov.pred %%p2, %%p0;
	mov.u32 %%r7, sv; mul.lo.u32 %%r8, %%r0, 16; add.s32 %%r7, %%r7, %%r8; cvt.u64.u32 %%d7, %%r7;
	mov.b64 %%d3, 0; mov.b32 %%r4, 0; mov.b32 %%r5, 0; mov.b32 %%r6, 0; mov.f32 %%f3, 0f00000000; mov.f32 %%f4, %%f3; mov.f32 %%f5, %%f3; mov.f32 %%f6, %%f3;
	mov.f64 %%e3, 0d0000000000000000; mov.f64 %%e4, %%e3; mov.u16 %%h2, 0; mov.u16 %%h3, 0; mov.pred %%p1, %%p0; mov.b64 %%d4, 0; mov.b64 %%d8, lv;
	mov.u64 %%d6, cv;
%s
	selp.b32 %%r9, 1, 0, %%p1; cvt.u32.u16 %%r10, %%h2;
	add.s32 %%r9, %%r9, %%r10; add.s32 %%r9, %%r9, %%r4; xor.b32 %%r9, %%r9, %%r5; xor.b32 %%r9, %%r9, %%r6;
	mov.b32 %%r10, %%f3; xor.b32 %%r9, %%r9, %%r10; mov.b32 %%r10, %%f4; xor.b32 %%r9, %%r9, %%r10;
	mov.b64 %%d5, %%e3; xor.b64 %%d3, %%d3, %%d5; mov.b64 %%d5, %%e4; xor.b64 %%d3, %%d3, %%d5; xor.b64 %%d3, %%d3, %%d4;
	st.global.u32 [%%d11+2048], %%r9; st.global.u64 [%%d11+2056], %%d3;
	ret;
}
`, arch, s.module, s.perf, s.body)
}

// letter returns the register bank of a type in snippet.source.
func letter(t string) string {
	switch t {
	case "pred":
		return "p"
	case "f32":
		return "f"
	case "f64":
		return "e"
	}
	switch t[1:] {
	case "8", "16":
		return "h"
	case "64":
		return "d"
	}
	return "r"
}

// in and out are sources 0 to 2 and destination of a type.
func in(t string, i int) string { return fmt.Sprintf("%%%s%d", letter(t), i) }

func result(t string) string {
	return map[string]string{"p": "%p1", "f": "%f3", "e": "%e3", "h": "%h2", "d": "%d3", "r": "%r4"}[letter(t)]
}

// snippetOf makes the instance of a row.
func snippetOf(r coverageRow) (*snippet, bool) {
	if r.kind == "ops" {
		s, ok := instruction(r.item)
		if ok && s.mention == "" {
			s.mention = r.item + " "
			if strings.HasPrefix(r.item, "prototype_") {
				s.mention = "prototype_0"
			}
		}
		return s, ok
	}
	s, ok := forms[r.item]
	if !ok && strings.HasPrefix(r.item, "%") { // a special register
		s, ok = snippet{body: "\tmov.u32 %r4, " + r.item + ";"}, true
	}
	if ok && s.mention == "" {
		s.mention = r.item
	}
	return &s, ok
}

// instruction makes an instance of an opcode with its modifiers.
func instruction(item string) (*snippet, bool) {
	parts := strings.Split(item, ".")
	op, mods := parts[0], parts[1:]
	var types []string
	for _, m := range mods {
		if isType(m) {
			types = append(types, m)
		}
	}
	switch op {
	case "ld", "st":
		return memorySnippet(item, op, mods, types[0]), true
	case "atom":
		return atomSnippet(item, mods, types[0]), true
	case "tex":
		return texSnippet(item, mods[0], types), true
	case "cvta":
		return cvtaSnippet(item, mods), true
	}
	if strings.HasPrefix(op, "prototype_") {
		s := forms[".callprototype"]
		s.mention = ".callprototype"
		return &s, true
	}
	if text, ok := fixed[item]; ok {
		return &snippet{module: square, body: text}, true
	}
	if len(types) == 0 {
		return nil, false
	}
	t := types[0]
	operands, ok := operandsOf(op, mods, types)
	if !ok {
		return nil, false
	}
	d := result(t)
	switch {
	case op == "setp":
		d = "%p1"
	case op == "popc", op == "clz", op == "bfind":
		d = "%r4"
	case strings.Contains(item, ".wide."):
		d = result(t[:1] + fmt.Sprint(2*width(t)))
	}
	return &snippet{body: fmt.Sprintf("\t%s %s, %s;", item, d, operands)}, true
}

func width(t string) int {
	n := 0
	fmt.Sscanf(t[1:], "%d", &n)
	return n
}

func isType(m string) bool {
	if m == "pred" {
		return true
	}
	return len(m) > 1 && strings.Contains("usbf", m[:1]) && strings.Trim(m[1:], "0123456789") == ""
}

// operandsOf lists the sources of a register instruction.
func operandsOf(op string, mods, types []string) (string, bool) {
	t := types[0]
	switch op {
	case "add", "sub", "mul", "mul24", "div", "rem", "min", "max", "and", "or", "xor", "setp":
		return in(t, 0) + ", " + in(t, 1), true
	case "mad", "fma":
		third := in(t, 2)
		if letter(t) == "h" || letter(t) == "d" {
			third = in(t, 1)
		}
		return in(t, 0) + ", " + in(t, 1) + ", " + third, true
	case "mov", "neg", "abs", "not", "sqrt", "rcp", "rsqrt", "sin", "cos", "ex2", "lg2", "popc", "clz", "bfind":
		return in(t, 0), true
	case "cvt":
		return in(types[1], 1), true
	case "shl", "shr":
		return in(t, 0) + ", %r0", true
	case "selp":
		return in(t, 0) + ", " + in(t, 1) + ", %p0", true
	case "bfe":
		return in(t, 0) + ", 3, 5", true
	case "bfi":
		return in(t, 0) + ", " + in(t, 1) + ", 3, 5", true
	case "vabsdiff4", "shf":
		return "%r1, %r2, %r3", true
	}
	return "", false
}
