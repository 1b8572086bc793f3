package report

import (
	"encoding/xml"
	"math"
	"strings"
	"testing"

	"kumiko/gpus/result"
	"kumiko/internal/page/svg"
	"kumiko/regfile"
	"kumiko/study"
	"kumiko/study/query"
	"kumiko/study/record"
)

const file = `
name = "t"
title = "A study"
doc = "What is asked."
size = "test"
[groups]
two = ["vecadd", "transpose"]
one = ["sgemm"]
[[variant]]
name = "base"
gpu = "gtx980"
[[variant]]
name = "new"
gpu = "gtx980"
set = ["sched.policy=lrr", "sm.fetch.latency=3"]
tuned = ["sm.fetch.latency"]
baseline = "base"
[[figure]]
id = "f"
title = "Speed"
where = "Fig 9"
kind = "bar"
over = "group:two"
y = {title = "relative IPC"}
[[figure.series]]
name = "new"
y = "speedup('new', 'base', x)"
[[figure.mark]]
y = 1.25
text = "25 %"
[[figure]]
id = "g"
title = "Never run"
kind = "line"
values = [4, 8]
[[figure.series]]
each = "groups"
name = "IPC of {}"
y = "x * mean(map(group(s), ipc('new', #)))"
[[figure.mark]]
x = 4
y = 9.0
y2 = 12.0
text = "9 to 12"
[[figure]]
id = "h"
title = "Points"
kind = "scatter"
over = "variants"
[[figure.series]]
x = "slots(x, 'vecadd', 'issued')"
y = "ipc(x, 'vecadd')"
[[table]]
id = "t"
title = "Numbers"
over = "group:all"
mean = "geometric"
[[table.column]]
name = "ratio"
value = "speedup('new', 'base', x)"
paper = [1.25, 1.5]
format = "%.2f"
[[note]]
title = "A note"
text = "It matters a lot."
`

func run(variant, benchmark string, ipc float64) *record.Record {
	r := &result.Result{Version: "v1", ConfigHash: "c0ffee", ProgramHash: "beef",
		Storage: []regfile.State{{Block: "Bank", What: "registers", Count: 16, Bits: 1 << 21, Ports: "1r1w"}},
		Kernels: []result.Kernel{{Counts: result.Counts{Cycles: 1000, WarpInstructions: 500,
			ThreadInstructions: uint64(math.Round(1000 * ipc)),
			IssueSlots:         map[string]uint64{"issued": 500, "memory": uint64(4000 / ipc), "prefetch": 10}}}}}
	r.Finish(0)
	return &record.Record{Point: record.Point{Variant: variant, Benchmark: benchmark}, Result: r}
}

// data are runs of both variants on vecadd and transpose, not on sgemm.
func data(t *testing.T, text string) *study.Data {
	t.Helper()
	s := mustParse(t, "t.toml", []byte(text))
	return study.NewData(s, []*record.Record{run("base", "vecadd", 2), run("new", "vecadd", 3),
		run("base", "transpose", 4), run("new", "transpose", 4)})
}

