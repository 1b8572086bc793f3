package study

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/study/record"
)

func TestBenchmarksWhosePerturbedRunsHaveCTAsOnOtherSMsAreNamed(t *testing.T) {
	of := func(benchmark string, perturb int, waves float64) *record.Record {
		return &record.Record{
			Point: record.Point{Variant: "v", Benchmark: benchmark, Perturb: perturb},
			Waves: &waves,
		}
	}
	failed := of("nw", 1, 0.5)
	failed.Failed = "cut short"
	exempt := of("lud", 1, 0)
	exempt.Waves = nil
	d := NewData(
		&Spec{},
		[]*record.Record{of("sgemm", 0, 0.1), of("sgemm", 1, 0.1), of("sgemm", 2, 0.1), of("bfs", 1, 0.9),
			of("vecadd", 1, 1), of("atax", 0, 0.2), failed, exempt},
	)
	if diff := cmp.Diff([]string{"bfs", "sgemm"}, d.Underfilled()); diff != "" {
		t.Error(diff)
	}
}
