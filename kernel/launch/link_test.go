package launch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const linkHead = ".version 7.0\n.target sm_70\n.address_size 64\n"

// linked returns a program of kernel k in main.ptx with 4 threads and the buffer o of u32, and of other.ptx.
func linked(t *testing.T, main, other, expect string) (*Program, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "other.ptx"), []byte(linkHead+other), 0o644); err != nil {
		t.Fatal(err)
	}
	m := mustParse(t, "main.ptx", []byte(linkHead+main))
	return Parse(filepath.Join(dir, "l.toml"), []byte(`modules = ["other.ptx"]
[[launch]]
kernel = "k"
grid = [1]
block = [4]
dynamic_shared = 16
args = [{buffer = "o"}]
[buffers.o]
type = "u32"
count = 4
[[expect]]
buffer = "o"
data = [`+expect+"]\n"), m, Limits{})
}

// runLinked runs such a program, which fits together and leaves what it expects.
func runLinked(t *testing.T, main, other, expect string) {
	t.Helper()
	p, err := linked(t, main, other, expect)
	if err != nil {
		t.Fatal(err)
	}
	if err := runOnEmulator(t, p); err != nil {
		t.Error(err)
	}
}

// stored is kernel k that stores %r1 of each thread, whose index is in %r0. The body's text is at %s.
const stored = `.visible .entry k(.param .u64 o) {
.reg .b32 %%r<8>; .reg .b64 %%d<8>; .reg .pred %%p<4>;
mov.u32 %%r0, %%tid.x; ld.param.u64 %%d0, [o]; mad.wide.u32 %%d0, %%r0, 4, %%d0;
%s
st.global.u32 [%%d0], %%r1; ret; }
`

const callSquare = "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r0; call.uni (b), sq, (a); ld.param.b32 " +
	"%r1, [b]; }"

const square = `.func (.param .b32 r) sq(.param .b32 x) { .reg .b32 %r<3>;
ld.param.b32 %r0, [x]; mul.lo.u32 %r0, %r0, %r0; st.param.b32 [r], %r0; ret; }
`

const squareOf = ".extern .func (.param .b32 r) sq(.param .b32 x);\n"

