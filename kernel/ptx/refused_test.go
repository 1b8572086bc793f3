package ptx

import (
	"strings"
	"testing"
)

// mixed is a module with a valid kernel, and kernels and functions with errors or unsupported instructions.
const mixed = header + `
.func deep() { mapa.u32; ret; }
.func idle() { wgmma.fence; ret; }
.entry clusters() { call deep; ret; }
.entry good(.param .u32 n) { .reg .u32 %r<2>; ld.param.u32 %r1, [n]; ret; }
.entry tensor() { wgmma.wait_group.sync; ret; }
`

func TestAKernelThatReachesNothingUnsupportedRuns(t *testing.T) {
	m := parsed(t, mixed)
	if len(m.Kernels) != 1 || m.Kernels[0].Name != "good" {
		t.Fatalf("%d kernels, want good alone", len(m.Kernels))
	}
	if len(m.Refused) != 2 {
		t.Fatalf("refused: %v", m.Refused)
	}
	for name, want := range map[string]string{
		"clusters": "t.ptx:5:16: found the instruction mapa.u32, which is not supported",
		"tensor":   "t.ptx:9:19: found the instruction wgmma.wait_group.sync, which is not supported",
	} {
		if err := m.Refusal(name); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if err := m.Refusal("good"); err != nil {
		t.Errorf("good: %v", err)
	}
}

func TestAModuleWithoutARunnableKernelIsRefusedWithAllItsErrors(t *testing.T) {
	got := refused(t, strings.Replace(mixed, "ld.param.u32", "frob", 1))
	for _, want := range []string{"t.ptx:5:16: ", "t.ptx:6:16: ", "t.ptx:8:47: ", "t.ptx:9:19: "} {
		if !strings.Contains(got, want) {
			t.Errorf("no mistake at %s in\n%s", want, got)
		}
	}
}

func TestAComparisonThatATypeDoesNotHaveIsRefused(t *testing.T) {
	const numbers = "eq, ne, lt, le, gt, ge"
	for text, want := range map[string]string{
		"setp.gtu.s32 %p1, %r1, %r2;": "5: found the comparison .gtu of type .s32 in setp.gtu.s32, expected one of " +
			numbers,
		"set.lo.u32.s32 %r1, %r1, %r2;": "4: found the comparison .lo of type .s32 in set.lo.u32.s32, " +
			"expected one of " + numbers,
		"setp.nan.u32 %p1, %r1, %r2;": "5: found the comparison .nan of type .u32 in setp.nan.u32, expected one of " +
			numbers + ", lo, ls, hi, hs",
		"setp.lo.f32 %p1, %f1, %f1;": "5: found the comparison .lo of type .f32 in setp.lo.f32, expected one of " +
			numbers + ", equ, neu, ltu, leu, gtu, geu, num, nan",
		"setp.lt.b32 %p1, %r1, %r2;": "5: found the comparison .lt of type .b32 in setp.lt.b32, expected one of eq, ne",
	} {
		_, err := Parse("t.ptx", []byte(header+".entry k() {\n.reg .pred %p<3>; .reg .b32 %r<3>; .reg .f32 %f<3>;\n"+
			text+"\nret;\n}\n"))
		if err == nil || !strings.HasSuffix(err.Error(), ":"+want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
}

func TestAFileOfCUDAIsRefusedWithARemedy(t *testing.T) {
	_, err := Parse("t.cu", []byte("__global__ void k() {}\n"))
	want := "t.cu:1:1: found a file of CUDA C++, expected PTX, which kumiko compile makes of it"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
