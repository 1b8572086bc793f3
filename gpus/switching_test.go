package gpus_test

import (
	"maps"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus/result"
	"kumiko/sm/occupancy"
)

// unswitched removes the statistics specific to SMs that watch CTAs, and checks that no CTA was switched.
func unswitched(t *testing.T, kernels []result.Kernel) {
	t.Helper()
	for i := range kernels {
		maps.DeleteFunc(kernels[i].Stats, func(name string, _ uint64) bool {
			return strings.HasPrefix(name, "switch.") && name != "switch.switches" && name != "switch.in.parked"
		})
	}
	machinetest.WithoutOwn(t, kernels, func(name string) bool {
		return strings.HasPrefix(name, "switch") || strings.HasSuffix(name, "parked") ||
			name == "sm.issue.switch" || name == "sm.warps.switch" || name == "mem.shared.context_passes"
	})
}

func TestWatchingCTAsChangesNothing(t *testing.T) {
	stalls := uint64(0)
	for _, name := range append([]string{"nw", "btree"}, machinetest.SwitchedSuite...) {
		want := machinetest.OneSM(t, "gtx980", name, gpus.Options{})
		got := machinetest.OneSM(t, "gtx980", name, gpus.Options{}, "cta.observe=true")
		stalls += result.Sum(got).Stats["switch.first_stalls"]
		unswitched(t, got)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-plain +watched):\n%s", name, d)
		}
	}
	if stalls == 0 {
		t.Error("no CTA has ever stalled")
	}
}

// With as many slots as warps admitted by the registers, or by the grid, no warp waits for a slot.
func TestVirtualThreadIsTheConventionalMachineWhereSlotsDoNotBind(t *testing.T) {
	for name, set := range map[string][]string{"hotspot": {"sm.registers=16384"}, "gemm": {"sm.registers=16384"},
		"dct8x8": {"sm.registers=8192"}, "fft": {"sm.registers=8192"},
		"bfs": nil, "nw": nil, "gaussian": nil, "streamcluster": nil,
		"nn": {"sm.registers=4096", "compiler.schedule=pressure"}} {
		want := machinetest.OneSM(t, "gtx980", name, gpus.Options{}, set...)
		got := machinetest.OneSM(t, "gtx980", name, gpus.Options{}, append(set, "cta.switching=virtual-thread")...)
		unswitched(t, got)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-conventional +virtual thread):\n%s", name, d)
		}
	}
}

func TestACTAThatIsAloneIsNeverSwitched(t *testing.T) {
	for _, name := range machinetest.SwitchedSuite {
		set := []string{"sm.ctas=1"}
		want := machinetest.OneSM(t, "gtx980", name, gpus.Options{}, set...)
		got := machinetest.OneSM(t, "gtx980", name, gpus.Options{}, append(set, "cta.switching=virtual-thread",
			"sm.resident_ctas=1")...)
		unswitched(t, got)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-conventional +virtual thread):\n%s", name, d)
		}
	}
}

// Every application ends with the right operands, and with the instructions of the conventional machine. Contexts
// are saved and restored as often as warps leave and enter.
func TestSwitchingCTAsLosesNothing(t *testing.T) {
	switches := uint64(0)
	for _, name := range machinetest.SwitchedSuite {
		got := machinetest.SameWork(t, name, []string{"sm.warps=16"}, machinetest.Switched)
		s := got.Stats
		switches += s["switch.switches"]
		if s["switch.in.parked"] != s["switch.switches"] {
			t.Errorf("%s: %d CTAs went and %d came back", name, s["switch.switches"], s["switch.in.parked"])
		}
		if s["switch.active_ctas"] > s["switch.resident_ctas"] {
			t.Errorf("%s: more CTAs active than resident", name)
		}
		if n := sum(got.WarpStates); n > got.Stats["sm.residency.warp_cycles"] {
			t.Errorf("%s: %d warp-cycles in some state, of %d", name, n, got.Stats["sm.residency.warp_cycles"])
		}
	}
	if switches < 100 {
		t.Errorf("%d switches over the suite: too few to show anything", switches)
	}
}

func sum(m map[string]uint64) (n uint64) {
	for _, v := range m {
		n += v
	}
	return n
}

func TestSwitchingGivesTheSameResultInAnyOrderOfTicksAndWithAnyNumberOfWorkers(t *testing.T) {
	if s := machinetest.SwitchedInAnyOrder(t, []string{"hotspot", "gemm", "streamcluster", "transpose"},
		machinetest.Switched...); s["switch.switches"] == 0 {
		t.Error("no CTA was switched: nothing is shown")
	}
}

// An SM of 65536 registers holds 64 CTAs of 64 threads with 16 registers each: 128 warps, 64 of them with slots.
func TestOccupancySaysHowManyCTAsAreActive(t *testing.T) {
	c := machinetest.Config(t, config.Request{GPU: "gtx980", Design: "virtual-thread"})
	for _, x := range []struct {
		cta              occupancy.CTA
		resident, active int
		limit            string
	}{
		{occupancy.CTA{Threads: 64, Registers: 16}, 64, 32, "registers"},
		{occupancy.CTA{Threads: 256, Registers: 64}, 4, 4, "registers"},
		{occupancy.CTA{Threads: 64, Registers: 4}, 128, 32, "ctas"},
		{occupancy.CTA{Threads: 256, Registers: 8}, 32, 8, "registers"},
		{occupancy.CTA{Threads: 256, Registers: 4}, 64, 8, "registers"},
		{occupancy.CTA{Threads: 64, Registers: 8, SharedBytes: 2048}, 48, 32, "shared"},
	} {
		o, err := c.CTAs(x.cta)
		if err != nil {
			t.Fatal(err)
		}
		if n, _ := o.Figure("active_ctas_per_sm"); o.CTAs != x.resident || n != x.active || o.Limit != x.limit {
			t.Errorf("%+v: %d resident, %d active, by %s; want %d, %d, by %s", x.cta, o.CTAs, n, o.Limit, x.resident,
				x.active, x.limit)
		}
	}
}

func TestSwitchingWithWhatKnowsOfNoCTAWithoutSlotsIsRefused(t *testing.T) {
	for _, x := range []struct {
		set  []string
		want string
	}{
		{[]string{"cta.switching=virtual-thread", "regfile.kind=sharing"}, "would keep the lock"},
		{[]string{"cta.switching=virtual-thread", "sched.policy=fetch-group"}, "oldest or two-level"},
		{[]string{"cta.switching=virtual-thread", "sched.policy=two-level", "sched.suspend_on=miss"},
			"a warp without slots hears of no miss"},
		{[]string{"cta.switching=virtual-thread", "sm.contexts=63"}, "sm.warps (64) to 512"},
		{[]string{"cta.switching=virtual-thread", "sm.contexts=513"}, "sm.warps (64) to 512"},
		{[]string{"cta.switching=virtual-thread", "sm.resident_ctas=31"}, "sm.ctas (32) to 512"},
		{[]string{"cta.switching=reg-dram"}, "none or virtual-thread"},
		{[]string{"sm.contexts=128"}, "has no effect"},
	} {
		if _, err := config.Load(config.Request{GPU: "gtx980", Set: x.set}); err == nil ||
			!strings.Contains(err.Error(), x.want) {
			t.Errorf("%v: error %v, want one with %q", x.set, err, x.want)
		}
	}
}
