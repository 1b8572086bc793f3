package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"kumiko/internal/page/pagetest"
	"kumiko/lab/device/suite"
	"kumiko/lab/silicon/published"
)

// simulated has the outcomes of all cases, once for all tests.
var simulated = sync.OnceValues(func() ([]outcome, error) { return outcomes(Cases()) })

func TestShortSequencesTakeTheCyclesThatAreKnownOfChips(t *testing.T) {
	all, err := simulated()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 300 {
		t.Fatalf("%d cases, want at least 300", len(all))
	}
	for i := range all {
		switch o := &all[i]; {
		case o.Open == "" && !o.agrees():
			t.Errorf("%s on %s: %v cycles, want %v (%s)", o.Name, o.GPU, o.Got, o.Want, o.Source)
		case o.Open != "" && o.agrees():
			t.Errorf("%s on %s: %v cycles agree with %v, and it is said that %s", o.Name, o.GPU, o.Got, o.Want, o.Open)
		}
	}
}

func TestTheRowsOfTheBankMeasurementsAreWithinThreePercent(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand machines")
	}
	list, err := maxwellBanks.rows("../../../shared/data/modern/maxwell-regbank", func() {})
	if os.IsNotExist(err) {
		t.Skipf("the measurements are not there: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := summary(list)
	if len(s) != 2 || s[0].n != 708 || s[1].n != 256 {
		t.Fatalf("%+v, want 708 and 256 rows", s)
	}
	for _, e := range s {
		t.Logf("%s: mean error %.2f %%, worst %.1f %%", e.file, 100*e.sum/float64(e.n), 100*e.worst)
		if e.beyond > 0 {
			t.Errorf("%s: %d rows beyond 3 %%, want none", e.file, e.beyond)
		}
	}
}

func TestTheRowsOfAmperesBanksAreWithinTwoPercent(t *testing.T) {
	if testing.Short() {
		t.Skip("171 machines")
	}
	list, err := ampereBanks.rows("../../../shared/data/silicon/ampere-regbank", func() {})
	if os.IsNotExist(err) {
		t.Skipf("the measurements are not there: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := summary(list)
	if len(s) != 1 || s[0].n < 150 {
		t.Fatalf("%+v, want more than 150 rows of one file", s)
	}
	t.Logf("%d rows, mean error %.2f %%, worst %.1f %%", s[0].n, 100*s[0].sum/float64(s[0].n), 100*s[0].worst)
	if mean := s[0].sum / float64(s[0].n); mean > 0.01 || s[0].worst > 0.02 {
		t.Errorf("mean error %.2f %%, worst %.1f %%; want at most 1 and 2 %%", 100*mean, 100*s[0].worst)
	}
}

// named are the rows of strided loads with an error above a quarter, with the reasons.
var named = map[string]string{
	"a100.txt float 3": "three lines take 1.63 cycles; by any law that fits the rest they lie in three banks",
	"h200.txt float 3": "as on A100",
	"a100.txt double blocks of 2": "16 lines that lie 128 lines apart take 5.4 cycles of the tags, and 4 here: the " +
		"banks of lines so far apart are not known",
}

func TestStridedLoadsTakeTheCyclesThatAreMeasured(t *testing.T) {
	list, err := strideRows("../../../shared/data/silicon/"+stridesFolder, func() {},
		func(a access) bool { return !testing.Short() || a.apart%9 == 0 || a.block > 0 })
	if os.IsNotExist(err) {
		t.Skipf("the measurements are not there: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	type sum struct {
		rows       int
		off, worst float64
	}
	sums := map[string]*sum{}
	for _, r := range list {
		kind, _, _ := strings.Cut(r.Name, " ")
		if strings.Contains(r.Name, "blocks") {
			kind = "blocks"
		}
		key := r.File + " " + kind
		if sums[key] == nil {
			sums[key] = &sum{}
		}
		off := math.Abs(r.Simulated/r.Measured - 1)
		sums[key].rows++
		sums[key].off += off
		sums[key].worst = max(sums[key].worst, off)
		if (off > 0.25) != (named[r.File+" "+r.Name] != "") {
			t.Errorf("%s %s: %.2f cycles, measured are %.2f", r.File, r.Name, r.Simulated, r.Measured)
		}
	}
	for key, s := range sums {
		mean := s.off / float64(s.rows)
		t.Logf("%s: %d rows, mean error %.1f %%, worst %.0f %%", key, s.rows, 100*mean, 100*s.worst)
		if kind := strings.HasSuffix(key, "blocks"); mean > 0.06 && !kind || mean > 0.1 {
			t.Errorf("%s: mean error %.1f %%, expected at most 6 %%", key, 100*mean)
		}
	}
}

func TestThePageHasTheTablesAndTheScatterPlot(t *testing.T) {
	c := Cases()[0]
	all := []outcome{{c, 6}, {c, 9}}
	var b bytes.Buffer
	there := measurements{plot: banks, rows: []Row{{File: "f.txt", Name: "3000", Measured: 17.75, Simulated: 18}}}
	absent := measurements{plot: strided, absent: os.ErrNotExist}
	launch := func(simulated, instructions float64) []suite.Outcome {
		return []suite.Outcome{{Name: "bfs.small visit 0", Measured: 1000, Simulated: simulated, Unit: "cycles",
			There: suite.Work{Instructions: 100}, Here: suite.Work{Instructions: instructions}}}
	}
	chip := &deviceRows{&suite.Chips[0], []class{{"kernels", "text", []suite.Series{
		{Name: own, Rows: launch(1500, 120)}, {Name: "NVIDIA's assembler, sm_90", Rows: launch(900, 101)}}}}}
	rates := []published.Outcome{{Row: published.Row{Suite: "stream", Name: "copy", Measured: 100, Unit: "GB/s"},
		Simulated: 140}, {Row: published.Row{Suite: "clpeak", Name: "read float", Measured: 100, Unit: "GB/s"},
		Simulated: 90}}
	if err := write(&b, all, []measurements{there, absent}, []*deviceRows{chip}, rates); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"results/NVIDIA_CUDA/GeForce_GTX_980.log", "&#43;40.0 %", ">40.0 %", "-10.0 %",
		"1 of 2 short sequences", c.Group, "f.txt", "17.75", `"simulated"`, strided.title,
		"not drawn: ", "1 launches by the code of Kumiko", "mean error 50.0 %", "bfs.small visit 0",
		"&#43;50.0 %", "kernels whose instructions are within 2 % of the chip"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(`<tr id="([^"]+)"`).FindAllStringSubmatch(b.String(), -1) {
		ids["#"+m[1]] = true
	}
	links := regexp.MustCompile(`"link":"([^"]+)"`).FindAllStringSubmatch(b.String(), -1)
	if len(links) != 3 || !ids[links[0][1]] || !ids[links[1][1]] || links[0][1] != links[1][1] || !ids[links[2][1]] {
		t.Errorf("points lead to %v, rows are %v", links, ids)
	}
	file := filepath.Join(t.TempDir(), "silicon.html")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	got := pagetest.Examine(t, []string{file}, ".scroll, .figure, .chart-wrapper")
	for _, w := range got.Wrong {
		t.Error(w)
	}
}
