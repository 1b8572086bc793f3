package cli

import (
	"bytes"
	"errors"
	"kumiko/cmd/kumiko/internal/cli/app"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// full is a writer with a limited capacity, like a full disk.
type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	if len(p) > f.room {
		n := f.room
		f.room = 0
		return n, errors.New("no space left on device")
	}
	f.room -= len(p)
	return len(p), nil
}

func TestACommandWhoseOutputDoesNotArriveIsNotDone(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"mine.toml": "name = \"mine\"\nsize = \"test\"\nset = [\"slice.sms=1\"]\n[groups]\na = [\"vecadd\"]\n" +
			"[[variant]]\nname = \"v\"\ngpu = \"gtx980\"\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const run = "run vecadd --size test --set slice.sms=1"
	for i, line := range []string{
		"version", "--help", "study --help", "list gpus", "list gpus --format json", "list designs", "list benchmarks",
		"list benchmarks vecadd", "list benchmarks --format json",
		"list params --gpu gtx980", "list stats --set sm.count=1", "list stats --format markdown", "list studies",
		"study list --format json",
		"inspect sgemm", "inspect sgemm --cfg", "inspect sgemm --cfg --format dot", "inspect sgemm --liveness",
		"inspect sgemm --intervals 8", "inspect sgemm --intervals 8 --format dot",
		"inspect sgemm --strands --format json", "inspect sgemm --regmutex 8", "inspect vecadd --values --size test",
		"inspect --gpu gtx980", "inspect --gpu gtx980 --format svg",
		"inspect --gpu gtx980 --format dot", "inspect --gpu gtx980 --format json",
		"occupancy --block 256 --registers 32", "occupancy --block 256 --registers 32 --format json",
		run, run + " --json -", run + " --detail", "study run mine.toml", "study status mine.toml",
		"study status mine.toml --format json", "study export mine.toml", "study export mine.toml --format jsonl",
	} {
		if testing.Short() && i%4 != 0 {
			continue
		}
		for _, room := range []int{0, 3} {
			var errs bytes.Buffer
			a := app.App{Stdout: &full{room}, Stderr: &errs, New: app.Assemble, Version: "1"}
			if status := a.Main(strings.Fields(line), program); status != app.BadInput ||
				!strings.HasSuffix(errs.String(), "cannot write to standard output: no space left on device\n") {
				t.Errorf("%s: status %d, %q", line, status, errs.String())
			}
		}
	}
}

// The names of a launch file's buffers, of a trace's kernels and of files come from outside.
func TestNamesAreQuotedOnATerminal(t *testing.T) {
	const esc = "\x1b]0;owned\x07"
	dir := filepath.Join(t.TempDir(), "t"+esc)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Skip(err)
	}
	trace := "-kernel name = k" + esc +
		"\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 8\n-accelsim tracer version = 5\n" +
		"#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 2\n" +
		"0000 ffffffff 1 R1 FROB\x1bNICATE 1 R2 0 0\n0010 ffffffff 0 EXIT 0 0\n#END_TB\n"
	for name, text := range map[string]string{"kernelslist.g": "kernel-1.traceg\n", "kernel-1.traceg": trace} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"run", dir, "--set", "slice.sms=1", "--detail"}, {"inspect", dir},
		{"inspect", dir, "--cfg"}, {"inspect", dir, "--liveness"}, {"inspect", dir, "--intervals", "8"},
		{"inspect", dir, "--values"}, {"run", dir, "--strict"}, {"run", "no" + esc},
		{"run", "x" + esc + ".ptx", "--launch", "y" + esc}, {"--" + esc}, {esc}, {"list", "gpus", "--format", esc}} {
		var out, errs bytes.Buffer
		a := app.App{Stdout: &out, Stderr: &errs, New: app.Assemble}
		a.Main(args, program)
		if text := out.String() + errs.String(); strings.ContainsAny(text, "\x1b\x07") ||
			!strings.Contains(text, `\x1b`) {
			t.Errorf("%q prints %q", args, text)
		}
	}
}
