package run

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
)

func TestACheckpointComesBackWithItsState(t *testing.T) {
	dir := t.TempDir()
	c := checkpoint{Format: checkpointFormat, Version: "1", Args: []string{"run", "x"},
		At: &gpus.Point{Launch: 2, CTAs: 7}}
	if err := c.write(dir, func(w io.Writer) error {
		_, err := w.Write([]byte("the state"))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	got, state, err := openCheckpoint(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer state.Close()
	data, err := io.ReadAll(state)
	if err != nil || string(data) != "the state" || *got.At != *c.At || got.Args[1] != "x" {
		t.Errorf("%q, %+v, %v", data, got, err)
	}
}

// keptCheckpoint returns a folder with a small checkpoint, and the content of its file.
func keptCheckpoint(t *testing.T) (dir string, content []byte) {
	t.Helper()
	dir = t.TempDir()
	c := checkpoint{Format: checkpointFormat, Version: "1", Args: []string{"run", "x", "--checkpoint", dir},
		At: &gpus.Point{Launch: 2, Kernel: "k", Cycle: 100, CTAs: 7}}
	if err := c.write(dir, func(w io.Writer) error {
		_, err := w.Write(bytes.Repeat([]byte("the state"), 30))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(dir, checkpointFile))
	if err != nil {
		t.Fatal(err)
	}
	return dir, content
}

// refused reports whether a checkpoint of some content is refused when it is opened.
func refused(t *testing.T, dir string, content []byte) bool {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, checkpointFile), content, 0o600); err != nil {
		t.Fatal(err)
	}
	_, state, err := openCheckpoint(dir)
	if err == nil {
		state.Close()
	}
	return err != nil
}

func TestACheckpointWithAnyByteChangedIsRefused(t *testing.T) {
	dir, content := keptCheckpoint(t)
	for i := range content {
		for _, mask := range []byte{1, 2, 0x80} {
			changed := bytes.Clone(content)
			changed[i] ^= mask
			if !refused(t, dir, changed) {
				t.Errorf("byte %d of %d, %q, is taken as %q", i, len(content), content[i], changed[i])
			}
		}
	}
	if refused(t, dir, content) {
		t.Error("the checkpoint is refused as it was written")
	}
}

func TestACheckpointThatIsCutOrLongerIsRefused(t *testing.T) {
	dir, content := keptCheckpoint(t)
	for n := range content {
		if !refused(t, dir, content[:n]) {
			t.Errorf("the first %d bytes of %d are taken", n, len(content))
		}
	}
	if !refused(t, dir, append(bytes.Clone(content), 0)) {
		t.Error("a checkpoint with a byte more is taken")
	}
}

// resuming runs kumiko run --resume with a checkpoint of this build and folder for the given command.
func resuming(t *testing.T, change func(*checkpoint), command ...string) (status int, stderr string) {
	t.Helper()
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	c := checkpoint{Format: checkpointFormat, Version: "1", Directory: here, Args: command}
	if change != nil {
		change(&c)
	}
	if err := os.Mkdir("ck", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := c.write("ck", nil); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	app := app.App{New: app.Assemble, Version: "1", Stdout: &out, Stderr: &errs}
	status = app.Main([]string{"run", "--resume", "ck"}, program)
	if out.Len() > 0 {
		t.Errorf("%q: standard output has %q", command, out.String())
	}
	return status, errs.String()
}

func TestOnlyARunWithCheckpointsIsResumed(t *testing.T) {
	for _, command := range []string{
		"study new pwned.toml", "new design pwned", "version", "--version", "", "help run", "run",
		"run vecadd --size test", "run --help vecadd --checkpoint ck", "run vecadd -h --checkpoint ck",
		"run vecadd sgemm --checkpoint ck", "run vecadd --checkpoint ck --resume other",
		"run vecadd --checkpoint ck --frob", "run --checkpoint ck",
	} {
		status, stderr := resuming(t, nil, strings.Fields(command)...)
		if want := "--resume ck: found the command ["; status != app.BadInput || !strings.HasPrefix(stderr, want) {
			t.Errorf("%s: status %d, %q, want %d and %q", command, status, stderr, app.BadInput, want)
		}
		if left, err := os.ReadDir("."); err != nil || len(left) != 1 {
			t.Errorf("%s: %v, %v, want only the checkpoint", command, left, err)
		}
	}
}

func TestARunOfAnotherBuildOrFolderIsNotResumed(t *testing.T) {
	for want, change := range map[string]func(*checkpoint){
		"--resume ck: found a state written by kumiko 9.9, expected one by this build, 1\n": func(c *checkpoint) {
			c.Version = "9.9"
		},
		"--resume ck: the run was begun in /nowhere, and its files are relative to that, " +
			"expected to be run there\n": func(c *checkpoint) { c.Directory = "/nowhere" },
	} {
		status, stderr := resuming(t, change, "run", "x", "--checkpoint", "ck")
		if status != app.BadInput || stderr != want {
			t.Errorf("status %d, %q, want %d and %q", status, stderr, app.BadInput, want)
		}
	}
}

func FuzzCheckpoint(f *testing.F) {
	header := []byte(`{"kumiko_checkpoint":2,"at":{"Launch":1}}` + "\n")
	sum := sha256.Sum256(header)
	f.Add(header)
	f.Add(append(header, sum[:]...))
	f.Add([]byte(`{"kumiko_checkpoint":1}` + "\n"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		if r, err := intact(bytes.NewReader(data)); err == nil {
			_, _ = readCheckpoint(r)
		}
	})
}

func TestTheLastGoodCheckpointStaysWhereTheNextCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	var errs bytes.Buffer
	app := app.App{Stdout: io.Discard, Stderr: &errs}
	f := runFlags{checkpoint: checkpointFlags{dir: dir, every: time.Hour}}
	cfg := machinetest.Config(t, config.Request{GPU: "gtx980"})
	c, err := checkpoints(&app, cfg, &f, func() string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	good := func(w io.Writer) error {
		_, err := io.WriteString(w, "a state")
		return err
	}
	if err := c.Keep(gpus.Point{Launch: 1}, good); err != nil {
		t.Fatal(err)
	}
	before := entries(t, dir)
	for _, fault := range []error{&fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, syscall.EIO} {
		if err := c.Keep(gpus.Point{Launch: 2}, func(io.Writer) error { return fault }); err != nil {
			t.Errorf("%v ends the run: %v", fault, err)
		}
	}
	if n := strings.Count(errs.String(), "warning"); n != 1 {
		t.Errorf("%d warnings, want one:\n%s", n, errs.String())
	}
	h, state, err := openCheckpoint(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer state.Close()
	if text, err := io.ReadAll(state); h.At.Launch != 1 || string(text) != "a state" || err != nil ||
		!slices.Equal(entries(t, dir), before) {
		t.Errorf("launch %d, state %q, error %v, folder %s; want that of launch 1", h.At.Launch, text, err,
			entries(t, dir))
	}
	own := errors.New("a state that cannot be saved")
	if err := c.Keep(gpus.Point{Launch: 3}, func(io.Writer) error { return own }); !errors.Is(err, own) {
		t.Errorf("a fault of our own: %v, want it to end the run", err)
	}
}

// entries lists the names in a folder.
func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}
