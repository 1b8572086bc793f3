package ptx

import (
	"strings"
	"testing"
)

// mixed is a module of a kernel that runs and of what is not supported or wrong.
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

func TestAModuleOfWhichNoKernelRunsIsRefusedWithAllThatIsWrong(t *testing.T) {
	got := refused(t, strings.Replace(mixed, "ld.param.u32", "frob", 1))
	for _, want := range []string{"t.ptx:5:16: ", "t.ptx:6:16: ", "t.ptx:8:47: ", "t.ptx:9:19: "} {
		if !strings.Contains(got, want) {
			t.Errorf("no mistake at %s in\n%s", want, got)
		}
	}
}
