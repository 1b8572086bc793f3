package cli_test

import (
	"os/exec"
	"syscall"
	"testing"
)

// peak runs the program and returns its peak memory in MB.
func peak(t *testing.T, c *exec.Cmd) float64 {
	t.Helper()
	c.Env = append(c.Environ(), "GOGC=100") // as of users, however the tests are run
	done(t, c)
	return float64(c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) / 1024
}

// The program itself has two arrays of four bytes per thread, and a copy of one is compared with the output.
func TestMemoryDoesNotGrowWithALaunchBeyondItsArrays(t *testing.T) {
	if testing.Short() {
		t.Skip("make check runs this test")
	}
	dir := t.TempDir()
	few := peak(t, kumiko(t, dir, "run", "synthetic:iters=1,ctas=2000", "--size", "test"))
	many := peak(t, kumiko(t, dir, "run", "synthetic:iters=1,ctas=8000", "--size", "test"))
	const arrays = 3 * 4 * 6000 * 256 / 1e6
	if more := many - few; more > 2*arrays+40 {
		t.Errorf("%.0f MB for 2000 CTAs, %.0f MB for 8000: %.0f MB more, want about %.0f", few, many, more, arrays)
	}
}

func TestMemoryDoesNotGrowWithATrace(t *testing.T) {
	if testing.Short() {
		t.Skip("make check runs this test")
	}
	dir := t.TempDir()
	trace := func(ctas, folder string) float64 {
		done(t, kumiko(t, dir, "run", "synthetic:iters=4,ctas="+ctas, "--size", "test", "--record", folder, "--tracez"))
		return peak(t, kumiko(t, dir, "run", folder))
	}
	few, many := trace("500", "few"), trace("2000", "many")
	if many-few > 25 {
		t.Errorf("%.0f MB for the trace of 500 CTAs, %.0f MB for that of 2000, want about as many", few, many)
	}
	t.Logf("%.0f and %.0f MB", few, many)
}
