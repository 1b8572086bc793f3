package gpus

import (
	"fmt"
	"testing"
)

// A chain of dependent FMAs is d cycles an FMA for one warp, and min(w, d) warps
// of a scheduler fit into these. A scheduler that has w warps and a places runs
// them a at a time to their ends, so that an FMA of all takes max(d, a) w/a cycles,
// rounded up to whole turns. One scheduler with 8 places hides the 8 cycles of
// fermi (Gebhart et al., ISCA 2011, section 3.2); the same 8 places over the four
// schedulers of gtx980 hide 2 of 9.
func TestFewActiveWarpsHideAsManyCyclesAsASchedulerHasPlaces(t *testing.T) {
	for _, c := range []struct {
		gpu    string
		active int
		want   float64
	}{
		{"fermi", 0, 32}, {"fermi", 8, 32}, {"fermi", 4, 64},
		{"gtx980", 0, 9}, {"gtx980", 32, 9}, {"gtx980", 16, 18}, {"gtx980", 8, 36},
	} {
		set := []string{"sm.count=1", "sm.fetch.icache.perfect=true", "sched.policy=greedy",
			"compiler.schedule=pressure"}
		if c.active > 0 {
			set = append(set, "sched.policy=two-level", "sched.inner=greedy", fmt.Sprintf("sched.active=%d", c.active))
		}
		if got := slope(t, chain, 100, 1, 1024, c.gpu, set...); got != c.want {
			t.Errorf("%s, %d active: %v cycles for an FMA of 32 warps, want %v", c.gpu, c.active, got, c.want)
		}
	}
}