func TestAModuleUsesWhatAnotherDefines(t *testing.T) {
	for _, c := range []struct{ name, main, body, other, expect string }{
		{"functions", squareOf, callSquare, ".visible " + square, "0, 1, 4, 9"},
		{"weak functions", squareOf, callSquare, ".weak " + square, "0, 1, 4, 9"},
		{"functions by an alias", squareOf, callSquare, ".visible .func (.param .b32 r) sq(.param .b32 x);\n" +
			strings.Replace(square, "sq(", "square(", 1) + ".alias sq, square;", "0, 1, 4, 9"},
		{"global variables", ".extern .global .u32 v[];", "ld.global.u32 %r1, [v+4];",
			".visible .global .u32 v[2] = {5, 7};",
			"7, 7, 7, 7"},
		{"constants", ".const .u32 own = 3; .extern .const .u32 v;",
			"ld.const.u32 %r1, [v]; ld.const.u32 %r2, [own]; add.u32 %r1, %r1, %r2;",
			".const .u32 pad[5]; .visible .const .u32 v = 40;", "43, 43, 43, 43"},
		{"shared variables", squareOf + ".extern .shared .u32 v[4];",
			"mov.u64 %d1, v; cvt.u32.u64 %r3, %d1; mad.lo.u32 %r3, %r0, 4, %r3; st.shared.u32 [%r3], %r0; " +
				callSquare,
			".visible .shared .u32 v[4]; " + strings.Replace(".visible "+square, "ld.param.b32 %r0, [x];",
				"ld.shared.u32 %r0, [v+12];", 1), "9, 9, 9, 9"},
		{"variables declared in a function", "", ".extern .global .u32 v; ld.global.u32 %r1, [v];",
			".visible .global .u32 v = 8;", "8, 8, 8, 8"},
		{"addresses in initial values", ".extern .global .u32 v; .global .u64 p = v;",
			"ld.global.u64 %d1, [p]; ld.global.u32 %r1, [%d1];", ".visible .global .u32 v = 6;", "6, 6, 6, 6"},
		{"addresses of functions", squareOf + ".global .u64 f = sq;",
			"P: .callprototype (.param .b32 _) _ (.param .b32 _); ld.global.u64 %d1, [f];\n" +
				strings.Replace(callSquare, "sq, (a)", "%d1, (a), P", 1), ".visible " + square, "0, 1, 4, 9"},
		{"functions of its own, called back", squareOf + ".visible .func (.param .b32 r) one() { st.param.b32 [r], " +
			"1; ret; }",
			callSquare, ".extern .func (.param .b32 r) one();\n.visible .func (.param .b32 r) sq(.param .b32 x) { " +
				".reg .b32 %r<3>; " +
				"ld.param.b32 %r0, [x]; { .param .b32 b; call (b), one; ld.param.b32 %r1, [b]; } add.u32 %r0, %r0, " +
				"%r1; " +
				"st.param.b32 [r], %r0; ret; }", "1, 2, 3, 4"},
		{"recursive functions", squareOf, callSquare, ".local .u32 depth; .visible .func (.param .b32 r) sq(.param " +
			".b32 x) {" +
			".reg .b32 %r<4>; .reg .pred %p; ld.param.b32 %r0, [x]; setp.eq.u32 %p, %r0, 0; mov.b32 %r1, 0; @%p " +
			"bra E; " +
			"sub.u32 %r2, %r0, 1; { .param .b32 a; .param .b32 b; st.param.b32 [a], %r2; call (b), sq, (a); " +
			"ld.param.b32 %r1, [b]; } ld.local.u32 %r3, [depth]; add.u32 %r3, %r3, 1; st.local.u32 [depth], %r3; " +
			"add.u32 %r1, %r1, %r3; E: st.param.b32 [r], %r1; ret; }", "0, 1, 3, 6"},
		{"names of its own", ".global .u32 v = 1; .func (.param .b32 r) one() { .reg .b32 %r<1>; ld.global.u32 " +
			"%r0, [v]; " +
			"st.param.b32 [r], %r0; ret; }" + squareOf, callSquare +
			"{ .param .b32 b; call (b), one; ld.param.b32 %r2, [b]; } " +
			"mad.lo.u32 %r1, %r1, 10, %r2;", ".global .u32 v = 2; .func (.param .b32 r) one() { .reg .b32 %r<1>; " +
			"ld.global.u32 %r0, [v]; st.param.b32 [r], %r0; ret; } .visible .func (.param .b32 r) sq(.param .b32 " +
			"x) { " +
			".reg .b32 %r<2>; { .param .b32 b; call (b), one; ld.param.b32 %r1, [b]; } st.param.b32 [r], %r1; ret; }",
			"21, 21, 21, 21"},
		{"the visible one of several", squareOf + ".weak .global .u32 v = 1;", callSquare,
			strings.Replace(".visible .global .u32 v = 5; .visible "+square, "mul.lo.u32 %r0, %r0, %r0;",
				"ld.global.u32 %r0, [v];", 1),
			"5, 5, 5, 5"},
		{"the visible one of several here", squareOf + ".weak .global .u32 v = 1;", "ld.global.u32 %r1, [v];",
			".visible .global .u32 v = 5; .visible " + square, "5, 5, 5, 5"},
		{"the first of weak ones", squareOf + ".weak .global .u32 v = 1;", callSquare,
			strings.Replace(".weak .global .u32 v = 5; .visible "+square, "mul.lo.u32 %r0, %r0, %r0;",
				"ld.global.u32 %r0, [v];", 1),
			"1, 1, 1, 1"},
		{"the largest of common ones", ".common .global .u32 v;", "ld.global.u32 %r1, [v];",
			".common .global .u32 v[2] = {4, 5};", "4, 4, 4, 4"},
		{"the launch's shared memory", squareOf + ".extern .shared .align 4 .b8 s[];",
			"st.shared.u32 [s], 11;" + callSquare,
			strings.Replace(".extern .shared .align 4 .b8 s[]; .visible "+square, "mul.lo.u32 %r0, %r0, %r0;",
				"ld.shared.u32 %r0, [s];", 1),
			"11, 11, 11, 11"},
	} {
		t.Run(c.name, func(t *testing.T) {
			runLinked(t, c.main+fmt.Sprintf(stored, c.body), c.other, c.expect)
		})
	}
}

