package query

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/gpus/result"
	"kumiko/study"
	"kumiko/study/record"
)

// watched are three variants on one benchmark, a without a record.
func watched() *Query {
	var variants strings.Builder
	for _, name := range []string{"a", "b", "c", "d"} {
		fmt.Fprintf(&variants, "[[variant]]\nname = %q\ngpu = \"gtx980\"\n", name)
	}
	s := parse("name = \"t\"\n[groups]\none = [\"hotspot\"]\n" + variants.String())
	of := func(variant string, cycles, insts uint64) *record.Record {
		r := &result.Result{Program: "hotspot", Config: map[string]any{"sm.count": 2},
			Kernels: []result.Kernel{{Name: "k", Block: [3]int{256, 1, 1}, RegistersPerThread: 36, SharedBytes: 3072,
				Counts: result.Counts{Cycles: cycles, ThreadInstructions: insts,
					Stats: map[string]uint64{"switch.resident_ctas": 9000, "switch.active_ctas": 6000}}}}}
		r.Finish(0)
		return &record.Record{Point: record.Point{Variant: variant, Benchmark: "hotspot"}, Result: r}
	}
	return New(study.NewData(s, []*record.Record{of("b", 1000, 1000), of("c", 500, 1000), of("d", 500, 1000)}))
}

// 9000 CTA-cycles on two SMs in 1000 cycles are 4.5 CTAs.
func TestCTAsAreMeansOverTheCyclesOfAllSMs(t *testing.T) {
	q := watched()
	want(t, q, `residentctas("b", "hotspot")`, At{}, 4.5)
	want(t, q, `activectas("c", "hotspot")`, At{}, 6.0)
	want(t, q, `ctashared("b", "hotspot")`, At{}, 3072.0)
}

func TestTheBestVariantHasTheHighestIPCAndIsTheFirstOfEquals(t *testing.T) {
	q := watched()
	want(t, q, `bestof(["b", "c", "d"], "hotspot")`, At{}, "c")
	want(t, q, `bestof(["d", "c", "b"], "hotspot")`, At{}, "d")
	if _, err := q.Eval(`bestof([], "hotspot")`, At{}); err == nil || !strings.Contains(err.Error(), "at least one") {
		t.Error(err)
	}
}

func TestTheBestOfVariantsThatHaveNotBeenRunIsNotRun(t *testing.T) {
	v, err := watched().Eval(`speedup(bestof(["a", "b"], "hotspot"), "c", "hotspot")`, At{})
	if err != nil || len(v.Missing) == 0 {
		t.Errorf("%+v, %v; want a on hotspot missing", v, err)
	}
}
