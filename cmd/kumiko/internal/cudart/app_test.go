package cudart_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"kumiko/cmd/kumiko/internal/cuda"
	"kumiko/cmd/kumiko/internal/cudart"
	"kumiko/cmd/kumiko/internal/nvcc"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/stop"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/recording"
)

// TestMain is also the emulator that applications start: the runtime library names the program that it was built by.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "emulate" {
		c, err := config.Load(config.Request{GPU: "gtx980"})
		if err == nil {
			err = cudart.Emulate(c)
		}
		if err != nil {
			os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		os.Exit(0)
	}
	dir, err := os.MkdirTemp("", "kumiko-test-")
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_CACHE_HOME", dir) // the library of this test names the test as its emulator
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

var built string // the compiled testdata/app.cu

// app returns the compiled application.
func app(t *testing.T) string {
	t.Helper()
	if _, err := cuda.Find(t.Context()); err != nil {
		t.Skip("no clang is installed; the test compiles CUDA C++")
	}
	if built != "" {
		return built
	}
	out := filepath.Join(os.Getenv("XDG_CACHE_HOME"), "app")
	if said := build(t, "-O1", "-o", out, "testdata/app.cu"); said != "" {
		t.Fatal(said)
	}
	built = out
	return out
}

// build compiles as kumiko nvcc does, and returns the messages.
func build(t *testing.T, args ...string) string {
	t.Helper()
	o, err := nvcc.Parse(args)
	if err != nil {
		t.Fatal(err)
	}
	var messages bytes.Buffer
	if err := nvcc.Run(t.Context(), o, t.TempDir(), &messages, &messages); err != nil {
		t.Fatalf("%v\n%s", err, &messages)
	}
	return messages.String()
}

// configuration returns a small GPU.
func configuration(t *testing.T) *config.Config {
	t.Helper()
	c := machinetest.Config(t, config.Request{GPU: "gtx980", Set: []string{"sm.count=2"}})
	return c
}

// simulated runs the application on a simulated GPU.
func simulated(t *testing.T, begun func(*os.Process), args ...string) (out, errs string, end cudart.Ended,
	m *gpus.Machine, err error) {
	t.Helper()
	return simulatedOn(t, configuration(t), 1, begun, append([]string{app(t)}, args...)...)
}

// simulatedOn runs a program on a simulated GPU, by so many workers.
func simulatedOn(t *testing.T, cfg *config.Config, workers int, begun func(*os.Process), args ...string) (out,
	errs string, end cudart.Ended, m *gpus.Machine, err error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var printf cudart.Output
	var clock cudart.Clock
	m = machinetest.Of(t, cfg, gpus.Options{Context: ctx, Printf: &printf, Limits: emu.Limits{WarpInsts: 1 << 40},
		Launched: clock.Add, Workers: workers})
	var stdout, stderr bytes.Buffer
	a := cudart.Application{Args: args, Stdout: &stdout, Stderr: &stderr, Cancel: cancel, Begun: begun}
	end, err = a.Run(t.Context(), cudart.GPU{Config: cfg, Runner: m, Memory: m.Memory(), Printf: &printf, Timed: true,
		Sync: m.Sync, Time: clock.Ended}, t.TempDir())
	if serr := m.Sync(); err == nil { // of launches after a call that is not there
		err = serr
	}
	return stdout.String(), stderr.String(), end, m, err
}

const vecadd = "host: before\ndevice: 1000 elements\nhost: after\n0 wrong, 4 blocks, no error, time passes\n"

func TestAnApplicationByItselfRunsOnAnEmulatedGPU(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), app(t), "vecadd").Output()
	if err != nil || string(out) != vecadd {
		t.Errorf("found %q, %v, want %q", out, err, vecadd)
	}
}

