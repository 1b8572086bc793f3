package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus/result"
	"kumiko/internal/page"
	"kumiko/study"
)

func TestAReportComparesAnyTwoRunsBeginningWithAVariantAndItsBaseline(t *testing.T) {
	d := data(t, file)
	sec, ok := pairs(d)
	if !ok || len(sec.Parts) != 1 || sec.Screen {
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
			if n.Of == nil && len(n.Values) != len(p.Points) || n.Of != nil && len(n.Values) != len(n.Of) {
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

func TestPointsWithAProfileAreComparedByInstructionAmongThoseOfTheirBenchmark(t *testing.T) {
	d := data(t, file)
	for _, v := range []string{"base", "new"} {
		bank := map[string]uint64{"base": 30, "new": 10}[v]
		d.Run(v, "transpose", 0).Waits = &result.Waits{
			Instructions: []result.InstructionWaits{{Kernel: "k", PC: 3, Text: "fma", Issues: 10, Bank: bank}},
			Registers:    []result.RegisterWaits{{Waiting: "R4", Holding: "R8", Cycles: bank}}}
	}
	sec, _ := pairs(d)
	p := sec.Parts[0].Pairs
	found := map[string]page.PairNumbers{}
	for _, table := range p.Tables {
		for _, n := range table.Numbers {
			found[table.Title+": "+n.Name] = n
		}
	}
	for name, want := range map[string][]float64{
		"Cycles waited per issue, by instruction: k, pc 3: fma":                {3, 1},
		"Conflicts of two registers, cycles per thousand issues: R4 behind R8": {3000, 1000},
		"Cycles that operands waited per issue: operands, for banks":           {3, 1},
	} {
		n := found[name]
		var got []float64
		for i, point := range p.Points {
			k := i
			if n.Of != nil {
				k = slices.Index(n.Of, i)
			}
			if strings.HasPrefix(point, "transpose") && k >= 0 && k < len(n.Values) {
				got = append(got, n.Values[k])
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: found %v in %+v, want %v", name, got, n, want)
		}
	}
	if n := found["Cycles waited per issue, by instruction: k, pc 3: fma"]; len(n.Of) != 2 {
		t.Errorf("the row is of points %v, want those of transpose alone", n.Of)
	}
}

func TestAPointHasItsEnergyByTheBuiltInTable(t *testing.T) {
	r := run("base", "vecadd", 2).Result
	r.Config = map[string]any{}
	r.Total.Stats = map[string]uint64{"regfile.bank.group_reads": 1000}
	if e := charge([]point{{"base", "vecadd", r}})[r]; e == nil || e.PJ <= 0 || energies(e)["rf"] != e.PJ/1000 {
		t.Errorf("found %+v", e)
	}
	if len(charge([]point{{"base", "vecadd", &result.Result{}}})) != 1 {
		t.Error("a point without events has no energy")
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
