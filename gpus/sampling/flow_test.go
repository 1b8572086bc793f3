package sampling

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCTAsGoOnAtTheRatesOfTheirAge(t *testing.T) {
	f := flow{Rates: []float64{3, 1}, Rest: []float64{100, 100}, Length: 100}
	moved, arrivals := f.Over(10)
	if d := cmp.Diff([]float64{30, 10}, moved); d != "" {
		t.Errorf("moved (-want +got):\n%s", d)
	}
	if len(arrivals) != 0 {
		t.Errorf("%d CTAs have come, want none", len(arrivals))
	}
}

// The older CTA ends after 10 cycles. The younger one is then the oldest, with three instructions a cycle, and the
// arriving CTA has one.
func TestACTAThatComesIsTheYoungest(t *testing.T) {
	f := flow{Rates: []float64{3, 1}, Rest: []float64{30, 100}, Length: 100}
	moved, arrivals := f.Over(20)
	if d := cmp.Diff([]float64{30, 10 + 30}, moved); d != "" {
		t.Errorf("moved (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]shiftedArrival{{Place: 0, At: 10, Moved: 10}}, arrivals); d != "" {
		t.Errorf("arrivals (-want +got):\n%s", d)
	}
}

// CTAs of 10 instructions run one after the other, at one instruction per cycle.
func TestCTAsThatComeAndEndAreOneArrival(t *testing.T) {
	f := flow{Rates: []float64{1}, Rest: []float64{5}, Length: 10}
	moved, arrivals := f.Over(35)
	if d := cmp.Diff([]float64{5}, moved); d != "" {
		t.Errorf("moved (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]shiftedArrival{{Place: 0, At: 5, Moved: 30}}, arrivals); d != "" {
		t.Errorf("arrivals (-want +got):\n%s", d)
	}
}

func TestNobodyComesWhenThereAreNoMoreCTAs(t *testing.T) {
	f := flow{Rates: []float64{2, 1}, Rest: []float64{4, 100}}
	moved, arrivals := f.Over(10)
	if d := cmp.Diff([]float64{4, 2 + 16}, moved); d != "" {
		t.Errorf("moved (-want +got):\n%s", d)
	}
	if len(arrivals) != 0 {
		t.Errorf("%d CTAs have come, want none", len(arrivals))
	}
}

func TestACTAThatStandsStillStays(t *testing.T) {
	f := flow{Rates: []float64{0}, Rest: []float64{4}, Length: 10}
	if moved, _ := f.Over(1e6); moved[0] != 0 {
		t.Errorf("moved by %v, want 0", moved[0])
	}
}
