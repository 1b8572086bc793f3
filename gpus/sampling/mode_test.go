package sampling_test

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sarchlab/akita/v3/sim"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
	"kumiko/gpus/sampling"
	"kumiko/kernel/ir"
	"kumiko/memsys"
	"kumiko/sm"
	"kumiko/sm/residency"
)

// idle returns a GPU whose SMs do not run. It has one statistic besides those of its blocks, "test.events".
func idle(t *testing.T, sms int) *sampling.GPU {
	t.Helper()
	c := machinetest.Config(t, config.Request{GPU: "gtx980"})
	d := wire.NewEngine().NewDomain("Core", sim.GHz)
	g := &sampling.GPU{Core: d, Dispatcher: residency.NewDispatcher("D", d, sms, 32, 0), Stats: &stats.Registry{}}
	g.Stats.Count("test.events", stats.Events, "", "", new(uint64))
	var err error
	if g.Memory, err = memsys.NewSystem(d, &c.Mem, sms, 1, nil); err != nil {
		t.Fatal(err)
	}
	for range sms {
		x, err := sm.New(&c.SM, sm.Env{Domain: d, Name: "SM", RegFile: c.RegFile.Settings()})
		if err != nil {
			t.Fatal(err)
		}
		g.SMs = append(g.SMs, x)
	}
	return g
}

// costs is a program without a machine. The test sets the results of its launches.
type costs struct {
	mode    sampling.Mode
	all     []result.Kernel
	skipped []int
	ctas    int // simulated CTAs of each launch that is not skipped; 0: all
}

// launch runs a launch of insts instructions. If the launch is simulated, it takes cost cycles per instruction,
// with the other counts in proportion.
func (x *costs) launch(l *sampling.Launch, insts, cost uint64) {
	r := l.Result()
	r.WarpInstructions, r.ThreadInstructions = insts, 32*insts
	if x.mode.Skips(l) {
		x.skipped = append(x.skipped, len(x.all))
		r.Sampled, r.Sample = true, &result.Sample{CTAsSkipped: 8, WarpInstructionsSkipped: insts}
	} else {
		r.Cycles, r.CTAsResidentMax = cost*insts, 7
		r.Stats = map[string]uint64{"test.events": 2 * cost * insts}
		r.IssueSlots = map[string]uint64{"empty": 3 * cost * insts, "issued": insts}
		r.WarpStates = map[string]uint64{"memory": 4 * cost * insts}
		r.Distributions = map[string][]stats.Bucket{"test.d": {{From: 1, To: 1, Count: insts}, {From: 2, To: 3,
			Count: 5 * insts}}}
		if x.ctas > 0 {
			r.Sampled, r.Sample = true, &result.Sample{CTAs: x.ctas}
		}
	}
	x.mode.Done(l, nil, &r)
	x.all = append(x.all, r)
}

// Launch i has 100 + 10 i instructions of three cycles. Between launches of equal cost the interpolation is exact.
func TestASkippedLaunchOfAClusterCostsWhatItsInstructionsCostInTheOthers(t *testing.T) {
	x := costs{mode: sampling.New(idle(t, 1), &sampling.Spec{Seed: 1}, nil)}
	l := &sampling.Launch{Kernel: &ir.Kernel{Name: "k"}, Grid: [3]int{8, 1, 1}, Block: [3]int{32, 1, 1}}
	const launches = 30
	for i := range uint64(launches) {
		x.launch(l, 100+10*i, 3)
	}
	all, sum := x.mode.Results(x.all), 0.0
	if n := len(x.skipped); n < launches/3 || n > launches-2 {
		t.Fatalf("%d of %d launches are skipped", n, launches)
	}
	for _, i := range x.skipped {
		r, n := &all[i], uint64(100+10*i)
		want := result.Counts{Cycles: 3 * n, WarpInstructions: n, ThreadInstructions: 32 * n, CTAsResidentMax: 7,
			Stats: map[string]uint64{"test.events": 6 * n, "sm.warp_instructions": n, "sm.thread_instructions": 32 * n},
			Distributions: map[string][]stats.Bucket{"test.d": {{From: 1, To: 1, Count: n}, {From: 2, To: 3,
				Count: 5 * n}}}}
		want.IssueSlots, want.WarpStates = r.IssueSlots, r.WarpStates
		want.SetIPC()
		if d := cmp.Diff(want, r.Counts); d != "" {
			t.Errorf("launch %d (-want +got):\n%s", i, d)
		}
		if r.IssueSlots["empty"] != 9*n || r.IssueSlots["issued"] != n || r.WarpStates["memory"] != 12*n {
			t.Errorf("launch %d: slots %v, states %v; want 9, 1 and 12 for each of %d instructions", i, r.IssueSlots,
				r.WarpStates, n)
		}
		half := sampling.Systematic * float64(3*n)
		expected := result.Sample{CTAsSkipped: 8, WarpInstructionsSkipped: n, Units: launches - len(x.skipped),
			Group: 1, CyclesHalf: half, CyclesSystematic: half, GroupCyclesHalf: r.Sample.GroupCyclesHalf,
			Intervals: map[string]float64{"test.events": 2 * half}}
		sum += half
		if d := cmp.Diff(&expected, r.Sample, about); d != "" {
			t.Errorf("sample of launch %d (-want +got):\n%s", i, d)
		}
	}
	if got := all[x.skipped[0]].Sample.GroupCyclesHalf; math.Abs(got-sum) > 1e-6 {
		t.Errorf("half interval %v of the cluster, want %v, the sum of the launches'", got, sum)
	}
}

