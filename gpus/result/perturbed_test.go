package result

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheIntervalOfPerturbedRunsHasThePlainOneToo(t *testing.T) {
	total := func(cycles uint64, ipc float64) *Total { return &Total{Counts{Cycles: cycles, IPC: ipc}} }
	r := Result{Total: *total(100, 2)}
	r.Perturb(total(103, 1.9))
	r.Perturb(total(101, 1.95))
	want := &Perturbed{Cycles: []uint64{103, 101}, IPC: []float64{1.9, 1.95}, CyclesInterval: [2]uint64{100, 103},
		IPCInterval: [2]float64{1.9, 2}}
	if d := cmp.Diff(want, r.Perturbed); d != "" {
		t.Error(d)
	}
}
