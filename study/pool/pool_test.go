package pool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus"
	"kumiko/gpus/capture"
	"kumiko/gpus/config"
	"kumiko/gpus/stop"
	"kumiko/kernel/host"
	"kumiko/study"
	"kumiko/study/record"
)

// gridText is a study of four benchmarks on three variants of one code and one of
// another, with a stream.
const gridText = `name = "grid"
size = "test"
set = ["slice.sms=2"]
[groups]
a = ["vecadd", "bfs", "transpose", "hotspot"]
[[variant]]
name = "base"
gpu = "gtx980"
[[variant]]
name = "banks-{}"
gpu = "gtx980"
set = ["regfile.conventional.banks={}"]
sweep = ["4", "8"]
[[variant]]
name = "fermi"
gpu = "fermi"
[[stream]]
name = "streams"
gpu = "gtx980"
`

const head = "name = \"t\"\nsize = \"test\"\n[groups]\na = [\"vecadd\", \"bfs\"]\nb = [\"bfs\", \"sgemm\"]\n"

const plainVariant = "[[variant]]\nname = \"v\"\ngpu = \"gtx980\"\nset = [\"slice.sms=2\"]\n"

func parse(t *testing.T, text string) *study.Spec {
	t.Helper()
	s, err := study.Parse("t.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustKey(t *testing.T, s *study.Spec, p *record.Point) string {
	t.Helper()
	key, err := s.Keys().Key(p)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func pool(t *testing.T, s *study.Spec, dir string) *Pool {
	t.Helper()
	store, err := record.OpenStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	return &Pool{Spec: s, Store: store, Version: "test"}
}

func run(t *testing.T, p *Pool, points []record.Point) *Outcome {
	t.Helper()
	out, err := p.Run(t.Context(), points)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// found returns the content of a pool's folder, as the pool's version sees it.
func found(t *testing.T, p *Pool, points []record.Point) (*study.Data, *study.Census) {
	t.Helper()
	store, err := record.OpenReadOnly(p.Store.Dir())
	if err != nil {
		t.Fatal(err)
	}
	records, c, err := p.Spec.Collect(store, points, p.Version)
	if err != nil {
		t.Fatal(err)
	}
	return study.NewData(p.Spec, records), c
}

// files has the records of a folder by name, with the seconds taken out.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	names, err := filepath.Glob(filepath.Join(dir, "*"+".json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var r record.Record
		if err := json.Unmarshal(data, &r); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		r.Seconds = 0
		text, err := json.Marshal(&r)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(name)] = string(text)
	}
	return out
}

func TestRecordsAreTheSameForAnyNumberOfWorkers(t *testing.T) {
	s := parse(t, gridText)
	points := s.Points(1)
	var want map[string]string
	for _, workers := range []int{1, 4} {
		p := pool(t, s, t.TempDir())
		p.Workers = workers
		out := run(t, p, points)
		if out.Done != len(points) || out.Before+out.Left+len(out.Failed)+len(out.Refused) != 0 {
			t.Errorf("%d workers: %+v", workers, out)
		}
		got := files(t, p.Store.Dir())
		if want == nil {
			want = got
		}
		if len(got) != len(points) || !maps.Equal(want, got) {
			t.Errorf("%d workers: %s", workers, cmp.Diff(want, got))
		}
	}
}

func TestWhatIsDoneIsNotDoneAgain(t *testing.T) {
	s := parse(t, gridText)
	p := pool(t, s, t.TempDir())
	points := s.Points(0)
	first := run(t, p, points[:4])
	second := run(t, p, points)
	if first.Done != 4 || second.Before != 4 || second.Done != len(points)-4 {
		t.Errorf("first %+v, then %+v", first, second)
	}
}

// The two variants are one configuration: one simulation, two records.
func TestVariantsOfOneConfigurationShareASimulation(t *testing.T) {
	s := parse(t, head+plainVariant+
		"[[variant]]\nname = \"null\"\ngpu = \"gtx980\"\ndesign = \"conventional\"\nset = [\"slice.sms=2\"]\n")
	p := pool(t, s, t.TempDir())
	built := 0
	p.New = func(c *config.Config, o gpus.Options) (Machine, error) { built++; return gpus.New(c, o) }
	p.Workers = 1
	if out := run(t, p, s.Points(0)); out.Done != 6 || built != 3 {
		t.Errorf("%+v with %d machines, want 6 points of 3", out, built)
	}
	d, _ := found(t, p, p.Spec.Points(0))
	a, b := d.Run("v", "bfs", 0), d.Run("null", "bfs", 0)
	if a == nil || b == nil || a.Total.Cycles != b.Total.Cycles {
		t.Errorf("%v and %v", a, b)
	}
}

// stopping is a machine with failing launches.
type stopping struct{ Machine }

func (s stopping) Launch(*host.Launch) error   { return &stop.Error{Reason: "stuck"} }
func (s stopping) Play(*capture.Capture) error { return s.Launch(nil) }