// about compares numbers without their rounding.
var about = cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-6 })

// Of each launch some CTAs are simulated, except for some completely skipped launches.
func TestAClusterLeavesLaunchesThatAreSampledByCTAsTheirCounts(t *testing.T) {
	x := costs{mode: sampling.New(idle(t, 1), &sampling.Spec{Seed: 1}, nil), ctas: 5}
	l := &sampling.Launch{Kernel: &ir.Kernel{Name: "k"}, Grid: [3]int{8, 1, 1}, Block: [3]int{32, 1, 1}}
	for range 30 {
		x.launch(l, 100, 3)
	}
	want := slices.Clone(x.all)
	for i := range want {
		want[i].Stats = maps.Clone(want[i].Stats)
	}
	all := x.mode.Results(x.all)
	for i := range all {
		if slices.Contains(x.skipped, i) {
			if all[i].Cycles != 300 || all[i].Sample.Group != 1 {
				t.Errorf("launch %d: %d cycles, %+v", i, all[i].Cycles, all[i].Sample)
			}
		} else if d := cmp.Diff(want[i], all[i]); d != "" {
			t.Errorf("launch %d (-simulated +got):\n%s", i, d)
		}
	}
	if len(x.skipped) == 0 {
		t.Error("no launch is skipped")
	}
}

// Launches of odd numbers take twice the cycles of the others. Instructions are known without an interval.
func TestClustersOfUnequalCostsHaveIntervalsOfWhatIsEstimated(t *testing.T) {
	x := costs{mode: sampling.New(idle(t, 1), &sampling.Spec{Seed: 1}, nil)}
	l := &sampling.Launch{Kernel: &ir.Kernel{Name: "k"}, Grid: [3]int{8, 1, 1}, Block: [3]int{32, 1, 1}}
	for i := range uint64(40) {
		x.launch(l, 100, 3+3*(i%2))
	}
	all := x.mode.Results(x.all)
	sum := 0.0
	for _, i := range x.skipped {
		s := all[i].Sample
		sum += s.CyclesHalf
		if s.CyclesHalf <= 0 || len(s.Intervals) != 1 || s.Intervals["test.events"] != 2*s.CyclesHalf {
			t.Errorf("launch %d: half interval %v of the cycles, %v", i, s.CyclesHalf, s.Intervals)
		}
		if s.GroupCyclesHalf <= s.CyclesHalf {
			t.Errorf("launch %d: half intervals %v of the cluster, %v of its own", i, s.GroupCyclesHalf, s.CyclesHalf)
		}
	}
	if s := all[x.skipped[0]].Sample; s.GroupCyclesHalf >= sum {
		t.Errorf("half interval %v of the cluster, want less than %v, the sum of the launches'", s.GroupCyclesHalf, sum)
	}
}