func made(t *testing.T) *Report {
	t.Helper()
	r, err := New(&Input{Data: data(t, file), Version: "v1", Census: &study.Census{Points: 6, Done: 4,
		Missing: []string{"base sgemm", "new sgemm"},
		Failed:  []study.Failed{}}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func values(f *Figure) []row { return f.Spec["data"].(row)["values"].([]row) }

func TestAFigureHasTheValuesOfItsExpressions(t *testing.T) {
	f := made(t).Figures[0]
	rows := values(f)
	if f.Title != "Speed (Fig 9)" || len(rows) != 2 || rows[0]["x"] != "vecadd" || rows[0]["y"] != 1.5 ||
		rows[1]["y"] != 1.0 || len(f.Missing) != 0 {
		t.Errorf("%+v of %v", f, rows)
	}
}

func TestAFigureLeavesOutWhatHasNotRunAndNamesIt(t *testing.T) {
	f := made(t).Figures[1]
	rows := values(f)
	// 4 and 8 times (3 + 4) / 2
	if len(rows) != 2 || rows[0]["series"] != "IPC of two" || rows[0]["y"] != 14.0 || rows[1]["y"] != 28.0 {
		t.Errorf("rows %v", rows)
	}
	if len(f.Missing) != 1 || f.Missing[0] != "new on sgemm" || !strings.Contains(f.Part().Figure.Caption,
		"new on sgemm") {
		t.Errorf("missing %v", f.Missing)
	}
}

func TestAFigureWithoutAnyValueSaysSoInsteadOfBeingDrawn(t *testing.T) {
	s := data(t, file).Spec
	f, err := NewFigure(query.New(study.NewData(s, nil)), &s.Figures[0])
	if err != nil || f.Spec != nil {
		t.Fatalf("%+v, %v", f, err)
	}
	if text := f.Part().Text; !strings.Contains(text, "not drawn") || !strings.Contains(text, "base on vecadd") {
		t.Errorf("%q", text)
	}
}

// The mean of 1.5 and 1 is the square root of 1.5, 1.22; but sgemm is missing.
func TestATableShowsThePapersValuesAndNoMeanOverAPart(t *testing.T) {
	d := data(t, file)
	q := query.New(d)
	tab, err := NewTable(q, &d.Spec.Tables[0])
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"vecadd", "1.50", "1.25"}, {"transpose", "1.00", "1.50"}, {"sgemm", "not run", ""},
		{"geometric mean", "not run", ""}}
	for i := range want {
		if strings.Join(tab.Rows[i], "|") != strings.Join(want[i], "|") {
			t.Errorf("row %d is %v, want %v", i, tab.Rows[i], want[i])
		}
	}
	if !strings.Contains(tab.Caption, "Not run: base on sgemm, new on sgemm") {
		t.Errorf("caption %q", tab.Caption)
	}
	tab2 := d.Spec.Tables[0]
	tab2.Over = "group:two"
	if tab, err = NewTable(q, &tab2); err != nil || tab.Rows[2][1] != "1.22" {
		t.Errorf("%v, %v", tab, err)
	}
}

// vecadd: 500 + 2000 + 10 slots of the baseline, 500 + 1333 + 10 of the other,
// 0.734 of it; transpose: the same.
func TestTheCPIStackIsRelativeToTheBaselineAndAveragedOverWholeGroups(t *testing.T) {
	f := IssueSlots(data(t, file))
	sum := map[string]float64{}
	for _, r := range values(f) {
		sum[r["variant"].(string)+" "+r["benchmark"].(string)] += r["value"].(float64)
	}
	for at, want := range map[string]float64{"base mean of two": 1, "new vecadd": 1843.0 / 2510, "new transpose": 1,
		"new mean of two": (1843.0/2510 + 1) / 2} {
		if math.Abs(sum[at]-want) > 1e-9 {
			t.Errorf("%s adds up to %v, want %v", at, sum[at], want)
		}
	}
	if _, ok := sum["new mean of all"]; ok {
		t.Error("a mean over a group of which a part is missing")
	}
	if got := reasons(data(t, file), []string{"base"}); strings.Join(got, " ") != "issued prefetch memory" {
		t.Errorf("reasons %v", got)
	}
}

// Sums of these twelve quotients differ in their last bits from order to order.
func TestTheCPIStackIsTheSameToTheBitEachTime(t *testing.T) {
	d := data(t, file)
	c := &d.Run("base", "vecadd", 0).Total.Counts
	c.CPIStack = map[string]float64{}
	for i := range 12 {
		c.CPIStack[string(rune('a'+i))] = math.Pow(3, float64(i)) / 7
	}
	m := &cpi{Data: d, roots: d.Spec.Roots(), relative: true}
	first := m.stack("new", "vecadd")["issued"]
	for range 100 {
		if got := m.stack("new", "vecadd")["issued"]; got != first {
			t.Fatalf("%v, then %v", first, got)
		}
	}
}

func TestThePageSaysWhatItIsMadeOf(t *testing.T) {
	var b strings.Builder
	if err := made(t).Page().Write(&b); err != nil {
		t.Fatal(err)
	}
	doc := b.String()
	for _, want := range []string{"A study", "incomplete: 2 of 6 points missing", "256 KiB", "1r1w", "sm.fetch.latency",
		"sched.policy=lrr", "lrr: new", "c0ffee", "beef",
		"2 missing, 0 failed", "A note", "It matters a lot", "base sgemm"} {
		if !strings.Contains(doc, want) {
			t.Errorf("%q is not in the page", want)
		}
	}
}

func TestAllFiguresAreDrawnWithoutABrowser(t *testing.T) {
	var names []string
	r := made(t)
	r.Draw(drawer(t))
	err := r.SVG(func(name string, data []byte) error {
		names = append(names, name)
		return xml.Unmarshal(data, new(struct{ XMLName xml.Name }))
	})
	if err != nil || strings.Join(names, " ") != "f.svg g.svg h.svg cpi.svg" || len(r.Problems()) != 0 {
		t.Errorf("%v, %v, %v", names, err, r.Problems())
	}
}

// One figure and one table are not to be had of these records: the rest of the
// report is.
func TestAFigureThatCannotBeHadSaysSoInItsPlaceAndTheReportGoesOn(t *testing.T) {
	text := strings.Replace(file, "speedup('new', 'base', x)\"\n[[figure.mark]]",
		"mean(filter([1.0], ipc('new', x) > 99))\"\n[[figure.mark]]", 1)
	text = strings.Replace(text, "value = \"speedup('new', 'base', x)\"",
		"value = \"max(filter([1.0], ipc('new', 'vecadd') > 99))\"", 1)
	r, err := New(&Input{Data: data(t, text)})
	if err != nil {
		t.Fatal(err)
	}
	r.Figures[2].Spec["mark"] = "unicorn" // as if Vega did not know it
	delete(r.Figures[2].Spec, "layer")
	r.Draw(drawer(t))
	var b strings.Builder
	if err := r.Page().Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Speed (Fig 9): it cannot be worked out: series new at vecadd: expression: mean of " +
		"an empty list", "Points: it cannot be drawn: ",
		"<h2>Numbers</h2>", "it cannot be worked out: column ratio: at vecadd: expression: max of an empty list",
		"Never run"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in the page", want)
		}
	}
	drawn := map[string]string{}
	err = r.SVG(func(name string, data []byte) error {
		drawn[name] = string(data)
		return xml.Unmarshal(data, new(struct{ XMLName xml.Name }))
	})
	if err != nil || len(drawn) != 4 || !strings.Contains(drawn["f.svg"], "it cannot be worked out") ||
		!strings.Contains(drawn["h.svg"], "it cannot be drawn") ||
		!strings.Contains(drawn["g.svg"], "IPC of two") {
		t.Errorf("%d drawings, %v", len(drawn), err)
	}
	problems := strings.Join(r.Problems(), "\n")
	if len(r.Problems()) != 3 || !strings.Contains(problems, "t.toml:19:1: figure f: it cannot be worked out: ") ||
		!strings.Contains(problems, "figure h: it cannot be drawn: ") || strings.Contains(problems, "native") {
		t.Errorf("%q", r.Problems())
	}
}

