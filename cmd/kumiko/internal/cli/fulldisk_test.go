//go:build linux

package cli_test

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// mostBytes names the environment variable with the most bytes that kumiko-full can write to a file.
const mostBytes = "KUMIKO_MOST_BYTES"

func init() {
	fillDisk = func() {
		signal.Ignore(syscall.SIGXFSZ)
		most, err := strconv.ParseUint(os.Getenv(mostBytes), 10, 64)
		if err == nil {
			err = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: most, Max: most})
		}
		if err != nil {
			panic(err)
		}
	}
}

// full runs a command that can write so many bytes to each file, and returns its status and its messages.
func full(t *testing.T, dir string, most int, command string) (status int, errs string) {
	t.Helper()
	c := kumiko(t, dir, strings.Fields(command)...)
	c.Args[0] = "kumiko-full"
	c.Env = append(os.Environ(), mostBytes+"="+strconv.Itoa(most))
	var out strings.Builder
	c.Stderr = &out
	if _, exited := c.Run().(*exec.ExitError); !exited && c.ProcessState == nil {
		t.Fatal("the command did not run")
	}
	return c.ProcessState.ExitCode(), out.String()
}

// paths lists what is below a folder.
func paths(t *testing.T, dir string) string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, name)
		out = append(out, rel)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out[1:], " ")
}

func TestAFullDiskLeavesNoFilesThatAreNotWhole(t *testing.T) {
	run := "run vecadd --size test --set sm.count=1 "
	root := absolute(t, "../../../..")
	for _, c := range []struct {
		most    int
		command string
		left    string
	}{
		{1500, "man pages", ""}, {200, run + "--json r.json", ""}, {200, run + "--out out", "out"},
		{200, run + "--html p.html", ""}, {200, run + "--timeline t.json", ""}, {200, run + "--konata k.log", ""},
		{200, run + "--profile p.json", ""}, {200, run + "--akita-trace a.csv", ""},
		{200, run + "--launch-results l.jsonl", ""}, {200, run + "--record rec", ""},
		{200, run + "--record rec --tracez", ""}, {200, run + "--checkpoint ck", "ck"},
		{200, "probe ../add.sass --json p.json", ""}, {200, "probe ../add.sass --svg p.svg", ""},
		{200, "study new s.toml", ""},
		{200, "new design probing --dir d --module example.com/probing --kumiko " + root, ""},
	} {
		above := t.TempDir()
		put(t, filepath.Join(above, "add.sass"), "FADD R1, R1, R2;\n")
		dir := filepath.Join(above, "here")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		status, errs := full(t, dir, c.most, c.command)
		if left := paths(t, dir); left != c.left || status == 0 || !strings.Contains(errs, "file too large") {
			t.Errorf("%s: status %d, left %q, want %q\n%.300s", c.command, status, left, c.left, errs)
		}
	}
}

func TestARecordingThatCannotBeWrittenLeavesTheOldOne(t *testing.T) {
	dir := t.TempDir()
	command := "run bfs --size test --set sm.count=1 --record rec"
	if status, errs := full(t, dir, 1<<30, command); status != 0 {
		t.Fatal(errs)
	}
	before := paths(t, dir)
	for _, most := range []int{1, 100, 10000, 40000} {
		if status, errs := full(t, dir, most, command); status == 0 || paths(t, dir) != before {
			t.Errorf("%d bytes: status %d, the folder has %s, want %s\n%s", most, status, paths(t, dir), before, errs)
		}
	}
}

func TestACheckpointThatCannotBeWrittenDoesNotEndTheRun(t *testing.T) {
	status, errs := full(t, t.TempDir(), 4000, // more than a header and less than a state
		"run hotspot --size test --set sm.count=2 --checkpoint ck --checkpoint-every 1ns")
	if n := strings.Count(errs, "warning: --checkpoint: "); status != 0 || n != 1 {
		t.Errorf("status %d, %d warnings, want 0 and one:\n%s", status, n, errs)
	}
}
