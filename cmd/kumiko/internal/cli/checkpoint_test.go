package cli_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// kumiko returns the command of the program with arguments, in a folder.
func kumiko(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &exec.Cmd{Path: self, Args: append([]string{"kumiko"}, args...), Dir: dir}
}

// document returns a result without the keys that differ from run to run.
func document(t *testing.T, file string) map[string]any {
	t.Helper()
	var out map[string]any
	decode(t, file, &out)
	delete(out, "wall_seconds")
	delete(out, "warp_instructions_per_second")
	return out
}

// done runs the program to its end.
func done(t *testing.T, c *exec.Cmd) {
	t.Helper()
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", c.Args, err, out)
	}
}

// The program is killed without warning, after random times, while it simulates or writes, and is then resumed.
func TestARunThatIsKilledGoesOnToTheSameResult(t *testing.T) {
	killedGoesOn(t, "20ms", "run", "hotspot", "--size", "small", "--check", "--json")
}

func TestASampledRunThatIsKilledGoesOnToTheSameResult(t *testing.T) {
	if testing.Short() {
		t.Skip("make check runs this test")
	}
	killedGoesOn(t, "200ms", "run", "vecadd", "--size", "paper", "--sample", "--check", "--json")
}

// killedGoesOn kills a run with frequent checkpoints six times, and resumes it each time.
func killedGoesOn(t *testing.T, every string, run ...string) {
	t.Helper()
	dir := t.TempDir()
	done(t, kumiko(t, dir, append(run, "whole.json")...))
	next := kumiko(t, dir, append(run, "killed.json", "--checkpoint", "ck", "--checkpoint-every", every)...)
	kills := 0
	for over := false; !over; {
		if err := next.Start(); err != nil {
			t.Fatal(err)
		}
		if kills < 6 {
			time.Sleep(time.Duration(150+rand.IntN(350)) * time.Millisecond)
			if err := next.Process.Kill(); err != nil {
				t.Log(err)
			}
		}
		err := next.Wait()
		if over = err == nil; !over {
			if next.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
				t.Fatal(err)
			}
			kills++
			next = kumiko(t, dir, "run", "--resume", "ck")
		}
	}
	if kills == 0 {
		t.Skip("the run was over before it was killed")
	}
	whole, got := document(t, filepath.Join(dir, "whole.json")), document(t, filepath.Join(dir, "killed.json"))
	if d := cmp.Diff(whole, got); d != "" {
		t.Errorf("after %d kills the result is another (-whole +resumed):\n%s", kills, d)
	}
	if left, err := os.ReadDir(filepath.Join(dir, "ck")); err != nil || len(left) > 0 {
		t.Errorf("%v, %v: want an empty folder", left, err)
	}
}

// interrupted returns a folder with the checkpoint of a run ended by a signal.
func interrupted(t *testing.T, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	interrupt(t, dir, "ck", append(args, "--checkpoint", "ck")...)
	return dir
}

// interrupt ends a run by a signal, after which the run names the folder to resume from. On a busy machine a
// process may start too slowly: the signal then ends it without a checkpoint, and the next process gets more time.
func interrupt(t *testing.T, dir, folder string, args ...string) {
	t.Helper()
	var notes strings.Builder
	for wait := 400 * time.Millisecond; ; wait *= 2 {
		c := kumiko(t, dir, args...)
		notes.Reset()
		c.Stderr = &notes
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(wait)
		_ = c.Process.Signal(syscall.SIGTERM)
		err := c.Wait()
		if c.ProcessState.ExitCode() == 130 {
			break
		}
		if !c.ProcessState.Sys().(syscall.WaitStatus).Signaled() || wait > 3*time.Second {
			t.Fatalf("%v, want exit status 130\n%s", err, notes.String())
		}
	}
	if want := "note: kumiko run --resume " + folder + " goes on\n"; !strings.Contains(notes.String(), want) {
		t.Errorf("%q, want %q in it", notes.String(), want)
	}
}

