package query

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kumiko/components/stats"
	"kumiko/gpus/result"
	"kumiko/study"
	"kumiko/study/record"
)

// run is a record with the IPC ipc: 1000 cycles, with half of the slots issuing.
func run(variant, benchmark string, perturb int, ipc float64) *record.Record {
	r := &result.Result{Config: map[string]any{"sched.policy": "gto", "sm.count": 16},
		Kernels: []result.Kernel{{Counts: result.Counts{
			Cycles: 1000, WarpInstructions: 100, ThreadInstructions: uint64(math.Round(ipc * 1000)), CTAsResidentMax: 4,
			IssueSlots: map[string]uint64{"issued": 500, "memory": 500}, Stats: map[string]uint64{"cache.hits": 7}}}}}
	r.Finish(0)
	return &record.Record{Point: record.Point{Variant: variant, Benchmark: benchmark, Perturb: perturb}, Result: r}
}

func stream(benchmark, text string) *record.Record {
	return &record.Record{Point: record.Point{Variant: "values", Benchmark: benchmark, Stream: true},
		Streams: json.RawMessage(text)}
}

var spec = parse(`
name = "t"
[groups]
two = ["vecadd", "transpose"]
one-group = ["sgemm"]
[[variant]]
name = "base"
gpu = "gtx980"
[[variant]]
name = "new"
gpu = "gtx980"
baseline = "base"
[[stream]]
name = "values"
gpu = "gtx980"
`)

func parse(text string) *study.Spec {
	s, err := study.Parse("t.toml", []byte(text))
	if err != nil {
		panic(err)
	}
	return s
}

func ask(records ...*record.Record) *Query { return New(study.NewData(spec, records)) }

func full() *Query {
	return ask(run("base", "vecadd", 0, 2), run("base", "transpose", 0, 4), run("new", "vecadd", 0, 3),
		run("new", "transpose", 0, 4),
		stream("vecadd", `{"values": {"once": 0.5, "by": [1, 2]}}`))
}

func want(t *testing.T, q *Query, code string, at At, v any) {
	t.Helper()
	got, err := q.Eval(code, at)
	if err != nil {
		t.Errorf("%s: %v", code, err)
		return
	}
	if g, ok := got.V.(float64); ok {
		if w, ok := v.(float64); ok && math.Abs(g-w) < 1e-12 {
			return
		}
	}
	if got.V != v {
		t.Errorf("%s = %v (missing %v), want %v", code, got.V, got.Missing, v)
	}
}

func TestFunctionsReadTheRecords(t *testing.T) {
	q := full()
	for code, v := range map[string]any{
		`ipc("new", "vecadd")`:                                        3.0,
		`speedup("new", "base", "vecadd")`:                            1.5,
		`mean(map(two, speedup("new", "base", #)))`:                   1.25,           // (1.5 + 1) / 2
		`geomean(map(two, speedup("new", "base", #)))`:                math.Sqrt(1.5), // of 1.5 and 1
		`max(map(groups.two, ipc("new", #)))`:                         4.0,
		`stddev([1, 3])`:                                              math.Sqrt2, // variance (1 + 1) / (2 - 1)
		`median(1, 9, 2, 4)`:                                          3.0,
		`sum(two, cycles("base", #))`:                                 2000.0,
		`count(two, ipc("base", #) > 3)`:                              1.0,
		`all(two, ipc("new", #) >= ipc("base", #))`:                   true,
		`any(two, ipc("new", #) < ipc("base", #))`:                    false,
		`slots("base", "vecadd", "memory")`:                           0.5,
		`slots("base", "vecadd", "shared_full")`:                      0.0, // its records are older than the reason
		`stat("base", "vecadd", "cache.hits")`:                        7.0,
		`config("base", "sched.policy")`:                              "gto",
		`config("base", "sm.count") * 2`:                              32.0,
		`stream("values", "vecadd", "values.once")`:                   0.5,
		`stream("values", "vecadd", "values.by.1")`:                   2.0,
		`len(filter(two, ipc("new", #) > ipc("base", #)))`:            1.0,
		`mean(map(group("two"), ipc(name("{}", "base"), #)))`:         3.0,
		`mean(speedups("new", "base", two))`:                          1.25,
		`sum(streams("values", ["vecadd", "vecadd"], "values.once"))`: 1.0,
		`mean(speedups("new", "base", filter(two, # != "vecadd")))`:   1.0,
		`kib(8192) + bytes(8)`:                                        2.0,
		`ctas("new", "transpose")`:                                    4.0,
	} {
		want(t, q, code, At{}, v)
	}
	want(t, q, `ipc(x, s)`, At{X: "new", S: "vecadd"}, 3.0)
	want(t, q, `mean(map(group(x), ipc("base", #)))`, At{X: "two"}, 3.0)
}