func TestTheLaunchesOfAnApplicationAreSimulated(t *testing.T) {
	out, errs, end, c, err := simulated(t, nil, "vecadd")
	if err != nil || out != vecadd || errs != "" || end.Status != 0 || end.Launches != 1 {
		t.Fatalf("found %q, %q, %+v, %v, want %q", out, errs, end, err, vecadd)
	}
	first := c.Results()
	if len(first) != 1 || first[0].Cycles == 0 || first[0].Grid != [3]int{4, 1, 1} {
		t.Fatalf("the results are %+v, want one launch of 4 CTAs", first)
	}
	if _, _, _, c, _ = simulated(t, nil, "vecadd"); c.Results()[0].Cycles != first[0].Cycles {
		t.Errorf("%d cycles, and %d the second time", first[0].Cycles, c.Results()[0].Cycles)
	}
}

func TestErrorsAreThoseOfCUDAAndTheStatusIsTheApplications(t *testing.T) {
	out, errs, end, _, err := simulated(t, nil, "errors")
	want := `copy of 8 bytes: cudaErrorInvalidValue
copy the wrong way: cudaErrorInvalidValue
2048 threads: cudaErrorInvalidConfiguration
again: cudaSuccess
graph: cudaErrorNotSupported
outside: cudaErrorLaunchFailure
after it: cudaErrorLaunchFailure
`
	if out != want || end.Status != 7 {
		t.Errorf("found status %d and\n%swant status 7 and\n%s", end.Status, out, want)
	}
	for _, part := range []string{"kumiko: cudaGraphLaunch is not supported\n", "is in no buffer"} {
		if !strings.Contains(errs, part) {
			t.Errorf("standard error is %q, want %q in it", errs, part)
		}
	}
	if err == nil || !strings.Contains(err.Error(), "cudaGraphLaunch is not supported") {
		t.Errorf("the error is %v, want the first call that is not there", err)
	}
}

func TestMemoryOfAllKindsHasOneAddress(t *testing.T) {
	out, errs, _, _, err := simulated(t, nil, "memory")
	// exp(4) + 2; gtx980 with 2 SMs; 2048 threads of an SM are 8 CTAs of 256.
	want := "16843009 5 klmno pitch 512, 2 SMs of Kumiko gtx980, 56.59815003, 8 blocks\n"
	if out != want || err != nil {
		t.Errorf("found %q, %q, %v, want %q", out, errs, err, want)
	}
}

func TestAKilledApplicationEndsItsSimulation(t *testing.T) {
	kill := func(p *os.Process) {
		time.Sleep(2 * time.Second)
		_ = p.Signal(syscall.SIGKILL)
	}
	begin := time.Now()
	_, _, end, _, err := simulated(t, func(p *os.Process) { go kill(p) }, "spin")
	if end.Status != 128+9 || !strings.Contains(end.Text, "killed") {
		t.Errorf("found %+v, want the status of a killed process", end)
	}
	if d := time.Since(begin); !errors.Is(err, stop.ErrInterrupted) || d > time.Minute {
		t.Errorf("found %v after %v, want an interrupted launch at once", err, d)
	}
}

func TestAnApplicationEndsWithItsGPU(t *testing.T) {
	path := filepath.Join(t.TempDir(), "socket")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	cmd := exec.CommandContext(t.Context(), app(t), "wait")
	cmd.Env = append(os.Environ(), "KUMIKO_SOCKET="+path)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	conn, err := l.AcceptUnix()
	if err != nil {
		t.Fatal(err)
	}
	shared, err := cudart.NewShared(recording.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	s, err := cudart.NewSession(cudart.Emulated(configuration(t)), shared)
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(conn, func() {}) }()
	if _, err := stdout.Read(make([]byte, 6)); err != nil { // "ready"
		t.Fatal(err)
	}
	conn.Close() // as at the end of the process
	err = cmd.Wait()
	if cmd.ProcessState.ExitCode() != 4 || !strings.Contains(stderr.String(), "kumiko exec has ended") {
		t.Errorf("the application ended with %v, %q, want status 4 and the reason", err, &stderr)
	}
	<-served
}

