package gpus_test

import (
	"fmt"
	"testing"

	"kumiko/gpus/machinetest"
)

// A chain of dependent FMAs takes d cycles per FMA for one warp, and min(w, d) warps of a scheduler fit into these
// cycles. A scheduler with w warps and a slots runs them to their ends, a at a time. An FMA of all warps then takes
// max(d, a) w/a cycles, rounded up to whole turns. One scheduler with 8 slots hides the 8 cycles of fermi (Gebhart
// et al., ISCA 2011, section 3.2). The same 8 slots over the four schedulers of gtx980 hide 2 of 9.
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
		if got := machinetest.Slope(t, chain, 100, 1, 1024, c.gpu, set...); got != c.want {
			t.Errorf("%s, %d active: %v cycles for an FMA of 32 warps, want %v", c.gpu, c.active, got, c.want)
		}
	}
}
