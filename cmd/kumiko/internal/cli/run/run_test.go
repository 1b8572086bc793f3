package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/components/stats"
	"kumiko/gpus"
	"kumiko/gpus/chip"
	"kumiko/gpus/config"
	"kumiko/gpus/measure"
	"kumiko/gpus/result"
	"kumiko/gpus/stop"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/regfile"
	"kumiko/sm/reason"
)

// program returns a root command with the command run.
func program(a *app.App) *cobra.Command { return app.Root(a, Command(a)) }

// stub is a machine without computation. It takes one cycle per launch. Launch number failAt, counted from 1, fails
// with fail.
type stub struct {
	app.Machine
	opts    gpus.Options
	mem     mem.Memory
	kernels []result.Kernel
	failAt  int
	fail    error
	panics  any // of the first launch; nil: it does not
}

func (s *stub) Memory() *mem.Memory      { return &s.mem }
func (s *stub) Results() []result.Kernel { return s.kernels }
func (s *stub) Codes() []result.Code     { return nil }
func (s *stub) Fills() []measure.Fill    { return nil }
func (s *stub) Stats() []stats.Stat      { return nil }
func (s *stub) Blocks() result.Blocks    { return result.Blocks{} }
func (s *stub) Storage() []regfile.State { return nil }
func (s *stub) Reasons() []reason.Info   { return reason.List(nil) }

func (s *stub) Distributions() []*stats.Distribution { return nil }

func (s *stub) Structure(int) (chip.Structure, error) {
	return chip.Structure{Blocks: []chip.Block{{Name: "GPU.Dispatcher", Kind: "residency.Dispatcher"}}}, nil
}

func (s *stub) Sync() error { return nil }

func (s *stub) Launch(l *host.Launch) error {
	if s.panics != nil {
		panic(s.panics)
	}
	k := result.Kernel{Name: l.Kernel, Grid: l.Grid, Block: l.Block, Complete: true,
		Counts: result.Counts{Cycles: 1, WarpInstructions: 2, ThreadInstructions: 64, CTAsResidentMax: 1,
			IssueSlots: map[string]uint64{result.Issued: 2, "empty": 1, "memory": 1}}}
	k.SetIPC()
	if len(s.kernels)+1 == s.failAt {
		k.Complete = false
		s.kernels = append(s.kernels, k)
		return s.fail
	}
	s.kernels = append(s.kernels, k)
	return nil
}

// runStub runs the command "kumiko run" on a stub.
func runStub(t *testing.T, s *stub, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	a := app.App{Stdout: &out, Stderr: &errs, Version: "1"}
	a.New = func(_ *config.Config, o gpus.Options) (app.Machine, error) {
		s.opts = o
		return s, nil
	}
	status = a.Main(append([]string{"run"}, args...), program)
	return status, out.String(), errs.String()
}

// runReal runs the command "kumiko run" on a GPU.
func runReal(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	a := app.App{Stdout: &out, Stderr: &errs, New: app.Assemble}
	status = a.Main(append([]string{"run"}, args...), program)
	return status, out.String(), errs.String()
}

// runDone runs the command "kumiko run" on a GPU to its end, and returns the standard output.
func runDone(t *testing.T, args ...string) string {
	t.Helper()
	status, out, errs := runReal(t, args...)
	if status != app.Done {
		t.Fatalf("%v: status %d: %s", args, status, errs)
	}
	return out
}

// read returns the content of a file that a run has written.
func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func decode(t *testing.T, doc []byte) (r result.Result) {
	t.Helper()
	if err := json.Unmarshal(doc, &r); err != nil {
		t.Fatalf("%v in %s", err, doc)
	}
	return r
}

// A machine without any computation leaves zeros behind. The benchmark's check detects them.
func TestAWrongOutputIsStatus1AndStandsInTheResult(t *testing.T) {
	status, out, errs := runStub(t, &stub{}, "vecadd", "--size", "test", "--json", "-")
	if status != app.CheckFailed {
		t.Errorf("status %d, want %d", status, app.CheckFailed)
	}
	r := decode(t, []byte(out))
	if !r.Complete || len(r.Expect) != 1 || r.Expect[0].Buffer != "c" || r.Expect[0].OK ||
		r.Expect[0].Mismatches != 2021 {
		t.Errorf("complete %v, expect %+v", r.Complete, r.Expect)
	}
	if !strings.HasPrefix(errs, "c: 2021 elements differ") || strings.Count(errs, "\n") != 1 {
		t.Errorf("standard error %q", errs)
	}
}

