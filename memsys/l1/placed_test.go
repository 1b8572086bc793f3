package l1

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// placement is a call of Placed.
type placement struct {
	addr, victim uint64
	warp         uint16
}

func TestAnObserverOfLinesSeesForWhichWarpALineTakesThePlaceOfAnother(t *testing.T) {
	for _, when := range []string{"on_miss", "on_fill"} {
		s := small()
		s.Allocate = when
		b := newBench(t, s)
		var got []placement
		b.c.Tags.OnPlaced(func(addr, victim uint64, warp uint16) { got = append(got, placement{addr, victim, warp}) })
		// Lines of one set, one more than it has ways.
		step := uint64(s.Tags.Sets * s.Tags.Line)
		var want []placement
		for i := range uint64(s.Tags.Ways + 1) {
			l := load(i*step, 1)
			l.Warp = uint16(i + 1)
			b.send(b.Next(), l)
			b.Run(5)
			b.answer()
			b.Run(10)
			victim := NoLine
			if i == uint64(s.Tags.Ways) {
				victim = 0
			}
			want = append(want, placement{i * step, victim, uint16(i + 1)})
		}
		if d := cmp.Diff(want, got, cmp.AllowUnexported(placement{})); d != "" {
			t.Errorf("%s (-want +got):\n%s", when, d)
		}
		b.c.Tags.OnPlaced(nil)
	}
}
