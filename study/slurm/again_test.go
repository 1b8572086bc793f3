package slurm

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestATaskOfAStudyThatHasChangedIsRefused(t *testing.T) {
	r := newRig(t)
	tasks, err := tasksOf(r.points, r.Spec.Keys())
	if err != nil {
		t.Fatal(err)
	}
	b := &Batch{Study: r.Study, Version: "test", Records: filepath.Join(r.dir, "records"), Tasks: tasks}
	if err := b.save(r.dir); err != nil {
		t.Fatal(err)
	}
	n := Node{Version: "test"}
	if err := n.Run(t.Context(), b.file, 99); err == nil || !strings.Contains(err.Error(), "task 99: expected 0 to 5") {
		t.Errorf("error %v", err)
	}
	other := Node{Version: "changed"}
	if err := other.Run(t.Context(), b.file, 0); err == nil ||
		!strings.Contains(err.Error(),
			"the simulator has changed since the task was submitted: it was test and is changed") {
		t.Errorf("error %v", err)
	}
	write(t, r.Study, strings.Replace(gridText, "slice.sms=2", "slice.sms=3", 1))
	if err := n.Run(t.Context(), b.file, 0); err == nil ||
		!strings.Contains(err.Error(), "has changed since the task was submitted") {
		t.Errorf("error %v", err)
	}
	write(t, r.Study, strings.Replace(gridText, `name = "base"`, `name = "basis"`, 1))
	if err := n.Run(t.Context(), b.file, 0); err == nil || !strings.Contains(err.Error(), "it has no base") {
		t.Errorf("error %v", err)
	}
}

func TestWhatAnotherVersionHasMadeIsSubmittedAgainUnlessItIsKept(t *testing.T) {
	r := newRig(t)
	r.fake(t)
	if out := r.do(t); out.Done != 8 {
		t.Fatalf("%+v", out)
	}
	r.Version = "changed"
	r.program(t, "", "")
	r.Keep = true
	if out := r.do(t); out.Done != 8 || out.Other["test"] != 8 || len(r.calls(t)) != 3 {
		t.Errorf("kept: %+v, %d jobs", out, len(r.calls(t)))
	}
	r.Keep = false
	if out := r.do(t); out.Done != 8 || len(out.Other) != 0 || len(r.calls(t)) != 6 {
		t.Errorf("not kept: %+v, %d jobs", out, len(r.calls(t)))
	}
}

// Tasks of another version wait in the queue: their records, if they come, are
// not used.
func TestTasksOfAnotherVersionInTheQueueAreNotWaitedFor(t *testing.T) {
	r := newRig(t)
	r.fake(t)
	write(t, filepath.Join(r.dir, "hold"), "")
	write(t, filepath.Join(r.dir, "queue"), "PENDING\n")
	ctx, cancel := context.WithCancel(t.Context())
	r.Report = func(done, total int) { cancel() }
	if _, err := r.Do(ctx, r.points); err != nil {
		t.Fatal(err)
	}
	old, err := batches(r.Dir)
	if err != nil || len(old) != 1 {
		t.Fatal(old, err)
	}
	n := Node{Version: "test"} // one of them was running
	if err := n.Run(t.Context(), old[0].file, 0); err != nil {
		t.Fatal(err)
	}
	r.Report = nil
	r.Version = "changed"
	r.program(t, "", "")
	if err := os.Remove(filepath.Join(r.dir, "hold")); err != nil {
		t.Fatal(err)
	}
	var notes []string
	r.Note = func(text string) { notes = append(notes, text) }
	out := r.do(t)
	if out.Done != 8 || len(out.Other) != 0 || len(r.calls(t)) != 6 {
		t.Errorf("%+v, %d jobs", out, len(r.calls(t)))
	}
	if len(notes) == 0 || !strings.Contains(notes[0], "of another version of the simulator") {
		t.Errorf("notes %q", notes)
	}
}

// The record of a task has fewer waves than now required. It is refused, and kept.
func TestACollectedRecordWithTooFewWavesIsKeptAndRefused(t *testing.T) {
	r := newRig(t)
	r.fake(t)
	if out := r.do(t); out.Done != 8 {
		t.Fatalf("%+v", out)
	}
	want := records(t, r.Spec, r.Store)
	r.Spec.Waves = 1000
	out := r.do(t)
	if _, refused := out.Split(); len(refused) != 6 || out.Done != 2 {
		t.Errorf("%+v, want the 6 timed points refused", out)
	}
	r.Spec.Waves = 0
	if got := records(t, r.Spec, r.Store); !maps.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}
