package slurm

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// splitText has a program of one launch and one of twelve.
const splitText = `name = "parts"
size = "test"
set = ["slice.sms=2"]
split = "launches"
parts = 3
[groups]
a = ["vecadd", "bfs"]
[[variant]]
name = "base"
gpu = "gtx980"
[[stream]]
name = "streams"
gpu = "gtx980"
`

// The parts of a point are tasks; only a killed one is submitted again.
func TestThePartsOfAPointAreTasksAndItsRecordIsThatOfALocalRun(t *testing.T) {
	r := newRigOf(t, splitText)
	r.fake(t)
	// Arrays have two tasks: parts 1 to 3 of vecadd and of bfs, and the streams, as tasks 6 and 7.
	r.program(t, "if [ $4 = 4 ]; then kill -9 $$; fi", "")
	out := r.do(t)
	if out.Points != 4 || out.Done != 3 || len(out.Missing) != 1 || out.Missing[0] != "base bfs" {
		t.Errorf("%+v", out)
	}
	if n := len(r.calls(t)); n != 4 {
		t.Errorf("%d jobs, want 4 of two tasks each", n)
	}
	r.program(t, "", "")
	if out := r.do(t); out.Done != 4 {
		t.Errorf("%+v", out)
	}
	calls := r.calls(t)
	if n := len(calls); n != 5 || !strings.Contains(calls[4], "--array=0-0 ") {
		t.Errorf("%q, want one more job, for the part that was killed", calls)
	}
	if got, want := records(t, r.Spec, r.Store), local(t, r.Spec); !maps.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	if left, _ := filepath.Glob(filepath.Join(r.Store.Dir(), "*.part*")); len(left) > 0 {
		t.Errorf("parts have stayed: %v", left)
	}
	if again := r.do(t); again.Done != 4 || len(r.calls(t)) != 5 {
		t.Errorf("again %+v, %d jobs", again, len(r.calls(t)))
	}
}
