package wire

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"
)

func TestAnEpochEndsAtTheLimit(t *testing.T) {
	hz := uint64(sim.GHz)
	for _, c := range []struct {
		limit bound
		want  int
	}{{bound{edge{17, hz}, true}, 3}, {bound{edge{16, hz}, false}, 2}, {bound{edge{1, hz}, true}, 1}, {noBound, 32}} {
		if e := (epoch{0, window{8, hz}, c.limit, 32}); e.length() != c.want {
			t.Errorf("%d windows up to %+v, want %d", e.length(), c.limit, c.want)
		}
	}
}
