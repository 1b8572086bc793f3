package launch

import (
	"strings"
	"testing"
)

// hostPTX is code for programs of several steps: add adds a factor from constant
// space and count, a variable, to each element of a buffer.
const hostPTX = `.version 6.3
.target sm_52
.address_size 64
.const .u32 factor[2] = {10, 20};
.global .u32 count = 1;
.entry add(.param .u64 x)
{
	.reg .u32 %r<6>; .reg .u64 %d<4>;
	mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 4; ld.param.u64 %d2, [x]; add.u64 %d2, %d2, %d1;
	ld.global.u32 %r2, [%d2]; ld.const.u32 %r3, [factor+4]; ld.global.u32 %r4, [count];
	add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4; st.global.u32 [%d2], %r2; ret;
}
.entry next(.param .u64 from, .param .u64 to, .param .u64 stop)
{
	.reg .u32 %r<6>; .reg .u64 %d<8>; .reg .pred %p;
	mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 4; ld.param.u64 %d2, [from]; add.u64 %d2, %d2, %d1;
	ld.param.u64 %d3, [to]; add.u64 %d3, %d3, %d1; ld.param.u64 %d4, [stop];
	ld.global.u32 %r2, [%d2]; add.u32 %r2, %r2, 1; st.global.u32 [%d3], %r2;
	setp.lt.u32 %p, %r2, 5; @%p st.global.u32 [%d4], 1; ret;
}
`

const addLaunch = `[[launch]]
kernel = "add"
grid = [1]
block = [4]
args = [ {buffer = "x"} ]
`

const hostBuffers = `[buffers.x]
type = "u32"
count = 4
init = {kind = "range"}
[buffers.factor]
type = "u32"
count = 2
symbol = "factor"
[buffers.count]
type = "u32"
count = 1
symbol = "count"
`

// hostProgram reads a program of hostPTX.
func hostProgram(t *testing.T, text string) (*Program, error) {
	t.Helper()
	m := mustParse(t, "host.ptx", []byte(hostPTX))
	return Parse("l.toml", []byte(text), m, Limits{})
}

// runHost runs a program of hostPTX. Its last buffers are as expected by the program.
func runHost(t *testing.T, text string) {
	t.Helper()
	p, err := hostProgram(t, text)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // a second time as the first
		if err := runOnEmulator(t, p); err != nil {
			t.Fatal(err)
		}
		if len(p.Expects()) == 0 {
			t.Fatal("nothing was compared")
		}
	}
}

func TestABufferIsSetBetweenLaunches(t *testing.T) {
	runHost(t, addLaunch+`[[launch]]
memset = {buffer = "x", value = 100, first = 1, count = 2}
`+addLaunch+hostBuffers+`[[expect]]
buffer = "x"
data = [42, 121, 121, 45]
`)
}

func TestConstantsAndVariablesAreUpdatedBetweenLaunches(t *testing.T) {
	runHost(t, addLaunch+`[[launch]]
update = {buffer = "factor", first = 1, init = {kind = "values", data = [300]}}
[[launch]]
memset = {buffer = "count", value = 4000}
`+addLaunch+hostBuffers+`[[expect]]
buffer = "x"
data = [4321, 4322, 4323, 4324]
[[expect]]
buffer = "factor"
data = [10, 300]
`)
}

func TestABufferIsUpdatedAsAtTheBeginning(t *testing.T) {
	for init, want := range map[string]string{
		`{kind = "zeros"}`:                                     "[21, 21, 21, 21]",
		`{kind = "constant", value = 7}`:                       "[28, 28, 28, 28]",
		`{kind = "range", start = 50, step = -1}`:              "[71, 70, 69, 68]",
		`{kind = "values", data = [1, 2], repeat = true}`:      "[22, 23, 22, 23]",
		`{kind = "uniform", low = 0, high = 9, seed = 42}`:     "[24, 28, 25, 26]", // 3, 7, 4, and 2211639955 mod 10
		`{kind = "zeros"}, first = 3`:                          "[21, 22, 23, 21]",
		`{kind = "values", data = [9]}, first = 0, count = 1 `: "[30, 22, 23, 24]",
	} {
		runHost(t, "[[launch]]\nupdate = {buffer = \"x\", init = "+init+"}\n"+addLaunch+hostBuffers+
			"[[expect]]\nbuffer = \"x\"\ndata = "+want+"\n")
	}
}

func TestMistakesInStepsAreNamedWithTheirPlace(t *testing.T) {
	for _, c := range []struct{ step, want string }{
		{`memset = {buffer = "x"}`, "l.toml:2:10: launch.memset: found no value, expected the value of every element"},
		{`memset = {buffer = "x", value = -1}`, "l.toml:2:33: launch.memset.value: found -1, expected a value of type u32"},
		{`memset = {buffer = "y", value = 1}`, `l.toml:2:20: launch.memset.buffer: found the buffer "y", expected one of`},
		{`memset = {value = 1}`, "launch.memset: found no buffer, expected the name of a buffer"},
		{`memset = {buffer = "x", value = 1, first = 4}`, "launch.memset.first: found 4, expected 0 to 3"},
		{`memset = {buffer = "x", value = 1, size = 4}`,
			`launch.memset: found the unknown key "size", expected one of buffer, first, count, value`},
		{`memset = "x"`, "l.toml:2:10: launch.memset: found a string, expected a table"},
		{"memset = {buffer = \"x\", value = 1}\ngrid = [1]",
			`l.toml:3:1: launch: found the unknown key "grid", expected one of memset`},
		{"memset = {buffer = \"x\", value = 1}\nkernel = \"add\"",
			"l.toml:1:3: launch: found 2 of kernel, memset, update, bind and step, expected one"},
		{`update = {buffer = "x"}`, "launch.update: found no init, expected the contents"},
		{`update = {buffer = "x", init = {kind = "values", data = [1]}}`,
			`launch.update.init.data: found 1 values, expected the 4 of buffer "x"`},
		{`update = {buffer = "x", init = {kind = "none"}}`, `launch.update.init.kind: found the init kind "none"`},
	} {
		_, err := hostProgram(t, "[[launch]]\n"+c.step+"\n"+addLaunch+hostBuffers)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngot:\n%v\nwant:\n%s", c.step, err, c.want)
		}
	}
	if _, err := hostProgram(t, "[[launch]]\nmemset = {buffer = \"x\", value = 1}\n"+hostBuffers); err == nil ||
		!strings.Contains(err.Error(), "l.toml:1:1: found no [[launch]] of a kernel, expected at least one") {
		t.Errorf("a program that launches nothing: %v", err)
	}
}
