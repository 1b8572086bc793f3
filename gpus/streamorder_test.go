package gpus_test

import (
	"strings"
	"testing"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/host"
)

// clustered runs all launches of a program in one stream, and in clusters.
type clustered struct{ inStream }

// Launch implements host.Runner.
func (c clustered) Launch(l *host.Launch) error {
	own := *l
	own.Cluster = [3]int{2, 1, 1}
	return c.inStream.Launch(&own)
}

// vecaddIn runs vecadd by a machine.
func vecaddIn(t *testing.T, m *gpus.Machine, r host.Runner) {
	t.Helper()
	p, err := benchmarks.Find("vecadd").New(benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Run(&host.Device{Mem: m.Memory(), Runner: r}); err != nil {
		t.Fatal(err)
	}
}

// A stream keeps its share in every group of launches, whichever of its streams begins.
func TestSharesBelongToStreamsInTheOrderOfTheirNumbers(t *testing.T) {
	for share, refused := range map[string]string{"[1,100]": "launch 2:", "[100,1]": "launch 1:"} {
		set := []string{"residency.share=" + share}
		m := machinetest.New(t, config.Request{GPU: "gtx980", Set: set}, gpus.Options{})
		vecaddIn(t, m, inStream{m, 2})
		vecaddIn(t, m, inStream{m, 1})
		if err := m.Sync(); err == nil || !strings.Contains(err.Error(), "room for a CTA of "+refused) {
			t.Errorf("%s: %v, want no room for %s", share, err, refused)
		}
	}
}

func TestSharesAreThoseOfTheStreamsWithLaunches(t *testing.T) {
	m := machinetest.New(t, config.Request{GPU: "gtx980", Set: []string{"residency.share=[50,1,50]"}}, gpus.Options{})
	for _, stream := range []int{1, 3} {
		vecaddIn(t, m, inStream{m, stream})
	}
	if err := m.Sync(); err != nil {
		t.Errorf("streams 1 and 3 of three: %v", err)
	}
	for _, stream := range []int{3, 4} {
		vecaddIn(t, m, inStream{m, stream})
	}
	if err := m.Sync(); err == nil || !strings.Contains(err.Error(), "a share for stream 4 too") {
		t.Errorf("stream 4: %v", err)
	}
}

func TestClustersThatALaunchAsksForAreRefusedBesideOthers(t *testing.T) {
	m := machinetest.New(t, config.Request{GPU: "h100", Set: []string{"sm.count=2"}}, gpus.Options{})
	vecaddIn(t, m, clustered{inStream{m, 1}})
	vecaddIn(t, m, inStream{m, 2})
	err := m.Sync()
	if err == nil || !strings.Contains(err.Error(), "vecadd in stream 1: found a cooperative launch or clusters") {
		t.Errorf("%v", err)
	}
}
