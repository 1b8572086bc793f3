package pool

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/study"
	"kumiko/study/record"
)

// splitText has programs of 1, 2, 12 and 34 launches; the host of bfs reads a result between launches.
const splitText = `name = "parts"
size = "test"
set = ["slice.sms=2"]
split = "launches"
parts = 3
[groups]
a = ["vecadd", "hotspot", "bfs", "gaussian"]
[[variant]]
name = "base"
gpu = "gtx980"
[[variant]]
name = "same"
gpu = "gtx980"
`

// selected returns the points that patterns select.
func selected(t *testing.T, s *study.Spec, points []record.Point, patterns []string) []record.Point {
	t.Helper()
	chosen, err := s.Select(points, patterns)
	if err != nil {
		t.Fatal(err)
	}
	return chosen
}

// recordsOf returns the records of points. The store must have them.
func recordsOf(t *testing.T, p *Pool, points []record.Point) []*record.Record {
	t.Helper()
	var out []*record.Record
	for i := range points {
		r, err := p.keys.Stored(p.Store, &points[i])
		if err != nil || r == nil || !r.Measured() {
			t.Fatalf("%s: no result: %+v %v", &points[i], r, err)
		}
		out = append(out, r)
	}
	return out
}

func TestASplitPointHasTheLaunchesOfTheWholeOne(t *testing.T) {
	s := parse(t, splitText)
	points := s.Points(1)
	p := pool(t, s, t.TempDir())
	if out := run(t, p, points); out.Done != len(points) || out.Points != len(points) {
		t.Fatalf("%+v", out)
	}
	whole := parse(t, strings.Replace(splitText, "split = \"launches\"\nparts = 3\n", "", 1))
	q := pool(t, whole, t.TempDir())
	run(t, q, whole.Points(1))
	all := recordsOf(t, q, whole.Points(1))
	for i, r := range recordsOf(t, p, points) {
		a, b := all[i].Result, r.Result
		if r.Key == all[i].Key {
			t.Errorf("%s: one key for the split and the whole run", &r.Point)
		}
		if a.Total.ThreadInstructions != b.Total.ThreadInstructions || len(a.Kernels) != len(b.Kernels) ||
			a.ProgramHash != b.ProgramHash {
			t.Errorf("%s: %d instructions in %d entries, want %d in %d", &r.Point, b.Total.ThreadInstructions,
				len(b.Kernels), a.Total.ThreadInstructions, len(a.Kernels))
		}
		if off := float64(b.Total.Cycles) / float64(a.Total.Cycles); off < 0.8 || off > 1.2 {
			t.Errorf("%s: %d cycles, want about %d", &r.Point, b.Total.Cycles, a.Total.Cycles)
		}
		at := 0
		for _, x := range r.Split.Parts {
			if x.From != at || x.To <= at {
				t.Errorf("%s: parts %v", &r.Point, r.Split.Parts)
			}
			at = x.To
		}
		if at != r.Split.Launches {
			t.Errorf("%s: the parts %v end before launch %d", &r.Point, r.Split.Parts, r.Split.Launches)
		}
		if d := cmp.Diff(all[i].Waves, r.Waves); d != "" {
			t.Errorf("%s: waves: %s", &r.Point, d)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(p.Store.Dir(), "*.part*")); len(left) > 0 {
		t.Errorf("parts have stayed: %v", left)
	}
}

// The first part starts from the same state as the whole run. So for a program of one launch, the only part is the
// whole run.
func TestTheFirstPartIsThatOfTheWholeRun(t *testing.T) {
	s := parse(t, splitText)
	whole := parse(t, strings.Replace(splitText, "split = \"launches\"\nparts = 3\n", "", 1))
	p, q := pool(t, s, t.TempDir()), pool(t, whole, t.TempDir())
	choose := func(s *study.Spec) []record.Point {
		points := selected(t, s, s.Points(0), []string{"base", "vecadd", "hotspot"})
		return points
	}
	run(t, p, choose(s))
	run(t, q, choose(whole))
	all := recordsOf(t, q, choose(whole))
	for i, r := range recordsOf(t, p, choose(s)) {
		n := r.Split.Parts[0].To
		if d := cmp.Diff(all[i].Result.Kernels[:n], r.Result.Kernels[:n]); d != "" {
			t.Errorf("%s (-whole +split):\n%s", &r.Point, d)
		}
		if n == r.Split.Launches {
			if d := cmp.Diff(all[i].Result, r.Result); d != "" {
				t.Errorf("%s (-whole +split):\n%s", &r.Point, d)
			}
		}
	}
}

// failing is a machine failing in parts with a given first launch.
func failing(from int) func(*config.Config, gpus.Options) (Machine, error) {
	return func(c *config.Config, opt gpus.Options) (Machine, error) {
		if opt.Part.From == from {
			return nil, errors.New("broken")
		}
		return assemble(c, opt)
	}
}

func TestAPartThatFailsFailsItsPointAndOnlyItIsExecutedAgain(t *testing.T) {
	s := parse(t, splitText)
	points := selected(t, s, s.Points(0), []string{"base", "bfs"})
	p := pool(t, s, t.TempDir())
	clean := pool(t, s, t.TempDir())
	run(t, clean, points)
	second := recordsOf(t, clean, points)[0].Split.Parts[1]
	p.New = failing(second.From)
	out := run(t, p, points)
	if len(out.Failed) != 1 || out.Done != 0 || out.Failed[0].Why != "part 2 of 3: broken" {
		t.Fatalf("%+v", out)
	}
	if _, c := found(t, p, points); len(c.Failed) != 1 {
		t.Errorf("%+v", c)
	}
	p.New = nil
	var again []string
	p.Report = func(e Event) { again = append(again, e.Record.Point.String()) }
	if out := run(t, p, points); out.Done != 1 {
		t.Errorf("%+v", out)
	}
	if want := []string{"base bfs part 2", "base bfs"}; !slices.Equal(again, want) {
		t.Errorf("executed %v, want %v", again, want)
	}
	if d := cmp.Diff(files(t, clean.Store.Dir()), files(t, p.Store.Dir())); d != "" {
		t.Error(d)
	}
}

func TestASplitPointOfTooFewWavesIsRefusedOnce(t *testing.T) {
	s := parse(t, splitText+"[[waves_exempt]]\nbenchmark = \"bfs\"\nreason = \"small\"\n")
	s.Waves = 100
	p := pool(t, s, t.TempDir())
	points := s.Points(0)
	out := run(t, p, points)
	if out.Done != 2 || len(out.Refused) != 6 || len(out.Failed) != 0 || out.Left != 0 {
		t.Fatalf("%+v", out)
	}
	if why := out.Refused[0].Why; !strings.HasPrefix(why, record.Refusal) ||
		!strings.Contains(why, "full waves in launch") {
		t.Errorf("%q", why)
	}
	s.Waves = 0
	if out := run(t, p, points); out.Before != 2 || out.Done != 6 {
		t.Errorf("without: %+v", out)
	}
	// Records with too few waves for a later requirement are judged again, and not simulated.
	s.Waves = 100
	p.New = func(*config.Config, gpus.Options) (Machine, error) { return nil, errors.New("simulated again") }
	if out := run(t, p, points); out.Before != 2 || len(out.Refused) != 6 {
		t.Errorf("with them again: %+v", out)
	}
}

func TestARunOfPartsThatIsInterruptedGoesOn(t *testing.T) {
	s := parse(t, splitText)
	points := s.Points(0)
	clean := pool(t, s, t.TempDir())
	run(t, clean, points)
	p := pool(t, s, t.TempDir())
	p.Workers = 1
	ctx, cancel := context.WithCancel(t.Context())
	events := 0
	p.Report = func(Event) {
		if events++; events == 4 {
			cancel()
		}
	}
	out, err := p.Run(ctx, points)
	if err != nil || out.Left == 0 || out.Done+out.Left != len(points) {
		t.Fatalf("%+v %v", out, err)
	}
	p.Report = nil
	if out := run(t, p, points); out.Before+out.Done != len(points) {
		t.Errorf("%+v", out)
	}
	if want, got := files(t, clean.Store.Dir()), files(t, p.Store.Dir()); !maps.Equal(want, got) {
		t.Error(cmp.Diff(want, got))
	}
}

// Parts left by another version are not joined with parts of this one.
func TestPartsOfTwoVersionsAreNotJoined(t *testing.T) {
	s := parse(t, splitText)
	points := selected(t, s, s.Points(0), []string{"base", "bfs"})
	p := pool(t, s, t.TempDir())
	p.Version, p.Keep = "old", true
	p.keys = s.Keys()
	run(t, p, []record.Point{points[0].AsPart(1), points[0].AsPart(2)})
	p.Version = "new"
	var again []string
	p.Report = func(e Event) { again = append(again, e.Record.Point.String()+" "+e.Record.Version) }
	run(t, p, points)
	slices.Sort(again)
	want := []string{"base bfs new", "base bfs part 1 new", "base bfs part 2 new", "base bfs part 3 new"}
	if !slices.Equal(again, want) {
		t.Errorf("executed %v, want %v", again, want)
	}
}

func TestSplitRunsHaveRecordsOfTheirOwn(t *testing.T) {
	haveOwnRecords(t, "", "split = \"launches\"\n", "split = \"launches\"\nparts = 4\n")
}

func TestLaunchesAreCutIntoPartsOfWhichNoneCouldBeSmaller(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		work := rapid.SliceOfN(rapid.Uint64Range(0, 50), 1, 9).Draw(t, "work")
		n := rapid.IntRange(1, 6).Draw(t, "parts")
		got := ranges(work, n)
		at, largest := 0, uint64(0)
		for _, r := range got {
			if r.From != at || r.To <= at {
				t.Fatalf("%v", got)
			}
			largest, at = max(largest, sum(work[r.From:r.To])), r.To
		}
		if at != len(work) || len(got) > n {
			t.Fatalf("%v of %d launches in at most %d parts", got, len(work), n)
		}
		if best := smallest(work, n); largest != best {
			t.Fatalf("the largest of %v has %d, it could have %d", got, largest, best)
		}
	})
}

