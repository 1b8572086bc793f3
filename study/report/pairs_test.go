package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus/result"
	"kumiko/study"
)

func TestAReportComparesAnyTwoRunsBeginningWithAVariantAndItsBaseline(t *testing.T) {
	d := data(t, file)
	sec, ok := pairs(d)
	if !ok || len(sec.Parts) != 1 || !sec.Screen {
		t.Fatalf("a section: %v, %+v", ok, sec)
	}
	p := sec.Parts[0].Pairs
	first := []string{p.Points[p.First[0]], p.Points[p.First[1]]}
	if diff := cmp.Diff([]string{"vecadd, base", "vecadd, new"}, first); diff != "" {
		t.Errorf("shown at first (-want +got):\n%s", diff)
	}
	named := map[string][]string{}
	for _, x := range p.Tables[0].Texts {
		named[x.Name] = []string{x.Texts[x.Of[p.Groups[p.First[0]]]], x.Texts[x.Of[p.Groups[p.First[1]]]]}
	}
	if diff := cmp.Diff([]string{"gto", "lrr"}, named["sched.policy"]); diff != "" || len(named) != 2 {
		t.Errorf("settings %v (-want +got):\n%s", named, diff)
	}
	for _, table := range p.Tables {
		for _, n := range table.Numbers {
			if len(n.Values) != len(p.Points) {
				t.Errorf("%s: %s: %d values of %d points", table.Title, n.Name, len(n.Values), len(p.Points))
			}
		}
	}
	if ipc := p.Tables[1].Numbers[1]; ipc.Name != "IPC" ||
		ipc.Values[p.First[0]] != short(d.Run("base", "vecadd", 0).Total.IPC) {
		t.Errorf("found %+v", ipc)
	}
	if _, ok := pairs(study.NewData(d.Spec, nil)); ok {
		t.Error("a study that has not run has two points")
	}
}

func TestBankCountsAreOfAThousandInstructionsAndFractionsHaveFiveDigits(t *testing.T) {
	r := &result.Result{}
	r.Total.WarpInstructions = 3000
	r.Blocks.Banks = []result.Bank{{Reads: 3000, ReadConflicts: 1}, {Reads: 3000}}
	r.Blocks.Crossbars = []result.Crossbar{{Conflicts: 6}}
	got := bankCounts(r)
	for name, want := range map[string]float64{"reads": 2000, "writes": 0, "read conflicts": 0.33333,
		"crossbar conflicts": 2} {
		if short(got[name]) != want {
			t.Errorf("%s: %v, want %v", name, short(got[name]), want)
		}
	}
}
