package stats

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func TestSmallValuesHaveABucketEachAndLargeOnesShareAPowerOfTwo(t *testing.T) {
	var h Histogram
	for _, v := range []uint64{0, 3, 3, 15, 16, 31, 32, 1023, 2047, 2048, 1 << 40} {
		h.Add(v)
	}
	want := []Bucket{{0, 0, 1}, {3, 3, 2}, {15, 15, 1}, {16, 31, 2}, {32, 63, 1}, {512, 1023, 1}, {1024, 2047, 1},
		{2048, 0, 2}}
	if got := Buckets(&h.n); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestEveryValueFallsIntoTheBucketThatBoundsIt(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		v := rapid.Uint64().Draw(rt, "v") >> rapid.IntRange(0, 63).Draw(rt, "shift")
		var h Histogram
		h.Add(v)
		b := Buckets(&h.n)
		if len(b) != 1 || v < b[0].From || b[0].To != 0 && v > b[0].To {
			rt.Errorf("%d fell into %v", v, b)
		}
	})
}

func TestHistogramsOfOneNameAddUp(t *testing.T) {
	var r Registry
	var a, b Histogram
	r.Histogram("x", Cycles, "d", &a)
	r.Histogram("x", Cycles, "d", &b)
	a.Add(1)
	b.Add(1)
	n := r.Distributions()[0].Counts()
	if len(r.Distributions()) != 1 || n[1] != 2 {
		t.Errorf("%d distributions, %v", len(r.Distributions()), n)
	}
	defer func() {
		if recover() == nil {
			t.Error("one name with two meanings was accepted")
		}
	}()
	r.Histogram("x", Cycles, "something else", &a)
}
