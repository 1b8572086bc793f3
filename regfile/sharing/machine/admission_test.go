package machine_test

import (
	"fmt"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/capture"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/host"

	"pgregory.net/rapid"

	"kumiko/sm/occupancy"
)

func TestRegisterSharingDependsNeitherOnTheOrderOfTicksNorOnWorkers(t *testing.T) {
	var shared, moves uint64
	for _, name := range []string{"sgemm", "stencil", "libor", "hotspot"} {
		for _, k := range machinetest.InAnyOrder(t, name, func(o gpus.Options) *gpus.Machine {
			return machine(t, "sharing-owf", o, "sm.count=3", "sm.registers=24000", "regfile.sharing.window=256")
		}) {
			shared += k.Stats["regfile.sharing.lock_grants"]
			moves += k.Stats["regfile.sharing.dynamic.lowered"] + k.Stats["regfile.sharing.dynamic.raised"]
		}
	}
	if shared < 100 || moves == 0 {
		t.Errorf("%d locks taken, %d changes of the probability: the test shows little", shared, moves)
	}
}

// Register sharing with every optimisation allocates no more than permitted for the conventional register file.
func TestRegisterSharingAllocatesNothingPerCycle(t *testing.T) {
	machinetest.AllocateNothing(t, func() *gpus.Machine {
		return machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=4", "sched.policy=oldest", "regfile.kind=sharing",
			"regfile.sharing.dynamic=true", "regfile.sharing.owner_first=true", "regfile.sharing.reorder=true",
			"regfile.threshold=0.5", "sm.registers=5632")
	}, machinetest.Rounds, 200, 16, 6)
}

// The admission predicted by the command equals the admission by the machine's register file, under both rules of
// allocation.
func TestTheMachineAdmitsWhatOccupancySays(t *testing.T) {
	shares := 0
	rapid.Check(t, func(t *rapid.T) {
		c, err := config.Load(config.Request{GPU: "tesla-c2050", Design: "sharing", Set: []string{
			"sm.count=1", fmt.Sprintf("sm.registers=%d", rapid.IntRange(4000, 40000).Draw(t, "registers of the SM")),
			"occupancy.rule=" + rapid.SampledFrom([]string{occupancy.RuleGPGPUSim, occupancy.RuleCUDA}).Draw(t, "rule"),
			fmt.Sprintf("regfile.threshold=%v", float64(rapid.IntRange(0, 100).Draw(t, "threshold in percent"))/100),
		}})
		if err != nil {
			t.Fatal(err)
		}
		cta := occupancy.CTA{Threads: rapid.IntRange(1, 512).Draw(t, "threads"),
			Registers:   rapid.IntRange(4, 63).Draw(t, "registers"),
			SharedBytes: rapid.SampledFrom([]int{0, 0, 4000, 9000}).Draw(t, "shared")}
		want, err := c.CTAs(cta)
		if err != nil {
			t.Skip(err)
		}
		program := capture.New(c, capture.Options{})
		if err := program.Launch(&host.Launch{Module: machinetest.Module(t, machinetest.Text("", "")), Kernel: "k",
			Grid: [3]int{1, 1, 1}, Block: [3]int{cta.Threads, 1, 1}, Registers: cta.Registers,
			DynShared: cta.SharedBytes,
			Args:      []host.Arg{host.U64(program.Memory().Alloc("p", 4))}}); err != nil {
			t.Fatal(err)
		}
		m := machinetest.Of(t, c, gpus.Options{})
		got, err := m.Residents(program.Capture())
		if err != nil || got[0] != want.CTAs {
			t.Fatalf("%+v: the machine admits %d (%v), occupancy says %+v", cta, got, err, want)
		}
		if pairs, _ := want.Figure("shared_pairs"); pairs > 0 {
			shares++
		}
	})
	if shares < 5 && !testing.Short() {
		t.Errorf("only %d of the cases share", shares)
	}
}
