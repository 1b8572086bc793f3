package machine_test

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
)

// threeOperands is n rounds of 24 FMAs with three registers each.
func threeOperands(n int) string {
	var b strings.Builder
	b.WriteString("cvt.rn.f32.u32 %f0, %r1;\n")
	for i := 1; i < 25; i++ {
		fmt.Fprintf(&b, "add.f32 %%f%d, %%f0, 0f3F800000;\n", i)
	}
	for range n {
		for i := 1; i < 25; i++ {
			fmt.Fprintf(&b, "fma.rn.f32 %%f%d, %%f%d, %%f%d, %%f%d;\n", i, i, 1+(i+7)%24, 1+(i+15)%24)
		}
	}
	for i := 2; i < 25; i++ {
		fmt.Fprintf(&b, "add.f32 %%f1, %%f1, %%f%d;\n", i)
	}
	return machinetest.Text("", b.String()+machinetest.Finish)
}

func TestEverySettingOfTheRegisterFileReachesTheMachine(t *testing.T) {
	at := func(set ...string) float64 {
		for i := range set {
			set[i] = "regfile.conventional." + set[i]
		}
		return machinetest.Slope(t, threeOperands, 4, 1, 512, "gtx980", append(set, "sm.count=1", "sched.policy=lrr",
			`compiler.off=["schedule"]`)...)
	}
	for _, c := range []struct {
		what         string
		faster, than []string
	}{
		{"banks", nil, []string{"banks=4"}},
		{"SRAM ports", nil, []string{"bank_ports=1rw", "banks=8"}},
		{"latency of a bank, with few collectors", []string{"collectors=3"},
			[]string{"collectors=3", "read_latency=4"}},
		{"blocking banks", []string{"read_latency=4"}, []string{"read_latency=4", "bank_blocking=true"}},
		{"latency of a write to a blocking bank", []string{"bank_blocking=true"},
			[]string{"bank_blocking=true", "write_latency=8"}},
		{"bank index", []string{"bank_ports=1rw", "bank_index=register+slot"},
			[]string{"bank_ports=1rw", "bank_index=register"}},
		{"queue of a bank", []string{"banks=4"}, []string{"banks=4", "bank_queue=1", "inputs=1"}},
		{"number of collectors", nil, []string{"collectors=2"}},
		{"collectors set apart", []string{`collector_sets=[{units=["sp"], count=4}]`, "collectors=1"},
			[]string{`collector_sets=[{units=["lsu"], count=4}]`, "collectors=1"}},
		{"inputs per cycle", []string{"collectors=3", "crossbar_output=3"},
			[]string{"collectors=3", "crossbar_output=3", "inputs=1"}},
		{"width of the crossbar", nil, []string{"crossbar_width=1"}},
		{"registers that a collector receives", []string{"collectors=3", "crossbar_output=3"},
			[]string{"collectors=3"}},
		{"cycles per register", nil, []string{"crossbar_cycles=4"}},
		{"latency of the crossbar", []string{"collectors=3"}, []string{"collectors=3", "crossbar_latency=4"}},
		{"network", []string{"collectors=3"}, []string{"collectors=3", "network=butterfly"}},
		{"latency of a hop", []string{"collectors=3", "network=butterfly"},
			[]string{"collectors=3", "network=butterfly", "hop_latency=4"}},
		{"width of a channel", []string{"network=butterfly", "network_rows=1", "crossbar_cycles=4", "hop_width=4"},
			[]string{"network=butterfly", "network_rows=1", "crossbar_cycles=4"}},
	} {
		if a, b := at(c.faster...), at(c.than...); a >= b {
			t.Errorf("%s: %v cycles per round with %v, %v with %v", c.what, a, c.faster, b, c.than)
		}
	}
}

func TestABypassMakesNoApplicationSlowerAndEveryOperandStaysRight(t *testing.T) {
	for _, gpu := range []string{"maxwell", "fermi"} {
		for _, app := range []string{"bfs", "mergeSort", "lud", "cfd"} {
			cycles := func(set ...string) uint64 {
				return result.Sum(machinetest.Run(t, config.Request{GPU: gpu, Set: set}, gpus.Options{}, app)).Cycles
			}
			with := cycles()
			without := cycles("regfile.conventional.bypass=false", "regfile.conventional.forward=2")
			if with >= without {
				t.Errorf("%s on %s: %d cycles with a bypass, %d without", app, gpu, with, without)
			}
		}
	}
}
