package study

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// childDir names the folder in which the child process runs the study.
const childDir = "KUMIKO_STUDY_CHILD"

// TestStudyChild is not a test: it is what the process does that the next test
// kills.
func TestStudyChild(t *testing.T) {
	dir := os.Getenv(childDir)
	if dir == "" {
		t.Skip("run by TestAProcessThatIsKilledAtAnyMomentLosesOnlyWhatWasInFlight")
	}
	s := parse(t, gridText)
	p := pool(t, s, dir)
	p.Workers = 2
	run(t, p, s.Points(1))
}

// The process is killed, without notice, at moments spread over its run. Each
// time every record under a final name is whole, and in the end all are there and
// the same, but for the seconds, as those of a run that nobody disturbed.
func TestAProcessThatIsKilledAtAnyMomentLosesOnlyWhatWasInFlight(t *testing.T) {
	s := parse(t, gridText)
	points := s.Points(1)
	whole := pool(t, s, t.TempDir())
	start := time.Now()
	run(t, whole, points)
	takes := time.Since(start)
	want := files(t, whole.Store.Dir())
	dir := t.TempDir()
	most := 0
	for _, part := range []float64{0.05, 0.2, 0.35, 0.3, 0.5} {
		child := exec.Command(os.Args[0], "-test.run=^TestStudyChild$")
		child.Env = append(os.Environ(), childDir+"="+dir)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(part * float64(takes)))
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = child.Wait() // it was killed
		have := files(t, dir)
		for name, text := range have {
			if want[name] != text {
				t.Fatalf("%s: %s", name, cmp.Diff(want[name], text))
			}
		}
		if len(have) < most {
			t.Fatalf("%d records, there were %d", len(have), most)
		}
		most = len(have)
	}
	p := pool(t, s, dir)
	out := run(t, p, points)
	if out.Before != most || out.Before+out.Done != len(points) {
		t.Errorf("%d records were there: %+v", most, out)
	}
	if got := files(t, dir); !maps.Equal(want, got) {
		t.Error(cmp.Diff(want, got))
	}
	if damaged, _ := filepath.Glob(filepath.Join(dir, "*"+damagedSuffix)); len(damaged) > 0 {
		t.Errorf("damaged: %v", damaged)
	}
	t.Logf("%d of %d records by killed processes", most, len(points))
}
