package gpus_test

import (
	"testing"

	"kumiko/benchmarks/benchtest"
	"kumiko/gpus"
	"kumiko/gpus/machinetest"
)

// suspensions returns the number of warps suspended for memory in a run, on the event on.
func suspensions(t *testing.T, name, on string, set ...string) (n uint64) {
	t.Helper()
	set = append([]string{"sm.count=1", "sched.policy=two-level", "sched.active=8", "sched.suspend_on=" + on}, set...)
	m := machinetest.GPU(t, "gtx980", gpus.Options{Check: true}, set...)
	benchtest.On(t, m, name)
	for _, k := range m.Results() {
		n += k.Stats["sm.active.suspensions.long_latency"]
	}
	return n
}

func TestMissesSuspendWarpsAndHitsDoNot(t *testing.T) {
	for _, name := range []string{"bfs", "sgemm", "kmeans"} {
		for _, on := range []string{"miss", "missed-use"} {
			if suspensions(t, name, on) == 0 {
				t.Errorf("%s, %s: no suspensions, want some", name, on)
			}
			if n := suspensions(t, name, on, "mem.l1.perfect=true", "mem.texture.perfect=true"); n != 0 {
				t.Errorf("%s, %s: %d suspensions with perfect caches, want none", name, on, n)
			}
		}
	}
}
