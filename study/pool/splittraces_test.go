package pool

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/sass"
	"kumiko/kernel/stream"
	"kumiko/study"
	"kumiko/study/record"
)

// recorded writes the traces of a program of size test to a folder.
func recorded(t *testing.T, program, dir string) {
	t.Helper()
	c, err := config.Load(config.Request{GPU: "gtx980", Set: []string{"slice.sms=2"}})
	if err != nil {
		t.Fatal(err)
	}
	rec, err := sass.NewRecorder(dir)
	if err != nil {
		t.Fatal(err)
	}
	m, err := gpus.New(c, gpus.Options{
		Record: func(k *ir.Kernel, grid, block [3]int, shared int, src stream.OpenSource) (stream.OpenSource, error) {
			return rec.Record(k, grid, block, shared, src)
		}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := benchmarks.Find(program).New(benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Run(&host.Device{Mem: m.Memory(), Runner: m}); err != nil {
		t.Fatal(err)
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestAPointOfTracesIsSplitByTheirLaunches(t *testing.T) {
	dir := t.TempDir()
	recorded(t, "bfs", filepath.Join(dir, "b"))
	const text = `name = "t"
size = "test"
set = ["slice.sms=2"]
split = "launches"
parts = 3
[[program]]
name = "traced"
traces = "b"
[groups]
a = ["traced"]
[[variant]]
name = "base"
gpu = "gtx980"
`
	of := func(text string) *record.Record {
		s, err := study.Parse(filepath.Join(dir, "t.toml"), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		p := pool(t, s, t.TempDir())
		run(t, p, s.Points(0))
		return recordsOf(t, p, s.Points(0))[0]
	}
	whole := of(strings.Replace(text, "split = \"launches\"\nparts = 3\n", "", 1))
	r := of(text)
	if r.Split == nil || len(r.Split.Parts) != 3 || r.Split.Launches < 3 {
		t.Fatalf("split %+v, want three parts", r.Split)
	}
	n := r.Split.Parts[0].To
	if d := cmp.Diff(whole.Result.Kernels[:n], r.Result.Kernels[:n]); d != "" {
		t.Errorf("first part (-whole +split):\n%s", d)
	}
	a, b := whole.Result.Total, r.Result.Total
	if a.ThreadInstructions == 0 || a.ThreadInstructions != b.ThreadInstructions {
		t.Errorf("%d thread instructions, want %d", b.ThreadInstructions, a.ThreadInstructions)
	}
	if off := float64(b.Cycles) / float64(a.Cycles); off < 0.8 || off > 1.2 {
		t.Errorf("%d cycles, want about %d", b.Cycles, a.Cycles)
	}
}

func TestTracesOfSeveralStreamsRunSideBySideInAStudy(t *testing.T) {
	dir := t.TempDir()
	recorded(t, "vecadd", filepath.Join(dir, "a"))
	file := filepath.Join(dir, "a", "kernel-1.traceg")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	other := bytes.Replace(text, []byte("-cuda stream id = 0"), []byte("-cuda stream id = 94036"), 1)
	err = errors.Join(os.WriteFile(filepath.Join(dir, "a", "kernel-2.traceg"), other, 0o644),
		os.WriteFile(filepath.Join(dir, "a", sass.ListName), []byte("kernel-1.traceg\nkernel-2.traceg\n"), 0o644))
	if err != nil {
		t.Fatal(err)
	}
	s, err := study.Parse(filepath.Join(dir, "t.toml"), []byte(`name = "t"
size = "test"
set = ["slice.sms=2"]
[[program]]
name = "traced"
traces = "a"
[groups]
a = ["traced"]
[[variant]]
name = "base"
gpu = "gtx980"
[[variant]]
name = "order"
gpu = "gtx980"
set = ["residency.policy=in-order"]
`))
	if err != nil {
		t.Fatal(err)
	}
	p := pool(t, s, t.TempDir())
	run(t, p, s.Points(0))
	list := recordsOf(t, p, s.Points(0))
	if len(list) != 2 {
		t.Fatalf("%d records, want 2", len(list))
	}
	beside, order := list[0].Result.Kernels, list[1].Result.Kernels
	if len(beside) != 1 || len(beside[0].Beside) != 2 || beside[0].Beside[1].Stream != 1 {
		t.Errorf("found %d rows, want one of the streams 0 and 1", len(beside))
	}
	if len(order) != 2 || order[0].Cycles+order[1].Cycles <= beside[0].Cycles {
		t.Errorf("found %d rows in order, want two launches that take longer", len(order))
	}
}