func TestWhatIsMissingIsListedAndNeverANumber(t *testing.T) {
	q := full()
	v, err := q.Eval(`mean(map(groups.all, speedup("new", "base", #)))`, At{})
	if err != nil || !v.NotRun() || !slices.Equal(v.Missing, []string{"base on sgemm", "new on sgemm"}) {
		t.Errorf("%+v, %v", v, err)
	}
	for _, code := range []string{`max(map(groups.all, ipc("new", #)))`, `count(groups.all, ipc("new", #) > 1)`,
		`ipc("new", "sgemm") > 1 ? 1 : 2`,
		`stream("values", "transpose", "values.once")`, `len(filter(groups.all, ipc("new", #) > 1))`,
		`config("new", "sm.count") + ipc("new", "sgemm")`} {
		if v, err := q.Eval(code, At{}); err != nil || !v.NotRun() || len(v.Missing) == 0 {
			t.Errorf("%s gives %v, %v", code, v, err)
		}
	}
}

func TestAFailedPointIsMissing(t *testing.T) {
	r := run("base", "vecadd", 0, 1)
	r.Failed = "deadlock"
	v, err := ask(r).Eval(`ipc("base", "vecadd")`, At{})
	if err != nil || !v.NotRun() || v.Missing[0] != "base on vecadd (failed)" {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestPresentTakesWhatIsThereAndSaysHowMuch(t *testing.T) {
	v, err := full().Eval(`mean(map(present(groups.all, "new", "base"), speedup("new", "base", #)))`, At{})
	if err != nil || v.V != 1.25 || len(v.Present) != 1 || v.Present[0] != (Present{2, 3}) {
		t.Errorf("%+v, %v", v, err)
	}
	v, err = full().Eval(`mean(map(present(groups["one-group"], "new"), ipc("new", #)))`, At{})
	if err != nil || !v.NotRun() {
		t.Errorf("of nothing present: %+v, %v", v, err)
	}
}

func TestMistakesAreErrors(t *testing.T) {
	q := full()
	for code, text := range map[string]string{
		`ipc("new")`:                             "not enough arguments",
		`ipc("new", "vecadd") + nope`:            "unknown name nope",
		`groups.nine`:                            "nine",
		`ipc("other", "vecadd")`:                 `the study has no variant "other"`,
		`ipc("new", "z")`:                        `no group of the study has a benchmark "z"`,
		`stat("new", "vecadd", "no.such")`:       `variant new has no statistic "no.such"`,
		`slots("new", "vecadd", "no_such")`:      `no record has issue slots with reason "no_such"`,
		`config("new", "no.such")`:               `variant new has no parameter "no.such"`,
		`stream("values", "vecadd", "values.x")`: `stream values has no field "x"`,
		`stream("none", "vecadd", "values")`:     `the study has no stream "none"`,
		`storage("new", "Bank", "lids")`:         `reports no storage`,
		`speedpu("new", "base", "vecadd")`:       "unknown name speedpu; did you mean speedup?",
		`stat("new", "vecadd", "cache.hit")`:     `has no statistic "cache.hit"; did you mean cache.hits?`,
		`ipc("nwe", "vecadd")`:                   `no variant "nwe"; did you mean new?`,
		`group("nine")`:                          `the study has no group "nine"`,
		`mean([])`:                               "mean of an empty list",
		`mean(["a"])`:                            "expected a number",
		`1 / 0`:                                  "no number",
		`geomean([1, -1])`:                       "no number",
		`{"a": 1}`:                               "expected a number, a text",
		`name("a", "b")`:                         "more values",
		`name("{}")`:                             "fewer values",
	} {
		if v, err := q.Eval(code, At{}); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s gives %v, error %v; want one with %q", code, v, err, text)
		}
	}
}

func TestASwappedVariantIsLookedUpAsTheOther(t *testing.T) {
	q := full()
	at := At{Swap: map[string]string{"new": "base"}}
	want(t, q, `speedup("new", "base", "vecadd")`, at, 1.0)
	want(t, q, `stat("new", "vecadd", "cache.other")`, at, 0.0)
	want(t, q, `storage("new", "Cache", "tags")`, at, 0.0)
	if _, err := q.Eval(`stat("base", "vecadd", "cache.other")`, at); err == nil {
		t.Error("a statistic that the baseline itself does not have is 0")
	}
}

// Samples 1, 1.5 and 2: mean 1.5, standard deviation 0.5, t(0.975, 2) = 4.302653,
// half width 4.302653 x 0.5 / sqrt(3) = 1.242069.
// Kernel k: 800 thread instructions in 100 cycles, l: 200 in 900.
func TestAKernelOfABenchmarkCanBeLookedAtAlone(t *testing.T) {
	r := run("base", "vecadd", 0, 1)
	r.Result.Kernels = []result.Kernel{
		{Name: "k", Counts: result.Counts{Cycles: 50, ThreadInstructions: 400, CTAsResidentMax: 2}},
		{Name: "l", Counts: result.Counts{Cycles: 900, ThreadInstructions: 200, CTAsResidentMax: 5}},
		{Name: "k", Counts: result.Counts{Cycles: 50, ThreadInstructions: 400, CTAsResidentMax: 3}}}
	r.Result.Finish(0)
	q := ask(r)
	want(t, q, `ipc("base", "vecadd")`, At{}, 1.0)
	want(t, q, `ipc("base", "vecadd/k")`, At{}, 8.0)
	want(t, q, `ctas("base", "vecadd/k")`, At{}, 3.0)
	if _, err := q.Eval(`ipc("base", "vecadd/m")`, At{}); err == nil ||
		!strings.Contains(err.Error(), `no launch of a kernel "m"`) {
		t.Error(err)
	}
}

func TestRegisteredFunctionsSeeWhatTheOthersSee(t *testing.T) {
	Register(Function{Name: "double", Args: "variant, benchmark", Doc: "for this test", Bind: func(c *Context) any {
		return func(v, b string) (float64, error) {
			r, err := c.Run(v, b)
			if r == nil {
				return 0, err
			}
			return 2 * r.Total.IPC, nil
		}
	}})
	defer func() { functions = functions[:len(functions)-1] }()
	q := full()
	want(t, q, `double("new", "vecadd")`, At{}, 6.0)
	want(t, q, `double("new", "vecadd")`, At{Swap: map[string]string{"new": "base"}}, 4.0)
	if v, err := q.Eval(`double("new", "sgemm")`, At{}); err != nil || !v.NotRun() {
		t.Errorf("missing: %v, %v", v, err)
	}
}

func TestWhatIsMissingIsToldInFewWords(t *testing.T) {
	list := []string{"new on a", "new on b", "new on c", "old on a", "stream values of a", "stream values of b",
		"stream values of c", "x on any benchmark"}
	if got, want := Brief(list, 9),
		"new on 3 benchmarks, old on a, stream values on 3 benchmarks, x on any benchmark"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := Brief(list, 2), "new on 3 benchmarks, old on a and 2 more"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Every function of the study is tried without a record.
func TestATrialShowsMistakesAndNothingElse(t *testing.T) {
	q := Trial(spec)
	for code, kind := range map[string]any{
		`ipc("new", "vecadd")`: 0.0, `stat("new", "vecadd", "regfile.bank.reads.operand")`: 0.0,
		`slots("new", "sgemm", "memory")`: 0.0, `config("new", "sched.policy")`: "",
		`storage("new", "", "") > 0`: true, `stream("values", "sgemm", "caches.fifo.6.reads_avoided")`: 0.0,
		`map(groups.all, ipc("new", #))`: []any{}, `ctaregs("new", "vecadd")`: 0.0,
	} {
		v, err := q.Try(code, At{})
		if err != nil || reflect.TypeOf(v.V) != reflect.TypeOf(kind) {
			t.Errorf("%s gives %v, %v; want a value of type %T", code, v, err, kind)
		}
	}
	for _, code := range []string{`1 / (ipc("new", "vecadd") - ipc("new", "vecadd"))`,
		`mean(filter(two, ipc("new", #) < 0))`} {
		if v, err := q.Try(code, At{}); err != nil || !v.NotRun() {
			t.Errorf("%s, which hangs on records, gives %+v, %v", code, v, err)
		}
	}
	for code, text := range map[string]string{
		`ipc("new", "vecadd") + nope`:            "unknown name nope",
		`stat("new", "vecadd", "no.such")`:       `no statistic "no.such"`,
		`slots("new", "vecadd", "no_such")`:      `reason "no_such"`,
		`stream("values", "vecadd", "values.x")`: `no field "x"`, `mean(["a"])`: "expected a number",
		`1 / 0`: "gives no number", `mean([])`: "of an empty list", `{"a": 1}`: "gives a table, expected a number",
	} {
		if v, err := q.Try(code, At{}); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s gives %v, error %v; want one with %q", code, v, err, text)
		}
	}
}

func TestAMistakeIsSaidInOneLineWithItsCharacter(t *testing.T) {
	for code, at := range map[string]int{"1 +\n nope": 5, `ipc("new", "z")`: 0, "foo(": 3} {
		_, err := full().Eval(code, At{})
		if e, ok := errors.AsType[*Error](err); !ok || e.At != at || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v at %+v, want character %d", code, err, e, at)
		}
	}
}

