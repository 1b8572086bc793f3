package regfile

import (
	"testing"

	"kumiko/components/wire"
)

// A gate has one signal for all schedulers, or one for each of the first few, or none.
func TestASchedulerWatchesItsSignalOfAGate(t *testing.T) {
	var a, b, all wire.Signal[WarpSet]
	parts := []*wire.Signal[WarpSet]{&a, &b}
	for name, x := range map[string]struct {
		gate Gate
		want [3]*wire.Signal[WarpSet] // by scheduler
	}{
		"one signal":              {Gate{Closed: &all}, [3]*wire.Signal[WarpSet]{&all, &all, &all}},
		"a signal per scheduler":  {Gate{Parts: parts}, [3]*wire.Signal[WarpSet]{&a, &b, nil}},
		"no signal":               {Gate{}, [3]*wire.Signal[WarpSet]{}},
		"one signal before parts": {Gate{Closed: &all, Parts: parts}, [3]*wire.Signal[WarpSet]{&all, &all, &all}},
	} {
		for s, want := range x.want {
			if got := x.gate.Signal(s); got != want {
				t.Errorf("%s: scheduler %d watches %p, want %p", name, s, got, want)
			}
		}
	}
}

func TestASetOfEventsHasThoseItWasMadeOf(t *testing.T) {
	s := Events(WarpStarted, WarpHeld, WarpExited)
	for e := WarpStarted; e <= WarpExited; e++ {
		if want := e == WarpStarted || e == WarpHeld || e == WarpExited; s.Has(e) != want {
			t.Errorf("event %d: %v", e, !want)
		}
	}
}

// In a kernel of three instructions, program counters 3 and 4 belong to the operations of groups 0 and 1.
func TestInsertedOperationsHaveTheProgramCountersBehindTheKernel(t *testing.T) {
	x := Insertions{Group: []int32{NoGroup, 0, 1}}
	for group, want := range []uint32{3, 4} {
		if got := x.PC(int32(group)); got != want {
			t.Errorf("group %d has program counter %d, want %d", group, got, want)
		}
	}
}
