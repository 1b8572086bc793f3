package gpus_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
	"kumiko/kernel/host"
)

// inStream is a machine that runs all launches of a program in one stream.
type inStream struct {
	*gpus.Machine
	stream int
}

// Launch implements host.Runner.
func (s inStream) Launch(l *host.Launch) error {
	own := *l
	own.Queue = &host.Queue{Stream: s.stream}
	return s.Machine.Launch(&own)
}

// beside runs programs in streams of their own, and checks their results.
func beside(t *testing.T, c *config.Config, o gpus.Options, names ...string) []result.Kernel {
	t.Helper()
	o.Check = true
	m := machinetest.Of(t, c, o)
	launched(t, m, names...)
	sync := m.Sync
	if len(names) == 1 { // else its launches run one by one
		sync = func() error { return gpus.SyncTogether(m) }
	}
	if err := sync(); err != nil {
		t.Fatal(err)
	}
	return m.Results()
}

func TestOneLaunchInAStreamIsUnmovedToTheCycle(t *testing.T) {
	for _, gpu := range []string{"gtx980", "fermi-gto", "h100"} {
		for _, name := range []string{"vecadd", "sgemm"} {
			r := config.Request{GPU: gpu, Set: []string{"sm.count=2"}}
			alone := machinetest.Run(t, r, gpus.Options{}, name)[0]
			got := beside(t, machinetest.Config(t, r), gpus.Options{}, name)[0]
			if len(got.Beside) != 1 || got.Beside[0].Name != alone.Name || got.Beside[0].End != alone.Cycles {
				t.Fatalf("%s on %s: beside %+v, want one launch to cycle %d", name, gpu, got.Beside, alone.Cycles)
			}
			if d := cmp.Diff(alone.Counts, got.Counts); d != "" {
				t.Errorf("%s on %s: %s", name, gpu, d)
			}
			if got.Beside[0].WarpInstructions != alone.WarpInstructions ||
				got.Beside[0].ThreadInstructions != alone.ThreadInstructions {
				t.Errorf("%s on %s: %+v", name, gpu, got.Beside[0])
			}
		}
	}
}

func TestLaunchesOfTwoStreamsOverlapAndThoseOfOneDoNot(t *testing.T) {
	c := machinetest.Config(t, config.Request{GPU: "gtx980", Set: []string{"sm.count=2"}})
	row := beside(t, c, gpus.Options{}, "hotspot", "vecadd")
	if len(row) != 1 || len(row[0].Beside) != 3 {
		t.Fatalf("%d rows, %+v", len(row), row[0].Beside)
	}
	first, second, other := row[0].Beside[0], row[0].Beside[1], row[0].Beside[2]
	if second.Begin < first.End+4096 || first.Overlap+second.Overlap != other.Overlap {
		t.Errorf("hotspot %d to %d and %d to %d, vecadd %d to %d", first.Begin, first.End, second.Begin, second.End,
			other.Begin, other.End)
	}
	if other.Overlap == 0 || other.Stream != 2 || first.Stream != 1 {
		t.Errorf("%+v", other)
	}
}

func TestLaunchesSideBySideAreTheSameWithAnyNumberOfWorkers(t *testing.T) {
	for _, policy := range []string{"left-over", "round-robin", "spatial"} {
		c := machinetest.Config(t, config.Request{GPU: "gtx980", Set: []string{"sm.count=4",
			"residency.policy=" + policy}})
		one := beside(t, c, gpus.Options{Workers: 1}, "sgemm", "bfs", "vecadd")
		six := beside(t, c, gpus.Options{Workers: 6}, "sgemm", "bfs", "vecadd")
		if d := cmp.Diff(one, six); d != "" {
			t.Errorf("%s: %s", policy, d)
		}
	}
}

