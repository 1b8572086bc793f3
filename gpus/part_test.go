package gpus

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	"kumiko/gpus/result"
	"kumiko/internal/snapshot"
	"kumiko/kernel/host"
)

// several are programs of several launches at size test, by GPU. The host of bfs reads results between launches.
var several = map[string][]string{"gtx980": {"lud", "bfs", "hotspot", "backprop"}, "fermi": {"srad"},
	"rtx-a6000": {"fdtd2d"}}

// runPart simulates a part of a program at size test; nil: all of it.
func runPart(t *testing.T, gpu, name string, part *Part, set ...string) []result.Kernel {
	t.Helper()
	m := testMachine(t, gpu, Options{Part: part, Check: true}, append(set, "sm.count=2")...)
	p, err := benchmarks.Find(name).New(benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	err = p.Run(&host.Device{Mem: m.Memory(), Runner: m})
	if over := errors.Is(err, ErrPartOver); err != nil && (part == nil || !over) {
		t.Fatal(err)
	}
	return m.Results()
}

// playRenewed simulates a part of a captured program, or all of it, on a machine that is as it was built when a launch
// begins. Arbiters, DRAM rows and clocks are then what they are in a new machine.
func playRenewed(t *testing.T, gpu string, c *Capture, part *Part, set ...string) []result.Kernel {
	t.Helper()
	m := testMachine(t, gpu, Options{Part: part, Check: true}, append(set, "sm.count=2")...)
	var built bytes.Buffer
	if err := snapshot.Write(&built, m.gpu); err != nil {
		t.Fatal(err)
	}
	for i := range c.launches {
		if err := m.play(&c.launches[i]); errors.Is(err, ErrPartOver) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if err := snapshot.Read(bytes.NewReader(built.Bytes()), m.gpu); err != nil {
			t.Fatal(err)
		}
		clear(m.programs) // the SMs' own is as it was built, too
	}
	return m.Results()
}

// captureOf executes a program at size test.
func captureOf(t *testing.T, gpu, name string) *Capture {
	t.Helper()
	c := NewCapturer(testMachine(t, gpu, Options{}, "sm.count=2").cfg, CaptureOptions{})
	p, err := benchmarks.Find(name).New(benchmarks.Test)
	if err == nil {
		err = p.Run(&host.Device{Mem: c.Memory(), Runner: c})
	}
	if err != nil {
		t.Fatal(err)
	}
	return c.Capture()
}

// Where every launch finds a machine as it was built, nothing of it hangs on the launches before it but what they have
// computed, and every part is to the bit what it is in the whole run.
func TestAPartIsThatOfTheWholeRunWhereNothingIsLeftOfTheLaunchesBefore(t *testing.T) {
	const flush = "cache.flush_between_launches=true"
	for gpu, names := range several {
		if testing.Short() {
			names = names[:1]
		}
		for _, name := range names {
			c := captureOf(t, gpu, name)
			whole := playRenewed(t, gpu, c, nil, flush)
			if len(whole) < 2 {
				t.Errorf("%s has %d launches", name, len(whole))
			}
			for from := 0; from < len(whole); from += 1 + len(whole)/3 {
				to := min(from+1+len(whole)/3, len(whole))
				part := playRenewed(t, gpu, c, &Part{from, to}, flush)
				if d := cmp.Diff(whole[from:to], part); d != "" {
					t.Errorf("%s on %s, launches %d to %d (-whole +part):\n%s", name, gpu, from, to-1, d)
				}
			}
		}
	}
}

// The first launch of a part finds the lines that the launches before it have left, and not cold caches.
func TestAPartBeginsOnCachesThatTheLaunchesBeforeItHavePassed(t *testing.T) {
	const hits = "mem.l1.hits.global_load"
	for _, name := range []string{"lud", "fdtd2d", "srad"} {
		whole := runPart(t, "gtx980", name, nil)
		last := len(whole) - 1
		warm := runPart(t, "gtx980", name, &Part{last, last + 1})
		cold := runPart(t, "gtx980", name, &Part{last, last + 1}, "cache.flush_between_launches=true")
		a, b, c := whole[last].Stats[hits], warm[0].Stats[hits], cold[0].Stats[hits]
		if a < 10 || b < a*9/10 || b > a*11/10 || c >= b {
			t.Errorf("%s: %d hits in the L1 in the whole run, %d in a part, %d on cold caches", name, a, b, c)
		}
	}
}

func TestAPartHasItsLaunchesAloneAndEndsWithThem(t *testing.T) {
	whole := runPart(t, "gtx980", "bfs", nil)
	part := runPart(t, "gtx980", "bfs", &Part{3, 5})
	if len(part) != 2 {
		t.Fatalf("%d launches, want 2", len(part))
	}
	for i, k := range part {
		if w := whole[3+i]; k.Name != w.Name || k.ThreadInstructions != w.ThreadInstructions || k.Cycles == 0 ||
			k.Sampled {
			t.Errorf("launch %d: %s with %d instructions, want %s with %d", 3+i, k.Name, k.ThreadInstructions, w.Name,
				w.ThreadInstructions)
		}
	}
	if first := runPart(t, "gtx980", "bfs", &Part{0, 4}); !cmp.Equal(first, whole[:4]) {
		t.Error("the first launches are others than in the whole run")
	}
}
