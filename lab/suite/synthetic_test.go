package suite

import (
	"testing"

	"kumiko/benchmarks"
	"kumiko/benchmarks/measured"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/result"
	"kumiko/kernel/compiler"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
)

func open(t *testing.T, name string) *benchmarks.App {
	t.Helper()
	a, err := benchmarks.Open(name)
	if err != nil || a == nil {
		t.Fatalf("%s: %v, %v", name, a, err)
	}
	return a
}

func counted(t *testing.T, name string) measured.Run {
	t.Helper()
	var m Measure
	r, err := m.Run(open(t, name), benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// live returns the maximum number of registers live at once, with operations in source order.
func live(t *testing.T, name string) int {
	t.Helper()
	p, err := open(t, name).New(benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	k := p.(interface{ Module() *ir.Module }).Module().Kernels[0]
	_, r, err := compiler.CompileReport(k, compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r.MaxLive
}

// timed runs a synthetic kernel on one SM of the GTX 980, with its operations nearly in source order.
func timed(t *testing.T, name string) *result.Kernel {
	t.Helper()
	cfg, err := config.Load(config.Request{GPU: "gtx980",
		Set: []string{"slice.sms=1", "compiler.schedule=pressure"}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := gpus.New(cfg, gpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := open(t, name).New(benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Run(&host.Device{Mem: m.Memory(), Runner: m}); err != nil {
		t.Fatal(err)
	}
	return &m.Results()[0]
}

// A single warp takes the latency of a multiply-add, at least six cycles, for each of the 20 x 64 operations if
// each waits for the previous one, and half of it if each waits for the last but one.
func TestTheDependenceDistanceSetsTheTimeOfAWarp(t *testing.T) {
	const ops = 20 * 64
	at := func(dep string) float64 {
		return float64(timed(t, "synthetic:mem=0,iters=20,block=32,ctas=1,dep="+dep).Cycles) / ops
	}
	one, two, eight := at("1"), at("2"), at("8")
	if one < 6 || one > 1.1*2*two || 2*two > 1.2*one || eight > two {
		t.Errorf("%.2f, %.2f and %.2f cycles per operation at distances 1, 2 and 8", one, two, eight)
	}
}

// Sub-cores have four banks each, and successive registers rotate over them.
func TestAStrideOfTheBanksMakesThemConflict(t *testing.T) {
	at := func(stride string) uint64 {
		return timed(t, "synthetic:mem=0,iters=20,block=256,ctas=2,reuse=16,dep=4,stride="+
			stride).Stats["regfile.arbiter.read_conflicts"]
	}
	apart, same := at("1"), at("4")
	if same < 2*apart {
		t.Errorf("%d conflict cycles at stride 4, %d at stride 1: expected at least twice as many", same, apart)
	}
}

// In a pool of 16 registers each is read four times as often as in a pool of 64.
func TestTheReuseDistanceSetsTheReadsPerValue(t *testing.T) {
	at := func(reuse string) float64 {
		r := counted(t, "synthetic:mem=0,iters=50,reuse="+reuse)
		return r.Values.ReadsPerValue()
	}
	near, far := at("16"), at("64")
	if near <= far {
		t.Errorf("%.3f reads per value at distance 16, %.3f at 64", near, far)
	}
	if a, b := counted(t, "synthetic:mem=0,iters=50,reuse=16"),
		counted(t, "synthetic:mem=0,iters=50,reuse=64"); b.Values.Written-a.Values.Written != 48*4*8 {
		t.Errorf("%d values more, expected the 48 registers of 4 x 8 warps", b.Values.Written-a.Values.Written)
	}
}

func TestTheMemoryShareIsThatOfTheOperations(t *testing.T) {
	none, some := counted(t, "synthetic:mem=0,iters=10"), counted(t, "synthetic:mem=25,iters=10")
	// 16 of 64 operations are loads beside their multiply-add, in 10 turns of 4 x 8 warps.
	if d := some.Memory - none.Memory; d != 16*10*4*8 {
		t.Errorf("%d loads, expected %d", d, 16*10*4*8)
	}
}

// Of 66 instructions per group, all lanes execute the comparison and the branch, and a group of 32/div lanes
// executes the other 64, loads not counted. All lanes execute the code outside the rows.
func TestDivergenceDividesTheLanes(t *testing.T) {
	for div, lanes := range map[string]float64{"1": 32, "2": 16, "8": 4, "32": 1} {
		r := counted(t, "synthetic:mem=0,iters=100,div="+div)
		want := (64*lanes + 2*32) / 66
		if l := r.Lanes(); l < want*0.97 || l > want*1.12+0.2 {
			t.Errorf("div=%s: %.2f lanes, expected about %.2f", div, l, want)
		}
	}
}

func TestIdleRegistersAreLiveThroughoutAndRampOnesAtTheirTime(t *testing.T) {
	base := live(t, "synthetic")
	if got := live(t, "synthetic:idle=40"); got != base+40 {
		t.Errorf("%d registers live, expected %d + 40", got, base)
	}
	// Without ramp registers the maximum of live registers is elsewhere.
	few, many := live(t, "synthetic:ramp=20"), live(t, "synthetic:ramp=50")
	if many < few+28 || many > few+30 {
		t.Errorf("%d registers live with 50 ramp registers, expected about %d + 30", many, few)
	}
}

// The loads of 2 x 8 warps, 3 turns of 32 loads, cover 1 KB or 256 KB.
func TestTheSpanSetsWhatTheCacheHolds(t *testing.T) {
	at := func(span string) uint64 {
		return timed(t, "synthetic:mem=50,iters=3,ctas=2,span="+span).Stats["mem.dram.reads"]
	}
	small, large := at("1024"), at("262144")
	if small == 0 || large < 2*small {
		t.Errorf("%d and %d DRAM reads, expected at least twice as many for the larger span", small, large)
	}
}
