package polybench

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// a is
//
//	1 2 3
//	4 5 6
var a = []float32{1, 2, 3, 4, 5, 6}

func TestTimesTakesRows(t *testing.T) {
	// 1*1 + 2*10 + 3*100, 4*1 + 5*10 + 6*100
	if d := cmp.Diff([]float64{321, 654}, Times(a, 2, 3, []float64{1, 10, 100})); d != "" {
		t.Error(d)
	}
}

func TestTransposedTimesTakesColumns(t *testing.T) {
	// 1*1 + 4*10, 2*1 + 5*10, 3*1 + 6*10
	if d := cmp.Diff([]float64{41, 52, 63}, TransposedTimes(a, 2, 3, []float64{1, 10})); d != "" {
		t.Error(d)
	}
}

func TestTimesTransposedTakesRowsOfBoth(t *testing.T) {
	// Rows 1 2 3 and 4 5 6 with rows 1 0 0 and 0 0 1.
	if d := cmp.Diff([]float64{1, 3, 4, 6}, TimesTransposed(a, []float32{1, 0, 0, 0, 0, 1}, 2, 3)); d != "" {
		t.Error(d)
	}
}
