package energy

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
	"kumiko/gpus/energy"
	"kumiko/gpus/result"
	"kumiko/regfile"
	"kumiko/study"
	"kumiko/study/query"
	"kumiko/study/record"
	"kumiko/study/streams"
)

const spec = `
name = "t"
[groups]
one = ["vecadd"]
[[variant]]
name = "base"
gpu = "fermi"
[[variant]]
name = "rfc"
gpu = "fermi"
baseline = "base"
[[stream]]
name = "s"
gpu = "fermi"
`

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > within {
		t.Errorf("%s: %v, expected %v within %v", what, got, want, within)
	}
}

// ran is a run with some statistics.
func ran(cycles uint64, stats map[string]uint64) *result.Result {
	r := &result.Result{Config: map[string]any{"sm.clock_mhz": int64(1000), "sm.count": int64(2),
		"mem.l2.slices": int64(3), "onchip.memory": "separate"}}
	r.Total.Cycles, r.Total.Stats = cycles, stats
	return r
}

// asked are a stream of vecadd and two runs with made-up statistics.
func asked(t *testing.T) (*query.Query, *streams.Summary) {
	t.Helper()
	s, err := study.Parse("t.toml", []byte(spec))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := streams.App(benchmarks.Find("vecadd"), benchmarks.Test, nil, false, streams.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(sum)
	if err != nil {
		t.Fatal(err)
	}
	g := energy.OfGebhart().Timed
	base := ran(1000, map[string]uint64{g.MainReads: 100, g.MainWrites: 50})
	rfc := ran(1000, map[string]uint64{g.MainReads: 40, g.MainWrites: 20, g.CacheReads: 70, g.CacheWrites: 45})
	rfc.Storage = []regfile.State{{Block: "Cache", What: "registers", Count: 1, Bits: 64 * 1024, Width: 1024}}
	return query.New(study.NewData(s, []*record.Record{
		{Point: record.Point{Variant: "s", Benchmark: "vecadd", Stream: true}, Streams: text},
		{Point: record.Point{Variant: "base", Benchmark: "vecadd"}, Result: base},
		{Point: record.Point{Variant: "rfc", Benchmark: "vecadd"}, Result: rfc},
	})), sum
}

func eval(t *testing.T, q *query.Query, code string) float64 {
	t.Helper()
	v, err := q.Eval(code, query.At{})
	if err != nil {
		t.Fatalf("%s: %v", code, err)
	}
	if len(v.Missing) > 0 {
		t.Fatalf("%s: missing %v", code, v.Missing)
	}
	n, _ := v.Number()
	return n
}

func TestExpressionsReachTheEnergyOfAStream(t *testing.T) {
	q, s := asked(t)
	c, err := s.Cache("caches.fifo.bypass.flush.live.6")
	if err != nil {
		t.Fatal(err)
	}
	n := func(v uint64) float64 { return float64(v) }
	all := n(s.Operands.Lane.Reads)*15.6 + n(s.Operands.Lane.Writes)*18.6
	main := n(c.Lane.MainReads)*15.6 + n(c.Lane.MainWrites)*18.6
	own := n(c.Lane.CacheReads)*(2.2+7.6*0.2) + n(c.Lane.CacheWrites)*(6.7+7.6*0.2)
	near(t, "rfc_energy", eval(t, q, `rfc_energy("s", "vecadd", "caches.fifo.bypass.flush.live.6", 8, 1, 0.2)`),
		(main+own)/all, 1e-12)
	near(t, "parts", eval(t, q, `sum(map(["main_array", "main_wire", "cache_array", "cache_wire"], rfc_energy_part("s", "vecadd", "caches.fifo.bypass.flush.live.6", 8, 1, 0.2, #)))`), (main+own)/all, 1e-12)
	fullAll := 8 * (n(s.Operands.Reads)*8 + n(s.Operands.Writes)*11)
	fullRFC := 8 * (n(c.MainReads)*8 + n(c.MainWrites)*11 + n(c.CacheReads)*2.2 + n(c.CacheWrites)*6.7)
	near(t, "full", eval(t, q, `rfc_energy_full("s", "vecadd", "caches.fifo.bypass.flush.live.6", 8, 0, 0)`),
		fullRFC/fullAll, 1e-12)
}

func TestExpressionsReachTheEnergyOfTimedRuns(t *testing.T) {
	q, _ := asked(t)
	// (40*8 + 20*11 + 70*2.2 + 45*6.7) / (100*8 + 50*11).
	near(t, "run", eval(t, q, `rfc_energy_run("rfc", "base", "vecadd", 6, 8, 0, 0)`), 995.5/1350, 1e-12)
	// (40*15.6 + 20*18.6) / (100*15.6 + 50*18.6), and (70*(3.4+1.52) + 45*(10.9+1.52)) over the same.
	near(t, "main file", eval(t, q, `rf_energy_part("rfc", "base", "vecadd", "main")`), 996.0/2490, 1e-12)
	near(t, "cache", eval(t, q, `rf_energy_part("rfc", "base", "vecadd", "cache")`), 903.3/2490, 1e-12)
	near(t, "register file", eval(t, q, `rf_energy("rfc", "base", "vecadd")`), (996+903.3)/2490, 1e-12)
	near(t, "over itself", eval(t, q, `gpu_energy("base", "base", "vecadd", 0.3)`), 1, 1e-12)
	near(t, "part", eval(t, q, `gpu_energy_part("base", "base", "vecadd", 0.3, "leakage")`), 0.3, 1e-12)
	near(t, "cerf", eval(t, q, `cerf_energy("base", "base", "vecadd", 32)`), 1, 1e-12)
	near(t, "parts of cerf", eval(t, q,
		`sum(map(["data", "tag", "l2", "leakage"], cerf_energy_part("base", "base", "vecadd", 8, #)))`), 1, 1e-12)
}

func TestExpressionsReachTheTables(t *testing.T) {
	q, _ := asked(t)
	for code, want := range map[string]float64{
		`rfc_ideal_saving(6, 8, 1.79)`: 0.58, `rfc_reads_per_write(6, 8, 0.58)`: 1.79, `wire_energy(0)`: 1.9,
		`wire_energy(1)`:                 3.888,
		`chip_power("chip_saved", 0.36)`: 3.276, `ltrf_factor(6, "latency")`: 5.3, `ltrf_power(7, 0, 1)`: 0.65,
		`rfc_access(4, 6, "read")`: 1.2, `rfc_access(6, 8, "write")`: 6.7, `rfc_access(8, 8, "area")`: 18800,
		`main_access("write")`: 11, `main_access("mm")`: 1,
	} {
		near(t, code, eval(t, q, code), want, 0.005)
	}
}

func TestAnExpressionOverWhatIsNotThereIsRefused(t *testing.T) {
	q, _ := asked(t)
	for code, want := range map[string]string{
		`rfc_energy("s", "vecadd", "caches.fifo.5", 8, 1, 0)`: "has no register file cache of 5 entries " +
			"for 8 active warps",
		`rfc_energy("s", "vecadd", "caches.plru.6", 8, 1, 0)`:            `found "plru", expected fifo, lru or aware`,
		`rfc_energy("u", "vecadd", "caches.fifo.6", 8, 1, 0)`:            `the study has no stream "u"`,
		`rfc_energy_part("s", "vecadd", "caches.fifo.6", 8, 1, 0, "io")`: `no part "io"`,
		`gpu_energy("rfc", "base", "vecadd", 1)`:                         "leakage 1: expected a share",
		`cerf_energy("base", "base", "vecadd", 16)`:                      "expected one of 32 8",
		`cerf_energy_part("base", "base", "vecadd", 32, "dram")`:         "no part \"dram\"; expected one of data, tag",
		`ltrf_factor(8, "power")`:                                        "has no configuration 8; expected 1 to 7",
		`rfc_access(6, 8, "price")`:                                      `has no "price"; expected read, write or area`,
		`rfc_access(6, 7, "read")`: "no register file cache of 6 entries for 7 " +
			"active warps",
		`rf_energy_part("rfc", "base", "vecadd", "io")`: `rf_energy has no part "io"; expected main, cache, pcrf, scalars or adders`,
		`main_access("price")`:                          `has no "price"; expected read, write, area or mm`,
		`wire_chain("knot")`:                            `the chain of wires has no step "knot"; expected one of capacitance, voltage`,
		`ltrf_factor(7, "price")`:                       `technologies have no "price"`,
	} {
		if _, err := q.Eval(code, query.At{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %s", code, err, want)
		}
	}
}

func TestWhatHasNotBeenRunIsMissing(t *testing.T) {
	s, err := study.Parse("t.toml", []byte(spec))
	if err != nil {
		t.Fatal(err)
	}
	q := query.New(study.NewData(s, nil))
	for _, code := range []string{`rfc_energy("s", "vecadd", "caches.fifo.6", 8, 1, 0)`,
		`rfc_energy_run("rfc", "base", "vecadd", 6, 8, 0, 0)`, `gpu_energy("rfc", "base", "vecadd", 0.2)`,
		`rf_energy("rfc", "base", "vecadd")`, `rf_energy_part("rfc", "base", "vecadd", "main")`} {
		v, err := q.Eval(code, query.At{})
		if err != nil || len(v.Missing) == 0 {
			t.Errorf("%s: %+v, %v", code, v, err)
			continue
		}
		if n, ok := v.Number(); ok && !math.IsNaN(n) {
			t.Errorf("%s is %v, expected nothing", code, n)
		}
	}
}

func TestNumbersThatAreToBeWholeAreNotRounded(t *testing.T) {
	q, _ := asked(t)
	for code, want := range map[string]string{
		`rfc_access(6.5, 8, "read")`:     "entries: found 6.5, expected a whole number",
		`rfc_access(6, 8.5, "read")`:     "active: found 8.5, expected a whole number",
		`ltrf_factor(1.5, "banks")`:      "configuration: found 1.5, expected a whole number",
		`ltrf_power(1e300, 0.5, 1)`:      "configuration: found 1e+300, expected a whole number",
		`rfc_ideal_saving(6.01, 8, 1.5)`: "entries: found 6.01",
	} {
		if v, err := q.Eval(code, query.At{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v, %v; want %q", code, v, err, want)
		}
	}
}
