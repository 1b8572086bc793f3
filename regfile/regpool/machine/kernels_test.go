package machine_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
	"kumiko/kernel/host"
	"kumiko/kernel/launch"
	"kumiko/kernel/ptx"
)

// run runs the kernels and the checks of testdata/NAME.toml on one SM with operands checked, and returns the
// results of the first launch.
func run(t *testing.T, name string, r config.Request) (result.Kernel, error) {
	t.Helper()
	src, err := os.ReadFile("../testdata/" + name + ".ptx")
	if err != nil {
		t.Fatal(err)
	}
	module, err := ptx.Parse(name+".ptx", src)
	if err != nil {
		t.Fatal(err)
	}
	p, err := launch.Load("../testdata/"+name+".toml", module)
	if err != nil {
		t.Fatal(err)
	}
	r.Set = append([]string{"sm.count=1"}, r.Set...)
	m := machinetest.New(t, r, gpus.Options{Check: true})
	if err := p.Run(&host.Device{Mem: m.Memory(), Runner: m}); err != nil {
		return result.Kernel{}, err
	}
	return m.Results()[0], nil
}

func right(t *testing.T, name string, r config.Request) result.Kernel {
	t.Helper()
	k, err := run(t, name, r)
	if err != nil {
		t.Fatalf("%s on %s with %s %v: %v", name, r.GPU, r.Design, r.Set, err)
	}
	return k
}

// Two warpgroups with 104 registers in each warp are 832 of an SM's 2048 warp registers; launched with 64 they are
// 512.
func TestWarpsThatGiveRegistersToOthersOfTheirCTALetMoreCTAsIn(t *testing.T) {
	for _, gpu := range []string{"h100", "gtx980"} {
		fixed := right(t, "tiles", config.Request{GPU: gpu})
		moved := right(t, "tiles", config.Request{GPU: gpu, Design: "regpool"})
		if fixed.CTAsResidentMax != 2 || moved.CTAsResidentMax != 4 || moved.Cycles >= fixed.Cycles {
			t.Errorf("%s: %d CTAs and %d cycles, %d and %d with registers that move; want 2, 4, and fewer cycles", gpu,
				fixed.CTAsResidentMax, fixed.Cycles, moved.CTAsResidentMax, moved.Cycles)
		}
		if s := moved.Stats; s["regfile.regpool.requests"] != 16*4 || s["regfile.regpool.grants"] != 16*4 ||
			s["regfile.regpool.released"] != 16*4*5 || s["regfile.regpool.gained"] != 16*4*5 {
			t.Errorf("%s: %d requests, %d granted, %d blocks given and %d gained; want 5 blocks from and to each of "+
				"64 warps", gpu, s["regfile.regpool.requests"], s["regfile.regpool.grants"],
				s["regfile.regpool.released"], s["regfile.regpool.gained"])
		}
	}
}

func TestRequestsThatFailComeToTheSameResults(t *testing.T) {
	k := right(t, "tiles", config.Request{GPU: "h100", Design: "regpool",
		Set: []string{"regfile.regpool.when_short=fail", "regfile.regpool.retry=7"}})
	if k.Stats["regfile.regpool.grants"] != 64 {
		t.Errorf("%d requests granted, want 64", k.Stats["regfile.regpool.grants"])
	}
}

// Warps begin with 32 registers and have 96 for a part of their time. With the preset's reserve for a CTA 14 CTAs
// are resident; with 96 registers all the time five.
func TestWarpsWithManyRegistersForAPartOfTheirTimeShareThePoolOfTheSM(t *testing.T) {
	if testing.Short() {
		t.Skip("224 warps on an SM, twice")
	}
	fixed := right(t, "phases", config.Request{GPU: "h100"})
	moved := right(t, "phases", config.Request{GPU: "h100", Design: "dynamic-vgpr"})
	if fixed.CTAsResidentMax != 5 || moved.CTAsResidentMax != 14 || moved.Cycles >= fixed.Cycles {
		t.Errorf("%d CTAs and %d cycles, %d and %d with registers that move; want 5, 14, and fewer cycles",
			fixed.CTAsResidentMax, fixed.Cycles, moved.CTAsResidentMax, moved.Cycles)
	}
	if s := moved.Stats; s["regfile.regpool.failures"] == 0 || s["regfile.regpool.gained"] != 56*4*2*2 {
		t.Errorf("%d tries failed and %d blocks were gained; want some, and two in each of two rounds of 224 warps",
			s["regfile.regpool.failures"], s["regfile.regpool.gained"])
	}
}

// The last warps of an ending CTA hold few registers, so that their return does not let another CTA go on. Each of 24
// warps gains two blocks.
func TestCTAsWhoseWarpsWaitForOneAnotherComeToTheirEnds(t *testing.T) {
	k := right(t, "groups", config.Request{GPU: "gtx980", Design: "dynamic-vgpr"})
	if s := k.Stats; s["regfile.regpool.grants"] != 24 || s["regfile.regpool.gained"] != 48 {
		t.Errorf("%d requests granted, and %d blocks gained; want 24 and 48", s["regfile.regpool.grants"],
			s["regfile.regpool.gained"])
	}
}

// By the ISA of RDNA4 a reserve for one wave does not prevent deadlocks where several need the most.
func TestAReserveForOneWarpDoesNotPreventADeadlockOfWarpsThatWaitForOneAnother(t *testing.T) {
	_, err := run(t, "phases", config.Request{GPU: "h100", Design: "dynamic-vgpr",
		Set: []string{"regfile.regpool.reserve=warp"}})
	if err == nil || !strings.Contains(err.Error(), "deadlock: nothing moves") ||
		!strings.Contains(err.Error(), "wait for registers; warp") {
		t.Errorf("error %v, want a deadlock of warps that wait for registers", err)
	}
}

// A kernel without setmaxnreg takes as long, to the cycle, as beside the plain file.
func TestAKernelWithoutSetmaxnregTakesTheSameTime(t *testing.T) {
	for _, gpu := range []string{"h100", "gtx980"} {
		for _, design := range []string{"regpool", "dynamic-vgpr"} {
			for _, name := range []string{"sgemm", "bfs"} {
				plain := machinetest.Run(t, config.Request{GPU: gpu}, gpus.Options{}, name)
				other := machinetest.Run(t, config.Request{GPU: gpu, Design: design}, gpus.Options{}, name)
				var a, b []uint64
				for i := range plain {
					a, b = append(a, plain[i].Cycles), append(b, other[i].Cycles)
				}
				if d := cmp.Diff(a, b); d != "" {
					t.Errorf("%s on %s with %s (-plain +pools):\n%s", name, gpu, design, d)
				}
			}
		}
	}
}

// A launch is refused if a warp could never get the registers that it asks for.
func TestAPoolThatCannotMeetARequestIsRefusedBeforeTheLaunch(t *testing.T) {
	for _, x := range []struct{ name, design, set, want string }{
		{"phases", "regpool", "", "found a setmaxnreg to 96 registers that no warp can get"},
		{"tiles", "regpool", "regfile.regpool.pool=sm", "tiles.ptx:100:2: found setmaxnreg to 104 registers"},
	} {
		r := config.Request{GPU: "h100", Design: x.design}
		if x.set != "" {
			r.Set = []string{x.set}
		}
		if _, err := run(t, x.name, r); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s with %s %s: error %v, want %q", x.name, x.design, x.set, err, x.want)
		}
	}
}
