package query

import "testing"

func TestAValueAndHalfOfItsIntervalHaveTheSameDecimals(t *testing.T) {
	for _, c := range []struct {
		value, half float64
		want        string
	}{{447.5, 123, "450 ± 120"}, {447.5, 9.96, "448 ± 10"}, {1.2345, 0.0123, "1.234 ± 0.012"},
		{12.3, 0.5, "12.30 ± 0.50"}, {-0.02, 0.31, "-0.02 ± 0.31"}, {123456, 2000, "123500 ± 2000"}} {
		if got := PlusMinus(c.value, c.half); got != c.want {
			t.Errorf("%v and %v: %s, want %s", c.value, c.half, got, c.want)
		}
	}
}