// compiled compiles with the flags and returns the program.
func compiled(t *testing.T, flags ...string) string {
	t.Helper()
	app(t) // skips without clang
	out := filepath.Join(t.TempDir(), "app")
	build(t, append(flags, "-o", out)...)
	return out
}

func TestProgramsOfTheFirstYearsOfCUDARun(t *testing.T) {
	out := compiled(t, "-arch=sm_13", "-O3", "-w", "testdata/old.cu")
	found, err := exec.CommandContext(t.Context(), out).Output()
	if want := "BA 4 letter -7 overlap 1\n"; err != nil || string(found) != want {
		t.Errorf("found %q, %v, want %q", found, err, want)
	}
}

func TestDeviceCodeOfSeveralFilesIsLinked(t *testing.T) {
	out := compiled(t, "-rdc=true", "testdata/whole.cu", "testdata/part.cu")
	found, err := exec.CommandContext(t.Context(), out).Output()
	if want := "166.5, 32 hits, no error\n"; err != nil || string(found) != want {
		t.Errorf("found %q, %v, want %q", found, err, want)
	}
	if m, err := replayed(t, recordedProgram(t, out), itself); err != nil || len(m.Results()) != 1 {
		t.Errorf("the recording: %v, want one launch", err)
	}
}

// recorded records the application, and returns the file.
func recorded(t *testing.T, args ...string) string {
	t.Helper()
	return recordedProgram(t, append([]string{app(t)}, args...)...)
}

// recordedProgram records a program, and returns the file.
func recordedProgram(t *testing.T, args ...string) string {
	t.Helper()
	var text bytes.Buffer
	g := cudart.Emulated(configuration(t))
	var err error
	if g.Record, err = recording.NewWriter(&text); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	a := cudart.Application{Args: args, Stdout: &stdout, Stderr: &stderr, Cancel: func() {}}
	_, err = a.Run(t.Context(), g, t.TempDir())
	if err = errors.Join(err, g.Record.Close()); err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	file := filepath.Join(t.TempDir(), "app.kumiko")
	if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// replayed runs a recording on a simulated GPU.
func replayed(t *testing.T, file string, change func(*gpus.Machine) host.Runner) (*gpus.Machine, error) {
	t.Helper()
	var printf cudart.Output
	m, err := gpus.New(configuration(t), gpus.Options{Printf: &printf})
	if err != nil {
		t.Fatal(err)
	}
	r, err := recording.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	return m, r.Run(&host.Device{Mem: m.Memory(), Runner: change(m)})
}

func itself(m *gpus.Machine) host.Runner { return m }

func TestARecordingTakesTheCyclesOfItsApplication(t *testing.T) {
	for _, what := range []string{"vecadd", "memory", "writes"} {
		_, _, _, live, err := simulated(t, nil, what)
		if err != nil {
			t.Fatal(err)
		}
		m, err := replayed(t, recorded(t, what), itself)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if a, b := live.Results(), m.Results(); len(b) != len(a) || b[0].Cycles != a[0].Cycles {
			t.Errorf("%s: %d launches, the first of %d cycles, want %d and %d", what, len(b), b[0].Cycles, len(a),
				a[0].Cycles)
		}
	}
}

// spoiled is a GPU that changes an element after each launch.
type spoiled struct{ *gpus.Machine }

func (s spoiled) Launch(l *host.Launch) error {
	err := s.Machine.Launch(l)
	for _, r := range s.Memory().Regions() {
		r.Data[len(r.Data)/2] ^= 1
	}
	return err
}

func TestOtherMemoryThanRecordedIsFound(t *testing.T) {
	_, err := replayed(t, recorded(t, "vecadd"), func(m *gpus.Machine) host.Runner { return spoiled{m} })
	var check *host.CheckError
	if !errors.As(err, &check) || check.Mismatches != 1 || !strings.Contains(check.First, "launch 1, of add") {
		t.Errorf("found %v, want one launch whose memory differs", err)
	}
}
