package launch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/mem"
)

// adder is a module with a kernel that adds its variables plus and more, of global and constant space, to the first
// elements of a buffer.
const adder = `.version 6.3
.target sm_52
.address_size 64
.global .u32 plus = PLUS;
.const .u32 more = MORE;
.entry NAME(.param .u64 out)
{
	.reg .u32 %r<5>; .reg .u64 %d<4>;
	mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 4; ld.param.u64 %d2, [out]; add.u64 %d2, %d2, %d1;
	ld.global.u32 %r2, [plus]; ld.const.u32 %r3, [more]; add.u32 %r2, %r2, %r3;
	ld.global.u32 %r4, [%d2]; add.u32 %r4, %r4, %r2; st.global.u32 [%d2], %r4; ret;
}
.entry both(.param .u64 out) { ret; }
`

// severalModules returns a program of the main module one.ptx, and of two.ptx, in a folder of its own.
func severalModules(t *testing.T, text string) (*Program, error) {
	t.Helper()
	dir := t.TempDir()
	source := func(name, plus, more string) []byte {
		return []byte(strings.NewReplacer("NAME", name, "PLUS", plus, "MORE", more).Replace(adder))
	}
	if err := os.WriteFile(filepath.Join(dir, "two.ptx"), source("two", "1000", "2000"), 0o644); err != nil {
		t.Fatal(err)
	}
	m := mustParse(t, "one.ptx", source("one", "10", "20"))
	return Parse(filepath.Join(dir, "l.toml"), []byte(text), m, Limits{})
}

const severalLaunches = `modules = ["two.ptx"]
[[launch]]
kernel = "one"
grid = [1]
block = [3]
args = [ {buffer = "x"} ]
[[launch]]
kernel = "two"
grid = [1]
block = [2]
args = [ {buffer = "x"} ]
[buffers.x]
type = "u32"
count = 4
`

func runOnEmulator(t *testing.T, p *Program) error {
	t.Helper()
	dev := &mem.Memory{}
	return p.Run(&host.Device{Mem: dev, Runner: &emu.Runner{Mem: dev}})
}

func TestModulesShareTheMemoryAndHaveVariablesOfTheirOwn(t *testing.T) {
	p, err := severalModules(t, severalLaunches+`
[buffers.theirs]
type = "u32"
count = 1
symbol = "plus"
module = "two.ptx"
init = {kind = "constant", value = 4000}
[[expect]]
buffer = "x"
data = [6030, 6030, 30, 0] # 10 + 20, then 4000 + 2000
[[expect]]
buffer = "theirs"
value = 4000
`)
	if err != nil {
		t.Fatal(err)
	}
	if err := runOnEmulator(t, p); err != nil {
		t.Error(err)
	}
	if n := len(p.Expects()); n != 2 {
		t.Errorf("%d buffers were compared, want 2", n)
	}
	if f := p.Files(); len(f) != 1 || filepath.Base(f[0]) != "two.ptx" {
		t.Errorf("the program names the files %v, want two.ptx", f)
	}
}

func TestAKernelOfSeveralModulesIsNamedWithItsModule(t *testing.T) {
	for module, want := range map[string]string{"one.ptx": "one.ptx", "./two.ptx": "two.ptx"} {
		text := strings.Replace(severalLaunches, `kernel = "two"`, "kernel = \"both\"\nmodule = \""+module+`"`, 1)
		p, err := severalModules(t, text)
		if err != nil {
			t.Fatal(err)
		}
		if got := filepath.Base(p.launches[1].host.Module.File); got != want {
			t.Errorf("%s: the kernel of %s, want that of %s", module, got, want)
		}
	}
}