func TestARunThatIsInterruptedGoesOnWithFurtherFlags(t *testing.T) {
	if testing.Short() {
		t.Skip("make check runs this test")
	}
	dir := interrupted(t, "run", "sgemm", "--size", "study", "--set", "sm.count=4")
	done(t, kumiko(t, dir, "run", "--resume", "ck", "--workers", "1", "--json", "out.json"))
	done(t, kumiko(t, dir, "run", "sgemm", "--size", "study", "--set", "sm.count=4", "--json", "whole.json"))
	whole, got := document(t, filepath.Join(dir, "whole.json")), document(t, filepath.Join(dir, "out.json"))
	if d := cmp.Diff(whole, got); d != "" {
		t.Errorf("the result is another (-whole +resumed):\n%s", d)
	}
}

func TestARunDoesNotGoOnWithAnotherGPU(t *testing.T) {
	dir := interrupted(t, "run", "sgemm", "--size", "study")
	for _, x := range []struct{ flags, want string }{
		{"--set=sm.count=8", "found the state of a GPU of configuration"},
		{"--check", "found a run with --check=false"},
	} {
		out, _ := kumiko(t, dir, "run", "--resume", "ck", x.flags).CombinedOutput()
		if !strings.Contains(string(out), x.want) {
			t.Errorf("%s: %s, want %q in it", x.flags, out, x.want)
		}
	}
}

func TestACopyOfACheckpointGoesOnInTheCopy(t *testing.T) {
	if testing.Short() {
		t.Skip("runs of a second each")
	}
	dir := interrupted(t, "run", "sgemm", "--size", "study")
	if err := os.CopyFS(filepath.Join(dir, "copy"), os.DirFS(filepath.Join(dir, "ck"))); err != nil {
		t.Fatal(err)
	}
	before := checkpointOf(t, dir, "copy")
	for range 20 { // on a busy machine the signal may come before the first cycle
		interrupt(t, dir, "copy", "run", "--resume", "copy")
		if !bytes.Equal(checkpointOf(t, dir, "copy"), before) {
			break
		}
	}
	if !bytes.Equal(checkpointOf(t, dir, "ck"), before) {
		t.Error("the original checkpoint was changed")
	}
	if bytes.Equal(checkpointOf(t, dir, "copy"), before) {
		t.Error("the copy was not changed")
	}
}

func TestARunGoesOnInTheFolderOfAFurtherFlag(t *testing.T) {
	if testing.Short() {
		t.Skip("runs of a second each")
	}
	dir := interrupted(t, "run", "sgemm", "--size", "study")
	before := checkpointOf(t, dir, "ck")
	interrupt(t, dir, "other", "run", "--resume", "ck", "--checkpoint", "other")
	if !bytes.Equal(checkpointOf(t, dir, "ck"), before) {
		t.Error("the first folder's checkpoint was changed")
	}
	checkpointOf(t, dir, "other")
}

// checkpointOf returns the file of a folder's checkpoint.
func checkpointOf(t *testing.T, dir, folder string) []byte {
	t.Helper()
	return content(t, filepath.Join(dir, folder, "checkpoint"))
}

// The run is killed before it keeps a state of its own.
func TestARunThatGoesOnInAFurtherFolderCanBeResumedThereAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("runs of a second each")
	}
	dir := interrupted(t, "run", "sgemm", "--size", "study")
	c := kumiko(t, dir, "run", "--resume", "ck", "--checkpoint", "other")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var err error
	for range 3000 {
		if _, err = os.Stat(filepath.Join(dir, "other", "checkpoint")); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	_ = c.Process.Kill()
	_ = c.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(checkpointOf(t, dir, "other"), checkpointOf(t, dir, "ck")) {
		t.Error("the checkpoints of the two folders differ")
	}
	interrupt(t, dir, "other", "run", "--resume", "other")
}
