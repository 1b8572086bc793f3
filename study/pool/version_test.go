package pool

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/capture"
	"kumiko/gpus/config"
	"kumiko/gpus/stop"
	"kumiko/kernel/host"
)

// slower assembles the machine of a changed simulator, with another read latency of
// banks.
func slower(c *config.Config, o gpus.Options) (Machine, error) {
	changed, err := config.Load(config.Request{GPU: c.Name,
		Set: []string{"slice.sms=2", "regfile.conventional.read_latency=9"}})
	if err != nil {
		return nil, err
	}
	return gpus.New(changed, o)
}

// measuredOf returns the IPCs of the recorded plain runs, by variant.
func measuredOf(t *testing.T, p *Pool, benchmark string) map[string]float64 {
	t.Helper()
	d, _ := found(t, p, p.Spec.Points(0))
	out := map[string]float64{}
	for i := range p.Spec.Variants {
		if r := d.Run(p.Spec.Variants[i].Name, benchmark, 0); r != nil {
			out[p.Spec.Variants[i].Name] = r.Total.IPC
		}
	}
	return out
}

func TestWhatAnotherVersionHasMadeIsDoneAgain(t *testing.T) {
	s := parse(t, head+plainVariant)
	p := pool(t, s, t.TempDir())
	points := s.Points(0)
	run(t, p, points)
	before := measuredOf(t, p, "sgemm")["v"]
	p.Version, p.New = "changed", slower
	if out := run(t, p, points); out.Before != 0 || out.Done != len(points) {
		t.Errorf("after the change: %+v, want all %d points done again", out, len(points))
	}
	if after := measuredOf(t, p, "sgemm")["v"]; after >= before || before == 0 {
		t.Errorf("IPC %v, it was %v before the banks were made slower", after, before)
	}
	if out := run(t, p, points); out.Before != len(points) || out.Done != 0 {
		t.Errorf("the same version again: %+v", out)
	}
}

func TestRecordsOfAnotherVersionThatAreKeptAreCounted(t *testing.T) {
	s := parse(t, head+plainVariant)
	p := pool(t, s, t.TempDir())
	points := s.Points(0)
	run(t, p, points[:2])
	p.Version, p.Keep = "changed", true
	if out := run(t, p, points); out.Before != 2 || out.Done != 1 {
		t.Errorf("%+v, want 2 before and 1 now", out)
	}
	_, c, err := s.Collect(p.Store, points, "changed")
	if err != nil || c.Done != 3 || !maps.Equal(c.Other, map[string]int{"test": 2}) {
		t.Errorf("%+v, %v", c, err)
	}
	want := "2 of 3 records are of another version of the simulator than this, changed: 2 of test"
	if c.Others() != want {
		t.Errorf("%q, want %q", c.Others(), want)
	}
	if _, c, _ = s.Collect(p.Store, points[2:], "changed"); c.Others() != "" {
		t.Errorf("of records of this version alone it is said: %s", c.Others())
	}
}

func TestARunWithChecksUsesNoUncheckedRecord(t *testing.T) {
	s := parse(t, head+plainVariant)
	p := pool(t, s, t.TempDir())
	points := s.Points(0)
	run(t, p, points[:1])
	p.Check = true
	if out := run(t, p, points[:1]); out.Before != 0 || out.Done != 1 {
		t.Errorf("with Check: %+v", out)
	}
	if out := run(t, p, points[:1]); out.Before != 1 {
		t.Errorf("with Check, again: %+v", out)
	}
	p.Check = false
	if out := run(t, p, points[:1]); out.Before != 1 {
		t.Errorf("without, a checked one is as good: %+v", out)
	}
}

