package sampling_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
	"kumiko/gpus/sampling"
	"kumiko/gpus/stop"
	"kumiko/kernel/host"
)

// runPart simulates a part of a program at size test; nil: all of it.
func runPart(t *testing.T, name string, part *sampling.Part, set ...string) []result.Kernel {
	t.Helper()
	m := machinetest.New(t, config.Request{GPU: "gtx980", Set: append(set, "sm.count=2")}, gpus.Options{Part: part,
		Check: true})
	p, err := benchmarks.Find(name).New(benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	err = p.Run(&host.Device{Mem: m.Memory(), Runner: m})
	if over := errors.Is(err, stop.ErrPartOver); err != nil && (part == nil || !over) {
		t.Fatal(err)
	}
	return m.Results()
}

// The first launch of a part finds the lines left by the earlier launches, not cold caches.
func TestAPartBeginsOnCachesThatTheLaunchesBeforeItHavePassed(t *testing.T) {
	const hits = "mem.l1.hits.global_load"
	for _, name := range []string{"lud", "fdtd2d", "srad"} {
		whole := runPart(t, name, nil)
		last := len(whole) - 1
		warm := runPart(t, name, &sampling.Part{From: last, To: last + 1})
		cold := runPart(t, name, &sampling.Part{From: last, To: last + 1}, "cache.flush_between_launches=true")
		a, b, c := whole[last].Stats[hits], warm[0].Stats[hits], cold[0].Stats[hits]
		if a < 10 || b < a*9/10 || b > a*11/10 || c >= b {
			t.Errorf("%s: %d hits in the L1 in the whole run, %d in a part, %d on cold caches", name, a, b, c)
		}
	}
}

func TestAPartHasItsLaunchesAloneAndEndsWithThem(t *testing.T) {
	whole := runPart(t, "bfs", nil)
	part := runPart(t, "bfs", &sampling.Part{From: 3, To: 5})
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
	if first := runPart(t, "bfs", &sampling.Part{From: 0, To: 4}); !cmp.Equal(first, whole[:4]) {
		t.Error("the first launches are others than in the whole run")
	}
}

// The loads bypass the L1, so that they find lines of the first launch only in the L2.
func TestASkippedLaunchLeavesItsLinesInTheL2(t *testing.T) {
	p := equal
	p.launches, p.ctas = 2, 64
	whole := p.on(t, oneSM(), gpus.Options{})
	part := p.on(t, oneSM(), gpus.Options{Part: &sampling.Part{From: 1, To: 2}})
	const reads, hits = "mem.dram.reads", "mem.l2.hits.global_load"
	first, second, got := whole.Kernels[0].Stats, whole.Kernels[1].Stats, part.Kernels[0].Stats
	if first[reads] == 0 || second[reads] != 0 || got[reads] != 0 || got[hits] != second[hits] || got[hits] == 0 {
		t.Errorf("%d DRAM reads and %d hits in the L2 in a part, want none and %d; the first launch reads %d",
			got[reads], got[hits], second[hits], first[reads])
	}
}