func TestModulesThatDoNotFitTogetherAreRefusedWithThePlace(t *testing.T) {
	for _, c := range []struct{ name, main, body, other, want string }{
		{"two definitions", squareOf + ".visible .global .u32 v;", callSquare,
			".visible .global .u32 v;\n.visible " + square,
			"l.toml:1:11: modules: found modules that cannot be linked: OTHER:4:23: found a second definition of v, " +
				"the first is in main.ptx:5; expected one of them .weak, or without .visible"},
		{"no definition", squareOf, callSquare, "", "main.ptx:9:70: found a call of sq, which is declared but " +
			"nowhere " +
			"defined; expected a definition here, or a .visible one in one of the modules of the launch file"},
		{"a definition without .visible", squareOf, callSquare, square, "found a call of sq, which is declared but " +
			"nowhere defined; OTHER:4 has it without .visible, which makes it known to other modules"},
		{"no variable", ".extern .global .u32 v;", "ld.global.u32 %r1, [v];", "",
			"main.ptx:8:21: found v, which is declared but nowhere defined; expected a definition here"},
		{"an address of no variable", ".extern .global .u32 v; .global .u64 p = v; .global .u64 q = p;",
			"ld.global.u64 %d1, [q];", "", "main.ptx:8:21: found q, whose initial value has the address of v, " +
				"which is " +
				"declared but nowhere defined; expected a definition here"},
		{"other parameters", squareOf, callSquare, strings.Replace(".visible "+square, ".b32 x", ".b64 x", 1),
			"main.ptx:4:31: found other parameters or results of sq than in OTHER:4, expected the same"},
		{"another space", ".extern .const .u32 v;", "ld.const.u32 %r1, [v];", ".visible .global .u32 v;",
			"main.ptx:4:21: found v in .const space, expected .global as in OTHER:4"},
		{"too large", ".extern .global .u32 v[2];", "ld.global.u32 %r1, [v];", ".visible .global .u32 v;",
			"main.ptx:4:22: found 8 bytes of v, expected at most 4 as in OTHER:4"},
		{"a function as a variable", ".extern .global .u32 sq;", "ld.global.u32 %r1, [sq];", ".visible " + square,
			"main.ptx:4:22: found sq declared as a function here or in OTHER:4, and as a variable in the other"},
		{"two initial values", ".common .global .u32 v = 0;", "ld.global.u32 %r1, [v];", ".common .global .u32 v = 0;",
			"OTHER:4:22: found a second initial value of v, the first is in main.ptx:4; expected one"},
		{"a mistake in the other", squareOf, callSquare, ".visible .func (.param .b32 r) sq(.param .b32 x) " +
			"{\nfrob; ret; }",
			"OTHER:5:1: found the instruction frob, which PTX up to"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := linked(t, c.main+"\n"+fmt.Sprintf(stored, c.body), c.other, "0, 0, 0, 0")
			if err == nil {
				t.Fatal("accepted")
			}
			head, _, _ := strings.Cut(err.Error(), "l.toml")
			got, want := strings.ReplaceAll(err.Error(), head, ""), strings.ReplaceAll(c.want, "OTHER", "other.ptx")
			if !strings.Contains(got, want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func TestCodeOfAnotherModuleHasTheLineOfItsCall(t *testing.T) {
	p, err := linked(t, squareOf+fmt.Sprintf(stored, callSquare), ".visible "+square, "0, 1, 4, 9")
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, in := range p.Main().Kernel("k").Insts {
		if in.Op.String() == "mul" {
			found = true
			if in.Line != 8 {
				t.Errorf("%s is in line %d, want 8", in.String(), in.Line)
			}
		}
	}
	if !found {
		t.Error("no multiplication")
	}
}

// Modules that want nothing of each other are loaded one by one, and may have the same names.
func TestModulesThatWantNothingMayHaveEqualNames(t *testing.T) {
	runLinked(t, ".visible .global .u32 v = 1;"+fmt.Sprintf(stored, "ld.global.u32 %r1, [v];"),
		".visible .global .u32 v = 2;", "1, 1, 1, 1")
}

func TestTexturesAreNumberedThroughAllLinkedModules(t *testing.T) {
	fetch := "{ .reg .b32 %s<4>; tex.1d.v4.u32.s32 {%s0, %s1, %s2, %s3}, [img, {0}]; "
	runLinked(t, ".global .texref other;"+squareOf+fmt.Sprintf(stored, callSquare), ".global .texref img; "+
		strings.Replace(".visible "+square, "mul.lo.u32 %r0, %r0, %r0;", fetch+"mov.b32 %r0, %s0; }", 1),
		"77, 77, 77, 77]\n"+
			"[buffers.texels]\ntype = \"u32\"\ncount = 1\ninit = {kind = \"constant\", value = 77}\n[textures.img]\n"+
			"buffer = \"texels\"\nwidth = 1\n#")
}