func TestAPointThatFailsIsRecordedAndTheOthersGoOn(t *testing.T) {
	s := parse(t, gridText)
	p := pool(t, s, t.TempDir())
	p.New = func(c *config.Config, o gpus.Options) (Machine, error) {
		m, err := gpus.New(c, o)
		switch c.Name {
		case "fermi":
			return stopping{m}, err
		case "gtx980":
			return m, err
		}
		return nil, errors.New("which GPU?")
	}
	points := s.Points(0)
	out := run(t, p, points)
	if len(out.Failed) != 4 || out.Done != len(points)-4 || !strings.Contains(out.Failed[0].Why, "stuck") {
		t.Errorf("%+v", out)
	}
	d, c := found(t, p, points)
	if len(c.Failed) != 4 || d.Run("fermi", "bfs", 0) != nil || d.Record("fermi", "bfs", 0) == nil {
		t.Errorf("%+v", c)
	}
	p.New = nil
	if out := run(t, p, points); out.Done != 4 || out.Before != len(points)-4 || len(out.Failed) != 0 {
		t.Errorf("failed points executed again: %+v", out)
	}
}

func TestAPanicEndsItsPointAlone(t *testing.T) {
	s := parse(t, gridText)
	p := pool(t, s, t.TempDir())
	p.New = func(c *config.Config, o gpus.Options) (Machine, error) {
		if c.Name == "fermi" {
			panic("no such thing")
		}
		return gpus.New(c, o)
	}
	out := run(t, p, s.Points(0))
	if len(out.Failed) != 4 || !strings.HasPrefix(out.Failed[0].Why, "internal error: kumiko: no such thing\n") ||
		!strings.Contains(out.Failed[0].Why, "goroutine") || !out.Failed[0].Internal() {
		t.Errorf("%+v", out)
	}
}

func TestAnInterruptedRunKeepsWhatIsDone(t *testing.T) {
	s := parse(t, gridText)
	p := pool(t, s, t.TempDir())
	p.Workers = 2
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p.Report = func(e Event) {
		if e.Done == 5 {
			cancel()
		}
	}
	points := s.Points(0)
	out, err := p.Run(ctx, points)
	if err != nil || out.Left == 0 || out.Done < 5 || len(out.Failed) != 0 || out.Done+out.Left != len(points) {
		t.Fatalf("%+v, %v", out, err)
	}
	p.Report = nil
	rest := run(t, p, points)
	if rest.Before != out.Done || rest.Done != out.Left {
		t.Errorf("first %+v, then %+v", out, rest)
	}
}

func TestProgressEndsAtAllOfTheBudget(t *testing.T) {
	s := parse(t, gridText)
	p := pool(t, s, t.TempDir())
	var last Event
	p.Report = func(e Event) {
		if e.Done != last.Done+1 || e.BudgetDone < last.BudgetDone {
			t.Errorf("after %d (%d) came %d (%d)", last.Done, last.BudgetDone, e.Done, e.BudgetDone)
		}
		last = e
	}
	points := s.Points(0)
	run(t, p, points)
	if last.Done != len(points) || last.Total != len(points) || last.BudgetDone != last.BudgetTotal ||
		last.BudgetTotal != study.Budget(points) || last.Left != 0 {
		t.Errorf("%+v", last)
	}
}

func TestStreamsAreMeasuredOfTheSameExecution(t *testing.T) {
	s := parse(t, gridText)
	p := pool(t, s, t.TempDir())
	points := selected(t, s, s.Points(0), []string{"streams"})
	run(t, p, points)
	d, _ := found(t, p, p.Spec.Points(0))
	r := d.Stream("streams", "bfs")
	var sum struct{ Instructions uint64 }
	if r == nil || json.Unmarshal(r.Streams, &sum) != nil || sum.Instructions == 0 || r.Result != nil {
		t.Errorf("%+v", r)
	}
}

func TestExportsHaveARowForEachRecordAndTheStatisticsAsColumns(t *testing.T) {
	s := parse(t, gridText)
	p := pool(t, s, t.TempDir())
	points, _ := s.Select(s.Points(0), []string{"base", "fermi", "bfs", "hotspot"})
	run(t, p, points)
	records, _, err := s.Collect(p.Store, points, "test")
	if err != nil {
		t.Fatal(err)
	}
	var table, lines bytes.Buffer
	if err := errors.Join(record.WriteCSV(&table, records), record.WriteJSONLines(&lines, records)); err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(table.String()), "\n")
	columns := strings.Split(rows[0], ",")
	if len(rows) != 1+len(points) || !slices.Contains(columns, "issue_slots.issued") ||
		!slices.Contains(columns, "regfile.arbiter.read_conflicts") || columns[1] != "variant" {
		t.Errorf("%d rows, columns %v", len(rows), columns)
	}
	for i, line := range strings.Split(strings.TrimSpace(lines.String()), "\n") {
		var row map[string]any
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		if row["benchmark"] != points[i].Benchmark || row["cycles"] != float64(records[i].Result.Total.Cycles) ||
			row["issue_slots.issued"] == 0.0 {
			t.Errorf("row %d is %v", i, row["benchmark"])
		}
	}
}