// A point that was measured keeps its record, also if the study as changed later refuses the point.
func TestARefusalTakesNoMeasuredRecordsPlace(t *testing.T) {
	s := parse(t, short)
	points := s.Points(0)
	p := pool(t, s, t.TempDir())
	s.Waves = 0
	run(t, p, points)
	want := files(t, p.Store.Dir())
	s.Waves = 3
	if out := run(t, p, points); len(out.Refused) != 2 || out.Done != 0 {
		t.Errorf("%+v, want 2 refused", out)
	}
	if got := files(t, p.Store.Dir()); !maps.Equal(want, got) {
		t.Error("the records have changed")
	}
	if _, c, err := s.Collect(p.Store, points, "test"); err != nil || len(c.Failed) != 2 || !c.Failed[0].Refused() {
		t.Errorf("where waves are asked for: %+v, %v", c, err)
	}
	s.Waves = 0
	if _, c, err := s.Collect(p.Store, points, "test"); err != nil || c.Done != 2 {
		t.Errorf("where they are not: %+v, %v", c, err)
	}
}

func TestAnotherVersionsRefusalLeavesTheMeasuredRecordToo(t *testing.T) {
	s := parse(t, short)
	points := s.Points(0)
	p := pool(t, s, t.TempDir())
	s.Waves = 0
	run(t, p, points)
	p.Version, s.Waves = "changed", 3
	run(t, p, points)
	s.Waves = 0
	if _, c, err := s.Collect(p.Store, points, "changed"); err != nil || c.Done != 2 || c.Other["test"] != 2 {
		t.Errorf("%+v, %v", c, err)
	}
}

// An exemption written later takes effect, and nothing is simulated again.
func TestAMeasuredPointThatIsExemptedIsNotSimulatedAgain(t *testing.T) {
	s := parse(t, short)
	p := pool(t, s, t.TempDir())
	s.Waves = 0
	run(t, p, s.Points(0))
	s = parse(t, short+"[[waves_exempt]]\nbenchmark = \"bfs\"\nreason = \"its frontiers are small at first\"\n")
	p.Spec = s
	p.New = func(*config.Config, gpus.Options) (Machine, error) { return nil, errors.New("simulated again") }
	if out := run(t, p, s.Points(0)); out.Done != 1 || len(out.Refused) != 1 || len(out.Failed) != 0 {
		t.Errorf("%+v, want one done and one refused", out)
	}
	if _, c, err := s.Collect(p.Store, s.Points(0), "test"); err != nil || c.Done != 1 || len(c.Failed) != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestAFailureTakesNoMeasuredRecordsPlace(t *testing.T) {
	s := parse(t, head+plainVariant)
	p := pool(t, s, t.TempDir())
	points := s.Points(0)[:1]
	run(t, p, points)
	p.Version = "changed"
	p.New = func(c *config.Config, o gpus.Options) (Machine, error) {
		m, err := gpus.New(c, o)
		return stopping{m}, err
	}
	if out := run(t, p, points); len(out.Failed) != 1 {
		t.Errorf("%+v", out)
	}
	records, c, err := s.Collect(p.Store, points, "changed")
	if err != nil || len(c.Failed) != 1 || !strings.Contains(c.Failed[0].Why, "stuck") || c.Done != 0 ||
		records[0].Result != nil {
		t.Errorf("to the version that fails: %+v, %v", c, err)
	}
	if _, c, err := s.Collect(p.Store, points, "test"); err != nil || c.Done != 1 || len(c.Failed) != 0 {
		t.Errorf("to the version that has measured it: %+v, %v", c, err)
	}
	p.New = nil
	if out := run(t, p, points); out.Done != 1 {
		t.Errorf("a point that failed is executed again: %+v", out)
	}
}

// interrupting is a machine with interrupted launches.
type interrupting struct{ Machine }

func (interrupting) Launch(*host.Launch) error   { return stop.ErrInterrupted }
func (interrupting) Play(*capture.Capture) error { return stop.ErrInterrupted }

func TestAnInterruptionTakesNoMeasuredRecordsPlace(t *testing.T) {
	s := parse(t, head+plainVariant)
	p := pool(t, s, t.TempDir())
	points := s.Points(0)[:1]
	run(t, p, points)
	want := files(t, p.Store.Dir())
	p.Version = "changed"
	p.New = func(c *config.Config, o gpus.Options) (Machine, error) {
		m, err := gpus.New(c, o)
		return interrupting{m}, err
	}
	if out := run(t, p, points); out.Left != 1 {
		t.Errorf("%+v", out)
	}
	if got := files(t, p.Store.Dir()); !maps.Equal(want, got) {
		t.Error("the record has changed")
	}
}
