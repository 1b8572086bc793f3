package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"kumiko/gpus"
	"kumiko/gpus/config"
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
			a := App{Stdout: &full{room}, Stderr: &errs, New: Assemble, Version: "1"}
			if status := a.Main(strings.Fields(line)); status != BadInput ||
				!strings.HasSuffix(errs.String(), "cannot write to standard output: no space left on device\n") {
				t.Errorf("%s: status %d, %q", line, status, errs.String())
			}
		}
	}
}

func TestAFailureIsSaidBesideTheOutputThatDoesNotArrive(t *testing.T) {
	var errs bytes.Buffer
	a := App{Stdout: &full{}, Stderr: &errs, New: func(*config.Config, gpus.Options) (Machine, error) {
		return &stub{failAt: 1, fail: &gpus.StopError{Reason: "nothing moves"}}, nil
	}}
	status := a.Main([]string{"run", "vecadd", "--size", "test"})
	if status != BadInput || errs.String() != "cannot write to standard output: no space left on device\nnothing "+
		"moves\n" {
		t.Errorf("status %d, %q", status, errs.String())
	}
}

func TestNothingThatSteersATerminalIsPrinted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()),
			func(b []byte) string { return string(b) })).Draw(t, "text")
		var out bytes.Buffer
		n, err := printer{&out}.Write([]byte(in))
		if err != nil || n != len(in) {
			t.Fatalf("%d, %v", n, err)
		}
		if got := out.String(); !utf8.ValidString(got) || strings.ContainsFunc(got, steers) || harmless(in) &&
			got != in {
			t.Fatalf("%q is printed as %q", in, got)
		}
		if q := quoted(in); strings.ContainsAny(q, "\n\t\x1b\u009b\u202e") {
			t.Fatalf("%q is quoted as %q", in, q)
		}
	})
	for in, want := range map[string]string{"\x1b[31m": `\x1b[31m`, "\u009b1m": `\u009b1m`, "a\x9bb": `a\x9bb`,
		"a\u202eb": `a\u202eb`, "\r": `\r`, "é\n\tplain": "é\n\tplain", "'": "'"} {
		var out bytes.Buffer
		if _, err := (printer{&out}).Write([]byte(in)); err != nil || out.String() != want {
			t.Errorf("%q is printed as %q, want %q", in, out.String(), want)
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
		a := App{Stdout: &out, Stderr: &errs, New: Assemble}
		a.Main(args)
		if text := out.String() + errs.String(); strings.ContainsAny(text, "\x1b\x07") ||
			!strings.Contains(text, `\x1b`) {
			t.Errorf("%q prints %q", args, text)
		}
	}
}

func TestReadingRecordsShowsABarOnATerminalWhenItTakesLong(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		var out bytes.Buffer
		show := &studyProgress{w: &out, text: &out, terminal: terminal}
		r := &readProgress{show: show, begun: time.Now()}
		r.stage("records of ltrf", 1, 5)
		r.report(0, 500)
		r.report(128, 500)
		if out.Len() > 0 {
			t.Errorf("terminal %v: %q before it takes long", terminal, out.String())
		}
		r.begun = r.begun.Add(-patience)
		r.report(256, 500)
		if shown := strings.Contains(out.String(), "256/500"); shown != terminal {
			t.Errorf("terminal %v: %q", terminal, out.String())
		}
		r.report(500, 500)
		out.Reset()
		r.stage("records of ltrf", 1, 5)
		if shown := strings.Contains(out.String(), "records of ltrf"); shown != terminal {
			t.Errorf("terminal %v: a step of a long command shows %q", terminal, out.String())
		}
	}
}
