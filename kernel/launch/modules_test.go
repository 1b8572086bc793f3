package launch

import (
	"strings"
	"testing"

	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/mem"
)

const narrow = `.version 3.1
.target sm_20
.address_size 32
.entry fill(.param .u32 out, .param .u32 n)
{
	.reg .u32 %r<6>; .reg .pred %p;
	mov.u32 %r1, %tid.x; ld.param.u32 %r2, [n]; setp.ge.u32 %p, %r1, %r2; @%p ret;
	ld.param.u32 %r3, [out]; shl.b32 %r4, %r1, 2; add.u32 %r3, %r3, %r4; st.global.u32 [%r3], %r1; ret;
}
`

const narrowLaunch = `
[[launch]]
kernel = "fill"
grid = [1]
block = [32]
args = [ {buffer = "x", offset = 4}, {u32 = 3} ]
[buffers.first]
type = "u8"
count = 1
[buffers.x]
type = "u32"
count = 5
[[expect]]
buffer = "x"
data = [0, 0, 1, 2, 0]
`

// narrowProgram is the launch of 32-bit code.
func narrowProgram(t *testing.T) *Program {
	t.Helper()
	m := mustParse(t, "narrow.ptx", []byte(narrow))
	p, err := Parse("l.toml", []byte(narrowLaunch), m, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestABufferIsAnArgumentOfFourBytesOf32BitCode(t *testing.T) {
	p, dev := narrowProgram(t), &mem.Memory{}
	if err := p.Run(&host.Device{Mem: dev, Runner: &emu.Runner{Mem: dev}}); err != nil {
		t.Fatal(err)
	}
	if x := p.Expects(); len(x) != 1 || !x[0].OK {
		t.Errorf("%+v", x)
	}
}

func TestABufferBeyond4GiBIsNoArgumentOfFourBytes(t *testing.T) {
	p, dev := narrowProgram(t), &mem.Memory{}
	dev.AllocApart("far", 1, 1<<32)
	err := p.Run(&host.Device{Mem: dev, Runner: &emu.Runner{Mem: dev}})
	if err == nil || !strings.Contains(err.Error(), `l.toml:3:`) ||
		!strings.Contains(err.Error(), `buffer "x" at 0x11000`) {
		t.Errorf("error %v", err)
	}
}

func TestALaunchOfARefusedKernelSaysWhyAndAnotherOneRuns(t *testing.T) {
	m := mustParse(t, "narrow.ptx", []byte(narrow+".entry tensor() { wgmma.fence.sync; ret; }"))
	if _, err := Parse("l.toml", []byte(narrowLaunch), m, Limits{}); err != nil {
		t.Errorf("fill: %v", err)
	}
	_, err := Parse("l.toml", []byte(strings.Replace(narrowLaunch, `"fill"`, `"tensor"`, 1)), m, Limits{})
	want := `l.toml:3:10: launch.kernel: found the kernel "tensor", which cannot be run: narrow.ptx:10:19: found the ` +
		`instruction wgmma.fence.sync, which is not supported`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestAKernelIsNamedAsItIsOrDemangled(t *testing.T) {
	var src strings.Builder
	src.WriteString(".version 6.0\n.target sm_50\n.address_size 64\n")
	for _, k := range []string{"plain", "_Z5saxpyiPf", "_ZN3lib4gemmIfEEvPKT_S3_", "_Z5twicei", "_Z5twicef"} {
		src.WriteString(".entry " + k + "() { ret; }\n")
	}
	m := mustParse(t, "names.ptx", []byte(src.String()))
	for name, want := range map[string]string{
		"plain": "plain", "_Z5saxpyiPf": "_Z5saxpyiPf", "saxpy": "_Z5saxpyiPf", "saxpy(int, float*)": "_Z5saxpyiPf",
		"saxpy(int,float *)": "_Z5saxpyiPf", "lib::gemm<float>": "_ZN3lib4gemmIfEEvPKT_S3_",
		"lib::gemm": "_ZN3lib4gemmIfEEvPKT_S3_", "twice(float)": "_Z5twicef",
	} {
		p, err := Parse("l.toml", []byte("[[launch]]\nkernel = '"+name+"'\ngrid = [1]\nblock = [1]\n"), m, Limits{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := p.launches[0].host.Kernel; got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	for name, want := range map[string]string{
		"twice": `found the kernel "twice", which is the name of several, expected one of: twice(int), twice(float)`,
		"none":  `found the kernel "none", expected one of names.ptx: plain, _Z5saxpyiPf`,
	} {
		_, err := Parse("l.toml", []byte("[[launch]]\nkernel = '"+name+"'\ngrid = [1]\nblock = [1]\n"), m, Limits{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}
func TestAMangledNameIsShownAsCPlusPlusDeclaresIt(t *testing.T) {
	for name, want := range map[string]string{"_Z5scaleIfEvPT_i": "scale<float>", "_ZN2ns4sgemEPf": "ns::sgem",
		"bfs": "bfs", "_Zx": "_Zx"} {
		if got := Shown(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
