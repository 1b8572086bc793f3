package pool

import (
	"maps"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/capture"
	"kumiko/gpus/config"
	"kumiko/gpus/result"
	"kumiko/gpus/stop"
	"kumiko/kernel/host"
	"kumiko/study/record"
)

// checkedOf returns the points with checked records, by variant.
func checkedOf(t *testing.T, p *Pool, points []record.Point) map[string]string {
	t.Helper()
	records, _, err := p.Spec.Collect(p.Store, points, p.Version)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, r := range records {
		if r.Result != nil && r.Result.Checked != r.Checked {
			t.Errorf("%s: the result says checked %v, the record %v", &r.Point, r.Result.Checked, r.Checked)
		}
		if r.Checked {
			out[r.Point.Variant] += r.Point.Benchmark + " "
		}
	}
	return out
}

// firstPool is a pool of gridText with checks of the first points.
func firstPool(t *testing.T) (*Pool, []record.Point) {
	t.Helper()
	s := parse(t, gridText)
	p := pool(t, s, t.TempDir())
	p.CheckFirst = true
	return p, s.Points(0)
}

// cheapest returns the benchmark of gridText with the fewest warp instructions.
func cheapest(points []record.Point) string {
	least := points[0]
	for _, p := range points {
		if p.Budget() < least.Budget() {
			least = p
		}
	}
	return least.Benchmark + " "
}

func TestTheCheapestPointOfEachVariantIsChecked(t *testing.T) {
	p, points := firstPool(t)
	run(t, p, points)
	b := cheapest(points)
	want := map[string]string{"base": b, "banks-4": b, "banks-8": b, "fermi": b}
	if got := checkedOf(t, p, points); !maps.Equal(got, want) {
		t.Errorf("checked are %v, want %v", got, want)
	}
}

func TestAVariantWithUncheckedRecordsOfAllPointsIsNotDoneAgain(t *testing.T) {
	p, points := firstPool(t)
	p.CheckFirst = false
	run(t, p, points)
	p.CheckFirst = true
	if out := run(t, p, points); out.Before != len(points) || out.Done != 0 {
		t.Errorf("%+v, want nothing done again", out)
	}
}

func TestAVariantWithACheckedResultHasNoOtherPointChecked(t *testing.T) {
	p, points := firstPool(t)
	some, err := p.Spec.Select(points, []string{"transpose"})
	if err != nil {
		t.Fatal(err)
	}
	run(t, p, some)
	run(t, p, points)
	for v, of := range checkedOf(t, p, points) {
		if of != "transpose " {
			t.Errorf("%s: checked are %s, want transpose alone", v, of)
		}
	}
}

// early is a machine reading values too early. The operand check notices this.
type early struct{ Machine }

func (early) Launch(*host.Launch) error {
	return &stop.Error{Check: true, Reason: "a stale operand"}
}
func (e early) Play(*capture.Capture) error { return e.Launch(nil) }

func TestAMachineThatReadsTooEarlyFailsAPointOfItsVariantInEveryRun(t *testing.T) {
	p, points := firstPool(t)
	p.New = func(c *config.Config, o gpus.Options) (Machine, error) {
		m, err := gpus.New(c, o)
		if c.Name == "fermi" && o.Check {
			return early{m}, err
		}
		return m, err
	}
	for range 2 {
		out := run(t, p, points)
		if len(out.Failed) != 1 || !strings.HasPrefix(out.Failed[0].Point, "fermi ") ||
			!strings.Contains(out.Failed[0].Why, "a stale operand") {
			t.Errorf("%+v, want one point of fermi failed", out)
		}
	}
}

// someRecord is the record of a measured point.
func someRecord() *record.Record {
	return &record.Record{Format: record.Format, Key: "k", Result: &result.Result{},
		Point: record.Point{Variant: "v", Benchmark: "b+tree", Size: "test"}}
}

func TestAPointWhoseCheckHasFailedIsCheckedAgainThoughItsVariantHasACheckedResult(t *testing.T) {
	for name, fail := range map[string]func(r *record.Record){
		"failed": func(r *record.Record) { r.Result, r.Failed, r.Checked = nil, "a stale operand", true },
		"failed where it stood": func(r *record.Record) {
			r.Attempt = &record.Attempt{Version: "test", Failed: "a stale operand", Checked: true}
		},
	} {
		f := NewFirsts("test")
		checked, bad := someRecord(), someRecord()
		checked.Checked, checked.Version = true, "test"
		bad.Key = "bad"
		fail(bad)
		f.Saw(checked)
		f.Saw(bad)
		keys := []string{"other", "bad"}
		got := f.Choose(2, func(i int) (string, []record.Point) { return keys[i], []record.Point{bad.Point} })
		if got[0] || !got[1] {
			t.Errorf("%s: chosen %v, want the point that has failed", name, got)
		}
	}
}

func TestARecordOfAnotherVersionSparesNoCheck(t *testing.T) {
	f := NewFirsts("test")
	r := someRecord()
	r.Checked, r.Version = true, "another"
	f.Saw(r)
	if got := f.Choose(1, func(int) (string, []record.Point) { return "k", []record.Point{r.Point} }); !got[0] {
		t.Error("the point is not checked")
	}
}
