package views

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kumiko/gpus"
	"kumiko/gpus/stop"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// cutShort is a source without thread blocks and without an error, like a source ended by an interrupt.
type cutShort struct{}

func (cutShort) Next() *stream.CTA { return nil }
func (cutShort) Err() error        { return nil }
func (cutShort) Close()            {}

// record records launches of the named kernels, and returns the printed notes. Unless the run is whole, the last
// launch is interrupted.
func record(t *testing.T, dir string, whole bool, kernels ...string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	opt := gpus.Options{Context: ctx}
	f := Record{Dir: dir}
	if err := f.Start("program", &opt); err != nil {
		t.Fatal(err)
	}
	defer f.Drop()
	for i, k := range kernels {
		src, err := opt.Record(&ir.Kernel{Name: k}, [3]int{1, 1, 1}, [3]int{32, 1, 1}, 0, cutShort{})
		if err != nil {
			t.Fatal(err)
		}
		interrupted := !whole && i == len(kernels)-1
		if interrupted {
			cancel()
		}
		src.Next()
		if err := src.Err(); errors.Is(err, stop.ErrInterrupted) != interrupted {
			t.Errorf("interrupted %v: the source ends with %v", interrupted, err)
		}
		src.Close()
	}
	var notes bytes.Buffer
	if err := f.Finish(whole, &notes); err != nil {
		t.Fatal(err)
	}
	return notes.String()
}

// files lists the files below a folder, with the name of the kernel of each trace.
func files(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		_, kernel, _ := strings.Cut(string(data), "-kernel name = ")
		kernel, _, _ = strings.Cut(kernel, "\n")
		out = append(out, strings.TrimSpace(rel+" "+kernel))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

func wantFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	if got := files(t, dir); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

func TestALaunchThatIsInterruptedIsNotRecorded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rec")
	if said := record(t, dir, false, "k"); said != "" {
		t.Errorf("of nothing it is said: %s", said)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder has been made for nothing: %q", files(t, dir))
	}
	record(t, dir, true, "k")
	wantFiles(t, dir, "kernel-1.traceg k", "kernelslist.g")
}

func TestARecordingThatIsThereIsReplacedByAWholeOneOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	record(t, dir, true, "a", "b")
	old := []string{"kernel-1.traceg a", "kernel-2.traceg b", "kernelslist.g"}
	wantFiles(t, dir, old...)
	list, err := os.ReadFile(filepath.Join(dir, "kernelslist.g"))
	if err != nil {
		t.Fatal(err)
	}
	record(t, dir, false, "c")
	wantFiles(t, dir, old...)
	said := record(t, dir, false, "c", "d", "e")
	wantFiles(t, dir, "incomplete/kernel-1.traceg c", "incomplete/kernel-2.traceg d", "incomplete/kernelslist.g",
		old[0], old[1], old[2])
	if now, err := os.ReadFile(filepath.Join(dir, "kernelslist.g")); err != nil || !bytes.Equal(now, list) {
		t.Errorf("the list was %q and is %q, %v", list, now, err)
	}
	if want := "note: the run was cut short; the 2 launches that were recorded whole are in " + filepath.Join(dir,
		"incomplete") + "\n"; said != want {
		t.Errorf("%q, want %q", said, want)
	}
	record(t, dir, true, "f")
	if got := files(t, dir); !slices.Contains(got, "kernel-1.traceg f") {
		t.Errorf("found %q", got)
	}
	if now, _ := os.ReadFile(filepath.Join(dir, "kernelslist.g")); string(now) != "kernel-1.traceg\n" {
		t.Errorf("the list is %q", now)
	}
}

// begun creates the hidden folder of a recording, with a trace last written age ago.
func begun(t *testing.T, dir, name string, age time.Duration) string {
	t.Helper()
	sub := filepath.Join(dir, recording+name)
	file := filepath.Join(sub, ".kernel-1.traceg.1")
	if err := errors.Join(os.Mkdir(sub, 0o755), os.WriteFile(file, []byte("x"), 0o644)); err != nil {
		t.Fatal(err)
	}
	setAge(t, sub, age)
	return sub
}

// setAge sets the times of a folder and of its contents.
func setAge(t *testing.T, dir string, age time.Duration) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, ".*"))
	then := time.Now().Add(-age)
	for _, name := range append(names, dir) {
		err = errors.Join(err, os.Chtimes(name, then, then))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// hold locks the folder of a recording as its process does.
func hold(t *testing.T, dir string) *os.File {
	t.Helper()
	f, err := holdFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if f == nil {
		t.Skip("the file system has no locks")
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func TestARecordingWithoutALockIsRemovedWhenItIsOld(t *testing.T) {
	dir := t.TempDir()
	begun(t, dir, "old", 2*leftAfter)
	begun(t, dir, "new", 0)
	record(t, dir, true, "k")
	wantFiles(t, dir, recording+"new/.kernel-1.traceg.1", "kernel-1.traceg k", "kernelslist.g")
}

func TestARecordingWhoseProcessIsDeadIsRemovedAtOnce(t *testing.T) {
	dir := t.TempDir()
	if err := hold(t, begun(t, dir, "dead", 0)).Close(); err != nil {
		t.Fatal(err)
	}
	record(t, dir, true, "k")
	wantFiles(t, dir, "kernel-1.traceg k", "kernelslist.g")
}

func TestARecordingWhoseProcessLivesIsKeptHoweverOld(t *testing.T) {
	dir := t.TempDir()
	sub := begun(t, dir, "living", 0)
	hold(t, sub)
	setAge(t, sub, 2*leftAfter)
	record(t, dir, true, "k")
	if _, err := os.Stat(filepath.Join(sub, ".kernel-1.traceg.1")); err != nil {
		t.Errorf("the trace of a living recording is gone: %v", err)
	}
}

func TestARecordingOfAnotherHostIsRemovedWhenItIsOld(t *testing.T) {
	dir := t.TempDir()
	for name, age := range map[string]time.Duration{"old": 2 * leftAfter, "new": 0} {
		sub := begun(t, dir, name, 0)
		f := hold(t, sub)
		if _, err := f.WriteAt([]byte("elsewhere."), 0); err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
		setAge(t, sub, age)
	}
	record(t, dir, true, "k")
	wantFiles(t, dir, recording+"new/.kernel-1.traceg.1", recording+"new/.lock", "kernel-1.traceg k", "kernelslist.g")
}

func TestAnInterruptedRecordingKeepsNoLock(t *testing.T) {
	dir := t.TempDir()
	record(t, dir, false, "a", "b")
	wantFiles(t, dir, "incomplete/kernel-1.traceg a", "incomplete/kernelslist.g")
}
