package sampling

import "testing"

func TestAShortLaunchHasNoWindows(t *testing.T) {
	w := newWindowPlan(Spec{}, 0)
	if got := w.Next(nil, windowsDrawn*2*(Ramp+Window)-1); got != 0 {
		t.Errorf("%v cycles are left out, want 0", got)
	}
	if got := w.Next(nil, 1e9); got != 0 {
		t.Errorf("%v cycles are left out later, want 0", got)
	}
}

// In a launch of 10 million cycles, a window of 4096 cycles with its ramp is simulated in each twentieth. The place
// of the first is random.
func TestWindowsAreATwentiethOfTheLaunchApart(t *testing.T) {
	w := newWindowPlan(Spec{Seed: 3}, 0)
	const all = 1e7
	gone, n := 0.0, 0
	for {
		out := w.Next(nil, all-gone)
		if out == 0 {
			break
		}
		n++
		if n > 1 && out != all/windowsDrawn-Ramp-Window {
			t.Fatalf("%v cycles are left out, want %v", out, all/windowsDrawn-Ramp-Window)
		}
		gone += out + Ramp + Window
	}
	if n < windowsDrawn-1 || n > windowsDrawn+1 {
		t.Errorf("%d windows, want about %d", n, windowsDrawn)
	}
}

func TestAWantedErrorSpacesTheWindows(t *testing.T) {
	count := func(wanted float64) int {
		w := newWindowPlan(Spec{Seed: 3, Error: wanted}, 0)
		costs := []float64{1, 1.2, 1, 1.1, 0.9, 1}
		n, gone := 0, 0.0
		for out := w.Next(nil, 1e8); out > 0; out = w.Next(costs, 1e8-gone) {
			gone += out + Ramp + Window
			n++
			costs = append(costs, costs[n%6])
		}
		return n
	}
	if few, many := count(0.1), count(0.01); many < 4*few {
		t.Errorf("%d windows for one percent, and %d for ten", many, few)
	}
}
