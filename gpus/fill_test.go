package gpus_test

import (
	"testing"

	"kumiko/benchmarks/benchtest"
	"kumiko/gpus"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/measure"
)

// An SM with 512 threads holds two CTAs of vecadd, of 256 threads each.
func TestAFillCountsTheCTAsOfALaunchAgainstThePlacesOfTheMachine(t *testing.T) {
	c := testConfig(t, "gtx980", "slice.sms=2", "sm.threads=512", "sm.warps=16")
	m := machinetest.Of(t, c, gpus.Options{})
	benchtest.On(t, m, "vecadd")
	k := &m.Results()[0]
	want := measure.Fill{Kernel: "vecadd", CTAs: k.Grid[0], SMs: 2, Resident: 2, Cycles: k.Cycles, Launches: 1}
	if got := m.Fills(); len(got) != 1 || got[0] != want {
		t.Fatalf("fills %+v, want one: %+v", got, want)
	}
	if got, want := m.Fills()[0].Waves(), float64(k.Grid[0])/4; got != want {
		t.Errorf("%g waves, want %g", got, want)
	}
}

func TestMostSMsIsTheLargestNumberWithEnoughWaves(t *testing.T) {
	for _, x := range []struct{ ctas, resident, want int }{{96, 8, 4}, {95, 8, 3}, {24, 8, 1}, {23, 8, 0}} {
		f := measure.Fill{CTAs: x.ctas, SMs: 16, Resident: x.resident}
		n := f.MostSMs(measure.EnoughWaves)
		if n != x.want {
			t.Errorf("%d CTAs, %d to an SM: %d SMs, want %d", x.ctas, x.resident, n, x.want)
		}
		if f.SMs = n; n > 0 && f.Waves() < measure.EnoughWaves {
			t.Errorf("%d CTAs, %d to an SM: %g waves on %d SMs, want %d or more", x.ctas, x.resident, f.Waves(), n,
				measure.EnoughWaves)
		}
	}
}