// With equal costs per instruction, the lengths of launches do not affect the number of launches to simulate.
func TestLaunchesOfUnequalLengthsAndEqualCostsAreDrawnAsEqualOnes(t *testing.T) {
	l := &sampling.Launch{Kernel: &ir.Kernel{Name: "k"}, Grid: [3]int{8, 1, 1}, Block: [3]int{32, 1, 1}}
	skipped := func(more uint64) []int {
		x := costs{mode: sampling.New(idle(t, 1), &sampling.Spec{Seed: 1, Error: 0.01}, nil)}
		for i := range uint64(60) {
			x.launch(l, 100+more*(i*7%10), 3)
		}
		return x.skipped
	}
	equal, unequal := skipped(0), skipped(50)
	if d := cmp.Diff(equal, unequal); d != "" || len(equal) < 20 {
		t.Errorf("launches that are skipped (-of equal lengths +of unequal ones):\n%s", d)
	}
}

// The launches of two kernels alternate. A third kernel has two launches, and a fourth is cooperative.
func TestLaunchesOfAnotherKernelOrShapeFormAClusterOfTheirOwn(t *testing.T) {
	x := costs{mode: sampling.New(idle(t, 1), &sampling.Spec{Seed: 1}, nil)}
	k := &ir.Kernel{Name: "k"}
	few := sampling.Launch{Kernel: k, Grid: [3]int{2, 1, 1}, Block: [3]int{32, 1, 1}}
	shapes := []sampling.Launch{few, {Kernel: k, Grid: [3]int{3, 1, 1}, Block: few.Block},
		{Kernel: k, Grid: few.Grid, Block: [3]int{64, 1, 1}},
		{Kernel: k, Grid: few.Grid, Block: few.Block, SharedBytes: 4},
		{Kernel: &ir.Kernel{Name: "k"}, Grid: few.Grid, Block: few.Block},
		{Kernel: k, Grid: few.Grid, Block: few.Block, Cooperative: true}}
	of := map[int]int{} // shape of each launch
	for i := range 30 {
		for s := range shapes {
			if s == 3 && i >= 2 {
				continue
			}
			of[len(x.all)] = s
			x.launch(&shapes[s], 100, uint64(1+s))
		}
	}
	all := x.mode.Results(x.all)
	skipped := map[int]int{} // launches of each shape
	for _, i := range x.skipped {
		s := of[i]
		skipped[s]++
		if r := &all[i]; r.Sample.Group != s+1 || r.Cycles != uint64(100*(1+s)) {
			t.Errorf("a launch of shape %d: cluster %d, %d cycles", s, r.Sample.Group, r.Cycles)
		}
	}
	for s := range shapes {
		if want := s != 3 && s != 5; (skipped[s] > 0) != want {
			t.Errorf("%d launches of shape %d are skipped, want some: %v", skipped[s], s, want)
		}
	}
	for i := range all {
		if all[i].Sampled != (all[i].Sample != nil) {
			t.Errorf("launch %d: sampled %v, %+v", i, all[i].Sampled, all[i].Sample)
		}
	}
}

// One CTA's cycles are a chain of latencies, of which the launches beside it say nothing.
func TestLaunchesOfLessThanAWaveAreNotSkipped(t *testing.T) {
	for ctas, want := range map[int]bool{7: false, 8: true} {
		x := costs{mode: sampling.New(idle(t, 1), &sampling.Spec{Seed: 1}, nil)}
		l := &sampling.Launch{Kernel: &ir.Kernel{Name: "k"}, Grid: [3]int{ctas, 1, 1}, Block: [3]int{32, 1, 1},
			Resident: 8}
		for range 30 {
			x.launch(l, 100, 3)
		}
		if skips := len(x.skipped) > 0; skips != want {
			t.Errorf("launches of %d CTAs, of which 8 are a wave: skipped %v, want %v", ctas, skips, want)
		}
	}
}

func TestALongLaunchOnAMachineWhoseStateOutlastsWavesIsSimulatedWholeAndSaysSo(t *testing.T) {
	g := idle(t, 2)
	g.Residency = "test"
	mode := sampling.New(g, &sampling.Spec{Seed: 1}, nil)
	for n, want := range map[int]string{23 * 64: "test", 23*64 - 1: ""} {
		l := &sampling.Launch{Kernel: &ir.Kernel{Name: "k"}, Grid: [3]int{n, 1, 1}, Block: [3]int{32, 1, 1},
			Resident: 32}
		if mode.Sampler(l, &ctas{}) != nil {
			t.Errorf("a launch of %d CTAs is sampled", n)
		}
		r := l.Result()
		if mode.Done(l, nil, &r); r.Whole != want {
			t.Errorf("a launch of %d CTAs is simulated whole because of %q, want %q", n, r.Whole, want)
		}
	}
}

