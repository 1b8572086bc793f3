package cudart_test

import (
	"bytes"
	"runtime"
	"testing"

	"kumiko/cmd/kumiko/internal/cudart"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
)

// emulated runs the application on an emulated GPU, and returns its output and how it ended.
func emulated(t *testing.T, what string) (string, cudart.Ended) {
	t.Helper()
	path := app(t)
	c := machinetest.Config(t, config.Request{GPU: "gtx980"})
	var stdout, stderr bytes.Buffer
	a := cudart.Application{Args: []string{path, what}, Stdout: &stdout, Stderr: &stderr, Cancel: func() {}}
	end, err := a.Run(t.Context(), cudart.Emulated(c), t.TempDir())
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	return stdout.String(), end
}

func TestTenThousandLaunchesTakeBoundedMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("ten thousand launches")
	}
	app(t)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	out, end := emulated(t, "many")
	if out != "10000\n" || end.Launches != 10000 {
		t.Errorf("found %q after %d launches, want 10000 of each", out, end.Launches)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	// A launch that left only its arguments and blocks behind would leave more than 1 KB each.
	if left := int64(after.HeapAlloc) - int64(before.HeapAlloc); left > 10<<20 {
		t.Errorf("%d bytes are left", left)
	}
}

func TestThreadsOfAnApplicationShareItsGPU(t *testing.T) {
	if out, end := emulated(t, "threads"); out != "50 50 50 50\n" || end.Launches != 200 {
		t.Errorf("found %q after %d launches, want four times 50", out, end.Launches)
	}
}

func TestAProcessForkedBeforeTheFirstCallHasAGPUAndALaterOneNone(t *testing.T) {
	out, end := emulated(t, "children")
	if out != "child 50, parent 50, later child 7, parent 50\n" || end.Launches != 150 {
		t.Errorf("found %q after %d launches", out, end.Launches)
	}
}

func TestAnApplicationMayEndWithoutSynchronisation(t *testing.T) {
	if out, end := emulated(t, "leave"); out != "gone\n" || end.Status != 3 || end.Launches != 1 {
		t.Errorf("found %q, %+v, want one launch and status 3", out, end)
	}
}
