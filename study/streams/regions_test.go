package streams

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// sumOf is d = a + b.
func sumOf(d, a, b ir.Reg) ir.Inst {
	return ir.Inst{Op: ir.OpAdd, Type: ir.U32, Dst: []ir.Operand{ir.R(d, 1)}, Src: []ir.Operand{ir.R(a, 1), ir.R(b, 1)}}
}

// A loop of two instructions on R0 to R4, which fit into 8 registers, behind
// one instruction on R0, R5, R6, which does not fit with them into 6: two intervals
// of 6 registers, one of 8. One warp passes the loop three times.
func TestRegionsAreCountedAsTheWarpEntersThem(t *testing.T) {
	k := &ir.Kernel{Name: "k", NumRegs: 16, NumPreds: 1, Allocated: true, Insts: []ir.Inst{
		sumOf(5, 0, 6), sumOf(0, 1, 2), sumOf(3, 0, 4),
		{Op: ir.OpBra, Guard: ir.P(0), Target: 1}, {Op: ir.OpExit}}}
	cfg.Build(k.Insts).SetReconv(k.Insts)
	for i := range k.Insts {
		ir.SetTiming(&k.Insts[i])
	}
	cta := &stream.CTA{Kernel: k, Warps: []stream.Warp{{Insts: 11, Runs: []stream.Run{
		{PC: 0, N: 4, Mask: 1}, {PC: 1, N: 3, Mask: 1}, {PC: 1, N: 4, Mask: 1}}, Masks: []uint32{1, 1, 0}}}}
	for limit, want := range map[int]*Regions{
		// R0, R5, R6; then R0 to R4, with R0 already there.
		6: {Instructions: 5, Regions: 2, Entered: 2, Named: 8, Fetched: 7, Optimal: 2, Real: 5.5, Best: 5.5},
		8: {Instructions: 5, Regions: 1, Entered: 1, Named: 7, Fetched: 7, Optimal: 1, Real: 11, Best: 11},
		2: nil, // an instruction names three
	} {
		c := NewCollector(Options{ValuesOnly: true})
		c.regions = []*regions{newRegions(limit, false)}
		c.CTA(cta)
		if diff := cmp.Diff(want, c.regions[0].summary()); diff != "" {
			t.Errorf("at most %d registers: expected (-) and got (+):\n%s", limit, diff)
		}
	}
}

// Every path of the regions is read, and a strand is never longer than an interval,
// because an interval may continue behind a load.
func TestAProgramHasIntervalsAndStrands(t *testing.T) {
	s := streamsOf(t, benchmarks.Find("sgemm"), nil)
	at := func(path string) float64 {
		v, err := s.Value(path)
		if err != nil {
			t.Error(err)
		}
		return v
	}
	for _, r := range []string{"intervals.8", "intervals.16", "intervals.32", "strands.16"} {
		for _, f := range []string{"instructions", "regions", "entered", "named", "fetched", "optimal", "real",
			"best"} {
			if at(r+"."+f) <= 0 {
				t.Errorf("%s.%s is 0", r, f)
			}
		}
		if at(r+".real") > at(r+".best") {
			t.Errorf("%s: %v instructions per region, at best %v", r, at(r+".real"), at(r+".best"))
		}
	}
	if at("strands.16.real") > at("intervals.16.real") {
		t.Errorf("%v instructions per strand, %v per interval", at("strands.16.real"), at("intervals.16.real"))
	}
	if _, err := s.Value("intervals.24.real"); err == nil {
		t.Error("intervals of 24 registers were found")
	}
}