// upto returns the x up to which y stays at a level or above it, with straight lines between the points. In the first
// case y falls from 1 at x = 2 to 0.8 at x = 4, so that it is 0.9 at x = 3.
func TestHowFarAValueStaysUpIsReadOffTheStraightLines(t *testing.T) {
	q := ask()
	for code, v := range map[string]any{
		`upto([1.0, 2.0, 4.0], [1.0, 1.0, 0.8], 0.9)`:            3.0,
		`upto([1.0, 2.0, 4.0], [1.0, 0.9, 0.8], 0.9)`:            2.0,
		`upto([1.0, 2.0, 4.0], [1.0, 0.5, 1.0], 0.75)`:           1.5, // what comes behind does not count
		`upto([1.0, 2.0, 4.0], [1.0, 0.95, 0.92], 0.9)`:          4.0,
		`upto([1.0, 2.0, 4.0], [0.8, 1.0, 1.0], 0.9)`:            0.0,
		`upto([4.0, 1.0, 2.0], [0.8, 1.0, 1.0], 0.9)`:            3.0, // in the order of x
		`upto([1.0, 2.0, 2.0], [1.0, 1.0, 0.5], 0.9)`:            2.0,
		`upto(map(1..3, # * 1.0), map([5.0, 3.0, 1.0], #), 2.0)`: 2.5,
	} {
		want(t, q, code, At{}, v)
	}
	for code, says := range map[string]string{
		`upto([1.0, 2.0], [1.0], 0.9)`: "found 2 xs and 1 ys",
		`upto([], [], 0.9)`:            "at least one",
	} {
		if _, err := q.Eval(code, At{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, expected one with %q", code, err, says)
		}
	}
}

func TestStatisticsOfOnePrefixAreSummed(t *testing.T) {
	r := run("base", "vecadd", 0, 2)
	r.Result.Kernels[0].Stats = map[string]uint64{"bank.reads.a": 1, "bank.reads.b": 2, "bank.writes.a": 4, "other": 8}
	r.Result.Finish(0)
	q := ask(r)
	want(t, q, `statsum("base", "vecadd", "bank.reads.")`, At{}, 3.0)
	want(t, q, `statsum("base", "vecadd", "bank.reads.", "bank.writes.")`, At{}, 7.0)
	for code, says := range map[string]string{
		`statsum("base", "vecadd", "bank.erases.")`: "bank.erases.",
		`statsum("base", "vecadd")`:                 "expected at least one",
	} {
		if _, err := q.Eval(code, At{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, expected one with %q", code, err, says)
		}
	}
}

// Of ten values three are 0, two are 3, four lie within 16 and 31, one is 2048 or more.
func TestSharesOfADistribution(t *testing.T) {
	r := run("base", "vecadd", 0, 2)
	r.Result.Kernels[0].Distributions = map[string][]stats.Bucket{"d": {{From: 0, To: 0, Count: 3},
		{From: 3, To: 3, Count: 2}, {From: 16, To: 31, Count: 4}, {From: 2048, Count: 1}}}
	r.Result.Finish(0)
	q := ask(r)
	for code, w := range map[string]float64{
		`within("base", "vecadd", "d", 0, 0)`:     0.3,
		`within("base", "vecadd", "d", 1, 3)`:     0.2,
		`within("base", "vecadd", "d", 1, -1)`:    0.7,
		`within("base", "vecadd", "d", 4, 31)`:    0.4,
		`within("base", "vecadd", "d", 32, 2000)`: 0,
		`within("base", "vecadd", "d", 2048, -1)`: 0.1,
	} {
		want(t, q, code, At{}, w)
	}
	for code, says := range map[string]string{
		`within("base", "vecadd", "e", 0, 1)`:    `no distribution "e"`,
		`within("base", "vecadd", "d", 4, 20)`:   "a bucket of 16 to 31",
		`within("base", "vecadd", "d", 17, 31)`:  "a bucket of 16 to 31",
		`within("base", "vecadd", "d", 4, 4000)`: "a bucket of 2048 and more",
		`within("base", "vecadd", "d", 9, 4)`:    "ascending",
		`within("base", "vecadd", "d", 0.5, 4)`:  "whole numbers",
	} {
		if _, err := q.Eval(code, At{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, expected one with %q", code, err, says)
		}
	}
}

func TestArithmeticOnSettingsIsToldFromMeasurements(t *testing.T) {
	for code, want := range map[string]bool{
		`config("a", "sm.warps") * 32`:                                      true,
		`kib(storage("a", "Bank", "registers")) * chipsms("a")`:             true,
		`max(config("a", "x"), 3) / abs(config("b", "y"))`:                  true,
		`map([1, 2], config(name("a-{}", #), "x"))`:                         true,
		`storage("a", "Tags", "tags") / config("a", "sm.warps")`:            false,
		`cycles("a", "b") / config("a", "sm.count")`:                        false,
		`mean(speedups("a", "b", group("all"))) - config("a", "regfile.x")`: false,
		`3 * 4`: false,
		`storage("a", "Bank", "registers") / stat("a", "b", "sm.cycles")`: false,
		`config("a"`: false,
	} {
		if got := OfSettings(code); got != want {
			t.Errorf("%s: %v, want %v", code, got, want)
		}
	}
}