func sum(work []uint64) (n uint64) {
	for _, w := range work {
		n += w
	}
	return n
}

// smallest returns the least work of the largest of at most n parts, by trying all cuts.
func smallest(work []uint64, n int) uint64 {
	if n == 1 || len(work) < 2 {
		return sum(work)
	}
	best := sum(work)
	for i := 1; i < len(work); i++ {
		best = min(best, max(sum(work[:i]), smallest(work[i:], n-1)))
	}
	return best
}

// A process is killed when it has written the record of a point, and has removed the first of its three parts.
func TestPartsOfAPointThatHasAResultAreRemovedByTheNextRun(t *testing.T) {
	s := parse(t, splitText)
	points := s.Points(1)
	p := pool(t, s, t.TempDir())
	run(t, p, points)
	want := files(t, p.Store.Dir())
	left := points[0]
	for k := 2; k <= left.Parts; k++ {
		part := left.AsPart(k)
		key, err := p.keys.Key(&part)
		if err != nil {
			t.Fatal(err)
		}
		r := *recordsOf(t, p, points[:1])[0]
		r.Point, r.Key = part, key
		if err := p.Store.Put(&r); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(files(t, p.Store.Dir())); n != len(want)+2 {
		t.Fatalf("%d records, want those of two parts beside %d", n, len(want))
	}
	again := pool(t, s, p.Store.Dir())
	run(t, again, points)
	if got := files(t, p.Store.Dir()); !maps.Equal(want, got) {
		t.Error(cmp.Diff(want, got))
	}
}
