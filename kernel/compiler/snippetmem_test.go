package compiler

import (
	"fmt"
	"slices"
	"strings"
)

// memorySnippet returns a load or store in the space of its modifiers; an access without a space is generic.
func memorySnippet(item, op string, mods []string, t string) *snippet {
	addr := "[%d11]"
	switch {
	case slices.Contains(mods, "shared"):
		addr = "[%d7]"
	case slices.Contains(mods, "local"):
		addr = "[%d8]"
	case slices.Contains(mods, "const"):
		addr = "[%d6]"
	case slices.Contains(mods, "param") && op == "ld":
		addr = "[a+16]"
	}
	n := 1
	if slices.Contains(mods, "v2") {
		n = 2
	}
	if slices.Contains(mods, "v4") {
		n = 4
	}
	if op == "st" {
		if slices.Contains(mods, "param") {
			return &snippet{module: callee(t), body: fmt.Sprintf(`	{ .param .%[1]s arg; .param .%[1]s res; %[2]s [arg+0], %[3]s;
	call.uni (res), f, (arg); ld.param.%[1]s %[4]s, [res+0]; }`, t, item, in(t, 0), result(t))}
		}
		var v []string
		for i := range n {
			v = append(v, in(t, i&1))
		}
		load := strings.Replace(strings.Replace(item, "st.", "ld.", 1), "volatile.", "", 1)
		return &snippet{body: fmt.Sprintf("\t%s %s, %s;\n\t%s %s, %s;", item, addr, list(v), load,
			list(destinations(t, n)), addr)}
	}
	store := ""
	if slices.Contains(mods, "shared") || slices.Contains(mods, "local") {
		store = fmt.Sprintf("\tst.%s.v2.u64 %s, {%%d0, %%d1};\n", map[bool]string{true: "shared",
			false: "local"}[slices.Contains(mods, "shared")], addr)
	}
	return &snippet{body: fmt.Sprintf("%s\t%s %s, %s;", store, item, list(destinations(t, n)), addr)}
}

func destinations(t string, n int) []string {
	d := map[string][]string{"f": {"%f3", "%f4", "%f5", "%f6"}, "e": {"%e3", "%e4"}, "h": {"%h2", "%h3", "%h4", "%h5"},
		"d": {"%d3", "%d4"},
		"r": {"%r4", "%r5", "%r6", "%r10"}}[letter(t)]
	return d[:n]
}

func list(v []string) string {
	if len(v) == 1 {
		return v[0]
	}
	return "{" + strings.Join(v, ", ") + "}"
}

// callee returns the text of a function returning its argument.
func callee(t string) string {
	return fmt.Sprintf(`.visible .func (.param .%[1]s out) f(.param .%[1]s x)
{
	.reg .b16 %%h<4>; .reg .b32 %%r<6>; .reg .f32 %%f<4>; .reg .b64 %%d<4>; .reg .f64 %%e<4>;
	ld.param.%[1]s %[2]s, [x]; st.param.%[1]s [out], %[2]s; ret;
}`, t, result(t))
}

func atomSnippet(item string, mods []string, t string) *snippet {
	addr := "[%d10]"
	if slices.Contains(mods, "shared") {
		addr = "[sv+64]"
	}
	operand := in(t, 0)
	if slices.Contains(mods, "cas") {
		operand += ", " + in(t, 1)
	}
	return &snippet{body: fmt.Sprintf("\t%s %s, %s, %s;", item, result(t), addr, operand)}
}

// texSnippet fetches from a reference named after its texture.
func texSnippet(item, geom string, types []string) *snippet {
	name := "t" + geom + "_" + types[0]
	c := types[1]
	coords := map[string]string{"1d": "{%[1]s}", "2d": "{%[1]s, %[2]s}", "3d": "{%[1]s, %[2]s, %[2]s, %[2]s}",
		"cube": "{%[1]s, %[2]s, %[2]s, %[2]s}", "a2d": "{%%r0, %[1]s, %[2]s, %[2]s}"}[geom]
	small := "\trem.u32 %r10, %r0, 5; cvt.rn.f32.u32 %f2, %r10;\n"
	x := map[string]string{"f32": "%f2", "s32": "%r10"}[c]
	if geom == "1d" {
		coords = strings.ReplaceAll(coords, "%[1]s", x)
	} else {
		coords = fmt.Sprintf(coords, x, x)
	}
	return &snippet{module: fmt.Sprintf(".global .texref %s;", name),
		body: small + fmt.Sprintf("\t%s %s, [%s, %s];", item, list(destinations(types[0], 4)), name, coords)}
}

func cvtaSnippet(item string, mods []string) *snippet {
	from := map[string]string{"global": "%d11", "shared": "%d7", "local": "%d8"}
	if mods[0] == "to" {
		return &snippet{body: fmt.Sprintf("\t%s %%d3, %s;\n\tld.global.u64 %%d3, [%%d3];", item, from[mods[1]])}
	}
	store := fmt.Sprintf("\tst.%s.u64 [%s], %%d0;\n", mods[0], from[mods[0]])
	return &snippet{body: store + fmt.Sprintf("\t%s %%d3, %s;\n\tld.u64 %%d3, [%%d3];", item, from[mods[0]])}
}
