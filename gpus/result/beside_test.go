package result

import (
	"testing"

	"pgregory.net/rapid"
)

// Cycle by cycle, a launch overlaps where another one runs too.
func TestAnOverlapIsTheTimeInWhichAnotherLaunchRunsToo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []Beside
		for range rapid.IntRange(1, 6).Draw(t, "launches") {
			begin := rapid.Uint64Range(0, 20).Draw(t, "begin")
			list = append(list, Beside{Begin: begin, End: begin + rapid.Uint64Range(0, 12).Draw(t, "length")})
		}
		SetOverlaps(list)
		for i, b := range list {
			want := uint64(0)
			for at := b.Begin; at < b.End; at++ {
				for k, o := range list {
					if k != i && o.Begin <= at && at < o.End {
						want++
						break
					}
				}
			}
			if b.Overlap != want {
				t.Fatalf("launch %d of %+v: %d cycles, want %d", i, list, b.Overlap, want)
			}
		}
	})
}
