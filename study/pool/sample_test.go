package pool

import (
	"bytes"
	"strings"
	"testing"

	"kumiko/gpus/result"
	"kumiko/gpus/sampling"
	"kumiko/study/record"
)

// sampledText has two variants holding the same number of CTAs; vecadd at this size fills its one SM often enough.
const sampledText = `name = "sampled"
size = "small"
set = ["slice.sms=1"]
sample = {error = "2%", seed = 7}
[groups]
a = ["vecadd"]
[[variant]]
name = "base"
gpu = "gtx980"
[[variant]]
name = "slow"
gpu = "gtx980"
set = ["regfile.conventional.read_latency=4"]
`

func TestASampledStudyMeasuresItsVariantsOnTheSameUnits(t *testing.T) {
	s := parse(t, sampledText)
	p := pool(t, s, t.TempDir())
	points := s.Points(1)
	if out := run(t, p, points); out.Done != 4 {
		t.Fatalf("%d points done, want 4: %v", out.Done, out.Failed)
	}
	at := map[string]map[int]result.Sample{"base": {}, "slow": {}}
	var records []*record.Record
	for i := range points {
		key, err := p.keys.Key(&points[i])
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Store.Get(&points[i], key)
		if err != nil || r == nil || len(r.Result.Kernels) != 1 || !r.Result.Kernels[0].Sampled {
			t.Fatalf("%v: no sampled record: %v", points[i], err)
		}
		records = append(records, r)
		at[r.Point.Variant][r.Point.Perturb] = *r.Result.Kernels[0].Sample
	}
	for k := range 2 {
		base, slow := at["base"][k], at["slow"][k]
		if base.CTAsSkipped == 0 || base.CTAsSkipped != slow.CTAsSkipped || base.CTAs != slow.CTAs {
			t.Errorf("run %d: %d CTAs simulated and %d skipped, and %d and %d", k, base.CTAs, base.CTAsSkipped,
				slow.CTAs, slow.CTAsSkipped)
		}
	}
	var table bytes.Buffer
	if err := record.WriteCSV(&table, records); err != nil {
		t.Fatal(err)
	}
	csv := table.String()
	if !strings.Contains(csv, "seed 7 error 0.02") || !strings.Contains(csv, "cycles_half_interval") {
		t.Errorf("the table does not say that its runs are sampled: %s", csv)
	}
}

func TestRunsOfAPointDrawOtherUnitsAndItsVariantsTheSame(t *testing.T) {
	s := parse(t, sampledText)
	var got []sampling.Spec
	for _, p := range s.Points(1) {
		got = append(got, *s.Sample.For(&p))
	}
	want := []sampling.Spec{{Seed: 7, Error: 0.02}, {Seed: 8, Error: 0.02}, {Seed: 7, Error: 0.02},
		{Seed: 8, Error: 0.02}}
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("point %d: %v, want %v", i, got[i], want[i])
		}
	}
}

func TestSampledRunsHaveRecordsOfTheirOwn(t *testing.T) {
	haveOwnRecords(t, "", "sample = {}\n", "sample = {seed = 2}\n", "sample = {error = \"1%\"}\n")
}

// haveOwnRecords tests that studies different in these lines do not share records.
func haveOwnRecords(t *testing.T, lines ...string) {
	t.Helper()
	keys := map[string]string{}
	for _, line := range lines {
		s := parse(t, line+head+plainVariant)
		p := s.Points(0)[0]
		key, err := s.Keys().Key(&p)
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := keys[key]; ok {
			t.Errorf("%q and %q have one record", line, other)
		}
		keys[key] = line
	}
}

func TestSampledLaunchesOfAKernelAreAddedUp(t *testing.T) {
	k := result.Kernel{Name: "a", Counts: result.Counts{Cycles: 100, WarpInstructions: 50}}
	own, group := k, k
	own.Sampled = true
	own.Sample = &result.Sample{Units: 5, CTAs: 8, CTAsSkipped: 20, WarpInstructions: 10, WarpInstructionsSkipped: 40,
		CyclesHalf: 3}
	group.Sampled = true
	group.Sample = &result.Sample{Units: 2, CTAsSkipped: 9, WarpInstructionsSkipped: 50, Group: 1, CyclesHalf: 1,
		GroupCyclesHalf: 4}
	out := record.Merge([]result.Kernel{k, own, group, group})
	if len(out) != 1 || !out[0].Sampled {
		t.Fatalf("%+v, want one kernel that is sampled", out)
	}
	// Launches of a group have one interval: the half is the root of 3*3 + 4*4.
	s := out[0].Sample
	if s.CyclesHalf != 5 || s.Units != 7 || s.CTAs != 8 || s.CTAsSkipped != 38 || s.WarpInstructions != 60 ||
		s.WarpInstructionsSkipped != 140 {
		t.Errorf("%+v", s)
	}
	if out := record.Merge([]result.Kernel{k, k}); out[0].Sampled || out[0].Sample != nil {
		t.Errorf("launches that were simulated whole are sampled: %+v", out[0])
	}
}
