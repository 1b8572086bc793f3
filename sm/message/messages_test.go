package message_test

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/sm/message"
)

func TestTheNextWarpIsTheFirstMemberFromAPlaceOnAroundTheSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.IntRange(1, message.MaxWarps/64).Draw(t, "words")
		var s message.WarpSet
		members := rapid.SliceOfN(rapid.IntRange(0, words*64-1), 0, 4).Draw(t, "members")
		places := []int{0, words * 64} // the place behind the last is the first
		for _, w := range members {
			s.Add(w)
			places = append(places, w, w+1)
		}
		from := rapid.SampledFrom(places).Draw(t, "from")
		want := -1
		for i := range words * 64 {
			if w := (from + i) % (words * 64); s.Has(w) {
				want = w
				break
			}
		}
		if got := message.NextWarp(&s, from, words); got != want {
			t.Errorf("from %d: warp %d, want %d", from, got, want)
		}
	})
}
