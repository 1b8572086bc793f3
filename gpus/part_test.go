package gpus_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/capture"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
	"kumiko/gpus/sampling"
	"kumiko/gpus/stop"
	"kumiko/internal/snapshot"
	"kumiko/kernel/host"
)

// several are programs of several launches at size test, by GPU. The host of bfs reads results between launches.
var several = map[string][]string{"gtx980": {"hotspot", "bfs", "lud", "backprop"}, "fermi": {"srad"},
	"rtx-a6000": {"fdtd2d"}}

// playRenewed simulates a part of a captured program, or all of it, on a machine restored to its initial state
// before each launch. Arbiters, DRAM rows and clocks then equal those of a new machine.
func playRenewed(t *testing.T, gpu string, c *capture.Capture, part *sampling.Part, set ...string) []result.Kernel {
	t.Helper()
	m := machinetest.GPU(t, gpu, gpus.Options{Part: part, Check: true}, append(set, "sm.count=2")...)
	var built bytes.Buffer
	if err := snapshot.Write(&built, gpus.Chip(m)); err != nil {
		t.Fatal(err)
	}
	for i := range c.Executed() {
		if err := gpus.PlayOne(m, &c.Executed()[i]); errors.Is(err, stop.ErrPartOver) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if err := snapshot.Read(bytes.NewReader(built.Bytes()), gpus.Chip(m)); err != nil {
			t.Fatal(err)
		}
		gpus.ForgetCode(m) // the SMs' own programs are as they were built, too
	}
	return m.Results()
}

// captureOf executes a program at size test.
func captureOf(t *testing.T, gpu, name string) *capture.Capture {
	t.Helper()
	c := capture.New(testConfig(t, gpu, "sm.count=2"), capture.Options{})
	p, err := benchmarks.Find(name).New(benchmarks.Test)
	if err == nil {
		err = p.Run(&host.Device{Mem: c.Memory(), Runner: c})
	}
	if err != nil {
		t.Fatal(err)
	}
	return c.Capture()
}

// If every launch begins on a machine in its initial state, a launch depends on earlier launches only through their
// results. Every part is then equal to the bit to the same launches of the whole run.
func TestAPartIsThatOfTheWholeRunWhereNothingIsLeftOfTheLaunchesBefore(t *testing.T) {
	const flush = "cache.flush_between_launches=true"
	for gpu, names := range several {
		if testing.Short() && gpu != "gtx980" {
			continue
		}
		for _, name := range machinetest.Part(len(names), names) {
			c := captureOf(t, gpu, name)
			whole := playRenewed(t, gpu, c, nil, flush)
			if len(whole) < 2 {
				t.Errorf("%s has %d launches", name, len(whole))
			}
			for from := 0; from < len(whole); from += 1 + len(whole)/3 {
				to := min(from+1+len(whole)/3, len(whole))
				part := playRenewed(t, gpu, c, &sampling.Part{From: from, To: to}, flush)
				if d := cmp.Diff(whole[from:to], part); d != "" {
					t.Errorf("%s on %s, launches %d to %d (-whole +part):\n%s", name, gpu, from, to-1, d)
				}
			}
		}
	}
}
