package pool

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// childDir names the folder for the study's records in the child process, childStudy the study's text.
const (
	childDir   = "KUMIKO_STUDY_CHILD"
	childStudy = "KUMIKO_STUDY_TEXT"
)

// TestStudyChild is not a test: it is the process killed by the next tests.
func TestStudyChild(t *testing.T) {
	dir := os.Getenv(childDir)
	if dir == "" {
		t.Skip("run by TestAProcessThatIsKilledAtAnyMomentLosesOnlyWhatWasInFlight")
	}
	s := parse(t, os.Getenv(childStudy))
	p := pool(t, s, dir)
	p.Workers = 2
	run(t, p, s.Points(1))
}

// killed starts a process executing a study into a folder, and kills it after a time.
func killed(t *testing.T, text, dir string, after time.Duration) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestStudyChild$")
	child.Env = append(os.Environ(), childDir+"="+dir, childStudy+"="+text)
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(after)
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed
}

// The same, with split points: finished parts are kept, and in the end their points are as without
// the kill.
func TestAProcessKilledAmidPartsLosesOnlyPointsInFlight(t *testing.T) {
	if testing.Short() {
		t.Skip("make check runs this test")
	}
	s := parse(t, splitText)
	points := s.Points(1)
	whole := pool(t, s, t.TempDir())
	start := time.Now()
	run(t, whole, points)
	takes := time.Since(start)
	dir, kept := t.TempDir(), 0
	for _, part := range []float64{0.3, 0.5, 0.4} {
		killed(t, splitText, dir, time.Duration(part*float64(takes)))
		kept = max(kept, len(files(t, dir)))
	}
	p := pool(t, s, dir)
	if out := run(t, p, points); out.Before+out.Done != len(points) {
		t.Errorf("%+v", out)
	}
	if want, got := files(t, whole.Store.Dir()), files(t, dir); !maps.Equal(want, got) {
		t.Error(cmp.Diff(want, got))
	}
	t.Logf("%d records and parts by killed processes", kept)
}

// The process is killed, without notice, at moments spread over its run. Each
// time every record under a final name is whole. In the end all records are there and
// equal, except for the seconds, to the records of an undisturbed run.
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
		killed(t, gridText, dir, time.Duration(part*float64(takes)))
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
	if damaged, _ := filepath.Glob(filepath.Join(dir, "*"+".damaged")); len(damaged) > 0 {
		t.Errorf("damaged: %v", damaged)
	}
	t.Logf("%d of %d records by killed processes", most, len(points))
}
