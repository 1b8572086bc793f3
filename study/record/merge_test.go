package record

import (
	"testing"

	"kumiko/gpus/result"
)

// Kernel a: 100 + 200 cycles; 320 + 280 thread instructions are 2 per cycle.
func TestTheLaunchesOfAKernelAreAddedUp(t *testing.T) {
	a := func(cycles, lanes uint64, ctas int) result.Kernel {
		return result.Kernel{Name: "a", Block: [3]int{64, 1, 1}, RegistersPerThread: 8,
			Counts: result.Counts{Cycles: cycles, ThreadInstructions: lanes, CTAsResidentMax: ctas}}
	}
	b := result.Kernel{Name: "b", Block: [3]int{64, 1, 1}, Counts: result.Counts{Cycles: 7}}
	out := Merge([]result.Kernel{a(100, 320, 2), b, a(200, 280, 5)})
	if len(out) != 2 || out[0].Name != "a" || out[0].Cycles != 300 || out[0].IPC != 2 || out[0].CTAsResidentMax != 5 ||
		out[0].RegistersPerThread != 8 ||
		out[1].Cycles != 7 {
		t.Errorf("%+v", out)
	}
	bigger := a(1, 1, 1)
	bigger.Block[0] = 128
	if out := Merge([]result.Kernel{a(1, 1, 1), bigger}); len(out) != 2 {
		t.Errorf("CTAs of two shapes are one entry: %+v", out)
	}
}