func TestEveryWayToStopHasItsStatusAndLeavesAnIncompleteResult(t *testing.T) {
	for _, k := range []struct {
		err    error
		status int
		say    string
	}{
		{stop.ErrInterrupted, app.Interrupted, "interrupted\n"},
		{&stop.Error{Check: true, Reason: "operand check: 1 wrong operand"}, app.CheckFailed,
			"operand check: 1 wrong operand\n"},
		{&stop.Error{Reason: "nothing moves any more at cycle 7", Report: []string{"SM[0].LSU: waits for L2"}},
			app.Stopped,
			"nothing moves any more at cycle 7\n  SM[0].LSU: waits for L2\n"},
	} {
		file := filepath.Join(t.TempDir(), "r.json")
		status, out, errs := runStub(t, &stub{failAt: 1, fail: k.err}, "vecadd", "--size", "test", "--json", file)
		if status != k.status || errs != k.say {
			t.Errorf("%v: status %d, standard error %q", k.err, status, errs)
		}
		r := decode(t, read(t, file))
		if r.Complete || len(r.Kernels) != 1 || r.Kernels[0].Complete || r.Total.Cycles != 1 {
			t.Errorf("%v: %+v", k.err, r)
		}
		if !strings.Contains(out, "incomplete") {
			t.Errorf("%v: standard output %q", k.err, out)
		}
	}
}

func TestAFaultOfKumikoHasAStatusOfItsOwnAndTheCommandToReport(t *testing.T) {
	k := &ir.Kernel{File: "x.ptx", Name: "k"}
	for want, s := range map[string]*stub{
		"internal error: x.ptx:3:5: kernel k: boom\n": {failAt: 1,
			fail: fmt.Errorf("run: %w", ir.Internal(k, &ir.Inst{Line: 3, Col: 5}, "boom"))},
		"internal error: kumiko: bang\n": {panics: "bang"},
	} {
		status, _, errs := runStub(t, s, "vecadd", "--size", "test")
		if status != app.Internal || !strings.Contains(errs, want) || !strings.Contains(errs, "goroutine") ||
			!strings.Contains(errs, "Kumiko 1, not of the input") ||
			!strings.Contains(errs, `kumiko "run" "vecadd" "--size" "test"`) {
			t.Errorf("status %d, standard error %q, want %q", status, errs, want)
		}
	}
}

func TestAFaultOfKumikoLeavesNoResult(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.json")
	fault := ir.Internal(&ir.Kernel{File: "x.ptx"}, nil, "boom")
	for _, s := range []*stub{{failAt: 1, fail: fault}, {panics: "bang"}} {
		status, out, errs := runStub(t, s, "vecadd", "--size", "test", "--json", file)
		if status != app.Internal || out != "" {
			t.Errorf("status %d, %q, %q", status, out, errs)
		}
		if _, err := os.Stat(file); err == nil {
			t.Error("there is a result")
		}
	}
}

func TestBadInputThatShowsDuringTheRunIsToldAndLeavesNoResult(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.json")
	bad := errors.New("k.ptx:3:1: address 0x0 is in no buffer")
	status, out, errs := runStub(t, &stub{failAt: 1, fail: bad}, "vecadd", "--size", "test", "--json", file)
	if _, err := os.Stat(file); status != app.BadInput || out != "" || errs != bad.Error()+"\n" || err == nil {
		t.Errorf("status %d, standard output %q, standard error %q, file: %v", status, out, errs, err)
	}
}

func TestFlagsReachTheMachine(t *testing.T) {
	s := &stub{}
	runStub(t, s, "vecadd", "--size", "test", "--workers", "3", "--max-cycles", "1000", "--check", "--json", "-")
	if s.opts.Workers != 3 || s.opts.MaxCycles != 1000 || !s.opts.Check || s.opts.Context == nil ||
		s.opts.Progress == nil {
		t.Errorf("options %+v", s.opts)
	}
}

func TestARunUsesAllProcessorsUnlessToldOtherwise(t *testing.T) {
	s := &stub{}
	runStub(t, s, "vecadd", "--size", "test", "--json", "-")
	if want := runtime.GOMAXPROCS(0); s.opts.Workers != want {
		t.Errorf("%d workers, want %d", s.opts.Workers, want)
	}
}

