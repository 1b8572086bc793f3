package allocate_test

import (
	"io"
	"testing"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/kernel/host"
)

// Every operand is checked, and the applications compare what they leave in memory with results of
// their own. With the compiler's control words some of them are found in the cache, without words none.
func TestApplicationsAreRightAndReadEveryOperandFromTheBanks(t *testing.T) {
	gpu := []config.Request{{GPU: "rtx-a6000"}, {GPU: "gtx980", Design: "allocate"}, {GPU: "fermi", Design: "allocate",
		Set: []string{"regfile.allocate.read_ports=2", "regfile.allocate.banks=4"}}}
	ran, slots := 0, uint64(0)
	for _, a := range benchmarks.List() {
		switch a.Name {
		case "sgemm", "hotspot", "nw", "histogram", "lbm", "kmeans":
		default:
			continue
		}
		r := gpu[ran%len(gpu)]
		ran++
		r.Set = append([]string{"sm.count=2"}, r.Set...)
		cfg, err := config.Load(r)
		if err != nil {
			t.Fatal(err)
		}
		m, err := gpus.New(cfg, gpus.Options{Check: true, Printf: io.Discard})
		if err != nil {
			t.Fatal(err)
		}
		p, err := a.New(benchmarks.Test)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Run(&host.Device{Mem: m.Memory(), Runner: m}); err != nil {
			t.Fatalf("%s %v: %v", a.Name, r, err)
		}
		reads, hits := uint64(0), uint64(0)
		for _, k := range m.Results() {
			reads += k.Stats["regfile.bank.reads.operand"]
			slots += k.IssueSlots["allocate"]
			hits += k.Stats["regfile.allocate.reuse_hits"]
		}
		if reads == 0 || (hits != 0) != cfg.Sched.Controlled() {
			t.Errorf("%s %v: %d reads, %d hits", a.Name, r, reads, hits)
		}
	}
	if ran < 5 || slots == 0 {
		t.Errorf("%d applications, %d issue slots lost to held instructions", ran, slots)
	}
}
