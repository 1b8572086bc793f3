package study

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all" // register the applications
	"kumiko/kernel/emu"
	"kumiko/kernel/fingerprint"
	"kumiko/kernel/host"
	"kumiko/kernel/mem"
)

// noted is a runner that notes the streams of launches.
type noted struct {
	emu.Runner
	streams []int
}

// Launch implements host.Runner.
func (h *noted) Launch(l *host.Launch) error {
	h.streams = append(h.streams, l.Queue.Stream)
	return h.Runner.Launch(l)
}

func TestProgramsTogetherHaveAStreamEachAndTheirResults(t *testing.T) {
	app, err := (&Spec{}).openTogether(&Program{Name: "pair", Together: []string{"hotspot", "vecadd"}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := app.New(benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	h := &noted{Runner: emu.Runner{Mem: &mem.Memory{}}}
	if err := p.Run(&host.Device{Mem: h.Mem, Runner: h}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]int{1, 1, 2}, h.streams); d != "" {
		t.Error(d)
	}
	if len(app.Outputs) < 2 || p.Name() != "hotspot beside vecadd" {
		t.Errorf("%s with %v", p.Name(), app.Outputs)
	}
}

// A point is known by its first launches before it runs.
func TestPairsWithOneFirstProgramDiffer(t *testing.T) {
	sums := map[string]bool{}
	for _, second := range []string{"vecadd", "bfs"} {
		app, err := (&Spec{}).openTogether(&Program{Together: []string{"hotspot", second}})
		if err != nil {
			t.Fatal(err)
		}
		p, err := app.New(benchmarks.Test)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := fingerprint.First(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		sums[sum] = true
	}
	if len(sums) != 2 {
		t.Error("two pairs have one fingerprint")
	}
}

func TestAnUnknownProgramTogetherIsNamed(t *testing.T) {
	_, err := (&Spec{}).openTogether(&Program{Together: []string{"vecadd", "vecdad"}})
	if err == nil || !strings.Contains(err.Error(), `together: found "vecdad"`) {
		t.Errorf("%v", err)
	}
}
