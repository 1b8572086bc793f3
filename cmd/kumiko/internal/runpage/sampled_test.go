package runpage

import (
	"strings"
	"testing"

	"kumiko/gpus/result"
)

func TestThePageOfASampledRunSaysSoAndHowSureItIs(t *testing.T) {
	k := result.Kernel{Name: "k", Grid: [3]int{1, 1, 1}, Block: [3]int{32, 1, 1},
		Counts:  result.Counts{Cycles: 50000, WarpInstructions: 9000},
		Sampled: true, Sample: &result.Sample{Units: 7, WarpInstructions: 1200, CyclesHalf: 1234}}
	r := &result.Result{Program: "p", GPU: "g", Version: "1", Kernels: []result.Kernel{k}}
	r.Finish(1)
	var b strings.Builder
	if err := New(r, &Doc{}).Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"sampled: 7 units in 1 of 1 launches, 1\u202f200 of 9\u202f000 warp instructions simulated",
		"give or take 1\u202f234 at 95 % confidence"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page has no %q", want)
		}
	}
	r.Kernels[0].Sampled = false
	b.Reset()
	if err := New(r, &Doc{}).Write(&b); err != nil || strings.Contains(b.String(), "sampled:") {
		t.Errorf("error %v, or the page of a whole run says that it is sampled", err)
	}
}
