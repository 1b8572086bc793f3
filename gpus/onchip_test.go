package gpus

import (
	"strings"
	"testing"
)

func TestOrganisationsOfOnChipMemoryGoWithTheirRegisterFile(t *testing.T) {
	for _, c := range []struct {
		design string
		set    []string
		want   string
	}{
		{"cerf-fair", []string{"onchip.memory=separate"}, "onchip.memory: found separate, expected cerf, with regfile.kind = cerf"},
		{"", []string{"onchip.memory=cerf"}, "onchip.memory: found cerf, expected another organisation with regfile.kind = conventional, or regfile.kind = cerf"},
		{"rfc", []string{"onchip.memory=cerf"}, "onchip.memory: found cerf, expected another organisation with regfile.kind = rfc"},
		{"", []string{"onchip.memory=magic"}, "onchip.memory: found magic, expected"},
		{"cerf-fair", []string{"mem.l1.latency=40"}, "mem.l1.latency has no effect: expected onchip.memory other than cerf"},
		{"cerf-fair", []string{"mem.l1.tags.ways=8"}, "mem.l1.tags.ways has no effect"},
		{"cerf-fair", []string{"regfile.conventional.bank_index=register"}, "bank_index = linear"},
		{"cerf-fair", []string{"regfile.cerf.ways=3"}, "regfile.cerf.ways: found 3, expected a power of two"},
		{"cerf-fair", []string{"regfile.cerf.bytes=100000"}, "regfile.cerf.bytes: found 100000, expected sets x 4 ways x 128 bytes"},
		{"cerf-fair", []string{"regfile.cerf.bytes=4294967296"}, "leaves no prefix for the SM"},
		{"cerf-fair", []string{"regfile.cerf.bytes=65536"}, "expected room for the 1024 warp registers of the SM (131072 bytes)"},
		{"cerf-fair", []string{"regfile.cerf.dead=meet"}, "regfile.cerf.dead has no effect: expected regfile.cerf.policy = lru-prioritized"},
		{"cerf-prioritized", []string{"regfile.cerf.lanes=mask"}, "regfile.cerf.lanes has no effect: expected regfile.cerf.policy = lru-fair"},
		{"cerf-fair", []string{"regfile.conventional.sub_cores=2"}, "sub_cores = 1"},
		{"cerf-fair", []string{"regfile.conventional.network=butterfly"}, "network: found butterfly, expected crossbar"},
	} {
		cfg, err := Load(Request{GPU: "fermi-gto", Design: c.design, Set: c.set})
		if err == nil {
			_, err = New(cfg, Options{})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %v: error %v, want one with %q", c.design, c.set, err, c.want)
		}
	}
}
