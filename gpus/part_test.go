package gpus

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	"kumiko/gpus/result"
	"kumiko/kernel/host"
)

// partRun simulates a part of a program at size test, or, without, the whole.
func partRun(t *testing.T, gpu, name string, part *Part, set ...string) []result.Kernel {
	t.Helper()
	m := testMachine(t, gpu, Options{Part: part, Check: true}, append(set, "sm.count=2")...)
	p, err := benchmarks.Find(name).New(benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Run(&host.Device{Mem: m.Memory(), Runner: m}); err != nil && (part == nil ||
		!errors.Is(err, ErrPartOver)) {
		t.Fatal(err)
	}
	return m.Results()
}

func TestXPart(t *testing.T) {
	for _, gpu := range []string{"fermi", "fermi-gto", "tesla-c2050", "maxwell", "gpgpusim-gtx480", "rtx-2070s", "rtx-a6000"} {
		set := []string{"cache.flush_between_launches=true"}
		for _, name := range []string{"gaussian", "lud", "bfs", "fdtd2d", "hotspot", "backprop", "srad", "mergeSort"} {
			whole := partRun(t, gpu, name, nil, set...)
			equal, same := 0, 0
			for i := range whole {
				got := partRun(t, gpu, name, &Part{i, i + 1}, set...)
				if len(got) != 1 {
					t.Fatal(name, i, len(got))
				}
				if got[0].Cycles == whole[i].Cycles {
					same++
				}
				if d := cmp.Diff(whole[i], got[0]); d == "" {
					equal++
				} else if i == 1 {
					t.Log(len(d), d[:min(len(d), 1500)])
				}
			}
			t.Logf("%v %s: %d of %d equal, %d same cycles", gpu, name, equal, len(whole), same)
		}
	}
}
