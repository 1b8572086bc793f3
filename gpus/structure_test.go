package gpus

import (
	"strings"
	"testing"
)

func TestTheStructureOfAMachineIsWhole(t *testing.T) {
	for _, gpu := range Names() {
		m := testMachine(t, gpu, Options{}, "sm.count=2")
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
			if b.Kind == "bank.Bank" {
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
	m := testMachine(t, "gtx980", Options{})
	if _, err := m.Structure(16); err == nil {
		t.Error("SM 16 of 16 was shown")
	}
}
