package machine_test

import (
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
	"kumiko/sm/occupancy"
)

// lbm has CTAs of four warps with 56 registers. 2048 warp registers hold 9 of them. With base sets
// of 28 registers and 28.1 % of the file kept for sections, 1472 registers hold 13.
func TestThePresetWithoutSwitchingHoldsMoreCTAsWhereRegistersBind(t *testing.T) {
	for design, want := range map[string]int{"conventional": 9, "regmutex": 13} {
		c := machinetest.Config(t, config.Request{GPU: "gtx980", Design: design})
		o, err := c.CTAs(occupancy.CTA{Threads: 120, Registers: 56})
		if err != nil {
			t.Fatal(err)
		}
		if o.CTAs != want {
			t.Errorf("%s: %d CTAs, want %d", design, o.CTAs, want)
		}
	}
}

// Programs at size test on a small register file, with operands checked: the contents of memory at the end are
// right, warps get sections, and no CTA gives its slots up.
func TestThePresetWithoutSwitchingIsRight(t *testing.T) {
	if testing.Short() {
		t.Skip("whole applications")
	}
	granted := uint64(0)
	for _, name := range []string{"lbm", "sgemm", "fft", "lavaMD", "gemm"} {
		s := result.Sum(machinetest.Run(t, config.Request{GPU: "gtx980", Design: "regmutex",
			Set: []string{"sm.registers=16384"}}, gpus.Options{}, name)).Stats
		if s["regfile.regmutex.grants"] != s["regfile.regmutex.releases"] || s["switch.switches"] != 0 {
			t.Errorf("%s: %d sections given, %d given up, %d CTAs switched", name, s["regfile.regmutex.grants"],
				s["regfile.regmutex.releases"], s["switch.switches"])
		}
		granted += s["regfile.regmutex.grants"]
	}
	if granted == 0 {
		t.Error("no section was given: nothing is shown")
	}
}
