package programs

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kumiko/cmd/kumiko/internal/cuda"
	"kumiko/gpus/stop"
)

func TestAnInterruptedCompilationLeavesNothing(t *testing.T) {
	dir, tmp := t.TempDir(), t.TempDir()
	file, started := filepath.Join(dir, "k.cu"), filepath.Join(dir, "started")
	clang := "#!/bin/sh\nif [ \"$1\" = -dumpversion ]; then echo 19.1.7; exit; fi\n: >" + started + "\nexec sleep 600\n"
	for name, text := range map[string]string{"k.cu": "", "clang": clang} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("CLANG", filepath.Join(dir, "clang"))
	t.Setenv("TMPDIR", tmp)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error)
	go func() {
		_, err := CompileCUDA(ctx, file, &cuda.Options{}, io.Discard)
		done <- err
	}()
	for {
		if _, err := os.Stat(started); err == nil {
			break
		}
		select {
		case err := <-done:
			t.Fatalf("error %v before the interruption", err)
		case <-time.After(time.Millisecond):
		}
	}
	cancel()
	if err := <-done; !errors.Is(err, stop.ErrInterrupted) {
		t.Errorf("error %v, want %v", err, stop.ErrInterrupted)
	}
	left, err := os.ReadDir(tmp)
	if err != nil || len(left) > 0 {
		t.Errorf("%d files are left, error %v", len(left), err)
	}
}
