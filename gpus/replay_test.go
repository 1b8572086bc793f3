package gpus_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/host"
	"kumiko/kernel/stream"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	"kumiko/benchmarks/benchtest"
	"kumiko/gpus/result"
	"kumiko/kernel/ir"
	"kumiko/kernel/sass"
)

// recordedSuite covers streaming, divergence with several launches, shared
// memory and barriers, double precision, atomics, generic and local memory.
var recordedSuite = []string{"vecadd", "bfs", "sgemm", "cfd", "tpacf", "mergeSort", "myocyte"}

// record runs an application and gives its results and the folder of its traces.
func record(t *testing.T, gpu, name string, packed bool, set ...string) ([]result.Kernel, string) {
	t.Helper()
	return recordAll(t, gpu, []string{name}, packed, set...)
}

// recordAll runs applications one after the other and gives their results and the folder of their traces.
func recordAll(t *testing.T, gpu string, names []string, packed bool, set ...string) ([]result.Kernel, string) {
	t.Helper()
	dir := t.TempDir()
	rec, err := sass.NewRecorder(dir)
	if err != nil {
		t.Fatal(err)
	}
	rec.Packed = packed
	m := machinetest.GPU(t, gpu, gpus.Options{Record: func(k *ir.Kernel, grid, block [3]int, shared int,
		src stream.OpenSource) (stream.OpenSource, error) {
		return rec.Record(k, grid, block, shared, src)
	}}, set...)
	for _, name := range names {
		benchtest.On(t, m, name)
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	found, err := sass.Check(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range found {
		if found[i].Severity != sass.Needs {
			t.Error(found[i].String())
		}
	}
	return m.Results(), dir
}

// replay runs the traces of a folder.
func replay(t *testing.T, m *gpus.Machine, dir string) []result.Kernel {
	t.Helper()
	return replayIn(t, m, dir, func(int) *host.Queue { return nil })
}

// replayIn runs the traces of a folder, each launch in the stream of its number.
func replayIn(t *testing.T, m *gpus.Machine, dir string, queue func(launch int) *host.Queue) []result.Kernel {
	t.Helper()
	list, err := sass.OpenList(dir)
	if err != nil {
		t.Fatal(err)
	}
	kernels := map[[32]byte]*ir.Kernel{}
	n := 0
	for _, c := range list.Commands {
		if c.Trace == "" {
			continue
		}
		l, err := sass.Load(c.Trace, sass.Options{Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		if k := kernels[l.Code()]; k != nil {
			l.Kernel = k
		}
		kernels[l.Code()] = l.Kernel
		err = m.Replay(&gpus.Replay{Kernel: l.Kernel, Grid: l.Grid, Block: l.Block, SharedBytes: l.SharedBytes,
			Open: func() (stream.OpenSource, error) { return l.Source(4), nil }, Queue: queue(n)})
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if err := m.Sync(); err != nil {
		t.Fatal(err)
	}
	return m.Results()
}

// hotspot has two launches, vecadd one.
func TestTracesOfSeveralStreamsRunSideBySideAsTheirPrograms(t *testing.T) {
	names, set := []string{"hotspot", "vecadd"}, []string{"sm.count=2"}
	alone, dir := recordAll(t, "gtx980", names, false, set...)
	c := machinetest.Config(t, config.Request{GPU: "gtx980", Set: set})
	want := beside(t, c, gpus.Options{}, names...)
	got := replayIn(t, machinetest.GPU(t, "gtx980", gpus.Options{Check: true}, set...), dir, func(n int) *host.Queue {
		return &host.Queue{Stream: 1 + n/2}
	})
	if d := cmp.Diff(want, got); d != "" || len(want) != 1 || len(want[0].Beside) != 3 {
		t.Errorf("%d rows (-executed +read back):\n%s", len(want), d)
	}
	one := func(int) *host.Queue { return &host.Queue{} }
	got = replayIn(t, machinetest.GPU(t, "gtx980", gpus.Options{Check: true}, set...), dir, one)
	if d := cmp.Diff(alone, got); d != "" || len(alone) != 3 {
		t.Errorf("in one stream (-executed +read back):\n%s", d)
	}
	several := func(n int) *host.Queue { return &host.Queue{Stream: n} }
	inOrder := append(set, "residency.policy=in-order")
	got = replayIn(t, machinetest.GPU(t, "gtx980", gpus.Options{Check: true}, inOrder...), dir, several)
	if d := cmp.Diff(alone, got); d != "" {
		t.Errorf("in order (-executed +read back):\n%s", d)
	}
}

func TestARecordedRunTakesTheSameCyclesWhenItIsReadBack(t *testing.T) {
	if testing.Short() {
		t.Skip("whole programs, recorded and read back")
	}
	names := recordedSuite
	if os.Getenv("KUMIKO_REPLAY") == "all" {
		names = nil
		for _, a := range benchmarks.List() {
			names = append(names, a.Name)
		}
	}
	for i, name := range names {
		want, dir := record(t, "gtx980", name, i%2 == 1)
		got := replay(t, machinetest.GPU(t, "gtx980", gpus.Options{Check: true}), dir)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-executed +read back):\n%s", name, d)
		}
		if len(names) > len(recordedSuite) || i == 0 { // the other form too
			_, dir := record(t, "gtx980", name, i%2 == 0)
			if d := cmp.Diff(want, replay(t, machinetest.GPU(t, "gtx980", gpus.Options{Check: true}), dir)); d != "" {
				t.Errorf("%s (-executed +read back):\n%s", name, d)
			}
		}
	}
}

// Without the program in its header, each trace shows only the instructions executed by its own launch.
func TestLaunchesOfOneKernelShareTheInstructionCacheWithoutTheProgramInTheTrace(t *testing.T) {
	want, dir := record(t, "gpgpusim-gtx480", "bfs", false)
	files, err := filepath.Glob(dir + "/*.traceg")
	if err != nil || len(files) != len(want) {
		t.Fatalf("%d traces of %d launches: %v", len(files), len(want), err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		text = regexp.MustCompile("(?m)^-kumiko .*\n").ReplaceAll(text, nil)
		if err := os.WriteFile(f, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	misses := func(results []result.Kernel) (n uint64) {
		for i := range results {
			n += results[i].Stats["sm.icache.misses"]
		}
		return n
	}
	got := misses(replay(t, machinetest.GPU(t, "gpgpusim-gtx480", gpus.Options{Check: true}), dir))
	if n := misses(want); n == 0 || got != n {
		t.Errorf("%d misses of the instruction cache, want the %d of the run that was recorded", got, n)
	}
}

func TestRealTracesRunOnEveryGPU(t *testing.T) {
	const traces = "../../shared/data/traces"
	if _, err := os.Stat(traces); err != nil {
		t.Skipf("no traces of real GPUs in %s", traces)
	}
	// The warp instructions of the files, summed over their insts lines.
	for name, want := range map[string]uint64{"bfs": 7029, "ffma": 1328, "vectoradd": 26601} {
		for _, gpu := range machinetest.Part(6, config.Names()) {
			sum := uint64(0)
			var set []string
			if testConfig(t, gpu).SM.Scheduler.Controlled() {
				set = []string{"sched.dependences=scoreboard"} // the traces have no control words
			}
			for _, k := range replay(t, machinetest.GPU(t, gpu, gpus.Options{Check: true}, set...), traces+"/"+name) {
				sum += k.WarpInstructions
			}
			if sum != want {
				t.Errorf("%s on %s: %d warp instructions, want %d", name, gpu, sum, want)
			}
		}
	}
}

// traceText returns a trace of one block of two warps with the given lines.
func traceText(warps ...string) string {
	s := "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n-shmem = 0\n-nregs = 8\n-accelsim tracer " +
		"version = 5\n#traces\n#BEGIN_TB\nthread block = 0,0,0\n"
	for i, w := range warps {
		s += "warp = " + string(rune('0'+i)) + "\ninsts = " +
			string(rune('0'+len(w)/len("0000 ffffffff 0 BAR.SYNC 0 0 0\n"))) + "\n" + w
	}
	return s + "#END_TB\n"
}

// A warp with all lanes off at a barrier has not arrived at it: warp 0 waits for warp 1's second barrier, and
// nothing hangs or passes too early.
func TestABarrierWithoutALaneIsNotArrivedAt(t *testing.T) {
	const on, off, out = "0000 ffffffff 0 BAR.SYNC 0 0 0\n", "0010 00000000 0 BAR.SYNC 0 0 0\n",
		"0020 ffffffff 0 EXIT     0 0 0\n"
	dir := t.TempDir()
	for name, text := range map[string]string{sass.ListName: "kernel-1.traceg\n",
		"kernel-1.traceg": traceText(off+on+out, on+out)} {
		if err := os.WriteFile(dir+"/"+name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got := replay(t, machinetest.GPU(t, "gtx980", gpus.Options{Check: true}), dir)
	if n := got[0].Stats["sm.barrier.releases"]; n != 1 || got[0].WarpInstructions != 5 {
		t.Errorf("%d barriers completed by %d instructions, want 1 and 5", n, got[0].WarpInstructions)
	}
}

// The footprint is rounded up to four, but not beyond a thread's maximum: 63 on a Fermi GPU, 255 on others.
func TestATraceMayUseAllRegistersOfAThread(t *testing.T) {
	for _, c := range []struct {
		gpu        string
		nregs      string
		registers  int
		refusedFor string
	}{
		{"fermi", "60", 60, ""}, {"fermi", "61", 63, ""}, {"fermi", "63", 63, ""},
		{"fermi", "64", 0, "kernel k: 64 registers per thread: the GPU has at most 63"},
		{"gtx980", "61", 64, ""}, {"gtx980", "252", 252, ""}, {"gtx980", "253", 255, ""}, {"gtx980", "255", 255, ""},
	} {
		dir := t.TempDir()
		text := strings.Replace(traceText("0000 ffffffff 0 BAR.SYNC 0 0 0\n", "0000 ffffffff 0 BAR.SYNC 0 0 0\n"),
			"nregs = 8", "nregs = "+c.nregs, 1)
		if err := os.WriteFile(dir+"/kernel-1.traceg", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		l, err := sass.Load(dir+"/kernel-1.traceg", sass.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := machinetest.GPU(t, c.gpu, gpus.Options{Check: true})
		for range 2 {
			err = m.Replay(&gpus.Replay{Kernel: l.Kernel, Grid: l.Grid, Block: l.Block,
				Open: func() (stream.OpenSource, error) { return l.Source(4), nil }})
			if got := fmt.Sprint(err); c.refusedFor == "" && err != nil || c.refusedFor != "" && got != c.refusedFor {
				t.Fatalf("%s of %s: %s", c.nregs, c.gpu, got)
			}
		}
		if got := m.Results(); c.registers > 0 && (len(got) != 2 || got[1].RegistersPerThread != c.registers) {
			t.Errorf("%s of %s: results %+v, want twice %d registers", c.nregs, c.gpu, got, c.registers)
		}
	}
}