func TestADivisionByZeroIsLeftOutAndSaid(t *testing.T) {
	text := strings.Replace(file, "speedup('new', 'base', x)\"\n[[figure.mark]]",
		"1 / (ipc('new', x) - 3)\"\n[[figure.mark]]", 1)
	text = strings.Replace(text, "value = \"speedup('new', 'base', x)\"", "value = \"1 / (ipc('base', x) - 2)\"", 1)
	d := data(t, text)
	r, err := New(&Input{Data: d})
	if err != nil {
		t.Fatal(err)
	}
	if f := r.Figures[0]; len(values(f)) != 1 || !strings.Contains(f.Caption, "divided by zero: new at vecadd.") {
		t.Errorf("%d values, %q", len(values(f)), f.Caption)
	}
	if got := r.tables[0].Table.Rows[0][1]; got != "not defined" {
		t.Errorf("the table has %q", got)
	}
}

func TestLabelsOfPointsDoNotLieUponEachOther(t *testing.T) {
	var rows []row
	for i := range 12 {
		rows = append(rows, row{"x": "a-long-name", "at": float64(i), "y": 1.0})
	}
	d := newDrawing(&study.Figure{Kind: "scatter"}, &points{rows: rows, labels: []string{"a", "b"}})
	d.place()
	placed := 0
	last := map[float64]float64{}
	for _, r := range rows {
		dy, ok := r["dy"].(float64)
		if !ok {
			continue
		}
		placed++
		at := d.xs.pixels(r["at"].(float64))
		if before, ok := last[dy]; ok && at-before < 11*labelWidth-1e-9 {
			t.Errorf("labels at %v and %v in the same height", before, at)
		}
		last[dy] = at
	}
	if placed < 6 {
		t.Errorf("%d labels", placed)
	}
}

func TestTheTerminalShowsSpeedupsAndTheirGeometricMean(t *testing.T) {
	var b strings.Builder
	s := data(t, strings.Replace(file, "one = [\"sgemm\"]\n", "", 1))
	if err := Terminal(&b, s); err != nil {
		t.Fatal(err)
	}
	want := "                base     new\n                 IPC  / base\nvecadd           2.0   1.500\ntranspose     " +
		"   4.0   1.000\ngeometric mean   2.8   1.225\n"
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	if err := Terminal(&b, data(t, file)); err != nil || !strings.Contains(b.String(), "geometric mean     -       -") {
		t.Errorf("a mean over a part: %s", b.String())
	}
}

func TestTheTerminalShowsTheNoiseOfPerturbedRuns(t *testing.T) {
	again, other := run("base", "vecadd", 2.1), run("base", "vecadd", 2.2)
	again.Point.Perturb, other.Point.Perturb = 1, 2
	d := study.NewData(data(t, file).Spec, []*record.Record{run("base", "vecadd", 2), again, other})
	var b strings.Builder
	if err := Terminal(&b, d); err != nil {
		t.Fatal(err)
	}
	// t of two degrees of freedom is 4.303; the deviation is 0.1.
	if !strings.Contains(b.String(), "vecadd          2.00 ± 0.25       -\n") ||
		!strings.HasSuffix(b.String(), plusMinusShort+"\n") {
		t.Errorf("%s", b.String())
	}
}

func TestTheProvenanceSaysWhatItsCountsCount(t *testing.T) {
	again := run("base", "vecadd", 2.1)
	again.Point.Perturb = 1
	d := data(t, file)
	d = study.NewData(d.Spec, []*record.Record{run("base", "vecadd", 2), run("new", "vecadd", 3), again})
	if got := counted(d)["v1"]; got == nil || got.String() != "2 plain runs, 1 perturbed runs" {
		t.Errorf("%v", got)
	}
}

func drawer(t *testing.T) *svg.Drawer {
	t.Helper()
	d, err := svg.New()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// mustFigure draws a figure.
func mustFigure(t *testing.T, q *query.Query, spec *study.Figure) *Figure {
	t.Helper()
	f, err := NewFigure(q, spec)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func mustParse(t *testing.T, file string, text []byte) *study.Spec {
	t.Helper()
	s, err := study.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