func TestTheResultSaysWhereItComesFrom(t *testing.T) {
	run := func(args ...string) result.Result {
		_, out, _ := runStub(t, &stub{}, append(args, "--json", "-")...)
		return decode(t, []byte(out))
	}
	a := run("vecadd", "--size", "test")
	b := run("vecadd", "--size", "small")
	c := run("vecadd", "--size", "test", "--set", "sm.count=4")
	if len(a.ConfigHash) != 64 || len(a.ProgramHash) != 64 || a.Version != "1" || a.GPU != "gtx980" ||
		a.Design != "conventional" {
		t.Errorf("%+v", a)
	}
	if a.Config["sm.count"] != 16.0 || c.Config["sm.count"] != 4.0 {
		t.Errorf("sm.count %v and %v", a.Config["sm.count"], c.Config["sm.count"])
	}
	if a.ConfigHash != b.ConfigHash || a.ConfigHash == c.ConfigHash {
		t.Error("the configuration hash does not follow the configuration")
	}
	if a.ProgramHash == b.ProgramHash || a.ProgramHash != c.ProgramHash {
		t.Error("the program hash does not follow the program")
	}
}

func TestOutHasTheResultAndNothingHalfWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	runStub(t, &stub{}, "vecadd", "--size", "test", "--out", dir)
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != "result.json" {
		t.Errorf("%v, %v", entries, err)
	}
}

func TestAFailedWriteLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	err := app.WriteFile(filepath.Join(dir, "x"), func(w io.Writer) error {
		w.Write([]byte("half"))
		return errors.New("disk full")
	})
	entries, _ := os.ReadDir(dir)
	if err == nil || len(entries) != 0 {
		t.Errorf("error %v, left %v", err, entries)
	}
}

func TestRunRefusesWhatItCannotRun(t *testing.T) {
	for _, k := range []struct {
		args []string
		want string
	}{
		{[]string{"nothing"}, `no program "nothing"; expected `},
		{[]string{"vecadd", "--size", "huge"}, `--size "huge": expected test, small, study, large or paper`},
		{[]string{"vecadd", "--workers", "0"}, "--workers 0: expected at least 1"},
		{[]string{"vecadd", "--set", "sm.count=0"}, "--set sm.count=0: sm.count: found 0"},
		{[]string{"vecadd", "--size", "test", "--json", "no/such/folder/x.json"},
			"--json no/such/folder/x.json: folder no/such/folder: no such file or directory\n"},
	} {
		status, out, errs := runStub(t, &stub{}, k.args...)
		if status == app.Done || !strings.HasPrefix(errs, k.want) || strings.HasPrefix(out, "{") {
			t.Errorf("%v: status %d, %q", k.args, status, errs)
		}
	}
}

func TestAnEmptyNameOfAnOutputIsRefused(t *testing.T) {
	for _, name := range []string{"json", "html", "out", "timeline", "akita-trace", "record"} {
		want := "--" + name + ": found an empty name, expected that of a file or folder\n"
		if status, out, errs := runStub(t, &stub{}, "vecadd", "--size", "test", "--"+name,
			""); status != app.BadInput ||
			out != "" || errs != want {
			t.Errorf("--%s: status %d, %q, %q", name, status, out, errs)
		}
	}
}

func TestAFlagInThePlaceOfANameIsRefused(t *testing.T) {
	status, out, errs := runStub(t, &stub{}, "vecadd", "--profile", "--html", "--size", "test")
	const want = "--profile: found the flag --html, expected the name of a file or folder"
	if status != app.BadInput || out != "" || !strings.HasPrefix(errs, want) {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
	if _, err := os.Stat("--html"); err == nil {
		t.Error("there is a file of the flag's name")
	}
}

func TestTheTableJoinsRepeatedLaunches(t *testing.T) {
	k := result.Kernel{Name: "step", Grid: [3]int{4, 1, 1}, Block: [3]int{16, 16, 1}, Complete: true,
		Counts: result.Counts{Cycles: 10, ThreadInstructions: 320, IssueSlots: map[string]uint64{result.Issued: 1,
			"memory": 2, "empty": 1}}}
	other := k
	other.Name = "last"
	var out bytes.Buffer
	a := app.App{Stdout: &out}
	r := result.Result{Program: "p", GPU: "g", Design: "d", Kernels: []result.Kernel{k, k, other, k}, Complete: true,
		Expect: []result.Expect{{Buffer: "x", OK: true}, {Buffer: "y", Mismatches: 3, MaxAbsError: 0.5}}}
	r.Finish(1)
	if err := runText(&a, &r, &sampleFlags{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"step x 3  4     16x16", "last", "total", "25.0%", "memory 50.0%, empty 25.0%",
		"32.00", "check x: ok",
		"check y: FAILED, 3 elements differ, by up to 0.5"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}