func TestMistakesWithModulesAreNamedWithTheirPlace(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"kernel of several modules", `kernel = "two"`, `kernel = "both"`, `l.toml:8:10: launch.kernel: found the kernel ` +
			`"both", which is in several modules, expected the key module beside it, one of: one.ptx, two.ptx`},
		{"kernel of no module", `kernel = "two"`, `kernel = "three"`,
			`l.toml:8:10: launch.kernel: found the kernel "three", expected one of one.ptx: one, both; `},
		{"kernel of another module", `kernel = "two"`, "kernel = \"two\"\nmodule = \"one.ptx\"",
			`l.toml:8:10: launch.kernel: found the kernel "two", expected one of one.ptx: one, both`},
		{"unknown module", `kernel = "two"`, "kernel = \"two\"\nmodule = \"too.ptx\"",
			`l.toml:9:10: launch.module: found the module "too.ptx", expected one of one.ptx, two.ptx`},
		{"missing module", `["two.ptx"]`, `["two.ptx", "too.ptx"]`,
			`l.toml:1:23: modules: found a module that cannot be read: open `},
		{"module twice", `["two.ptx"]`, `["two.ptx", "./two.ptx"]`,
			`l.toml:1:23: modules: found the module "./two.ptx" a second time, expected another file`},
		{"module of the program's name", `["two.ptx"]`, `["two.ptx", "one.ptx"]`,
			`l.toml:1:23: modules: found the module "one.ptx" a second time, expected another file`},
		{"module that is a number", `["two.ptx"]`, `["two.ptx", 2]`,
			`l.toml:1:23: modules: found an integer, expected a string`},
		{"symbol of several modules", "count = 4", "count = 1\nsymbol = \"plus\"", `buffers.x.symbol: found the symbol ` +
			`"plus", which is in several modules, expected the key module beside it, one of: one.ptx, two.ptx`},
		{"module without a symbol", "count = 4", "count = 4\nmodule = \"two.ptx\"",
			`buffers.x.module: found a module without a symbol, expected both or neither`},
		{"constant of a module in a buffer", "count = 4",
			"count = 1\nsymbol = \"more\"\nmodule = \"one.ptx\"\n[buffers.p]\n" +
				"type = \"u64\"\ncount = 1\ninit = {kind = \"values\", data = [{buffer = \"x\"}]}", `buffers.p.init.data.buffer: ` +
				`found the buffer "x", a constant that only kernels of one.ptx can address`},
		{"constant of another module", "count = 4", "count = 1\nsymbol = \"more\"\nmodule = \"one.ptx\"",
			`l.toml:11:20: launch.args.buffer: found the buffer "x", a constant that only kernels of one.ptx can address`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(severalLaunches, c.old) {
				t.Fatalf("%q does not occur", c.old)
			}
			_, err := severalModules(t, strings.Replace(severalLaunches, c.old, c.new, 1))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got:\n%v\nwant:\n%s", err, c.want)
			}
		})
	}
}

// Names possibly in an unreadable module are not reported as missing.
func TestAModuleThatCannotBeReadIsOneMistake(t *testing.T) {
	_, err := severalModules(t, strings.Replace(severalLaunches, "two.ptx", "too.ptx", 1))
	if err == nil || strings.Count(err.Error(), "found") != 1 {
		t.Errorf("error %v", err)
	}
}

// fetcher is a module with a kernel that adds a texel by name to the same by handle.
const fetcher = `.version 6.3
.target sm_52
.address_size 64
TEXTURES
.entry NAME(.param .u64 out, .param .u64 handle)
{
	.reg .b32 %r<12>; .reg .u64 %d<4>;
	ld.param.u64 %d1, [out]; ld.param.u64 %d2, [handle]; mov.u32 %r1, 2;
	tex.1d.v4.s32.s32 {%r2, %r3, %r4, %r5}, [img, {%r1}]; tex.1d.v4.s32.s32 {%r6, %r7, %r8, %r9}, [%d2, {%r1}];
	ld.global.u32 %r3, [%d1]; add.u32 %r2, %r2, %r6; add.u32 %r2, %r2, %r3; st.global.u32 [%d1], %r2; ret;
}
`

func TestATextureReferenceIsBoundInEveryModuleThatHasIt(t *testing.T) {
	source := func(name, textures string) []byte {
		return []byte(strings.NewReplacer("NAME", name, "TEXTURES", textures).Replace(fetcher))
	}
	// The other reference shifts the handles of the second module.
	path := write(t, "two.ptx", source("two", ".global .texref other; .global .texref img;"))
	m := mustParse(t, "one.ptx", source("one", ".global .texref img;"))
	launch := func(kernel string) string {
		return "[[launch]]\nkernel = \"" + kernel + "\"\ngrid = [1]\nblock = [1]\nargs = [{buffer = \"x\"}, " +
			"{texture = " +
			"\"img\"}]\n"
	}
	p, err := Parse("l.toml", []byte("modules = ['"+path+"']\n"+launch("one")+launch("two")+`
[buffers.x]
type = "s32"
count = 1
[buffers.pixels]
type = "s32"
count = 3
init = {kind = "range", start = 5}
[textures.img]
buffer = "pixels"
width = 3
[[expect]]
buffer = "x"
value = 28 # four fetches of the third texel
`), m, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if err := runOnEmulator(t, p); err != nil {
		t.Error(err)
	}
}
