package gpus_test

import (
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
)

func TestTheStructureOfAMachineIsWhole(t *testing.T) {
	for _, gpu := range config.Names() {
		m := machinetest.GPU(t, gpu, gpus.Options{}, "sm.count=2")
		s, err := m.Structure(0)
		if err != nil {
			t.Fatal(err)
		}
		outs, banks := 0, 0
		names := map[string]bool{}
		for _, b := range s.Blocks {
			names[b.Name] = true
			if strings.HasPrefix(b.Name, "GPU.SM[1]") {
				t.Errorf("%s: %s is of the other SM", gpu, b.Name)
			}
			switch b.Kind {
			case "bank.Bank", "maxwell.SubCore", "turing.SubCore": // the latter have theirs within
				banks++
			}
			for _, p := range b.Ports {
				if p.Direction == "out" && p.Connected {
					outs++
				}
				if p.Direction == "in" && p.Capacity < 1 || p.Message == "" {
					t.Errorf("%s: port %+v of %s", gpu, p, b.Name)
				}
			}
		}
		if banks == 0 || outs < len(s.Links) {
			t.Errorf("%s: %d banks; %d links from %d connected outputs", gpu, banks, len(s.Links), outs)
		}
		for _, l := range s.Links {
			if !names[l.From] || !names[l.To] || l.Latency < 1 {
				t.Errorf("%s: link %+v", gpu, l)
			}
		}
	}
}

func TestTheStructureShowsTheClocksOfItsBlocks(t *testing.T) {
	m := machinetest.GPU(t, "gtx980", gpus.Options{})
	s, err := m.Structure(3)
	if err != nil {
		t.Fatal(err)
	}
	clocks, channels := map[string]float64{}, 0
	for _, b := range s.Blocks {
		clocks[b.Name] = b.Clock
		want := 1126e6
		if b.Kind == "dram.Channel" {
			channels++
			want = 1377e6
		}
		if b.Clock != want {
			t.Errorf("%s has a clock of %g Hz, want %g", b.Name, b.Clock, want)
		}
	}
	lanes := 0
	for _, l := range s.Links {
		if clocks[l.From] != clocks[l.To] {
			lanes++
		}
	}
	if channels != 16 || lanes != 2*16 {
		t.Errorf("%d channels and %d links between clocks, want 16 and one each way for each", channels, lanes)
	}
}

func TestOnlySMsThatExistAreShown(t *testing.T) {
	m := machinetest.GPU(t, "gtx980", gpus.Options{})
	if _, err := m.Structure(16); err == nil {
		t.Error("SM 16 of 16 was shown")
	}
}

// The assembly of a machine refuses settings that cannot be checked while reading a configuration.
func TestTheSettingThatNoMachineCanHaveIsBlamedAmongOthers(t *testing.T) {
	for set, want := range map[string]string{
		"sm.units.fma.latency=2": "sm.units.fma.latency: found 2, expected at least 4",
		"sm.writeback_ports=1":   "sm.writeback_ports: found 1, expected 2 to 64",
	} {
		c := machinetest.Config(t, config.Request{GPU: "rtx-a6000", Set: []string{"slice.sms=2", set,
			"mem.l1.latency=40"}})
		if _, err := gpus.New(c, gpus.Options{}); err == nil || !strings.HasPrefix(err.Error(),
			"--set "+set+": "+want) {
			t.Errorf("error %v, want one that begins with --set %s: %s", err, set, want)
		}
	}
}