// On a GPU of two SMs with 32 CTAs each, a wave is 64 CTAs. Windows are for launches of less than 43 waves with
// movable warps.
func TestALaunchIsSampledByWavesByWindowsOrNotAtAll(t *testing.T) {
	g := idle(t, 2)
	const whole, waves, windows = "whole", "waves", "windows"
	possible, arrives := &ir.Kernel{Name: "possible"}, &ir.Kernel{Name: "arrives", Insts: make([]ir.Inst, 1)}
	arrives.Insts[0].Op = ir.OpMbarWait
	for _, c := range []struct {
		windows bool
		launch  sampling.Launch
		want    string
	}{
		{false, sampling.Launch{Kernel: possible, Grid: [3]int{23 * 64, 1, 1}}, waves},
		{false, sampling.Launch{Kernel: possible, Grid: [3]int{23*64 - 1, 1, 1}}, whole},
		{false, sampling.Launch{Kernel: possible, Grid: [3]int{16, 46, 2}}, waves},
		{false, sampling.Launch{Kernel: possible, Grid: [3]int{23 * 64, 1, 1}, Cooperative: true}, whole},
		{true, sampling.Launch{Kernel: possible, Grid: [3]int{43 * 64, 1, 1}}, waves},
		{true, sampling.Launch{Kernel: possible, Grid: [3]int{43*64 - 1, 1, 1}}, windows},
		{true, sampling.Launch{Kernel: possible, Grid: [3]int{1, 1, 1}}, windows},
		{true, sampling.Launch{Kernel: arrives, Grid: [3]int{43*64 - 1, 1, 1}}, waves},
		{true, sampling.Launch{Kernel: arrives, Grid: [3]int{1, 1, 1}}, whole},
	} {
		c.launch.Block, c.launch.Resident = [3]int{32, 1, 1}, 32
		mode, got := sampling.New(g, &sampling.Spec{Seed: 1, Windows: c.windows}, nil), whole
		if mode.Skips(&c.launch) {
			t.Errorf("the first launch %+v is skipped", c.launch)
		}
		if s := mode.Sampler(&c.launch, &ctas{}); s != nil {
			got = windows
			if s.Chunk() == 64 {
				got = waves
			}
		}
		if got != c.want {
			t.Errorf("%s, grid %v, cooperative %v, windows %v: sampled by %s, want %s", c.launch.Kernel.Name,
				c.launch.Grid, c.launch.Cooperative, c.windows, got, c.want)
		}
	}
}

func TestALaunchHasTheProductsOfItsDimensions(t *testing.T) {
	l := sampling.Launch{Grid: [3]int{2, 3, 5}, Block: [3]int{7, 11, 13}}
	if l.CTAs() != 30 || l.Threads() != 1001 {
		t.Errorf("%d CTAs of %d threads, want 30 of 1001", l.CTAs(), l.Threads())
	}
}

func TestAPartSkipsTheLaunchesBeforeItAndIsOverBehindItsLast(t *testing.T) {
	p := &sampling.Part{From: 2, To: 4}
	mode := sampling.New(nil, nil, p)
	var all []result.Kernel
	for i := range 5 {
		if skips, over := mode.Skips(nil), p.Over(i); skips != (i < 2) || over != (i >= 4) {
			t.Errorf("launch %d: skipped %v, over %v", i, skips, over)
		}
		if i < 4 {
			r := result.Kernel{Name: string(rune('a' + i))}
			mode.Done(nil, nil, &r)
			if mode.Lists(i, &r) {
				all = append(all, r)
			}
		}
		if n := len(mode.Results(all)); n != min(max(i-1, 0), 2) {
			t.Errorf("%d results behind launch %d", n, i)
		}
	}
	if r := mode.Results(all); r[0].Name != "c" {
		t.Errorf("the first result is that of launch %s, want c", r[0].Name)
	}
	if (*sampling.Part)(nil).Over(1 << 30) {
		t.Error("a whole program is over")
	}
	if whole := sampling.New(nil, nil, nil); whole.Skips(nil) || whole.Sampler(nil, nil) != nil {
		t.Error("a launch of a whole program is skipped or sampled")
	}
}
