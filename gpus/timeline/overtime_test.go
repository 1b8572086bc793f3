package timeline

import "testing"

func TestTheSpansOfAProfileDoubleAndKeepEveryCycle(t *testing.T) {
	var x overTime
	x.begin(100)
	for at := uint64(100); at < 400; at++ { // 300 cycles in spans of 8
		x.add(int(at%2), at)
	}
	r := x.report([]string{"a", "b", "unused"})
	if r.From != 100 || r.Length != 8 || len(r.Banks) != 3 {
		t.Fatalf("from %d, spans of %d cycles, %d banks; want 100, 8 and 3", r.From, r.Length, len(r.Banks))
	}
	for i, want := range map[int]uint64{0: 4, 36: 4, 37: 2, 38: 0} { // cycles 396 to 399 are in the span 37
		if a, b := r.Banks[0].Cycles[i], r.Banks[1].Cycles[i]; a != want || b != want {
			t.Errorf("span %d: %d and %d cycles, want %d of each bank", i, a, b, want)
		}
	}
	if r.Banks[2].Cycles != [maxSpans]uint64{} {
		t.Error("a bank for which nothing waited has cycles")
	}
}
