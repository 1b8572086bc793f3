package record

import "testing"

func TestTheBudgetOfALargePointIsThatOfStudiesWhereTheSizesAreOne(t *testing.T) {
	for _, b := range []string{"backprop", "hotspot"} {
		large, study := Point{Benchmark: b, Size: "large"}, Point{Benchmark: b, Size: "study"}
		if same := large.Budget() == study.Budget(); same != (b == "backprop") {
			t.Errorf("%s: %d warp instructions, %d at size study", b, large.Budget(), study.Budget())
		}
	}
}
