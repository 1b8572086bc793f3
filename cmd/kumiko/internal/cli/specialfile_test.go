package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"kumiko/cmd/kumiko/internal/cli/app"
)

// Files other than regular ones: a pipe without a writer blocks its reader, and a device may never end.
var specialFiles = map[string]struct {
	put  func(name string) error
	want string
}{
	"pipe": {func(name string) error { return syscall.Mkfifo(name, 0o644) }, "found a pipe, expected a regular file"},
	"device": {func(name string) error { return os.Symlink("/dev/zero", name) },
		"found a device, expected a regular file"},
}

const storePTX = ".version 6.3\n.target sm_52\n.address_size 64\n" +
	".visible .entry store(.param .u64 p) { .reg .b64 %d<2>; ld.param.u64 %d1, [p]; st.global.u32 [%d1], 1; ret; }\n"

const storeLaunch = "[[launch]]\nkernel = \"store\"\ngrid = [1]\nblock = [32]\nargs = [{buffer = \"x\"}]\n" +
	"[buffers.x]\ntype = \"u32\"\ncount = 1\n"

func TestWhatIsNoRegularFileIsRefusedAsAnyInput(t *testing.T) {
	for _, c := range []struct {
		name    string
		special string            // the special file
		files   map[string]string // beside it
		args    string            // of the command, in a folder with these files
	}{
		{"program to run", "x.ptx", map[string]string{"l.toml": storeLaunch}, "run x.ptx --launch l.toml"},
		{"launch file", "x.toml", map[string]string{"s.ptx": storePTX}, "run s.ptx --launch x.toml"},
		{"content of a buffer", "x.bin", map[string]string{"s.ptx": storePTX,
			"l.toml": storeLaunch + "init = {kind = \"file\", path = \"x.bin\"}\n"}, "run s.ptx --launch l.toml"},
		{"expected content of a buffer", "x.bin", map[string]string{"s.ptx": storePTX,
			"l.toml": storeLaunch + "[[expect]]\nbuffer = \"x\"\npath = \"x.bin\"\n"}, "run s.ptx --launch l.toml"},
		{"GPU to run on", "x.toml", nil, "run vecadd --size test --gpu x.toml"},
		{"base of a GPU", "x.toml", map[string]string{"g.toml": "base = \"x.toml\"\n"},
			"run vecadd --size test --gpu g.toml"},
		{"list of traces", "t/kernelslist.g", nil, "run t"},
		{"trace", "t/kernel-1.traceg", map[string]string{"t/kernelslist.g": "kernel-1.traceg\n"}, "run t"},
		{"program to inspect", "x.ptx", nil, "inspect x.ptx"},
		{"graphs to inspect", "x.dot", nil, "inspect x.dot --intervals 16"},
		{"launch file of values", "x.toml", map[string]string{"s.ptx": storePTX},
			"inspect s.ptx --values --launch x.toml"},
		{"list of traces of values", "t/kernelslist.g", nil, "inspect t --values"},
		{"GPU to inspect", "x.toml", nil, "inspect --gpu x.toml"},
		{"GPU to be occupied", "x.toml", nil, "occupancy --block 32 --registers 32 --gpu x.toml"},
		{"study to run", "x.toml", nil, "study run x.toml"},
		{"study to look at", "x.toml", nil, "study status x.toml"},
		{"study to export", "x.toml", nil, "study export x.toml"},
		{"study to report", "x.toml", nil, "study report x.toml -o x.html"},
		{"GPU of a study", "x.toml", map[string]string{
			"s.toml": "name = \"s\"\nsize = \"test\"\n[groups]\nall = [\"vecadd\"]\n[[variant]]\nname = \"base\"\n" +
				"gpu = \"x.toml\"\n"}, "study status s.toml"},
	} {
		for kind, special := range specialFiles {
			t.Run(c.name+"/"+kind, func(t *testing.T) {
				t.Chdir(t.TempDir())
				if err := os.Mkdir("t", 0o755); err != nil {
					t.Fatal(err)
				}
				for name, text := range c.files {
					put(t, name, text)
				}
				if err := special.put(c.special); err != nil {
					t.Fatal(err)
				}
				refusedAtOnce(t, c.args, filepath.Base(c.special), special.want)
			})
		}
	}
}

// refusedAtOnce runs a command expected to end without delay, with one line naming the file and the mistake.
func refusedAtOnce(t *testing.T, args, file, want string) {
	t.Helper()
	var status int
	var out, errs string
	ended := make(chan struct{})
	go func() {
		status, out, errs = inProcess(strings.Fields(args)...)
		close(ended)
	}()
	select {
	case <-ended:
		line := strings.TrimSuffix(errs, "\n")
		if status != app.BadInput || !strings.Contains(line, file) || !strings.HasSuffix(line, want) ||
			strings.Contains(line, "\n") || out != "" {
			t.Errorf("kumiko %s: status %d, %q, and %q on standard output; want status %d and a line of %s that "+
				"ends: %s", args, status, errs, out, app.BadInput, file, want)
		}
	case <-time.After(10 * time.Second):
		t.Fatalf("kumiko %s: still going on after 10 s", args)
	}
}

func TestARecordThatIsNoRegularFileIsRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	const study = "name = \"s\"\nsize = \"test\"\nset = [\"slice.sms=1\"]\n[groups]\nall = [\"vecadd\"]\n" +
		"[[variant]]\nname = \"base\"\ngpu = \"gtx980\"\n"
	put(t, "s.toml", study)
	writing(t, "study", "run", "s.toml", "--dir", "r")
	var records []string
	if err := filepath.Walk("r", func(name string, info os.FileInfo, err error) error {
		if err == nil && strings.HasSuffix(name, ".json") {
			records = append(records, name)
		}
		return err
	}); err != nil || len(records) != 1 {
		t.Fatalf("records %q, error %v; want one", records, err)
	}
	if err := os.Remove(records[0]); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(records[0], 0o644); err != nil {
		t.Fatal(err)
	}
	refusedAtOnce(t, "study status s.toml --dir r", filepath.Base(records[0]), "found a pipe, expected a regular file")
}
