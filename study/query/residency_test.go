package query

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/gpus/result"
	"kumiko/study"
	"kumiko/study/record"
)

// Hotspot of the register sharing paper (table 2): CTAs of 256 threads with 36
// registers on an SM of 32768 registers, 1536 threads and 8 CTA slots.
func hotspot(t *testing.T) *Query {
	t.Helper()
	s := parse("name = \"t\"\n[groups]\none = [\"hotspot\"]\n[[variant]]\nname = \"lrr\"\ngpu = \"tesla-c2050\"\nset " +
		"= [\"slice.sms=4\"]\n")
	r := &result.Result{Program: "hotspot",
		Kernels: []result.Kernel{{Name: "k", Block: [3]int{16, 16, 1}, RegistersPerThread: 36}}}
	r.Finish(0)
	return New(study.NewData(s, []*record.Record{{Result: r,
		Point: record.Point{Variant: "lrr", Benchmark: "hotspot"}}}))
}

func TestResidencyIsThatOfTheVariantsGPU(t *testing.T) {
	q := hotspot(t)
	want(t, q, `ctaregs("lrr", "hotspot")`, At{}, 9216.0)              // 36 x 256
	want(t, q, `unusedregs("lrr", "hotspot")`, At{}, 5120.0)           // 32768 - 3 x 9216
	want(t, q, `limitedby("lrr", "hotspot", "registers")`, At{}, true) // 3; threads would allow 6
	want(t, q, `limitedby("lrr", "hotspot/k", "threads")`, At{}, false)
	want(t, q, `chipsms("lrr")`, At{}, 14.0)
	if _, err := q.Eval(`limitedby("lrr", "hotspot", "luck")`, At{}); err == nil ||
		!strings.Contains(err.Error(), "expected registers, shared") {
		t.Error(err)
	}
}

// Register Sharing, section 4: 35K registers, CTAs of 10K, t = 0.5: one pair of 15K
// and two alone.
func TestOccupancyHasTheFiguresOfTheRegisterFile(t *testing.T) {
	s := parse("name = \"t\"\n[groups]\none = [\"hotspot\"]\n[[variant]]\nname = \"pairs\"\ngpu = \"tesla-c2050\"\n" +
		"design = \"sharing\"\n")
	r := &result.Result{Program: "hotspot",
		Kernels: []result.Kernel{{Name: "k", Block: [3]int{16, 16, 1}, RegistersPerThread: 36}}}
	r.Finish(0)
	q := New(study.NewData(s, []*record.Record{{Result: r,
		Point: record.Point{Variant: "pairs", Benchmark: "hotspot"}}}))
	for figure, v := range map[string]float64{"ctas_per_sm": 4, "shared_pairs": 1, "unshared_ctas": 2,
		"registers_unused": 0} {
		want(t, q, `fits("pairs", ["sm.registers=35840", "regfile.threshold=0.5"], 320, 32, "`+figure+`")`, At{}, v)
	}
	for figure, v := range map[string]float64{"ctas_per_sm": 6, "shared_pairs": 3, "unshared_ctas": 0} {
		want(t, q, `occupancy("pairs", "hotspot", "`+figure+`")`, At{}, v)
	}
	for code, text := range map[string]string{
		`fits("pairs", [], 320, 32, "luck")`: "expected one of ctas_per_sm, registers_unused, " +
			"shared_pairs, unshared_ctas",
		`fits("pairs", [1], 320, 32, "ctas_per_sm")`:        "found 1 among the settings",
		`fits("pairs", ["sm.x=1"], 320, 32, "ctas_per_sm")`: "unknown key sm.x",
	} {
		if _, err := q.Eval(code, At{}); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: error %v, want one with %q", code, err, text)
		}
	}
}

func TestFitsRefusesWhatIsNoNumberOfThreadsOrRegisters(t *testing.T) {
	q := hotspot(t)
	for code, want := range map[string]string{
		`fits("lrr", [], 0, 0, "ctas_per_sm")`:       "fits: threads: found 0, expected a whole number from 1",
		`fits("lrr", [], 256, 0, "ctas_per_sm")`:     "fits: registers: found 0, expected a whole number from 1",
		`fits("lrr", [], -1, 32, "ctas_per_sm")`:     "fits: threads: found -1",
		`fits("lrr", [], 256.5, 32, "ctas_per_sm")`:  "fits: threads: found 256.5",
		`fits("lrr", [], 256, 1e300, "ctas_per_sm")`: "fits: registers: found 1e+300",
	} {
		if v, err := q.Eval(code, At{}); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s gives %v, error %v; want one with %q", code, v, err, want)
		}
	}
	v, err := query(t).Eval(`fits("lrr", [], ctaregs("lrr", "hotspot"), 32, "ctas_per_sm")`, At{})
	if err != nil || !v.NotRun() {
		t.Errorf("of a run that is missing: %+v, %v", v, err)
	}
}

// query is the same study without records.
func query(t *testing.T) *Query {
	t.Helper()
	return New(study.NewData(hotspot(t).Data().Spec, nil))
}

func TestTheWholeChipOfAGPUFileIsThatOfTheFile(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"mine.toml": "base = \"gtx980\"\n[sm]\ncount = 6\n",
		"study.toml": "name = \"t\"\n[groups]\none = [\"hotspot\"]\n[[variant]]\nname = \"v\"\ngpu = \"mine.toml\"\n" +
			"set = [\"slice.sms=2\"]\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := study.Load(filepath.Join(dir, "study.toml"))
	if err != nil {
		t.Fatal(err)
	}
	want(t, New(study.NewData(s, nil)), `chipsms("v")`, At{}, 6.0)
}
