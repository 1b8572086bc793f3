package gpus_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"kumiko/benchmarks/benchtest"
	"kumiko/components/storage"
	"kumiko/components/wire"
	"kumiko/gpus"
	"kumiko/gpus/area"
	"kumiko/gpus/config"
	"kumiko/internal/tomldoc"
)

// everyMachine calls f with the machine of each GPU and preset, and of some pairs, with one SM.
func everyMachine(t *testing.T, f func(t *testing.T, m *gpus.Machine)) {
	t.Helper()
	machines, least := 0, 200
	chips := config.Names()
	if testing.Short() {
		chips, least = []string{"fermi", "gtx980", "h100"}, 60
	}
	for _, gpu := range chips {
		for _, design := range append(config.DesignNames(), "ltrf+finereg", "bow+regmutex", "rfc+sharing") {
			cfg, err := config.Load(config.Request{GPU: gpu, Design: design, Base: []string{"slice.sms=1"}})
			if err != nil {
				continue // the GPU has no such design
			}
			m, err := gpus.New(cfg, gpus.Options{})
			if refused := (*tomldoc.Error)(nil); errors.As(err, &refused) {
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			machines++
			t.Run(gpu+"/"+design, func(t *testing.T) { f(t, m) })
		}
	}
	if machines < least {
		t.Errorf("%d machines were looked at", machines)
	}
}

// blocks are the components of the chip and of its first SM.
func blocks(m *gpus.Machine) (out []wire.Block) {
	domains := []*wire.Domain{gpus.Chip(m).Core, gpus.Chip(m).SMs[0].Residency.Domain()}
	for _, d := range append(domains, gpus.Chip(m).Memory.Domains...) {
		out = append(out, d.Components()...)
	}
	return out
}

func TestEveryListOfABlockIsCountedOrIsNoHardware(t *testing.T) {
	soft := map[string][]string{} // by package: names of fields
	everyMachine(t, func(t *testing.T, m *gpus.Machine) {
		rows := map[string]bool{}
		for _, r := range m.Storage() {
			rows[r.Block+": "+r.What] = true
		}
		for _, b := range blocks(m) {
			sum := storage.Of(b)
			for _, fault := range sum.Faults {
				t.Errorf("%s: %s", b.Name(), fault)
			}
			for _, f := range sum.Fields {
				if f.Row != "" && !rows[f.Row] {
					t.Errorf("%s: %s is in row %q, which the design does not report", b.Name(), f.Name, f.Row)
				} else if f.Row == "" && f.Bits == 0 {
					t.Errorf("%s: %s has no bits", b.Name(), f.Name)
				}
			}
			for name := range sum.Soft {
				pkg, _, _ := strings.Cut(name, ".")
				if !slices.Contains(soft[pkg], name) {
					soft[pkg] = append(soft[pkg], name)
				}
			}
		}
	})
	for pkg, names := range soft {
		if len(names) >= 10 {
			t.Errorf("package %s has %d lists that are no hardware: %q", pkg, len(names), names)
		}
	}
}

func TestEveryRowOfStorageHasAShapeOrIsNoArray(t *testing.T) {
	everyMachine(t, func(t *testing.T, m *gpus.Machine) {
		rows := m.Storage()
		a, err := area.Builtin().Of(rows)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			_, ok := area.ParsePorts(r.Ports)
			if r.Kind == "" && r.Block != "Switcher" || !ok && r.Ports != "as wanted" {
				t.Errorf("%+v has no area", r)
			}
		}
		for _, r := range a.Rows {
			if r.UM2 <= 0 && r.What != "counts above six bits" {
				t.Errorf("%s: %s has an area of %v um^2", r.Block, r.What, r.UM2)
			}
		}
	})
}

// A list growing during a run has a tag with the capacity provided in hardware.
func TestNoBlockStoresMoreThanItSaysBeforeItRuns(t *testing.T) {
	everyMachine(t, func(t *testing.T, m *gpus.Machine) {
		gpu, _, _ := strings.Cut(strings.TrimPrefix(t.Name(), "TestNoBlockStoresMoreThanItSaysBeforeItRuns/"), "/")
		if testing.Short() && gpu != "gtx980" || !slices.Contains([]string{"gtx980", "maxwell-322", "rtx-a6000"}, gpu) {
			t.Skip("others have the same blocks")
		}
		if gpus.Config(m).OnChip.Memory == "unified" {
			t.Skip("a launch divides the pool anew")
		}
		before := map[string]int{}
		for _, b := range blocks(m) {
			before[b.Name()] = storage.Of(b).Bits()
		}
		benchtest.On(t, m, "hotspot")
		benchtest.On(t, m, "bfs")
		for _, b := range blocks(m) {
			sum := storage.Of(b)
			if n := sum.Bits(); n != before[b.Name()] {
				t.Errorf("%s has %d bits after the runs, %d before", b.Name(), n, before[b.Name()])
			}
			for _, fault := range sum.Faults {
				t.Errorf("%s: %s", b.Name(), fault)
			}
		}
	})
}
