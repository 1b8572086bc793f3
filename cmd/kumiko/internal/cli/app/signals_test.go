package app

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// interrupted returns an interruption that reports when it ends the program.
func interrupted(t *testing.T) (i *interruption, ctx context.Context, signals chan os.Signal, ended chan struct{}) {
	t.Helper()
	ended = make(chan struct{})
	signals = make(chan os.Signal)
	i = &interruption{exit: func() { close(ended) }}
	ctx, stop := i.listen(context.Background(), signals)
	t.Cleanup(stop)
	return i, ctx, signals, ended
}

func soon(t *testing.T, c <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(10 * time.Second):
		t.Fatal(what)
	}
}

func TestTheFirstSignalEndsACommandInOrderAndTheSecondAtOnce(t *testing.T) {
	i, ctx, signals, ended := interrupted(t)
	i.heeded.Store(true)
	signals <- os.Interrupt
	soon(t, ctx.Done(), "the context goes on")
	select {
	case <-ended:
		t.Fatal("the first signal ends the program")
	default:
	}
	signals <- os.Interrupt
	soon(t, ended, "the second signal does not end the program")
}

func TestASignalEndsACommandThatDoesNotLookForItAtOnce(t *testing.T) {
	_, _, signals, ended := interrupted(t)
	signals <- os.Interrupt
	soon(t, ended, "the signal does not end the program")
}

func TestNothingTemporaryIsLeftWhenTheProgramEndsAtOnce(t *testing.T) {
	dir := t.TempDir()
	file, folder, kept := filepath.Join(dir, "file"), filepath.Join(dir, "folder"), filepath.Join(dir, "kept")
	if err := os.MkdirAll(filepath.Join(folder, "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{file, kept, filepath.Join(folder, "deep", "file")} {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var r registry
	for _, name := range []string{file, kept, folder} {
		r.Add(name)
	}
	r.Remove(kept)
	r.removeAll()
	if left, _ := os.ReadDir(dir); len(left) != 1 || left[0].Name() != "kept" {
		t.Errorf("left are %v, want what has its name", left)
	}
}