// launched runs programs in streams, without waiting for their time.
func launched(t *testing.T, m *gpus.Machine, names ...string) {
	t.Helper()
	for i, name := range names {
		p, err := benchmarks.Find(name).New(benchmarks.Test)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Run(&host.Device{Mem: m.Memory(), Runner: inStream{m, i + 1}}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestADesignThatIsMadeForOneKernelIsRefusedByName(t *testing.T) {
	for design, gpu := range map[string]string{"reg-dram": "gtx980", "regpool": "gtx980",
		"cerf-fair": "fermi-gto"} {
		m := machinetest.New(t, config.Request{GPU: gpu, Design: design}, gpus.Options{})
		launched(t, m, "vecadd", "vecadd")
		err := m.Sync()
		if err == nil || !strings.Contains(err.Error(), "in stream 1: found the register file "+
			strings.TrimSuffix(design, "-fair")) || !strings.Contains(err.Error(), `residency.policy = "in-order"`) {
			t.Errorf("%s: %v", design, err)
		}
	}
}

// hotspot has two launches.
func TestLaunchesOfOneStreamRunAsThoseOfTheDefaultStream(t *testing.T) {
	for design, gpu := range map[string]string{"": "gtx980", "regmutex": "gtx980", "finereg": "gtx980"} {
		r := config.Request{GPU: gpu, Design: design, Set: []string{"sm.count=2"}}
		want := machinetest.Run(t, r, gpus.Options{}, "hotspot")
		m := machinetest.New(t, r, gpus.Options{})
		launched(t, m, "hotspot")
		if err := m.Sync(); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, m.Results()); d != "" || len(want) != 2 {
			t.Errorf("%q: %d launches\n%s", design, len(want), d)
		}
	}
}

func TestInOrderEachLaunchOfSeveralStreamsRunsAlone(t *testing.T) {
	r := config.Request{GPU: "gtx980", Design: "finereg", Set: []string{"sm.count=2", "residency.policy=in-order"}}
	want := machinetest.New(t, r, gpus.Options{})
	for _, name := range []string{"hotspot", "vecadd"} {
		p, err := benchmarks.Find(name).New(benchmarks.Test)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Run(&host.Device{Mem: want.Memory(), Runner: want}); err != nil {
			t.Fatal(err)
		}
	}
	m := machinetest.New(t, r, gpus.Options{})
	launched(t, m, "hotspot", "vecadd")
	if d := cmp.Diff(want.Results(), m.Results()); d != "" || len(want.Results()) != 3 {
		t.Errorf("%d launches\n%s", len(want.Results()), d)
	}
}

func TestLaunchesThatTakeTooMuchMemoryAreSimulatedBeforeTheNext(t *testing.T) {
	m := machinetest.New(t, config.Request{GPU: "gtx980", Set: []string{"sm.count=2"}}, gpus.Options{})
	gpus.MostQueued(m, 1)
	launched(t, m, "vecadd", "vecadd")
	if err := m.Sync(); err != nil {
		t.Fatal(err)
	}
	if rows := m.Results(); len(rows) != 2 || rows[0].Beside != nil || rows[1].Beside != nil {
		t.Errorf("found %d rows, want two launches alone", len(rows))
	}
}

// Two CTAs of hotspot fill the slots.
func TestSwitchedCTAsRunSideBySideBeyondTheSlots(t *testing.T) {
	set := []string{"sm.count=1", "sm.warps=16", "sm.threads=512"}
	plain := beside(t, machinetest.Config(t, config.Request{GPU: "gtx980", Set: set}), gpus.Options{}, "hotspot", "bfs")
	c := machinetest.Config(t, config.Request{GPU: "gtx980", Design: "virtual-thread", Set: set})
	row := beside(t, c, gpus.Options{}, "hotspot", "bfs")
	if len(row) != 1 || row[0].CTAsResidentMax <= plain[0].CTAsResidentMax {
		t.Errorf("%d CTAs resident, and %d without switching", row[0].CTAsResidentMax, plain[0].CTAsResidentMax)
	}
}
